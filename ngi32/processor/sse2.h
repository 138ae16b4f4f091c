/* The intrinsics of SSE2 that the exact core is written with. If the machine has no SSE2, they are
 * made of the compiler's vectors, which GCC and Clang compile to NEON, to WebAssembly's SIMD, or to
 * scalar operations. Each does what Intel says of its name, except that the bits of NaNs are the
 * machine's own, which is why the core never returns one. */
#ifndef RETROPOSE_NGI32_PROCESSOR_SSE2_H
#define RETROPOSE_NGI32_PROCESSOR_SSE2_H

#include "ngi32/processor/in_software.h"

#if MACHINE_HAS_X87

#include <emmintrin.h>

#else

#include <stdint.h>
#include <string.h>

/* The compiler's own header, for which these names are reserved, is not included here. */
typedef float __m128 __attribute__((vector_size(16)));
typedef double __m128d __attribute__((vector_size(16)));
typedef int64_t __m128i __attribute__((vector_size(16)));

typedef float SoftFloats2 __attribute__((vector_size(8)));
typedef int32_t SoftWords __attribute__((vector_size(16)));
typedef int16_t SoftShorts __attribute__((vector_size(16)));
typedef int8_t SoftBytes __attribute__((vector_size(16)));
typedef int64_t SoftLongs __attribute__((vector_size(16)));

#define SOFT_STEP static inline __attribute__((always_inline))

/* ---- binary32: memory ------------------------------------------------------------------------ */

SOFT_STEP __m128 _mm_loadu_ps(const float *at) {
    __m128 numbers;
    memcpy(&numbers, at, sizeof numbers);
    return numbers;
}

SOFT_STEP void _mm_storeu_ps(float *to, __m128 numbers) {
    memcpy(to, &numbers, sizeof numbers);
}

SOFT_STEP __m128 _mm_set1_ps(float number) {
    return (__m128){number, number, number, number};
}

SOFT_STEP __m128 _mm_setzero_ps(void) {
    return _mm_set1_ps(0);
}

SOFT_STEP void _mm_store_ss(float *to, __m128 numbers) {
    *to = numbers[0];
}

SOFT_STEP __m128 _mm_set_ss(float number) {
    return (__m128){number, 0, 0, 0};
}

SOFT_STEP __m128 _mm_load_ss(const float *at) {
    return _mm_set_ss(*at);
}

SOFT_STEP __m128 _mm_load_ps1(const float *at) {
    return _mm_set1_ps(*at);
}

SOFT_STEP float _mm_cvtss_f32(__m128 numbers) {
    return numbers[0];
}

/* ---- binary32: arithmetic -------------------------------------------------------------------- */

SOFT_STEP __m128 _mm_add_ps(__m128 a, __m128 b) {
    return a + b;
}

SOFT_STEP __m128 _mm_sub_ps(__m128 a, __m128 b) {
    return a - b;
}

SOFT_STEP __m128 _mm_mul_ps(__m128 a, __m128 b) {
    return a * b;
}

SOFT_STEP __m128 _mm_and_ps(__m128 a, __m128 b) {
    return (__m128)((__m128i)a & (__m128i)b);
}

SOFT_STEP __m128 _mm_xor_ps(__m128 a, __m128 b) {
    return (__m128)((__m128i)a ^ (__m128i)b);
}

SOFT_STEP __m128 _mm_sub_ss(__m128 a, __m128 b) {
    a[0] -= b[0];
    return a;
}

SOFT_STEP __m128 _mm_div_ss(__m128 a, __m128 b) {
    a[0] /= b[0];
    return a;
}

SOFT_STEP __m128 _mm_sqrt_ss(__m128 numbers) {
    numbers[0] = __builtin_sqrtf(numbers[0]);
    return numbers;
}

SOFT_STEP __m128 _mm_sqrt_ps(__m128 numbers) {
    return (__m128){__builtin_sqrtf(numbers[0]), __builtin_sqrtf(numbers[1]),
                    __builtin_sqrtf(numbers[2]), __builtin_sqrtf(numbers[3])};
}

/* ---- binary32: order ------------------------------------------------------------------------- */

#define _MM_SHUFFLE(d, c, b, a) ((d) << 6 | (c) << 4 | (b) << 2 | (a))

#define _mm_shuffle_ps(a, b, order)                                                                \
    __builtin_shufflevector(a, b, (order)&3, (order) >> 2 & 3, ((order) >> 4 & 3) + 4,             \
                            ((order) >> 6 & 3) + 4)

SOFT_STEP __m128 _mm_unpacklo_ps(__m128 a, __m128 b) {
    return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}

SOFT_STEP __m128 _mm_unpackhi_ps(__m128 a, __m128 b) {
    return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}

SOFT_STEP __m128 _mm_movelh_ps(__m128 a, __m128 b) {
    return __builtin_shufflevector(a, b, 0, 1, 4, 5);
}

SOFT_STEP __m128 _mm_movehl_ps(__m128 a, __m128 b) {
    return __builtin_shufflevector(a, b, 6, 7, 2, 3);
}

#define _MM_TRANSPOSE4_PS(a, b, c, d)                                                              \
    do {                                                                                           \
        const __m128 low_ab = _mm_unpacklo_ps(a, b), high_ab = _mm_unpackhi_ps(a, b);              \
        const __m128 low_cd = _mm_unpacklo_ps(c, d), high_cd = _mm_unpackhi_ps(c, d);              \
        (a) = _mm_movelh_ps(low_ab, low_cd);                                                       \
        (b) = _mm_movehl_ps(low_cd, low_ab);                                                       \
        (c) = _mm_movelh_ps(high_ab, high_cd);                                                     \
        (d) = _mm_movehl_ps(high_cd, high_ab);                                                     \
    } while (0)

/* ---- binary64 -------------------------------------------------------------------------------- */

SOFT_STEP __m128d _mm_set_pd(double high, double low) {
    return (__m128d){low, high};
}

SOFT_STEP __m128d _mm_set1_pd(double number) {
    return (__m128d){number, number};
}

SOFT_STEP __m128d _mm_set_sd(double number) {
    return (__m128d){number, 0};
}

SOFT_STEP void _mm_storel_pd(double *to, __m128d numbers) {
    *to = numbers[0];
}

SOFT_STEP void _mm_storeh_pd(double *to, __m128d numbers) {
    *to = numbers[1];
}

SOFT_STEP double _mm_cvtsd_f64(__m128d numbers) {
    return numbers[0];
}

SOFT_STEP __m128d _mm_add_pd(__m128d a, __m128d b) {
    return a + b;
}

SOFT_STEP __m128d _mm_sub_pd(__m128d a, __m128d b) {
    return a - b;
}

SOFT_STEP __m128d _mm_mul_pd(__m128d a, __m128d b) {
    return a * b;
}

SOFT_STEP __m128d _mm_and_pd(__m128d a, __m128d b) {
    return (__m128d)((SoftLongs)a & (SoftLongs)b);
}

SOFT_STEP __m128d _mm_andnot_pd(__m128d a, __m128d b) {
    return (__m128d)(~(SoftLongs)a & (SoftLongs)b);
}

SOFT_STEP __m128d _mm_or_pd(__m128d a, __m128d b) {
    return (__m128d)((SoftLongs)a | (SoftLongs)b);
}

SOFT_STEP __m128d _mm_xor_pd(__m128d a, __m128d b) {
    return (__m128d)((SoftLongs)a ^ (SoftLongs)b);
}

SOFT_STEP __m128d _mm_cmpge_sd(__m128d a, __m128d b) {
    const SoftLongs is_greater = {a[0] >= b[0] ? -1 : 0, ((SoftLongs)a)[1]};
    return (__m128d)is_greater;
}

SOFT_STEP int _mm_movemask_pd(__m128d numbers) {
    const SoftLongs bits = (SoftLongs)numbers;
    return (int)((uint64_t)bits[0] >> 63 | (uint64_t)bits[1] >> 63 << 1);
}

/* ---- conversions ----------------------------------------------------------------------------- */

SOFT_STEP __m128d _mm_cvtps_pd(__m128 numbers) {
    return (__m128d){numbers[0], numbers[1]};
}

SOFT_STEP __m128 _mm_cvtpd_ps(__m128d numbers) {
    const SoftFloats2 rounded = __builtin_convertvector(numbers, SoftFloats2);
    return (__m128){rounded[0], rounded[1], 0, 0};
}

/* Rounds to nearest. It is called only with numbers below 2^31 in size, for which the lowest bit of
 * the sum has the weight 1. */
SOFT_STEP int _mm_cvtsd_si32(__m128d numbers) {
    const double sum = numbers[0] + 0x1.8p52;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return (int32_t)(uint32_t)bits;
}

SOFT_STEP int _mm_cvtss_si32(__m128 numbers) {
    return _mm_cvtsd_si32(_mm_set_sd(numbers[0]));
}

SOFT_STEP __m128 _mm_cvtepi32_ps(__m128i words) {
    return __builtin_convertvector((SoftWords)words, __m128);
}

SOFT_STEP __m128i _mm_castps_si128(__m128 numbers) {
    return (__m128i)numbers;
}

SOFT_STEP __m128 _mm_castsi128_ps(__m128i words) {
    return (__m128)words;
}

/* ---- integers -------------------------------------------------------------------------------- */

SOFT_STEP __m128i _mm_loadu_si128(const __m128i *at) {
    __m128i words;
    memcpy(&words, at, sizeof words);
    return words;
}

SOFT_STEP __m128i _mm_loadl_epi64(const __m128i *at) {
    int64_t word;
    memcpy(&word, at, sizeof word);
    return (__m128i){word, 0};
}

SOFT_STEP __m128i _mm_setzero_si128(void) {
    return (__m128i){0, 0};
}

SOFT_STEP __m128i _mm_set1_epi32(int word) {
    return (__m128i)(SoftWords){word, word, word, word};
}

SOFT_STEP __m128i _mm_andnot_si128(__m128i inverted, __m128i bits) {
    return ~inverted & bits;
}

SOFT_STEP void _mm_storel_epi64(__m128i *to, __m128i bits) {
    const int64_t low = bits[0];
    memcpy(to, &low, sizeof low);
}

SOFT_STEP __m128i _mm_and_si128(__m128i a, __m128i b) {
    return a & b;
}

SOFT_STEP __m128i _mm_or_si128(__m128i a, __m128i b) {
    return a | b;
}

SOFT_STEP __m128i _mm_cmpeq_epi32(__m128i a, __m128i b) {
    return (__m128i)((SoftWords)a == (SoftWords)b);
}

SOFT_STEP __m128i _mm_cmpgt_epi32(__m128i a, __m128i b) {
    return (__m128i)((SoftWords)a > (SoftWords)b);
}

SOFT_STEP __m128i _mm_cmplt_epi32(__m128i a, __m128i b) {
    return (__m128i)((SoftWords)a < (SoftWords)b);
}

SOFT_STEP __m128i _mm_srai_epi32(__m128i words, int count) {
    return (__m128i)((SoftWords)words >> count);
}

SOFT_STEP __m128i _mm_unpacklo_epi16(__m128i a, __m128i b) {
    return (__m128i)__builtin_shufflevector((SoftShorts)a, (SoftShorts)b, 0, 8, 1, 9, 2, 10, 3, 11);
}

#define _mm_shuffle_epi32(a, order)                                                                \
    ((__m128i)__builtin_shufflevector((SoftWords)(a), (SoftWords)(a), (order)&3, (order) >> 2 & 3, \
                                      (order) >> 4 & 3, (order) >> 6 & 3))

SOFT_STEP __m128i _mm_unpacklo_epi32(__m128i a, __m128i b) {
    return (__m128i)_mm_unpacklo_ps((__m128)a, (__m128)b);
}

SOFT_STEP __m128i _mm_unpackhi_epi32(__m128i a, __m128i b) {
    return (__m128i)_mm_unpackhi_ps((__m128)a, (__m128)b);
}

SOFT_STEP __m128i _mm_unpackhi_epi16(__m128i a, __m128i b) {
    return (__m128i)__builtin_shufflevector((SoftShorts)a, (SoftShorts)b, 4, 12, 5, 13, 6, 14, 7,
                                            15);
}

/* ---- masks ----------------------------------------------------------------------------------- */

/* These return the sign bits of four numbers, or of sixteen bytes. */
SOFT_STEP int _mm_movemask_ps(__m128 numbers) {
    const SoftWords bits = (SoftWords)numbers;
    return (int)((uint32_t)bits[0] >> 31 | (uint32_t)bits[1] >> 31 << 1 |
                 (uint32_t)bits[2] >> 31 << 2 | (uint32_t)bits[3] >> 31 << 3);
}

SOFT_STEP int _mm_movemask_epi8(__m128i words) {
    const SoftBytes bytes = (SoftBytes)words;
    int mask = 0;
    for (int i = 0; i < 16; i++)
        mask |= (bytes[i] < 0) << i;
    return mask;
}

#endif

#endif
