/* What a function was seen to do with its arguments: it is lifted (replay/lift), called in the way
 * that was found, and its paths say which bytes it reads and writes behind each pointer, how much
 * it takes off the stack, and what it leaves on the x87 stack. Nothing of this is compared with
 * what the function should compute, so it does not depend on readings. */
#ifndef RETROPOSE_GAME_PROBE_SEEN_H
#define RETROPOSE_GAME_PROBE_SEEN_H

#include "replay/lift/lift_paths.h"

typedef struct ProbeSeen {
    uint32_t paths; /* that were followed to their ends; 0: the function was not lifted */
    /* "reads q0 16, q1 16; writes result 16; takes 8 bytes off the stack": the numbers are how many
     * bytes from the beginning of each argument's memory. */
    char words[400];
} ProbeSeen;

/* Looks at one function of a pair. What cannot be lifted has no paths, which is no error. */
RpStatus ProbeSeen_Find(LiftPair *pair, LiftInputs *inputs, const AbiFunction *function,
                        ProbeSeen *seen, RpError *error);

#endif
