/* Says what the readings mean for the arcs of slots 17 and 22. It is for code that computes many
 * arcs at once. */
#ifndef RETROPOSE_NGI32_ARC_READINGS_H
#define RETROPOSE_NGI32_ARC_READINGS_H

#include "ngi32/exact/slerp.h"
#include "ngi32/reading.h"
#include "retropose/fastproc.h"

#include <stdbool.h>

/* Returns whether the exact core computes arcs in the way that the build and the readings ask for.
 */
static inline bool Arc_IsExact(const RpArithmetic *arithmetic) {
    return Reading_IsServed(arithmetic, OF_ARCS) && (Arithmetic_Build(arithmetic) != RP_BUILD_SSE ||
                                                     Reading_IsServed(arithmetic, OF_ARCS_SSE));
}

/* Returns the order in which the dot product is added up. */
static inline ExactSum Arc_Order(const RpArithmetic *arithmetic) {
    if (Arithmetic_Build(arithmetic) != RP_BUILD_SSE)
        return (ExactSum)Reading_Choice(arithmetic, READING_DOT4);
    switch (Reading_Choice(arithmetic, READING_DOT4_SSE)) {
    case 1:
        return EXACT_SEQUENTIAL;
    case 2:
        return EXACT_PAIRS;
    default:
        return EXACT_HALVES;
    }
}

/* What computed an interpolation. */
typedef enum ArcWay {
    ARC_BY_CORE,
    ARC_BY_X87,  /* the core was not asked */
    ARC_REFUSED, /* the core was asked, and left it to the x87 */
} ArcWay;

/* Does what RpQuaternion_Interpolate does, and returns what computed the result. */
ArcWay Arc_Interpolate(const RpArithmetic *arithmetic, const float q0[4], const float q1[4],
                       float t, float result[4]);

#endif
