/* Four lanes of SSE2. The kernel (many_kernel.h) is written with the operators that GCC and Clang
 * have for vectors. This header has what they have no operator for. */
#ifndef RETROPOSE_NGI32_EXACT_LANES_SSE2_H
#define RETROPOSE_NGI32_EXACT_LANES_SSE2_H

#include "ngi32/exact/many.h"
#include "ngi32/exact/unrolled.h"

#include "ngi32/processor/sse2.h"
#include <stdint.h>

enum { LANES = 4 };

typedef float Floats __attribute__((vector_size(16)));
typedef int32_t Words __attribute__((vector_size(16)));
/* Half of the lanes in binary64, and a mask for them. */
typedef double Doubles __attribute__((vector_size(16)));
typedef int64_t Longs __attribute__((vector_size(16)));

/* Does what is needed before a caller goes on with SSE. For other widths, see rows_avx.h. */
static inline void Lanes_Leave(void) {
}

/* Returns `chosen` in the lanes in which the mask is -1, and `other` in those in which it is 0. */
static inline Floats Choose(Words mask, Floats chosen, Floats other) {
    return (Floats)(((Words)chosen & mask) | ((Words)other & ~mask));
}

static inline Doubles ChooseDoubles(Longs mask, Doubles chosen, Doubles other) {
    return (Doubles)(((Longs)chosen & mask) | ((Longs)other & ~mask));
}

static inline Floats Floats_Load(const float *at) {
    return (Floats)_mm_loadu_ps(at);
}

static inline void Floats_Store(Floats numbers, float *to) {
    _mm_storeu_ps(to, (__m128)numbers);
}

static inline Words Words_Load(const int32_t *at) {
    return (Words)_mm_loadu_si128((const __m128i *)(const void *)at);
}

static inline Floats Floats_SquareRoot(Floats numbers) {
    return (Floats)_mm_sqrt_ps((__m128)numbers);
}

static inline Doubles Floats_Low(Floats numbers) {
    return (Doubles)_mm_cvtps_pd((__m128)numbers);
}

static inline Doubles Floats_High(Floats numbers) {
    return (Doubles)_mm_cvtps_pd(_mm_movehl_ps((__m128)numbers, (__m128)numbers));
}

static inline Floats Floats_Round(Doubles low, Doubles high) {
    return (Floats)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));
}

/* Returns the low 32 bits of each binary64 number. */
static inline Words Doubles_LowWords(Doubles low, Doubles high) {
    return (Words)_mm_castps_si128(
        _mm_shuffle_ps((__m128)low, (__m128)high, _MM_SHUFFLE(2, 0, 2, 0)));
}

/* Returns one bit for each lane, which is set if the lane's sign bit is. */
static inline uint32_t Words_Signs(Words mask) {
    return (uint32_t)_mm_movemask_ps((__m128)mask);
}

/* Reads the first four numbers of keys, and their rotations as integers. Each number goes into a
 * vector of its own. */
static inline void Keys_Read(const uint8_t *const *keys, Floats numbers[4], Floats rotation[4]) {
    __m128 a = _mm_loadu_ps((const float *)(const void *)keys[0]);
    __m128 b = _mm_loadu_ps((const float *)(const void *)keys[1]);
    __m128 c = _mm_loadu_ps((const float *)(const void *)keys[2]);
    __m128 d = _mm_loadu_ps((const float *)(const void *)keys[3]);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    numbers[0] = (Floats)a;
    numbers[1] = (Floats)b;
    numbers[2] = (Floats)c;
    numbers[3] = (Floats)d;
    __m128i words[4];
    UNROLLED
    for (int i = 0; i < 4; i++)
        words[i] =
            _mm_loadl_epi64((const __m128i *)(const void *)(keys[i] + EXACT_KEY_AT_ROTATION));
    const __m128i low = _mm_unpacklo_epi16(words[0], words[1]);
    const __m128i high = _mm_unpacklo_epi16(words[2], words[3]);
    const __m128i xy = _mm_unpacklo_epi32(low, high), zw = _mm_unpackhi_epi32(low, high);
    rotation[0] = (Floats)_mm_cvtepi32_ps(_mm_srai_epi32(_mm_unpacklo_epi16(xy, xy), 16));
    rotation[1] = (Floats)_mm_cvtepi32_ps(_mm_srai_epi32(_mm_unpackhi_epi16(xy, xy), 16));
    rotation[2] = (Floats)_mm_cvtepi32_ps(_mm_srai_epi32(_mm_unpacklo_epi16(zw, zw), 16));
    rotation[3] = (Floats)_mm_cvtepi32_ps(_mm_srai_epi32(_mm_unpackhi_epi16(zw, zw), 16));
}

/* Reads prepared pairs of keys. Each number goes into a vector of its own. */
static inline void Pairs_Read(const ExactPair *const *pairs, Doubles theta[2], Floats *dot,
                              Floats *reciprocal) {
    __m128 in[4];
    UNROLLED
    for (int i = 0; i < 4; i++)
        in[i] = _mm_loadu_ps((const float *)(const void *)pairs[i]);
    theta[0] = (Doubles)_mm_movelh_ps(in[0], in[1]);
    theta[1] = (Doubles)_mm_movelh_ps(in[2], in[3]);
    const __m128 ab = _mm_movehl_ps(in[1], in[0]), cd = _mm_movehl_ps(in[3], in[2]);
    *dot = (Floats)_mm_shuffle_ps(ab, cd, _MM_SHUFFLE(2, 0, 2, 0));
    *reciprocal = (Floats)_mm_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 1, 3, 1));
}

/* Writes one row of each lane's matrix. */
static inline void Rows_Store(Floats x, Floats y, Floats z, Floats w, float *const matrices[LANES],
                              int row) {
    __m128 a = (__m128)x, b = (__m128)y, c = (__m128)z, d = (__m128)w;
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(matrices[0] + 4 * row, a);
    _mm_storeu_ps(matrices[1] + 4 * row, b);
    _mm_storeu_ps(matrices[2] + 4 * row, c);
    _mm_storeu_ps(matrices[3] + 4 * row, d);
}

/* Multiplies matrices whose last rows are 0, 0, 0, 1; so is the product's (many_kernel.h,
 * Products). Each number of the other rows is ((a0 b0 + a1 b1) + a2 b2) + a3 b3. */
typedef struct RowSums {
    __m128 row[3];
} RowSums;

static const __m128 last_row = {0, 0, 0, 1};

static inline void Rows_StoreProduct(RowSums sums, float *product) {
    UNROLLED
    for (int row = 0; row < 3; row++)
        _mm_storeu_ps(product + 4 * row, sums.row[row]);
    _mm_storeu_ps(product + 12, last_row);
}

static inline RowSums Rows_Multiply(const float *a, const float *b, float *product) {
    const __m128 b0 = _mm_loadu_ps(b), b1 = _mm_loadu_ps(b + 4), b2 = _mm_loadu_ps(b + 8);
    RowSums sums;
    UNROLLED
    for (int row = 0; row < 3; row++) {
        /* Without AVX, only a shuffle of integers needs no copy of its operand. */
        const __m128i four = _mm_loadu_si128((const __m128i *)(const void *)(a + 4 * row));
        sums.row[row] = (__m128)_mm_shuffle_epi32(four, 0x00) * b0 +
                        (__m128)_mm_shuffle_epi32(four, 0x55) * b1 +
                        (__m128)_mm_shuffle_epi32(four, 0xAA) * b2 +
                        (__m128)_mm_shuffle_epi32(four, 0xFF) * last_row;
    }
    Rows_StoreProduct(sums, product);
    return sums;
}

/* The first matrix of many products. Each of its numbers is stored four times, and those of the
 * last column are already multiplied. */
typedef struct RowFactors {
    __m128 of[3][4];
} RowFactors;

static inline RowFactors Rows_Spread(const float *a) {
    RowFactors factors;
    UNROLLED
    for (int row = 0; row < 3; row++) {
        UNROLLED
        for (int k = 0; k < 4; k++)
            factors.of[row][k] = _mm_set1_ps(a[4 * row + k]);
        factors.of[row][3] *= last_row;
    }
    return factors;
}

static inline RowSums Rows_MultiplySpread(const RowFactors *a, const float *b, float *product) {
    const __m128 b0 = _mm_loadu_ps(b), b1 = _mm_loadu_ps(b + 4), b2 = _mm_loadu_ps(b + 8);
    RowSums sums;
    UNROLLED
    for (int row = 0; row < 3; row++)
        sums.row[row] =
            a->of[row][0] * b0 + a->of[row][1] * b1 + a->of[row][2] * b2 + a->of[row][3];
    Rows_StoreProduct(sums, product);
    return sums;
}

/* A sum of numbers of many products. It is finite only if all of them are. Adding a number that is
 * too small for a normal number sets a flag of MXCSR, which is needed because the caller's MXCSR
 * might make such a number 0. */
typedef __m128 RowTotal;

static inline RowTotal Rows_Add(RowTotal total, RowSums sums) {
    return total + sums.row[0] + sums.row[1] + sums.row[2];
}

static inline bool Rows_AreFinite(RowTotal total) {
    return Words_Signs((Floats)total - (Floats)total == 0) == 0xF;
}

#endif
