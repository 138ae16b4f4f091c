#include "ngi32/exact/force.h"

#include "ngi32/exact/exact_range.h"

static inline __m128i AreModerate(const float *numbers, int count) {
    __m128i all = _mm_set1_epi32(-1);
    for (int i = 0; i < count; i += 4)
        all = _mm_and_si128(all, Exact_AreModerate(_mm_loadu_ps(numbers + i)));
    return all;
}

/* This is a function of its own because it uses the registers of SSE2. It is called only after the
 * processor is known to have them. */
#ifdef __i386__
__attribute__((noinline, force_align_arg_pointer))
#endif
static bool
AreInRange(const float *a, int a_count, const float *b, int b_count) {
    const __m128i all = _mm_and_si128(AreModerate(a, a_count), AreModerate(b, b_count));
    return _mm_movemask_epi8(all) == 0xFFFF;
}

bool Exact_Serves(const RpArithmetic *arithmetic, const float *a, int a_count, const float *b,
                  int b_count) {
    return Exact_IsInForce(arithmetic) && AreInRange(a, a_count, b, b_count);
}
