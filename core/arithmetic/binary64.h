/* One step of arithmetic each, in binary64. These functions need SSE2 or a similar unit, a compiler
 * that neither contracts nor reassociates (packaging/cmake/Arithmetic.cmake), and a processor that
 * rounds to nearest. */
#ifndef RETROPOSE_CORE_ARITHMETIC_BINARY64_H
#define RETROPOSE_CORE_ARITHMETIC_BINARY64_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <float.h>

_Static_assert(FLT_EVAL_METHOD == 0, "arithmetic without excess precision is needed");

/* Rounds a number to binary32, as storing it in a `float` does. */
static inline float Round(double value) {
    return (float)value;
}

static inline double SquareRoot(double value) {
/* __builtin_sqrt would also call the C library, to report the root of a negative number. */
#ifdef __SSE2__
    const __m128d x = _mm_set_sd(value);
    return _mm_cvtsd_f64(_mm_sqrt_sd(x, x));
#else
    return __builtin_sqrt(value);
#endif
}

#endif
