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

/* What computed an interpolation. */
typedef enum ArcWay {
    ARC_BY_CORE,
    ARC_BY_X87,  /* the core was not asked */
    ARC_REFUSED, /* the core was, and left it to the x87 */
} ArcWay;

/* RpQuaternion_Interpolate, which says in addition what computed the result. */
ArcWay Arc_Interpolate(const RpArithmetic *arithmetic, const float q0[4], const float q1[4],
                       float t, float result[4]);

#endif
