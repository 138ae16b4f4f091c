#include "ngi32/exact/keys.h"

#include "ngi32/exact/one.h"

ENTRY bool Exact_FrameAt(const float *t, uint32_t *frame) {
    if ((Exact_Bits(t) & 0x7FFFFFFF) >= EXACT_BITS_2_30)
        return false;
    *frame = (uint32_t)_mm_cvtss_si32(_mm_sub_ss(_mm_load_ss(t), _mm_set_ss(0.5f)));
    return true;
}

static inline bool BetweenKeys(const void *key0, const void *key1, const float *t, bool by_weights,
                               float *alpha, float result[4]) {
    const __m128 from = _mm_loadu_ps(key0), to = _mm_loadu_ps(key1), now = _mm_load_ps1(t);
    if (!Exact_AreAllModerate(from, to) || _mm_movemask_epi8(Exact_AreModerate(now)) != 0xFFFF)
        return false;
    /* The time is the fourth number of a key. */
    const __m128 whole = _mm_sub_ps(to, from), past = _mm_sub_ps(now, from);
    const __m128 quotient = _mm_div_ss(_mm_shuffle_ps(past, past, _MM_SHUFFLE(3, 3, 3, 3)),
                                       _mm_shuffle_ps(whole, whole, _MM_SHUFFLE(3, 3, 3, 3)));
    const float fraction = _mm_cvtss_f32(quotient);
    if (!Exact_IsFraction(&fraction))
        return false;
    const __m128 weight = _mm_set1_ps(fraction), rest = _mm_set1_ps(1 - fraction);
    const __m128 between = by_weights ? _mm_add_ps(_mm_mul_ps(rest, from), _mm_mul_ps(weight, to))
                                      : _mm_add_ps(from, _mm_mul_ps(whole, weight));
    _mm_storeu_ps(result, between);
    *alpha = fraction;
    return true;
}

/* Decodes a rotation, and returns it as w, x, y, z. */
static inline __m128 Rotation(const void *rotation) {
    const uint32_t inverse_bits = 0x38000100;
    float inverse;
    memcpy(&inverse, &inverse_bits, sizeof inverse);
    const __m128i words = _mm_loadl_epi64(rotation);
    const __m128i numbers = _mm_srai_epi32(_mm_unpacklo_epi16(words, words), 16);
    const __m128 decoded = _mm_mul_ps(_mm_cvtepi32_ps(numbers), _mm_set1_ps(inverse));
    return _mm_shuffle_ps(decoded, decoded, _MM_SHUFFLE(2, 1, 0, 3));
}

ENTRY bool Exact_BetweenKeys(const void *key0, const void *key1, const float *t, bool by_weights,
                             float *alpha, float position[3]) {
    float result[4];
    if (!BetweenKeys(key0, key1, t, by_weights, alpha, result))
        return false;
    memcpy(position, result, 3 * sizeof *position);
    return true;
}

ENTRY bool Exact_SampleKeys(ExactSum order, const void *key0, const void *key1, const float *t,
                            bool by_weights, float quaternion[4], float position[3]) {
    const char *const rotation0 = (const char *)key0 + EXACT_KEY_AT_ROTATION;
    const char *const rotation1 = (const char *)key1 + EXACT_KEY_AT_ROTATION;
    float alpha, result[4];
    /* The numbers of a decoded rotation are 0 or from 2^-15 to 2 in size, so they need no check. */
    if (!BetweenKeys(key0, key1, t, by_weights, &alpha, result) ||
        !Slerp(order, Rotation(rotation0), Rotation(rotation1), alpha, quaternion))
        return false;
    memcpy(position, result, 3 * sizeof *position);
    return true;
}

ENTRY void Exact_PreparePair(ExactSum order, const void *key0, const void *key1, ExactPair *pair) {
    const float dot = Dot(order, Rotation((const char *)key0 + EXACT_KEY_AT_ROTATION),
                          Rotation((const char *)key1 + EXACT_KEY_AT_ROTATION));
    const float c = __builtin_fabsf(dot);
    *pair = (ExactPair){.dot = dot};
    if (1 - c <= Exact_Limit())
        return;
    const ExactAngle angle = Exact_Angle(c);
    /* -0 is a cosine, too, but not one whose errors are known (one.h). */
    if (Exact_Bits(&dot) == EXACT_BITS_MINUS_0 ||
        !Exact_Round(angle.reciprocal_sine, &pair->reciprocal))
        pair->reciprocal = -1;
    else
        pair->theta = angle.theta;
}

ENTRY void Exact_DecodeRotation(const int16_t rotation[4], float quaternion[4]) {
    _mm_storeu_ps(quaternion, Rotation(rotation));
}
