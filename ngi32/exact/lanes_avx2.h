/* Eight lanes of AVX2; see lanes_sse2.h. */
#ifndef RETROPOSE_NGI32_EXACT_LANES_AVX2_H
#define RETROPOSE_NGI32_EXACT_LANES_AVX2_H

#include "ngi32/exact/many.h"
#include "ngi32/exact/rows_avx.h"
#include "ngi32/exact/unrolled.h"

#include <immintrin.h>
#include <stdint.h>

enum { LANES = 8 };

typedef float Floats __attribute__((vector_size(32)));
typedef int32_t Words __attribute__((vector_size(32)));
typedef double Doubles __attribute__((vector_size(32)));
typedef int64_t Longs __attribute__((vector_size(32)));

static inline Floats Choose(Words mask, Floats chosen, Floats other) {
    return (Floats)_mm256_blendv_ps((__m256)other, (__m256)chosen, (__m256)mask);
}

static inline Doubles ChooseDoubles(Longs mask, Doubles chosen, Doubles other) {
    return (Doubles)_mm256_blendv_pd((__m256d)other, (__m256d)chosen, (__m256d)mask);
}

static inline Floats Floats_Load(const float *at) {
    return (Floats)_mm256_loadu_ps(at);
}

static inline void Floats_Store(Floats numbers, float *to) {
    _mm256_storeu_ps(to, (__m256)numbers);
}

static inline Words Words_Load(const int32_t *at) {
    return (Words)_mm256_loadu_si256((const __m256i *)(const void *)at);
}

static inline Floats Floats_SquareRoot(Floats numbers) {
    return (Floats)_mm256_sqrt_ps((__m256)numbers);
}

static inline Doubles Floats_Low(Floats numbers) {
    return (Doubles)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)numbers));
}

static inline Doubles Floats_High(Floats numbers) {
    return (Doubles)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)numbers, 1));
}

static inline Floats Floats_Round(Doubles low, Doubles high) {
    return (Floats)_mm256_set_m128(_mm256_cvtpd_ps((__m256d)high), _mm256_cvtpd_ps((__m256d)low));
}

static inline Words Doubles_LowWords(Doubles low, Doubles high) {
    const __m256 words = _mm256_shuffle_ps((__m256)low, (__m256)high, _MM_SHUFFLE(2, 0, 2, 0));
    return (Words)_mm256_permute4x64_epi64((__m256i)words, _MM_SHUFFLE(3, 1, 2, 0));
}

static inline uint32_t Words_Signs(Words mask) {
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
}

static inline __m256 Keys_Load(const uint8_t *low, const uint8_t *high) {
    return _mm256_insertf128_ps(
        _mm256_castps128_ps256(_mm_loadu_ps((const float *)(const void *)low)),
        _mm_loadu_ps((const float *)(const void *)high), 1);
}

static inline __m256i Keys_LoadRotations(const uint8_t *low, const uint8_t *high) {
    const __m128i first =
        _mm_loadl_epi64((const __m128i *)(const void *)(low + EXACT_KEY_AT_ROTATION));
    const __m128i second =
        _mm_loadl_epi64((const __m128i *)(const void *)(high + EXACT_KEY_AT_ROTATION));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
}

/* Transposes the four numbers of four lanes, separately in each half of the registers. */
static inline void Lanes_Transpose(__m256 in[4], __m256 out[4]) {
    const __m256 ab = _mm256_unpacklo_ps(in[0], in[1]), cd = _mm256_unpacklo_ps(in[2], in[3]);
    const __m256 ef = _mm256_unpackhi_ps(in[0], in[1]), gh = _mm256_unpackhi_ps(in[2], in[3]);
    out[0] = _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(1, 0, 1, 0));
    out[1] = _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 2, 3, 2));
    out[2] = _mm256_shuffle_ps(ef, gh, _MM_SHUFFLE(1, 0, 1, 0));
    out[3] = _mm256_shuffle_ps(ef, gh, _MM_SHUFFLE(3, 2, 3, 2));
}

static inline Floats Components(__m256i twice) {
    return (Floats)_mm256_cvtepi32_ps(_mm256_srai_epi32(twice, 16));
}

static inline void Keys_Read(const uint8_t *const *keys, Floats numbers[4], Floats rotation[4]) {
    __m256 loaded[4], columns[4];
    __m256i words[4];
    UNROLLED
    for (int i = 0; i < 4; i++) {
        loaded[i] = Keys_Load(keys[i], keys[i + 4]);
        words[i] = Keys_LoadRotations(keys[i], keys[i + 4]);
    }
    Lanes_Transpose(loaded, columns);
    UNROLLED
    for (int i = 0; i < 4; i++)
        numbers[i] = (Floats)columns[i];
    const __m256i low = _mm256_unpacklo_epi16(words[0], words[1]);
    const __m256i high = _mm256_unpacklo_epi16(words[2], words[3]);
    const __m256i xy = _mm256_unpacklo_epi32(low, high), zw = _mm256_unpackhi_epi32(low, high);
    rotation[0] = Components(_mm256_unpacklo_epi16(xy, xy));
    rotation[1] = Components(_mm256_unpackhi_epi16(xy, xy));
    rotation[2] = Components(_mm256_unpacklo_epi16(zw, zw));
    rotation[3] = Components(_mm256_unpackhi_epi16(zw, zw));
}

static inline __m256d Pairs_Load(const ExactPair *low, const ExactPair *high) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(&low->theta)),
                                _mm_loadu_pd(&high->theta), 1);
}

static inline __m256 InOrder(__m256 mixed) {
    return (__m256)_mm256_permute4x64_pd((__m256d)mixed, _MM_SHUFFLE(3, 1, 2, 0));
}

static inline void Pairs_Read(const ExactPair *const *pairs, Doubles theta[2], Floats *dot,
                              Floats *reciprocal) {
    __m256 rest[2];
    UNROLLED
    for (int i = 0; i < 2; i++) {
        const __m256d even = Pairs_Load(pairs[4 * i], pairs[4 * i + 2]);
        const __m256d odd = Pairs_Load(pairs[4 * i + 1], pairs[4 * i + 3]);
        theta[i] = (Doubles)_mm256_unpacklo_pd(even, odd);
        rest[i] = (__m256)_mm256_unpackhi_pd(even, odd);
    }
    *dot = (Floats)InOrder(_mm256_shuffle_ps(rest[0], rest[1], _MM_SHUFFLE(2, 0, 2, 0)));
    *reciprocal = (Floats)InOrder(_mm256_shuffle_ps(rest[0], rest[1], _MM_SHUFFLE(3, 1, 3, 1)));
}

static inline void Rows_Store(Floats x, Floats y, Floats z, Floats w, float *const matrices[LANES],
                              int row) {
    __m256 in[4] = {(__m256)x, (__m256)y, (__m256)z, (__m256)w}, out[4];
    Lanes_Transpose(in, out);
    UNROLLED
    for (int i = 0; i < 4; i++) {
        _mm_storeu_ps(matrices[i] + 4 * row, _mm256_castps256_ps128(out[i]));
        _mm_storeu_ps(matrices[i + 4] + 4 * row, _mm256_extractf128_ps(out[i], 1));
    }
}

#endif
