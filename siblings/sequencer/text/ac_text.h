/* Writes pieces of text that dumps and reports of the sequencer share. */
#ifndef RETROPOSE_SIBLINGS_SEQUENCER_TEXT_AC_TEXT_H
#define RETROPOSE_SIBLINGS_SEQUENCER_TEXT_AC_TEXT_H

#include "retropose/sequencer.h"

/* Writes a word in the form "0x0300000A", with the quotation marks. */
void AcText_Word(RpBuffer *text, uint32_t word);
void AcText_Field(RpBuffer *text, const RpAcHook *hook, const RpAcHookField *field);

#endif
