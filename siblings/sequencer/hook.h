#ifndef RETROPOSE_SIBLINGS_SEQUENCER_HOOK_H
#define RETROPOSE_SIBLINGS_SEQUENCER_HOOK_H

#include "retropose/sequencer.h"

/* Bytes of a known type's payload with its padding, given what is left of the resource there. */
uint32_t Hook_PayloadBytes(uint32_t type, const uint8_t *payload, size_t left);
/* Without the padding. */
uint32_t Hook_UsedBytes(const RpAcHook *hook);

#endif
