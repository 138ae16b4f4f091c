/* Takes the place of the compiler's header of this name. It has the functions of AVX-512 and AVX
 * that the exact core uses, in C, each written from what Intel's guide to intrinsics says about its
 * instruction. So the core's code for these instructions runs on every machine. A function that the
 * core uses and that is missing here does not compile.
 *
 * Lanes that Intel calls undefined, which are those above the operand of a cast, are NaNs of a
 * pattern that shows in all results that are computed from them. Functions that only move numbers
 * move them as words, so that no NaN changes on the way. */
#ifndef RETROPOSE_TESTS_NGI32_EXACT_AVX512_IN_C_IMMINTRIN_H
#define RETROPOSE_TESTS_NGI32_EXACT_AVX512_IN_C_IMMINTRIN_H

#include "ngi32/processor/sse2.h"

#include <stdint.h>
#include <string.h>

/* The names are reserved for the header that this one replaces. */
typedef float __m256 __attribute__((vector_size(32)));
typedef int64_t __m256i __attribute__((vector_size(32)));
typedef float __m512 __attribute__((vector_size(64)));
typedef double __m512d __attribute__((vector_size(64)));
typedef int64_t __m512i __attribute__((vector_size(64)));
typedef uint16_t __mmask16;

typedef int32_t PlayedWords8 __attribute__((vector_size(32)));
typedef int32_t PlayedWords16 __attribute__((vector_size(64)));
typedef uint32_t PlayedUnsigned16 __attribute__((vector_size(64)));

#define PLAYED static inline

/* ---- parts ----------------------------------------------------------------------------------- */

/* Returns the pattern of undefined lanes: a signalling NaN as binary64, and a NaN as binary32. */
PLAYED __m512i Played_Undefined(void) {
    const int64_t nan = 0x7FF4DEAD7FF4DEAD;
    return (__m512i){nan, nan, nan, nan, nan, nan, nan, nan};
}

PLAYED __m512i Played_Widen(const void *part, size_t size) {
    __m512i result = Played_Undefined();
    memcpy(&result, part, size);
    return result;
}

PLAYED __m512i Played_Insert(__m512i into, const void *part, size_t size, int place) {
    memcpy((char *)&into + size * (size_t)place, part, size);
    return into;
}

PLAYED __m512 _mm512_castps128_ps512(__m128 a) {
    return (__m512)Played_Widen(&a, sizeof a);
}

PLAYED __m512 _mm512_castps256_ps512(__m256 a) {
    return (__m512)Played_Widen(&a, sizeof a);
}

PLAYED __m512d _mm512_castpd128_pd512(__m128d a) {
    return (__m512d)Played_Widen(&a, sizeof a);
}

PLAYED __m512i _mm512_castsi128_si512(__m128i a) {
    return Played_Widen(&a, sizeof a);
}

PLAYED __m512i _mm512_castsi256_si512(__m256i a) {
    return Played_Widen(&a, sizeof a);
}

PLAYED __m512 _mm512_castsi512_ps(__m512i a) {
    return (__m512)a;
}

PLAYED __m512i _mm512_castps_si512(__m512 a) {
    return (__m512i)a;
}

PLAYED __m512 _mm512_insertf32x4(__m512 a, __m128 b, int quarter) {
    return (__m512)Played_Insert((__m512i)a, &b, sizeof b, quarter);
}

PLAYED __m512 _mm512_insertf32x8(__m512 a, __m256 b, int half) {
    return (__m512)Played_Insert((__m512i)a, &b, sizeof b, half);
}

PLAYED __m512d _mm512_insertf64x2(__m512d a, __m128d b, int quarter) {
    return (__m512d)Played_Insert((__m512i)a, &b, sizeof b, quarter);
}

PLAYED __m512i _mm512_inserti32x4(__m512i a, __m128i b, int quarter) {
    return Played_Insert(a, &b, sizeof b, quarter);
}

PLAYED __m512i _mm512_inserti64x4(__m512i a, __m256i b, int half) {
    return Played_Insert(a, &b, sizeof b, half);
}

PLAYED __m128 _mm512_extractf32x4_ps(__m512 a, int quarter) {
    __m128 result;
    memcpy(&result, (const char *)&a + sizeof result * (size_t)quarter, sizeof result);
    return result;
}

PLAYED __m128 _mm512_castps512_ps128(__m512 a) {
    return _mm512_extractf32x4_ps(a, 0);
}

PLAYED __m256 _mm512_extractf32x8_ps(__m512 a, int half) {
    __m256 result;
    memcpy(&result, (const char *)&a + sizeof result * (size_t)half, sizeof result);
    return result;
}

PLAYED __m256 _mm512_castps512_ps256(__m512 a) {
    return _mm512_extractf32x8_ps(a, 0);
}

/* ---- memory ---------------------------------------------------------------------------------- */

PLAYED __m512i _mm512_loadu_si512(const void *at) {
    __m512i result;
    memcpy(&result, at, sizeof result);
    return result;
}

PLAYED __m512 _mm512_loadu_ps(const void *at) {
    return (__m512)_mm512_loadu_si512(at);
}

PLAYED void _mm512_storeu_ps(void *to, __m512 a) {
    memcpy(to, &a, sizeof a);
}

PLAYED __m256 _mm256_loadu_ps(const float *at) {
    __m256 result;
    memcpy(&result, at, sizeof result);
    return result;
}

PLAYED void _mm256_storeu_ps(float *to, __m256 a) {
    memcpy(to, &a, sizeof a);
}

PLAYED __m256 _mm256_broadcast_ps(const __m128 *at) {
    __m256 result;
    memcpy(&result, at, sizeof *at);
    memcpy((char *)&result + sizeof *at, at, sizeof *at);
    return result;
}

PLAYED __m256 _mm256_setr_ps(float a, float b, float c, float d, float e, float f, float g,
                             float h) {
    return (__m256){a, b, c, d, e, f, g, h};
}

PLAYED __m512i _mm512_set_epi64(int64_t h, int64_t g, int64_t f, int64_t e, int64_t d, int64_t c,
                                int64_t b, int64_t a) {
    return (__m512i){a, b, c, d, e, f, g, h};
}

/* Does nothing, because there are no registers whose upper halves might be in use. */
PLAYED void _mm256_zeroupper(void) {
}

/* ---- conversions and roots ------------------------------------------------------------------- */

PLAYED __m512 _mm512_sqrt_ps(__m512 a) {
    for (int quarter = 0; quarter < 4; quarter++) {
        const __m128 root = _mm_sqrt_ps(_mm512_extractf32x4_ps(a, quarter));
        a = _mm512_insertf32x4(a, root, quarter);
    }
    return a;
}

PLAYED __m512d _mm512_cvtps_pd(__m256 a) {
    __m512d result = {0};
    for (int i = 0; i < 8; i++)
        result[i] = (double)a[i];
    return result;
}

PLAYED __m256 _mm512_cvtpd_ps(__m512d a) {
    __m256 result = {0};
    for (int i = 0; i < 8; i++)
        result[i] = (float)a[i];
    return result;
}

PLAYED __m512 _mm512_cvtepi32_ps(__m512i a) {
    const PlayedWords16 words = (PlayedWords16)a;
    __m512 result = {0};
    for (int i = 0; i < 16; i++)
        result[i] = (float)words[i];
    return result;
}

PLAYED __m256i _mm512_cvtepi64_epi32(__m512i a) {
    PlayedWords8 result = {0};
    for (int i = 0; i < 8; i++)
        result[i] = (int32_t)a[i];
    return (__m256i)result;
}

/* ---- words and signs ------------------------------------------------------------------------- */

PLAYED __m512i _mm512_srai_epi32(__m512i a, unsigned count) {
    PlayedWords16 words = (PlayedWords16)a;
    for (int i = 0; i < 16; i++)
        words[i] >>= count > 31 ? 31 : count;
    return (__m512i)words;
}

PLAYED __m512i _mm512_slli_epi32(__m512i a, unsigned count) {
    PlayedUnsigned16 words = (PlayedUnsigned16)a;
    for (int i = 0; i < 16; i++)
        words[i] = count > 31 ? 0 : words[i] << count;
    return (__m512i)words;
}

PLAYED __mmask16 _mm512_movepi32_mask(__m512i a) {
    const PlayedWords16 words = (PlayedWords16)a;
    unsigned mask = 0;
    for (int i = 0; i < 16; i++)
        mask |= (unsigned)(words[i] < 0) << i;
    return (__mmask16)mask;
}

PLAYED int _mm256_movemask_ps(__m256 a) {
    const PlayedWords8 words = (PlayedWords8)a;
    int mask = 0;
    for (int i = 0; i < 8; i++)
        mask |= (words[i] < 0) << i;
    return mask;
}

/* ---- orders, within each quarter, except for the last function ------------------------------- */

PLAYED __m512 Played_Unpack(__m512 a, __m512 b, int first) {
    const PlayedWords16 of_a = (PlayedWords16)a, of_b = (PlayedWords16)b;
    PlayedWords16 result = {0};
    for (int i = 0; i < 16; i += 4)
        for (int k = 0; k < 2; k++) {
            result[i + 2 * k] = of_a[i + first + k];
            result[i + 2 * k + 1] = of_b[i + first + k];
        }
    return (__m512)result;
}

PLAYED __m512 _mm512_unpacklo_ps(__m512 a, __m512 b) {
    return Played_Unpack(a, b, 0);
}

PLAYED __m512 _mm512_unpackhi_ps(__m512 a, __m512 b) {
    return Played_Unpack(a, b, 2);
}

PLAYED __m512d Played_UnpackLong(__m512d a, __m512d b, int which) {
    const __m512i of_a = (__m512i)a, of_b = (__m512i)b;
    __m512i result = {0};
    for (int i = 0; i < 8; i += 2) {
        result[i] = of_a[i + which];
        result[i + 1] = of_b[i + which];
    }
    return (__m512d)result;
}

PLAYED __m512d _mm512_unpacklo_pd(__m512d a, __m512d b) {
    return Played_UnpackLong(a, b, 0);
}

PLAYED __m512d _mm512_unpackhi_pd(__m512d a, __m512d b) {
    return Played_UnpackLong(a, b, 1);
}

PLAYED __m512 _mm512_shuffle_ps(__m512 a, __m512 b, int order) {
    const PlayedWords16 of_a = (PlayedWords16)a, of_b = (PlayedWords16)b;
    PlayedWords16 result = {0};
    for (int i = 0; i < 16; i++) {
        const int from = i / 4 * 4 + (order >> (2 * (i % 4)) & 3);
        result[i] = i % 4 < 2 ? of_a[from] : of_b[from];
    }
    return (__m512)result;
}

PLAYED __m256 _mm256_permute_ps(__m256 a, int order) {
    const PlayedWords8 words = (PlayedWords8)a;
    PlayedWords8 result = {0};
    for (int i = 0; i < 8; i++)
        result[i] = words[i / 4 * 4 + (order >> (2 * (i % 4)) & 3)];
    return (__m256)result;
}

PLAYED __m512d _mm512_permutexvar_pd(__m512i order, __m512d a) {
    const __m512i words = (__m512i)a;
    __m512i result = {0};
    for (int i = 0; i < 8; i++)
        result[i] = words[order[i] & 7];
    return (__m512d)result;
}

#endif
