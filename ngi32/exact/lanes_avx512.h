/* Sixteen lanes of AVX-512 (F and DQ); see lanes_sse2.h. */
#ifndef RETROPOSE_NGI32_EXACT_LANES_AVX512_H
#define RETROPOSE_NGI32_EXACT_LANES_AVX512_H

#include "ngi32/exact/many.h"
#include "ngi32/exact/rows_avx.h"
#include "ngi32/exact/unrolled.h"

#include <immintrin.h>
#include <stdint.h>

enum { LANES = 16 };

typedef float Floats __attribute__((vector_size(64)));
typedef int32_t Words __attribute__((vector_size(64)));
typedef double Doubles __attribute__((vector_size(64)));
typedef int64_t Longs __attribute__((vector_size(64)));

static inline Floats Choose(Words mask, Floats chosen, Floats other) {
    return (Floats)(((Words)chosen & mask) | ((Words)other & ~mask));
}

static inline Doubles ChooseDoubles(Longs mask, Doubles chosen, Doubles other) {
    return (Doubles)(((Longs)chosen & mask) | ((Longs)other & ~mask));
}

static inline Floats Floats_Load(const float *at) {
    return (Floats)_mm512_loadu_ps(at);
}

static inline void Floats_Store(Floats numbers, float *to) {
    _mm512_storeu_ps(to, (__m512)numbers);
}

static inline Words Words_Load(const int32_t *at) {
    return (Words)_mm512_loadu_si512(at);
}

static inline Floats Floats_SquareRoot(Floats numbers) {
    return (Floats)_mm512_sqrt_ps((__m512)numbers);
}

static inline Doubles Floats_Low(Floats numbers) {
    return (Doubles)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)numbers));
}

static inline Doubles Floats_High(Floats numbers) {
    return (Doubles)_mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)numbers, 1));
}

static inline Floats Floats_Round(Doubles low, Doubles high) {
    const __m512 first = _mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)low));
    return (Floats)_mm512_insertf32x8(first, _mm512_cvtpd_ps((__m512d)high), 1);
}

static inline Words Doubles_LowWords(Doubles low, Doubles high) {
    const __m512i first = _mm512_castsi256_si512(_mm512_cvtepi64_epi32((__m512i)low));
    return (Words)_mm512_inserti64x4(first, _mm512_cvtepi64_epi32((__m512i)high), 1);
}

static inline uint32_t Words_Signs(Words mask) {
    return _mm512_movepi32_mask((__m512i)mask);
}

static inline __m512 Keys_Load(const uint8_t *const *keys) {
    __m512 four = _mm512_castps128_ps512(_mm_loadu_ps((const float *)(const void *)keys[0]));
    four = _mm512_insertf32x4(four, _mm_loadu_ps((const float *)(const void *)keys[4]), 1);
    four = _mm512_insertf32x4(four, _mm_loadu_ps((const float *)(const void *)keys[8]), 2);
    return _mm512_insertf32x4(four, _mm_loadu_ps((const float *)(const void *)keys[12]), 3);
}

static inline __m128i Keys_LoadRotation(const uint8_t *key) {
    return _mm_loadl_epi64((const __m128i *)(const void *)(key + EXACT_KEY_AT_ROTATION));
}

static inline __m512i Keys_LoadRotations(const uint8_t *const *keys) {
    __m512i four = _mm512_castsi128_si512(Keys_LoadRotation(keys[0]));
    four = _mm512_inserti32x4(four, Keys_LoadRotation(keys[4]), 1);
    four = _mm512_inserti32x4(four, Keys_LoadRotation(keys[8]), 2);
    return _mm512_inserti32x4(four, Keys_LoadRotation(keys[12]), 3);
}

/* Transposes the four numbers of four lanes, separately in each quarter of the registers. */
static inline void Lanes_Transpose(const __m512 in[4], __m512 out[4]) {
    const __m512 ab = _mm512_unpacklo_ps(in[0], in[1]), cd = _mm512_unpacklo_ps(in[2], in[3]);
    const __m512 ef = _mm512_unpackhi_ps(in[0], in[1]), gh = _mm512_unpackhi_ps(in[2], in[3]);
    out[0] = _mm512_shuffle_ps(ab, cd, _MM_SHUFFLE(1, 0, 1, 0));
    out[1] = _mm512_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 2, 3, 2));
    out[2] = _mm512_shuffle_ps(ef, gh, _MM_SHUFFLE(1, 0, 1, 0));
    out[3] = _mm512_shuffle_ps(ef, gh, _MM_SHUFFLE(3, 2, 3, 2));
}

/* Converts the 16-bit integers in the high halves of the words to numbers. */
static inline Floats Components(__m512i high) {
    return (Floats)_mm512_cvtepi32_ps(_mm512_srai_epi32(high, 16));
}

/* The four 16-bit integers of a rotation are transposed as two words of 32 bits, whose halves are
 * separated at the end. */
static inline void Keys_ReadRotations(const uint8_t *const *keys, Floats rotation[4]) {
    __m512 pairs[4], columns[4];
    UNROLLED
    for (int i = 0; i < 4; i++)
        pairs[i] = _mm512_castsi512_ps(Keys_LoadRotations(keys + i));
    Lanes_Transpose(pairs, columns); /* x and y, then z and w, then unused ones */
    const __m512i xy = _mm512_castps_si512(columns[0]), zw = _mm512_castps_si512(columns[1]);
    rotation[0] = Components(_mm512_slli_epi32(xy, 16));
    rotation[1] = Components(xy);
    rotation[2] = Components(_mm512_slli_epi32(zw, 16));
    rotation[3] = Components(zw);
}

static inline void Keys_Read(const uint8_t *const *keys, Floats numbers[4], Floats rotation[4]) {
    __m512 loaded[4], columns[4];
    UNROLLED
    for (int i = 0; i < 4; i++)
        loaded[i] = Keys_Load(keys + i);
    Lanes_Transpose(loaded, columns);
    UNROLLED
    for (int i = 0; i < 4; i++)
        numbers[i] = (Floats)columns[i];
    Keys_ReadRotations(keys, rotation);
}

static inline __m512d Pairs_Load(const ExactPair *const *pairs) {
    __m512d four = _mm512_castpd128_pd512(_mm_loadu_pd(&pairs[0]->theta));
    four = _mm512_insertf64x2(four, _mm_loadu_pd(&pairs[2]->theta), 1);
    four = _mm512_insertf64x2(four, _mm_loadu_pd(&pairs[4]->theta), 2);
    return _mm512_insertf64x2(four, _mm_loadu_pd(&pairs[6]->theta), 3);
}

static inline __m512 InOrder(__m512 mixed) {
    const __m512i order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
    return (__m512)_mm512_permutexvar_pd(order, (__m512d)mixed);
}

static inline void Pairs_Read(const ExactPair *const *pairs, Doubles theta[2], Floats *dot,
                              Floats *reciprocal) {
    __m512 rest[2];
    UNROLLED
    for (int i = 0; i < 2; i++) {
        const __m512d even = Pairs_Load(pairs + 8 * i), odd = Pairs_Load(pairs + 8 * i + 1);
        theta[i] = (Doubles)_mm512_unpacklo_pd(even, odd);
        rest[i] = (__m512)_mm512_unpackhi_pd(even, odd);
    }
    *dot = (Floats)InOrder(_mm512_shuffle_ps(rest[0], rest[1], _MM_SHUFFLE(2, 0, 2, 0)));
    *reciprocal = (Floats)InOrder(_mm512_shuffle_ps(rest[0], rest[1], _MM_SHUFFLE(3, 1, 3, 1)));
}

static inline void Rows_Store(Floats x, Floats y, Floats z, Floats w, float *const matrices[LANES],
                              int row) {
    const __m512 in[4] = {(__m512)x, (__m512)y, (__m512)z, (__m512)w};
    __m512 out[4];
    Lanes_Transpose(in, out);
    UNROLLED
    for (int i = 0; i < 4; i++) {
        _mm_storeu_ps(matrices[i] + 4 * row, _mm512_castps512_ps128(out[i]));
        _mm_storeu_ps(matrices[i + 4] + 4 * row, _mm512_extractf32x4_ps(out[i], 1));
        _mm_storeu_ps(matrices[i + 8] + 4 * row, _mm512_extractf32x4_ps(out[i], 2));
        _mm_storeu_ps(matrices[i + 12] + 4 * row, _mm512_extractf32x4_ps(out[i], 3));
    }
}

#endif
