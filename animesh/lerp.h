/* Linear interpolation of one coordinate, in the two forms that the readings key-lerp and
 * blend-lerp choose from. */
#ifndef RETROPOSE_ANIMESH_LERP_H
#define RETROPOSE_ANIMESH_LERP_H

#include "ngi32/processor/x87.h"

/* Computes (1 - weight) * a + weight * b. */
static inline void Lerp_ByWeights(const float *a, const float *b, X87 weight, float *result) {
    static const float one = 1.0f;
    X87 from_a = X87_Mul(X87_Sub(X87_Load(&one), weight), X87_Load(a));
    X87_Store(X87_Add(from_a, X87_Mul(weight, X87_Load(b))), result);
}

/* Computes a + (b - a) * weight. */
static inline void Lerp_ByDelta(const float *a, const float *b, X87 weight, float *result) {
    X87 start = X87_Load(a);
    X87 step = X87_Mul(X87_Sub(X87_Load(b), start), weight);
    X87_Store(X87_Add(start, step), result);
}

#endif
