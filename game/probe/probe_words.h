/* Words about what probing found, which its reports share. */
#ifndef RETROPOSE_GAME_PROBE_PROBE_WORDS_H
#define RETROPOSE_GAME_PROBE_PROBE_WORDS_H

#include "game/probe/probe.h"

#define PROBE_WORDS_BYTES 400

/* Writes "fastcall or thiscall; pops 8; 4 arguments". */
void ProbeWords_Facts(const ProbeStatic *facts, char *text, size_t size);
/* Writes the processor classes of a mask: "this processor, ForceCpu 2". */
void ProbeWords_Classes(uint8_t mask, char *text, size_t size);
/* Returns "found", "-" if it was not tried, or the name of the verdict. */
const char *ProbeWords_Mark(const ProbeRow *row);

#endif
