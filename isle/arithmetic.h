/* The two policies of arithmetic as one: every step is a binary64 operation, which policy S rounds
 * to binary32 at once.
 *
 * That is the same as doing the step in binary32: for +, -, x, / and square roots of binary32
 * numbers the second rounding is harmless, as 53 >= 2 * 24 + 2 (Figueroa 1995, "When is double
 * rounding innocuous?"). Needs SSE2 or the like (isle/CMakeLists.txt), no contraction, no
 * reassociation (cmake/Arithmetic.cmake), and a processor that rounds to nearest.
 */
#ifndef RETROPOSE_ISLE_ARITHMETIC_H
#define RETROPOSE_ISLE_ARITHMETIC_H

#include "retropose/ani.h"

#include <emmintrin.h>
#include <float.h>

_Static_assert(FLT_EVAL_METHOD == 0, "isle needs arithmetic without excess precision");

/* What a step's result becomes where no variable in memory takes it. */
static inline double Keep(RpAniPolicy policy, double value) {
    return policy == RP_ANI_POLICY_S ? (double)(float)value : value;
}

/* What it becomes in a variable, in both policies. */
static inline float Round(double value) {
    return (float)value;
}

static inline double SquareRoot(double value) {
    const __m128d x = _mm_set_sd(value);
    return _mm_cvtsd_f64(_mm_sqrt_sd(x, x));
}

#endif
