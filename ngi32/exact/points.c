#include "ngi32/exact/points.h"

#include "ngi32/exact/force.h"
#include "ngi32/processor/sse2.h"

/* Sets the lanes of numbers that are neither 0 nor of a size from 2^-50 to 2^50. A product of two
 * other numbers, rounded to 24 bits, is 0 or from 2^-100 to 2^100 in size, and thus a multiple of
 * 2^-123. So are the sums, and none of them is therefore too small for a normal number or too
 * large. */
static inline __m128i AreOdd(__m128 numbers) {
    const int least = 0x26800000, most = 0x58800000; /* the bits of 2^-50 and 2^50 */
    const __m128i sizes = _mm_and_si128(_mm_castps_si128(numbers), _mm_set1_epi32(0x7FFFFFFF));
    const __m128i outside = _mm_or_si128(_mm_cmplt_epi32(sizes, _mm_set1_epi32(least)),
                                         _mm_cmpgt_epi32(sizes, _mm_set1_epi32(most)));
    return _mm_andnot_si128(_mm_cmpeq_epi32(sizes, _mm_setzero_si128()), outside);
}

/* This is a function of its own because it uses the registers of SSE2. It is called only after the
 * processor is known to have them. */
#ifdef __i386__
__attribute__((force_align_arg_pointer))
#endif
__attribute__((noinline)) static bool
Move(const float matrix[16], float *points, int count) {
    __m128 x = _mm_loadu_ps(matrix), y = _mm_loadu_ps(matrix + 4), z = _mm_loadu_ps(matrix + 8);
    __m128 last = _mm_setzero_ps();
    __m128i odd = _mm_or_si128(_mm_or_si128(AreOdd(x), AreOdd(y)), AreOdd(z));
    int checked = 0;
    for (; checked + 4 <= 3 * count; checked += 4)
        odd = _mm_or_si128(odd, AreOdd(_mm_loadu_ps(points + checked)));
    for (; checked < 3 * count; checked++)
        odd = _mm_or_si128(odd, AreOdd(_mm_load_ss(points + checked)));
    if (_mm_movemask_epi8(odd))
        return false;
    _MM_TRANSPOSE4_PS(x, y, z, last);
    for (int i = 0; i < 3 * count; i += 3) {
        const __m128 sum = _mm_add_ps(_mm_add_ps(_mm_mul_ps(x, _mm_set1_ps(points[i])),
                                                 _mm_mul_ps(y, _mm_set1_ps(points[i + 1]))),
                                      _mm_mul_ps(z, _mm_set1_ps(points[i + 2])));
        const __m128 point = _mm_add_ps(sum, last);
        _mm_storel_epi64((__m128i *)(void *)(points + i), _mm_castps_si128(point));
        _mm_store_ss(points + i + 2, _mm_movehl_ps(point, point));
    }
    return true;
}

bool Exact_MovePoints(const float matrix[16], float *points, int count) {
    return Exact_IsInForceOnThread() && Move(matrix, points, count);
}
