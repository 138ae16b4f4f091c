/* Products of matrices in registers of AVX, for lanes_avx2.h and lanes_avx512.h. */
#ifndef RETROPOSE_NGI32_EXACT_ROWS_AVX_H
#define RETROPOSE_NGI32_EXACT_ROWS_AVX_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

/* See lanes_sse2.h. Two rows go side by side. */
typedef int32_t RowWords __attribute__((vector_size(32)));

typedef struct RowSums {
    __m256 row[2];
} RowSums;

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
    return sums;
}

static inline RowSums Rows_MultiplyAll(const float *a, const float *b, float *product) {
    const Rows rows = Rows_Load(b);
    return (RowSums){
        {Rows_MultiplyTwo(a, rows, product), Rows_MultiplyTwo(a + 8, rows, product + 8)}};
}

/* The product's last row is that of its factors (many_kernel.h, Products). */
static inline RowSums Rows_Multiply(const float *a, const float *b, float *product) {
    return Rows_MultiplyAll(a, b, product);
}

static inline RowWords Rows_Spoil(RowSums sums) {
    return (RowWords)(sums.row[0] - sums.row[0]) | (RowWords)(sums.row[1] - sums.row[1]);
}

static inline bool Rows_AreZero(RowWords words) {
    return _mm256_testz_si256((__m256i)words, (__m256i)words);
}

#endif
