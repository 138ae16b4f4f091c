/* Interpolates one pair of rotations in registers, as the last step of functions of this folder. */
#ifndef RETROPOSE_NGI32_EXACT_ONE_H
#define RETROPOSE_NGI32_EXACT_ONE_H

#include "ngi32/exact/arc.h"
#include "ngi32/exact/entry.h"
#include "ngi32/exact/exact_range.h"
#include "ngi32/exact/sum.h"

#include <string.h>

/* ---- the weights of an arc ------------------------------------------------------------------- */

static inline bool Weigh(float c, float t, float *w0, float *w1) {
    const ExactAngle angle = Exact_Angle(c);
    float phi, reciprocal, rest;
    if (!Exact_Round(angle.theta * t, &phi) || !Exact_Round(angle.reciprocal_sine, &reciprocal))
        return false;
    const ExactSineCosine of_phi = Exact_SineCosine(phi);
    if (!Exact_Round(of_phi.sine * reciprocal, w1))
        return false;
    rest = *w1 * c;
    return Exact_RoundAbsolutely(of_phi.cosine - rest, EXACT_COSINE_ERROR, w0);
}

/* ---- the interpolation ----------------------------------------------------------------------- */

static inline float Lane(__m128 numbers, int lane) {
    switch (lane) {
    case 0:
        return _mm_cvtss_f32(numbers);
    case 1:
        return _mm_cvtss_f32(_mm_shuffle_ps(numbers, numbers, _MM_SHUFFLE(1, 1, 1, 1)));
    case 2:
        return _mm_cvtss_f32(_mm_shuffle_ps(numbers, numbers, _MM_SHUFFLE(2, 2, 2, 2)));
    default:
        return _mm_cvtss_f32(_mm_shuffle_ps(numbers, numbers, _MM_SHUFFLE(3, 3, 3, 3)));
    }
}

static inline float Dot(ExactSum order, __m128 q0, __m128 q1) {
    const __m128 products = _mm_mul_ps(q0, q1);
    const float w = Lane(products, 0), x = Lane(products, 1);
    const float y = Lane(products, 2), z = Lane(products, 3);
    switch (order) {
    case EXACT_PAIRS:
        return (w + x) + (y + z);
    case EXACT_REVERSE:
        return ((z + y) + x) + w;
    case EXACT_W_LAST:
        return ((x + y) + z) + w;
    case EXACT_HALVES:
        return (w + y) + (x + z);
    default:
        return ((w + x) + y) + z;
    }
}

/* Does what Exact_Slerp does, for numbers of the sizes that it takes. */
static inline bool Slerp(ExactSum order, __m128 q0, __m128 q1, float t, float result[4]) {
    const float dot = Dot(order, q0, q1), c = __builtin_fabsf(dot);
    float w0 = 1 - t, w1 = t;
    if (!(1 - c <= Exact_Limit())) {
        /* The x87 leaves a cosine of -0 as it is. It is a valid cosine, but Weigh's errors are not
         * known for it. */
        if (Exact_Bits(&dot) == EXACT_BITS_MINUS_0 || !Weigh(c, t, &w0, &w1))
            return false;
    }
    /* The x87 gives the sign to w1. Here q1 gets it: the products have the same bits, and this does
     * not have to wait for w1. */
    const __m128 sign = _mm_and_ps(_mm_set1_ps(dot), _mm_set1_ps(-0.0f));
    const __m128 turned = _mm_xor_ps(q1, sign);
    _mm_storeu_ps(result,
                  _mm_add_ps(_mm_mul_ps(_mm_set1_ps(w0), q0), _mm_mul_ps(_mm_set1_ps(w1), turned)));
    return true;
}

#endif
