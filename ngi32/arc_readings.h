/* What the readings say about the arcs of slots 17 and 22, for those who compute many at once. */
#ifndef RETROPOSE_NGI32_ARC_READINGS_H
#define RETROPOSE_NGI32_ARC_READINGS_H

#include "ngi32/exact/slerp.h"
#include "retropose/fastproc.h"

#include <stdbool.h>

/* Returns whether the exact core computes arcs in the way that the build and the readings ask for.
 */
bool Arc_IsExact(const RpArithmetic *arithmetic);

/* The order of the dot product. */
ExactSum Arc_Order(const RpArithmetic *arithmetic);

#endif
