/* Single steps in binary64. They need SSE2 or a similar unit, a compiler that neither contracts nor
 * reassociates (packaging/cmake/Arithmetic.cmake), and a processor that rounds to nearest. */
#ifndef RETROPOSE_CORE_ARITHMETIC_BINARY64_H
#define RETROPOSE_CORE_ARITHMETIC_BINARY64_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <float.h>

_Static_assert(FLT_EVAL_METHOD == 0, "arithmetic without excess precision is needed");

/* Rounds a number as storing it in a variable of binary32 does. */
static inline float Round(double value) {
    return (float)value;
}

static inline double SquareRoot(double value) {
#ifdef __SSE2__ /* without the call by which C reports the root of a negative number */
    const __m128d x = _mm_set_sd(value);
    return _mm_cvtsd_f64(_mm_sqrt_sd(x, x));
#else
    return __builtin_sqrt(value);
#endif
}

#endif
