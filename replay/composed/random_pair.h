/* Draws random inputs of slots 17 and 22. */
#ifndef RETROPOSE_REPLAY_COMPOSED_RANDOM_PAIR_H
#define RETROPOSE_REPLAY_COMPOSED_RANDOM_PAIR_H

#include "replay/scenario/values.h"

typedef struct RandomPair {
    float q0[4], q1[4], t;
} RandomPair;

/* Draws quaternions of about length 1 that are unrelated, near each other, at right angles, or
 * often around the limit of the spherical case. The fraction is from 0 to 1; now and then it is
 * next to 0 or 1, exactly there, or outside. */
void RandomPair_Make(Random *random, RandomPair *pair);
/* Draws pairs at and beside every place where the steps branch or the core begins to refuse. All
 * numbers are finite. */
void RandomPair_MakeEdge(Random *random, RandomPair *pair);
/* Puts a number of any class into one of the nine places. */
void RandomPair_PutSpecial(Random *random, RandomPair *pair);

#endif
