/* The interpolation of one pair of rotations in registers, for the functions of this folder that
 * end with it. */
#ifndef RETROPOSE_NGI32_EXACT_ONE_H
#define RETROPOSE_NGI32_EXACT_ONE_H

#include "ngi32/exact/arc.h"
#include "ngi32/exact/range.h"
#include "ngi32/exact/sum.h"

#include <string.h>

/* Spilled registers need an aligned stack, which callers of the 32-bit ABI do not provide. */
#ifdef __i386__
#define ENTRY __attribute__((force_align_arg_pointer))
#else
#define ENTRY
#endif

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

/* ---- bits ------------------------------------------------------------------------------------ */

static inline float Flip(float number, uint32_t sign) {
    const uint32_t bits = Exact_Bits(&number) ^ sign;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* ---- the interpolation ----------------------------------------------------------------------- */

static inline float Dot(ExactSum order, __m128 q0, __m128 q1) {
    float p[4];
    _mm_storeu_ps(p, _mm_mul_ps(q0, q1));
    switch (order) {
    case EXACT_PAIRS:
        return (p[0] + p[1]) + (p[2] + p[3]);
    case EXACT_REVERSE:
        return ((p[3] + p[2]) + p[1]) + p[0];
    case EXACT_W_LAST:
        return ((p[1] + p[2]) + p[3]) + p[0];
    case EXACT_HALVES:
        return (p[0] + p[2]) + (p[1] + p[3]);
    default:
        return ((p[0] + p[1]) + p[2]) + p[3];
    }
}

/* Does what Exact_Slerp does, for numbers of the sizes that it takes. */
static inline bool Slerp(ExactSum order, __m128 q0, __m128 q1, float t, float result[4]) {
    const float dot = Dot(order, q0, q1);
    const uint32_t sign = dot < 0 ? 0x80000000u : 0;
    const float c = Flip(dot, sign);
    float w0 = 1 - t, w1 = t;
    if (!(1 - c <= Exact_Limit())) {
        /* -0 is an angle, too, but not one that Weigh knows. */
        if (Exact_Bits(&c) >> 31 || !Weigh(c, t, &w0, &w1))
            return false;
    }
    w1 = Flip(w1, sign);
    _mm_storeu_ps(result,
                  _mm_add_ps(_mm_mul_ps(_mm_set1_ps(w0), q0), _mm_mul_ps(_mm_set1_ps(w1), q1)));
    return true;
}

#endif
