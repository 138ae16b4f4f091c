/* Slots 14, 15, 17 and 22 of g_FastProc (facts/ngi32.md B.4, seed 000 section 4.4), in the order of
 * operations of docs/arithmetic.md. */
#include "hypothesis.h"
#include "retropose/fastproc.h"
#include "sse.h"
#include "x87.h"

#include <string.h>

static const float zero = 0.0f, one = 1.0f, minus_one = -1.0f;

enum { W, X, Y, Z };

/* The elements of a rotation matrix that depend on the quaternion. */
static const uint8_t rotation_elements[] = {0, 1, 2, 4, 5, 6, 8, 9, 10};

static void WriteRotation(const float from[16], float to[16]) {
    for (size_t i = 0; i < sizeof rotation_elements; i++)
        memcpy(&to[rotation_elements[i]], &from[rotation_elements[i]], sizeof *to);
}

static void SetBorder(float matrix[16]) {
    matrix[3] = matrix[7] = matrix[11] = 0.0f;
    matrix[12] = matrix[13] = matrix[14] = 0.0f;
    matrix[15] = 1.0f;
}

/* ---- x87: matrices --------------------------------------------------------------------------- */

/* 2(ab + cd) */
static long double TwiceSumX87(const float *a, const float *b, const float *c, const float *d) {
    long double sum = X87_Add(X87_Mul(X87_Load(a), X87_Load(b)), X87_Mul(X87_Load(c), X87_Load(d)));
    return X87_Add(sum, sum);
}

/* 2(ab - cd) */
static long double TwiceDifferenceX87(const float *a, const float *b, const float *c,
                                      const float *d) {
    long double difference =
        X87_Sub(X87_Mul(X87_Load(a), X87_Load(b)), X87_Mul(X87_Load(c), X87_Load(d)));
    return X87_Add(difference, difference);
}

static void DiagonalX87(const float q[4], float m[16]) {
    long double unit = X87_Load(&one);
    X87_Store(X87_Sub(unit, TwiceSumX87(&q[Y], &q[Y], &q[Z], &q[Z])), &m[0]);
    X87_Store(X87_Sub(unit, TwiceSumX87(&q[X], &q[X], &q[Z], &q[Z])), &m[5]);
    X87_Store(X87_Sub(unit, TwiceSumX87(&q[X], &q[X], &q[Y], &q[Y])), &m[10]);
}

static void RotationX87(const float q[4], float m[16]) {
    DiagonalX87(q, m);
    X87_Store(TwiceSumX87(&q[X], &q[Y], &q[W], &q[Z]), &m[1]);
    X87_Store(TwiceDifferenceX87(&q[X], &q[Z], &q[W], &q[Y]), &m[2]);
    X87_Store(TwiceDifferenceX87(&q[X], &q[Y], &q[W], &q[Z]), &m[4]);
    X87_Store(TwiceSumX87(&q[Y], &q[Z], &q[W], &q[X]), &m[6]);
    X87_Store(TwiceSumX87(&q[X], &q[Z], &q[W], &q[Y]), &m[8]);
    X87_Store(TwiceDifferenceX87(&q[Y], &q[Z], &q[W], &q[X]), &m[9]);
}

static void MirroredRotationX87(const float q[4], float m[16]) {
    DiagonalX87(q, m);
    X87_Store(TwiceDifferenceX87(&q[X], &q[Y], &q[W], &q[Z]), &m[1]);
    X87_Store(X87_Neg(TwiceSumX87(&q[X], &q[Z], &q[W], &q[Y])), &m[2]);
    X87_Store(TwiceSumX87(&q[X], &q[Y], &q[W], &q[Z]), &m[4]);
    X87_Store(X87_Neg(TwiceDifferenceX87(&q[Y], &q[Z], &q[W], &q[X])), &m[6]);
    X87_Store(X87_Neg(TwiceDifferenceX87(&q[X], &q[Z], &q[W], &q[Y])), &m[8]);
    X87_Store(X87_Neg(TwiceSumX87(&q[Y], &q[Z], &q[W], &q[X])), &m[9]);
}

/* ---- SSE: matrices --------------------------------------------------------------------------- */

SSE_STEP Sse TwiceSumSse(Sse a, Sse b, Sse c, Sse d) {
    Sse sum = Sse_Add(Sse_Mul(a, b), Sse_Mul(c, d));
    return Sse_Add(sum, sum);
}

SSE_STEP Sse TwiceDifferenceSse(Sse a, Sse b, Sse c, Sse d) {
    Sse difference = Sse_Sub(Sse_Mul(a, b), Sse_Mul(c, d));
    return Sse_Add(difference, difference);
}

SSE_STEP void DiagonalSse(Sse x, Sse y, Sse z, float m[16]) {
    Sse unit = Sse_Load(&one);
    Sse_Store(Sse_Sub(unit, TwiceSumSse(y, y, z, z)), &m[0]);
    Sse_Store(Sse_Sub(unit, TwiceSumSse(x, x, z, z)), &m[5]);
    Sse_Store(Sse_Sub(unit, TwiceSumSse(x, x, y, y)), &m[10]);
}

SSE_BUILD static void RotationSse(const float q[4], float m[16]) {
    Sse w = Sse_Load(&q[W]), x = Sse_Load(&q[X]), y = Sse_Load(&q[Y]), z = Sse_Load(&q[Z]);
    DiagonalSse(x, y, z, m);
    Sse_Store(TwiceSumSse(x, y, w, z), &m[1]);
    Sse_Store(TwiceDifferenceSse(x, z, w, y), &m[2]);
    Sse_Store(TwiceDifferenceSse(x, y, w, z), &m[4]);
    Sse_Store(TwiceSumSse(y, z, w, x), &m[6]);
    Sse_Store(TwiceSumSse(x, z, w, y), &m[8]);
    Sse_Store(TwiceDifferenceSse(y, z, w, x), &m[9]);
}

SSE_BUILD static void MirroredRotationSse(const float q[4], float m[16]) {
    Sse w = Sse_Load(&q[W]), x = Sse_Load(&q[X]), y = Sse_Load(&q[Y]), z = Sse_Load(&q[Z]);
    DiagonalSse(x, y, z, m);
    Sse_Store(TwiceDifferenceSse(x, y, w, z), &m[1]);
    Sse_Store(Sse_Neg(TwiceSumSse(x, z, w, y)), &m[2]);
    Sse_Store(TwiceSumSse(x, y, w, z), &m[4]);
    Sse_Store(Sse_Neg(TwiceDifferenceSse(y, z, w, x)), &m[6]);
    Sse_Store(Sse_Neg(TwiceDifferenceSse(x, z, w, y)), &m[8]);
    Sse_Store(Sse_Neg(TwiceSumSse(y, z, w, x)), &m[9]);
}

/* ---- slots 14 and 15 ------------------------------------------------------------------------- */

void RpQuaternion_ToMatrix(RpBuild build, const float quaternion[4], float matrix[16]) {
    float result[16];
    (build == RP_BUILD_SSE ? RotationSse : RotationX87)(quaternion, result);
    WriteRotation(result, matrix);
    SetBorder(matrix);
}

void RpQuaternion_ToMirroredMatrix(RpBuild build, const RpHypotheses *hypotheses,
                                   const float quaternion[4], float matrix[16]) {
    float result[16];
    (build == RP_BUILD_SSE ? MirroredRotationSse : MirroredRotationX87)(quaternion, result);
    WriteRotation(result, matrix);
    if (!Hypothesis_IsAlternative(hypotheses, HYPOTHESIS_MIRROR_SHAPE)) /* 4x4 */
        SetBorder(matrix);
}

/* ---- the weights of the spherical case: x87 in every build ----------------------------------- */

typedef struct ArcOptions {
    bool plain;    /* slerp-acos */
    bool quotient; /* slerp-sine */
    bool stored;   /* slerp-trig-sse, of an SSE build: intermediates are rounded to binary32 */
} ArcOptions;

typedef struct Weights {
    long double w0, w1;
} Weights;

static long double Kept(long double value, bool stored) {
    float rounded;
    if (!stored)
        return value;
    X87_Store(value, &rounded);
    return X87_Load(&rounded);
}

static long double ArcSine(ArcOptions options, long double c) {
    long double unit = X87_Load(&one);
    if (options.plain)
        return X87_Sqrt(X87_Sub(unit, Kept(X87_Mul(c, c), options.stored)));
    long double sum = X87_Add(unit, c);
    return X87_Sqrt(Kept(X87_Mul(sum, X87_Sub(unit, c)), options.stored));
}

static Weights ArcWeights(ArcOptions options, long double c, long double t) {
    bool stored = options.stored;
    long double r = Kept(ArcSine(options, c), stored);
    long double theta = Kept(X87_Patan(r, c), stored);
    long double phi = Kept(X87_Mul(t, theta), stored);
    long double sin_theta = Kept(X87_Sin(theta), stored);
    long double sin_phi = Kept(X87_Sin(phi), stored);
    Weights weights;
    if (options.quotient)
        weights.w1 = X87_Div(sin_phi, sin_theta);
    else
        weights.w1 = X87_Mul(sin_phi, Kept(X87_Div(X87_Load(&one), sin_theta), stored));
    weights.w1 = Kept(weights.w1, stored);
    long double cos_phi = Kept(X87_Cos(phi), stored);
    weights.w0 = X87_Sub(cos_phi, Kept(X87_Mul(weights.w1, c), stored));
    return weights;
}

static ArcOptions ArcOptionsOf(RpBuild build, const RpHypotheses *hypotheses) {
    return (ArcOptions){.plain = Hypothesis_IsAlternative(hypotheses, HYPOTHESIS_SLERP_ACOS),
                        .quotient = Hypothesis_IsAlternative(hypotheses, HYPOTHESIS_SLERP_SINE),
                        .stored = build == RP_BUILD_SSE &&
                                  Hypothesis_IsAlternative(hypotheses, HYPOTHESIS_SLERP_TRIG_SSE)};
}

/* Quaternions closer than this are interpolated linearly: 1 - dot, 9.9999997e-6. */
static const float linear_limit = 1e-5f;

/* ---- x87: interpolation ---------------------------------------------------------------------- */

static long double DotX87(const RpHypotheses *hypotheses, const float q0[4], const float q1[4]) {
    long double p[4];
    for (int i = 0; i < 4; i++)
        p[i] = X87_Mul(X87_Load(&q0[i]), X87_Load(&q1[i]));
    if (Hypothesis_IsAlternative(hypotheses, HYPOTHESIS_DOT4)) /* pairs */
        return X87_Add(X87_Add(p[0], p[1]), X87_Add(p[2], p[3]));
    return X87_Add(X87_Add(X87_Add(p[0], p[1]), p[2]), p[3]);
}

static void InterpolateX87(const RpHypotheses *hypotheses, const float q0[4], const float q1[4],
                           const float *t, float result[4]) {
    long double c = DotX87(hypotheses, q0, q1), unit = X87_Load(&one), sign = unit;
    if (X87_Less(c, X87_Load(&zero))) {
        c = X87_Neg(c);
        sign = X87_Load(&minus_one);
    }
    Weights weights;
    if (X87_LessOrEqual(X87_Sub(unit, c), X87_Load(&linear_limit)))
        weights = (Weights){.w0 = X87_Sub(unit, X87_Load(t)), .w1 = X87_Load(t)};
    else
        weights = ArcWeights(ArcOptionsOf(RP_BUILD_GENERIC, hypotheses), c, X87_Load(t));
    weights.w1 = X87_Mul(sign, weights.w1);
    for (int i = 0; i < 4; i++)
        X87_Store(
            X87_Add(X87_Mul(weights.w0, X87_Load(&q0[i])), X87_Mul(weights.w1, X87_Load(&q1[i]))),
            &result[i]);
}

/* ---- SSE: interpolation ---------------------------------------------------------------------- */

SSE_STEP Sse DotSse(const RpHypotheses *hypotheses, const float q0[4], const float q1[4]) {
    Sse p[4];
    for (int i = 0; i < 4; i++)
        p[i] = Sse_Mul(Sse_Load(&q0[i]), Sse_Load(&q1[i]));
    if (Hypothesis_IsAlternative(hypotheses, HYPOTHESIS_DOT4_SSE)) /* sequential */
        return Sse_Add(Sse_Add(Sse_Add(p[0], p[1]), p[2]), p[3]);
    return Sse_Add(Sse_Add(p[0], p[2]), Sse_Add(p[1], p[3]));
}

static void StoredArcWeights(ArcOptions options, const float *c, const float *t, float *w0,
                             float *w1) {
    Weights weights = ArcWeights(options, X87_Load(c), X87_Load(t));
    X87_Store(weights.w0, w0);
    X87_Store(weights.w1, w1);
}

SSE_BUILD static void InterpolateSse(const RpHypotheses *hypotheses, const float q0[4],
                                     const float q1[4], const float *t, float result[4]) {
    const float *sign = &one;
    Sse c = DotSse(hypotheses, q0, q1), unit = Sse_Load(&one), w0, w1;
    if (Sse_Less(c, Sse_Load(&zero))) {
        c = Sse_Neg(c);
        sign = &minus_one;
    }
    if (Sse_LessOrEqual(Sse_Sub(unit, c), Sse_Load(&linear_limit))) {
        w0 = Sse_Sub(unit, Sse_Load(t));
        w1 = Sse_Load(t);
    } else {
        float stored_c, stored_w0, stored_w1;
        Sse_Store(c, &stored_c);
        StoredArcWeights(ArcOptionsOf(RP_BUILD_SSE, hypotheses), &stored_c, t, &stored_w0,
                         &stored_w1);
        w0 = Sse_Load(&stored_w0);
        w1 = Sse_Load(&stored_w1);
    }
    w1 = Sse_Mul(Sse_Load(sign), w1);
    for (int i = 0; i < 4; i++)
        Sse_Store(Sse_Add(Sse_Mul(w0, Sse_Load(&q0[i])), Sse_Mul(w1, Sse_Load(&q1[i]))),
                  &result[i]);
}

/* ---- slots 17 and 22 ------------------------------------------------------------------------- */

void RpQuaternion_Interpolate(RpBuild build, const RpHypotheses *hypotheses, const float q0[4],
                              const float q1[4], float t, float result[4]) {
    float quaternion[4];
    (build == RP_BUILD_SSE ? InterpolateSse : InterpolateX87)(hypotheses, q0, q1, &t, quaternion);
    memcpy(result, quaternion, sizeof quaternion);
}
