#ifndef RETROPOSE_SIBLINGS_SEQUENCER_HOOK_H
#define RETROPOSE_SIBLINGS_SEQUENCER_HOOK_H

#include "retropose/sequencer.h"

/* Returns the size of a payload of a known type, with padding. `left` is the number of bytes that
 * the resource still has. */
uint32_t Hook_PayloadBytes(uint32_t type, const uint8_t *payload, size_t left);
/* Returns the size of the payload without the padding. */
uint32_t Hook_UsedBytes(const RpAcHook *hook);

#endif
