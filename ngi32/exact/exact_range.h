/* The ranges of numbers with which no step of the exact core can under- or overflow. */
#ifndef RETROPOSE_NGI32_EXACT_EXACT_RANGE_H
#define RETROPOSE_NGI32_EXACT_EXACT_RANGE_H

#include "ngi32/processor/sse2.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The dot product of components that are 0 or at least 2^-40 in size is 0 or at least this. */
#define EXACT_BITS_2_M103 0x0C000000u
/* phi is at least this, because t is at least 2^-40 and theta is above 2^-8.9. */
#define EXACT_BITS_2_M49   0x27000000u
#define EXACT_BITS_2_M40   0x2B800000u
#define EXACT_BITS_2_19    0x49000000u
#define EXACT_BITS_2_30    0x4E800000u
#define EXACT_BITS_2_40    0x53800000u
#define EXACT_BITS_ONE     0x3F800000u
#define EXACT_BITS_MINUS_0 0x80000000u
/* The largest cosine of an arc. For the next larger number, 1 - c is not above Exact_Limit. */
#define EXACT_BITS_LARGEST_COSINE 0x3F7FFF58u
#define EXACT_BITS_RIGHT_ANGLE    0x3FC90FDBu /* pi/2, rounded */

static inline uint32_t Exact_Bits(const float *number) {
    uint32_t bits;
    memcpy(&bits, number, sizeof bits);
    return bits;
}

/* Returns whether the number is from 2^-40 to 1. */
static inline bool Exact_IsFraction(const float *number) {
    const uint32_t bits = Exact_Bits(number);
    return bits >= EXACT_BITS_2_M40 && bits <= EXACT_BITS_ONE;
}

/* Sets the lanes of numbers that are 0 or of a size from 2^-40 to 2^40. A product of two of them is
 * 0 or from 2^-80 to 2^80, and a sum of such products is a multiple of 2^-103 or more, so nothing
 * under- or overflows. */
static inline __m128i Exact_AreModerate(__m128 numbers) {
    const __m128i sizes = _mm_and_si128(_mm_castps_si128(numbers), _mm_set1_epi32(0x7FFFFFFF));
    const __m128i inside =
        _mm_and_si128(_mm_cmpgt_epi32(sizes, _mm_set1_epi32((int)EXACT_BITS_2_M40 - 1)),
                      _mm_cmplt_epi32(sizes, _mm_set1_epi32((int)EXACT_BITS_2_40 + 1)));
    return _mm_or_si128(inside, _mm_cmpeq_epi32(sizes, _mm_setzero_si128()));
}

static inline bool Exact_AreAllModerate(__m128 a, __m128 b) {
    return _mm_movemask_epi8(_mm_and_si128(Exact_AreModerate(a), Exact_AreModerate(b))) == 0xFFFF;
}

#endif
