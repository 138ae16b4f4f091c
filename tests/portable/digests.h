#ifndef RETROPOSE_TESTS_PORTABLE_DIGESTS_H
#define RETROPOSE_TESTS_PORTABLE_DIGESTS_H

#include "retropose/fastproc.h"

/* Each of these prints digests of one part: a line for each function, with the number of its
 * calls. */
void Digests_OfSlots(RpBuild build);
void Digests_OfPoses(RpBuild build);
void Digests_OfQueries(RpBuild build);

#endif
