/* Multiplies matrices in registers of AVX, for lanes_avx2.h and lanes_avx512.h. */
#ifndef RETROPOSE_NGI32_EXACT_ROWS_AVX_H
#define RETROPOSE_NGI32_EXACT_ROWS_AVX_H

#include "ngi32/exact/unrolled.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

/* On some processors, SSE instructions are slow while upper halves of registers are in use. GCC
 * clears these by itself only where it optimises for speed. */
static inline void Lanes_Leave(void) {
    _mm256_zeroupper();
}

/* See lanes_sse2.h. Two rows are computed side by side, including the last one. */
typedef struct RowSums {
    __m256 row[2];
} RowSums;

typedef struct RowFactors {
    __m256 of[2][4];
} RowFactors;

typedef __m256 RowTotal;

static inline __m256 Rows_Twice(const float *row) {
    return _mm256_broadcast_ps((const __m128 *)(const void *)row);
}

static inline RowFactors Rows_Spread(const float *a) {
    RowFactors factors;
    UNROLLED
    for (int i = 0; i < 2; i++) {
        const __m256 two = _mm256_loadu_ps(a + 8 * i);
        factors.of[i][0] = _mm256_permute_ps(two, 0x00);
        factors.of[i][1] = _mm256_permute_ps(two, 0x55);
        factors.of[i][2] = _mm256_permute_ps(two, 0xAA);
        factors.of[i][3] = _mm256_permute_ps(two, 0xFF) * _mm256_setr_ps(0, 0, 0, 1, 0, 0, 0, 1);
    }
    return factors;
}

static inline RowSums Rows_MultiplySpread(const RowFactors *a, const float *b, float *product) {
    const __m256 b0 = Rows_Twice(b), b1 = Rows_Twice(b + 4), b2 = Rows_Twice(b + 8);
    RowSums sums;
    UNROLLED
    for (int i = 0; i < 2; i++) {
        sums.row[i] = a->of[i][0] * b0 + a->of[i][1] * b1 + a->of[i][2] * b2 + a->of[i][3];
        _mm256_storeu_ps(product + 8 * i, sums.row[i]);
    }
    return sums;
}

static inline RowSums Rows_Multiply(const float *a, const float *b, float *product) {
    const RowFactors factors = Rows_Spread(a);
    return Rows_MultiplySpread(&factors, b, product);
}

static inline RowTotal Rows_Add(RowTotal total, RowSums sums) {
    return total + (sums.row[0] + sums.row[1]);
}

static inline bool Rows_AreFinite(RowTotal total) {
    return _mm256_movemask_ps((__m256)(total - total == 0)) == 0xFF;
}

#endif
