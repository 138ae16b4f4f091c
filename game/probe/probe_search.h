/* Searches for internal functions that are not where the tables have them. Every function of the
 * module whose machine code fits is called, and the one that reproduces the formula is the
 * answer. */
#ifndef RETROPOSE_GAME_PROBE_PROBE_SEARCH_H
#define RETROPOSE_GAME_PROBE_PROBE_SEARCH_H

#include "game/probe/dynamic.h"

typedef struct ProbeSearch ProbeSearch; /* the functions of one module, read once */

RpStatus ProbeSearch_Open(const PeFile *file, ProbeSearch **search, RpError *error);
void ProbeSearch_Close(ProbeSearch *search);

/* Fills `rva`, `facts` and `finding` where exactly one function reproduces the formula.
 * Otherwise finding->verdict is not PROBE_FOUND, and its words say why. It never calls code that
 * calls the system. */
RpStatus ProbeSearch_Find(const ProbeSearch *search, const ProbeTrials *trials,
                          const AbiFunction *function, uint32_t *rva, ProbeStatic *facts,
                          ProbeFinding *finding, RpError *error);

#endif
