/* Products of matrices in registers of AVX, for lanes_avx2.h and lanes_avx512.h. */
#ifndef RETROPOSE_NGI32_EXACT_ROWS_AVX_H
#define RETROPOSE_NGI32_EXACT_ROWS_AVX_H

#include <immintrin.h>

/* See lanes_sse2.h. The first two rows go side by side. */
static inline void Rows_Multiply(const float *a, const float *b, float *product) {
    const __m256 b0 = _mm256_broadcast_ps((const __m128 *)(const void *)b);
    const __m256 b1 = _mm256_broadcast_ps((const __m128 *)(const void *)(b + 4));
    const __m256 b2 = _mm256_broadcast_ps((const __m128 *)(const void *)(b + 8));
    const __m256 b3 = _mm256_broadcast_ps((const __m128 *)(const void *)(b + 12));
    const __m256 two = _mm256_loadu_ps(a);
    const __m256 sums = _mm256_permute_ps(two, 0x00) * b0 + _mm256_permute_ps(two, 0x55) * b1 +
                        _mm256_permute_ps(two, 0xAA) * b2 + _mm256_permute_ps(two, 0xFF) * b3;
    const __m128 third = _mm_broadcast_ss(a + 8) * _mm256_castps256_ps128(b0) +
                         _mm_broadcast_ss(a + 9) * _mm256_castps256_ps128(b1) +
                         _mm_broadcast_ss(a + 10) * _mm256_castps256_ps128(b2) +
                         _mm_broadcast_ss(a + 11) * _mm256_castps256_ps128(b3);
    _mm256_storeu_ps(product, sums);
    _mm_storeu_ps(product + 8, third);
}

#endif
