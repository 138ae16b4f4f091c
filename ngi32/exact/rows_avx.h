/* Products of matrices in registers of AVX, for lanes_avx2.h and lanes_avx512.h. */
#ifndef RETROPOSE_NGI32_EXACT_ROWS_AVX_H
#define RETROPOSE_NGI32_EXACT_ROWS_AVX_H

#include <immintrin.h>
#include <stdint.h>

/* See lanes_sse2.h. Two rows go side by side. */
typedef int32_t RowWords __attribute__((vector_size(16)));

typedef struct Rows {
    __m256 row[4]; /* each of them twice */
} Rows;

static inline Rows Rows_Load(const float *b) {
    return (Rows){{_mm256_broadcast_ps((const __m128 *)(const void *)b),
                   _mm256_broadcast_ps((const __m128 *)(const void *)(b + 4)),
                   _mm256_broadcast_ps((const __m128 *)(const void *)(b + 8)),
                   _mm256_broadcast_ps((const __m128 *)(const void *)(b + 12))}};
}

static inline __m256 Rows_MultiplyTwo(const float *a, Rows b, float *product) {
    const __m256 two = _mm256_loadu_ps(a);
    const __m256 sums =
        _mm256_permute_ps(two, 0x00) * b.row[0] + _mm256_permute_ps(two, 0x55) * b.row[1] +
        _mm256_permute_ps(two, 0xAA) * b.row[2] + _mm256_permute_ps(two, 0xFF) * b.row[3];
    _mm256_storeu_ps(product, sums);
    return sums - sums;
}

static inline RowWords Rows_Multiply(const float *a, const float *b, float *product) {
    const Rows rows = Rows_Load(b);
    const __m256 spoiled = Rows_MultiplyTwo(a, rows, product);
    const __m128 third = _mm_broadcast_ss(a + 8) * _mm256_castps256_ps128(rows.row[0]) +
                         _mm_broadcast_ss(a + 9) * _mm256_castps256_ps128(rows.row[1]) +
                         _mm_broadcast_ss(a + 10) * _mm256_castps256_ps128(rows.row[2]) +
                         _mm_broadcast_ss(a + 11) * _mm256_castps256_ps128(rows.row[3]);
    _mm_storeu_ps(product + 8, third);
    return (RowWords)_mm256_castps256_ps128(spoiled) | (RowWords)_mm256_extractf128_ps(spoiled, 1) |
           (RowWords)(third - third);
}

static inline RowWords Rows_MultiplyAll(const float *a, const float *b, float *product) {
    const Rows rows = Rows_Load(b);
    const __m256 first = Rows_MultiplyTwo(a, rows, product);
    const __m256 spoiled = _mm256_or_ps(first, Rows_MultiplyTwo(a + 8, rows, product + 8));
    return (RowWords)_mm256_castps256_ps128(spoiled) | (RowWords)_mm256_extractf128_ps(spoiled, 1);
}

#endif
