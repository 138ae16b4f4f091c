/* Builds made-up animations, which are the same on every machine. They reach every branch of the
 * slerp, equal and falling times, and all flags. */
#ifndef RETROPOSE_TESTS_SIBLINGS_ISLE_RANDOM_ANI_H
#define RETROPOSE_TESTS_SIBLINGS_ISLE_RANDOM_ANI_H

#include "retropose/ani.h"

/* Returns false where memory is short. RpAni_Free frees what was built in both cases. */
bool RandomAni_Build(uint32_t number, RpAni *ani);

#endif
