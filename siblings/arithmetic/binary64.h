/* What the sibling runtimes compute with: single steps in binary64. Needs SSE2 or the like, no
 * contraction, no reassociation (cmake/Arithmetic.cmake), and a processor that rounds to nearest.
 */
#ifndef RETROPOSE_SIBLINGS_ARITHMETIC_BINARY64_H
#define RETROPOSE_SIBLINGS_ARITHMETIC_BINARY64_H

#include <emmintrin.h>
#include <float.h>

_Static_assert(FLT_EVAL_METHOD == 0, "arithmetic without excess precision is needed");

/* What a number becomes in a variable of binary32. */
static inline float Round(double value) {
    return (float)value;
}

static inline double SquareRoot(double value) {
    const __m128d x = _mm_set_sd(value);
    return _mm_cvtsd_f64(_mm_sqrt_sd(x, x));
}

#endif
