/* A digest of what animations are sampled to, which is the same on every machine. */
#ifndef RETROPOSE_TESTS_SIBLINGS_ISLE_ANI_DIGEST_H
#define RETROPOSE_TESTS_SIBLINGS_ISLE_ANI_DIGEST_H

#include "retropose/ani.h"

/* The times at which the synthetic file is sampled, which are each millisecond from before its
 * start to after its end; the numbers of random animations, and of times for each of them; and the
 * number of samples in all. */
enum {
    ANI_DIGEST_TIMES = 1151,
    ANI_DIGEST_FILES = 24,
    ANI_DIGEST_FILE_TIMES = 151,
    ANI_DIGEST_SAMPLES = ANI_DIGEST_TIMES + ANI_DIGEST_FILES * ANI_DIGEST_FILE_TIMES
};

/* Returns the FNV-1a of all matrices and visibilities. The rotations of the synthetic file are so
 * plain that most of its sums are exact in every order; those of the random animations are not. */
uint64_t AniDigest_Samples(RpAniPolicy policy);

#endif
