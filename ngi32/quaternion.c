/* Slots 14, 15, 17 and 22 of g_FastProc (facts/ngi32.md B.4, seed 000 section 4.4), in the order of
 * operations of docs/reference/arithmetic.md. */
#include "ngi32/arc_readings.h"
#include "ngi32/exact/force.h"
#include "ngi32/exact/slerp.h"
#include "ngi32/reading.h"
#include "ngi32/sums.h"
#include "retropose/fastproc.h"

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

/* values of the reading quat-diagonal */
enum { DIAGONAL_SUM, DIAGONAL_CHAIN, DIAGONAL_REVERSE };

/* ---- x87: matrices --------------------------------------------------------------------------- */

/* How a matrix is computed. */
typedef struct MatrixOptions {
    int order;   /* quat-diagonal */
    bool memory; /* operands */
    bool swap;   /* mirror-sign */
} MatrixOptions;

/* Returns 2(ab + cd). */
static X87 TwiceSumX87(bool memory, const float *a, const float *b, const float *c,
                       const float *d) {
    X87 sum = X87_Add(X87_Product(memory, a, b), X87_Product(memory, c, d));
    return X87_Add(sum, sum);
}

/* Returns 2(ab - cd). */
static X87 TwiceDifferenceX87(bool memory, const float *a, const float *b, const float *c,
                              const float *d) {
    X87 difference = X87_Sub(X87_Product(memory, a, b), X87_Product(memory, c, d));
    return X87_Add(difference, difference);
}

/* A square has no choice of operands, because both factors are the same number. */
static X87 TwiceSquareX87(const float *a) {
    X87 square = X87_Mul(X87_Load(a), X87_Load(a));
    return X87_Add(square, square);
}

/* Returns 1 - 2(aa + bb). */
static X87 OneLessX87(int order, const float *a, const float *b) {
    X87 unit = X87_Load(&one);
    if (order == DIAGONAL_CHAIN)
        return X87_Sub(X87_Sub(unit, TwiceSquareX87(a)), TwiceSquareX87(b));
    if (order == DIAGONAL_REVERSE)
        return X87_Sub(X87_Sub(unit, TwiceSquareX87(b)), TwiceSquareX87(a));
    return X87_Sub(unit, TwiceSumX87(false, a, a, b, b));
}

static void DiagonalX87(int order, const float q[4], float m[16]) {
    X87_Store(OneLessX87(order, &q[Y], &q[Z]), &m[0]);
    X87_Store(OneLessX87(order, &q[X], &q[Z]), &m[5]);
    X87_Store(OneLessX87(order, &q[X], &q[Y]), &m[10]);
}

static void RotationX87(MatrixOptions options, const float q[4], float m[16]) {
    const bool memory = options.memory;
    DiagonalX87(options.order, q, m);
    X87_Store(TwiceSumX87(memory, &q[X], &q[Y], &q[W], &q[Z]), &m[1]);
    X87_Store(TwiceDifferenceX87(memory, &q[X], &q[Z], &q[W], &q[Y]), &m[2]);
    X87_Store(TwiceDifferenceX87(memory, &q[X], &q[Y], &q[W], &q[Z]), &m[4]);
    X87_Store(TwiceSumX87(memory, &q[Y], &q[Z], &q[W], &q[X]), &m[6]);
    X87_Store(TwiceSumX87(memory, &q[X], &q[Z], &q[W], &q[Y]), &m[8]);
    X87_Store(TwiceDifferenceX87(memory, &q[Y], &q[Z], &q[W], &q[X]), &m[9]);
}

/* Returns -2(ab - cd). */
static X87 LessTwiceDifferenceX87(MatrixOptions options, const float *a, const float *b,
                                  const float *c, const float *d) {
    return options.swap ? TwiceDifferenceX87(options.memory, c, d, a, b)
                        : X87_Neg(TwiceDifferenceX87(options.memory, a, b, c, d));
}

static void MirroredRotationX87(MatrixOptions options, const float q[4], float m[16]) {
    const bool memory = options.memory;
    DiagonalX87(options.order, q, m);
    X87_Store(TwiceDifferenceX87(memory, &q[X], &q[Y], &q[W], &q[Z]), &m[1]);
    X87_Store(X87_Neg(TwiceSumX87(memory, &q[X], &q[Z], &q[W], &q[Y])), &m[2]);
    X87_Store(TwiceSumX87(memory, &q[X], &q[Y], &q[W], &q[Z]), &m[4]);
    X87_Store(LessTwiceDifferenceX87(options, &q[Y], &q[Z], &q[W], &q[X]), &m[6]);
    X87_Store(LessTwiceDifferenceX87(options, &q[X], &q[Z], &q[W], &q[Y]), &m[8]);
    X87_Store(X87_Neg(TwiceSumX87(memory, &q[Y], &q[Z], &q[W], &q[X])), &m[9]);
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

SSE_STEP Sse TwiceSquareSse(Sse a) {
    Sse square = Sse_Mul(a, a);
    return Sse_Add(square, square);
}

SSE_STEP Sse OneLessSse(int order, Sse a, Sse b) {
    Sse unit = Sse_Load(&one);
    if (order == DIAGONAL_CHAIN)
        return Sse_Sub(Sse_Sub(unit, TwiceSquareSse(a)), TwiceSquareSse(b));
    if (order == DIAGONAL_REVERSE)
        return Sse_Sub(Sse_Sub(unit, TwiceSquareSse(b)), TwiceSquareSse(a));
    return Sse_Sub(unit, TwiceSumSse(a, a, b, b));
}

SSE_STEP void DiagonalSse(int order, Sse x, Sse y, Sse z, float m[16]) {
    Sse_Store(OneLessSse(order, y, z), &m[0]);
    Sse_Store(OneLessSse(order, x, z), &m[5]);
    Sse_Store(OneLessSse(order, x, y), &m[10]);
}

SSE_STEP void RotationBySse(int order, const float q[4], float m[16]) {
    Sse w = Sse_Load(&q[W]), x = Sse_Load(&q[X]), y = Sse_Load(&q[Y]), z = Sse_Load(&q[Z]);
    DiagonalSse(order, x, y, z, m);
    Sse_Store(TwiceSumSse(x, y, w, z), &m[1]);
    Sse_Store(TwiceDifferenceSse(x, z, w, y), &m[2]);
    Sse_Store(TwiceDifferenceSse(x, y, w, z), &m[4]);
    Sse_Store(TwiceSumSse(y, z, w, x), &m[6]);
    Sse_Store(TwiceSumSse(x, z, w, y), &m[8]);
    Sse_Store(TwiceDifferenceSse(y, z, w, x), &m[9]);
}

/* The default order has a branch of its own, in which it is a constant for the compiler. */
SSE_BUILD static void RotationSse(int order, const float q[4], float m[16]) {
    if (order == DIAGONAL_SUM)
        RotationBySse(DIAGONAL_SUM, q, m);
    else
        RotationBySse(order, q, m);
}

SSE_STEP Sse LessTwiceDifferenceSse(bool swap, Sse a, Sse b, Sse c, Sse d) {
    return swap ? TwiceDifferenceSse(c, d, a, b) : Sse_Neg(TwiceDifferenceSse(a, b, c, d));
}

SSE_BUILD static void MirroredRotationSse(int order, bool swap, const float q[4], float m[16]) {
    Sse w = Sse_Load(&q[W]), x = Sse_Load(&q[X]), y = Sse_Load(&q[Y]), z = Sse_Load(&q[Z]);
    DiagonalSse(order, x, y, z, m);
    Sse_Store(TwiceDifferenceSse(x, y, w, z), &m[1]);
    Sse_Store(Sse_Neg(TwiceSumSse(x, z, w, y)), &m[2]);
    Sse_Store(TwiceSumSse(x, y, w, z), &m[4]);
    Sse_Store(LessTwiceDifferenceSse(swap, y, z, w, x), &m[6]);
    Sse_Store(LessTwiceDifferenceSse(swap, x, z, w, y), &m[8]);
    Sse_Store(Sse_Neg(TwiceSumSse(y, z, w, x)), &m[9]);
}

/* ---- slots 14 and 15 ------------------------------------------------------------------------- */

static MatrixOptions MatrixOptionsOf(const RpArithmetic *arithmetic, bool by_sse) {
    return (MatrixOptions){.order = Reading_Choice(arithmetic, by_sse ? READING_QUAT_DIAGONAL_SSE
                                                                      : READING_QUAT_DIAGONAL),
                           .memory = Reading_IsAlternative(arithmetic, READING_OPERANDS),
                           .swap = Reading_IsAlternative(arithmetic, READING_MIRROR_SIGN)};
}

void RpQuaternion_ToMatrix(const RpArithmetic *arithmetic, const float quaternion[4],
                           float matrix[16]) {
    float result[16];
    const bool has_sse = Arithmetic_Build(arithmetic) == RP_BUILD_SSE;
    const MatrixOptions options = MatrixOptionsOf(arithmetic, has_sse);
    const bool by_core = !has_sse && Exact_Serves(arithmetic, quaternion, 4, NULL, 0);
    const bool by_sse = has_sse || by_core;
    const ArithmeticScope scope = Arithmetic_EnterUnless(by_core, arithmetic, by_sse);
    if (by_sse)
        RotationSse(options.order, quaternion, result);
    else
        RotationX87(options, quaternion, result);
    Arithmetic_Leave(scope);
    WriteRotation(result, matrix);
    SetBorder(matrix);
}

void RpQuaternion_ToMirroredMatrix(const RpArithmetic *arithmetic, const float quaternion[4],
                                   float matrix[16]) {
    float result[16];
    const bool has_sse = Reading_BuildOfSlot(arithmetic) == RP_BUILD_SSE;
    const MatrixOptions options = MatrixOptionsOf(arithmetic, has_sse);
    const bool by_core = !has_sse && Exact_Serves(arithmetic, quaternion, 4, NULL, 0);
    const bool by_sse = has_sse || by_core;
    const ArithmeticScope scope = Arithmetic_EnterUnless(by_core, arithmetic, by_sse);
    if (by_sse)
        MirroredRotationSse(options.order, options.swap, quaternion, result);
    else
        MirroredRotationX87(options, quaternion, result);
    Arithmetic_Leave(scope);
    WriteRotation(result, matrix);
    if (!Reading_IsAlternative(arithmetic, READING_MIRROR_SHAPE)) /* 4x4 */
        SetBorder(matrix);
}

/* ---- the weights of the spherical case: x87 in every build ----------------------------------- */

typedef struct ArcOptions {
    int acos;           /* slerp-acos */
    bool quotient;      /* slerp-sine */
    bool store_theta;   /* slerp-theta */
    bool store_trig;    /* slerp-trig */
    bool store_weights; /* slerp-weights */
    bool stored;        /* slerp-trig-sse: an SSE build rounds intermediates to binary32 */
} ArcOptions;

enum { ACOS_CRT, ACOS_PLAIN, ACOS_QUOTIENT, ACOS_HALF, ACOS_COMPLEMENT };

typedef struct Weights {
    X87 w0, w1;
} Weights;

static X87 Kept(X87 value, bool stored) {
    float rounded;
    if (!stored)
        return value;
    X87_Store(value, &rounded);
    return X87_Load(&rounded);
}

/* Returns sqrt((1 + c)(1 - c)). */
static X87 FactoredSine(bool stored, X87 c) {
    X87 unit = X87_Load(&one), sum = X87_Add(unit, c);
    return Kept(X87_Sqrt(Kept(X87_Mul(sum, X87_Sub(unit, c)), stored)), stored);
}

/* Returns sqrt(1 - cc). */
static X87 PlainSine(bool stored, X87 c) {
    X87 unit = X87_Load(&one);
    return Kept(X87_Sqrt(X87_Sub(unit, Kept(X87_Mul(c, c), stored))), stored);
}

/* Returns 2 atan(sqrt(1 - c) / sqrt(1 + c)). */
static X87 TwiceHalfAngle(bool stored, X87 c) {
    X87 unit = X87_Load(&one);
    X87 less = Kept(X87_Sqrt(X87_Sub(unit, c)), stored);
    X87 more = Kept(X87_Sqrt(X87_Add(unit, c)), stored);
    X87 half = Kept(X87_Patan(less, more), stored);
    return X87_Add(half, half);
}

/* Returns pi / 2 - asin(c). */
static X87 RightAngleLessArcSine(bool stored, X87 c) {
    static const double right_angle = 0x1.921FB54442D18p0;
    X87 sine = Kept(X87_Patan(c, FactoredSine(stored, c)), stored);
    return X87_Sub(X87_LoadF64(&right_angle), sine);
}

static X87 ArcCosine(ArcOptions options, X87 c) {
    bool stored = options.stored;
    switch (options.acos) {
    case ACOS_PLAIN:
        return X87_Patan(PlainSine(stored, c), c);
    case ACOS_QUOTIENT:
        return X87_Patan(Kept(X87_Div(PlainSine(stored, c), c), stored), X87_Load(&one));
    case ACOS_HALF:
        return TwiceHalfAngle(stored, c);
    case ACOS_COMPLEMENT:
        return RightAngleLessArcSine(stored, c);
    default:
        return X87_Patan(FactoredSine(stored, c), c);
    }
}

static Weights ArcWeights(ArcOptions options, X87 c, X87 t) {
    bool stored = options.stored, store_trig = stored || options.store_trig;
    X87 theta = Kept(ArcCosine(options, c), stored || options.store_theta);
    X87 phi = Kept(X87_Mul(t, theta), stored);
    X87 sin_theta = Kept(X87_Sin(theta), store_trig);
    X87 sin_phi = Kept(X87_Sin(phi), store_trig);
    Weights weights;
    if (options.quotient)
        weights.w1 = X87_Div(sin_phi, sin_theta);
    else
        weights.w1 = X87_Mul(sin_phi, Kept(X87_Div(X87_Load(&one), sin_theta), stored));
    weights.w1 = Kept(weights.w1, stored || options.store_weights);
    X87 cos_phi = Kept(X87_Cos(phi), store_trig);
    weights.w0 = X87_Sub(cos_phi, Kept(X87_Mul(weights.w1, c), stored));
    weights.w0 = Kept(weights.w0, options.store_weights);
    return weights;
}

static ArcOptions ArcOptionsOf(const RpArithmetic *arithmetic, bool by_sse) {
    return (ArcOptions){.acos = Reading_Choice(arithmetic, READING_SLERP_ACOS),
                        .quotient = Reading_IsAlternative(arithmetic, READING_SLERP_SINE),
                        .store_theta = Reading_IsAlternative(arithmetic, READING_SLERP_THETA),
                        .store_trig = Reading_IsAlternative(arithmetic, READING_SLERP_TRIG),
                        .store_weights = Reading_IsAlternative(arithmetic, READING_SLERP_WEIGHTS),
                        .stored =
                            by_sse && Reading_IsAlternative(arithmetic, READING_SLERP_TRIG_SSE)};
}

/* Quaternions for which 1 - dot is at most this (9.9999997e-6) are interpolated linearly. */
static const float linear_limit = 1e-5f;
static const double linear_limit_f64 = 1e-5;

/* ---- x87: interpolation ---------------------------------------------------------------------- */

static X87 DotX87(bool memory, int order, const float q0[4], const float q1[4]) {
    X87 p0 = X87_Product(memory, &q0[0], &q1[0]), p1 = X87_Product(memory, &q0[1], &q1[1]);
    X87 p2 = X87_Product(memory, &q0[2], &q1[2]), p3 = X87_Product(memory, &q0[3], &q1[3]);
    return X87_Sum4(order, p0, p1, p2, p3);
}

static bool IsNearX87(const RpArithmetic *arithmetic, X87 c) {
    X87 gap = X87_Sub(X87_Load(&one), c);
    if (Reading_IsAlternative(arithmetic, READING_SLERP_LIMIT)) /* f64 */
        return X87_LessOrEqual(gap, X87_LoadF64(&linear_limit_f64));
    return X87_LessOrEqual(gap, X87_Load(&linear_limit));
}

static Weights LinearWeights(bool stored, const float *t) {
    X87 rest = X87_Sub(X87_Load(&one), X87_Load(t));
    return (Weights){.w0 = Kept(rest, stored), .w1 = X87_Load(t)};
}

static void InterpolateX87(const RpArithmetic *arithmetic, const float q0[4], const float q1[4],
                           const float *t, float result[4]) {
    const ArcOptions options = ArcOptionsOf(arithmetic, false);
    const bool memory = Reading_IsAlternative(arithmetic, READING_OPERANDS);
    X87 c = DotX87(memory, Reading_Choice(arithmetic, READING_DOT4), q0, q1);
    X87 sign = X87_Load(&one);
    if (X87_Less(c, X87_Load(&zero))) {
        c = X87_Neg(c);
        sign = X87_Load(&minus_one);
    }
    Weights weights = IsNearX87(arithmetic, c) ? LinearWeights(options.store_weights, t)
                                               : ArcWeights(options, c, X87_Load(t));
    weights.w1 = X87_Mul(sign, weights.w1);
    for (int i = 0; i < 4; i++)
        X87_Store(
            X87_Add(X87_Times(memory, weights.w0, &q0[i]), X87_Times(memory, weights.w1, &q1[i])),
            &result[i]);
}

/* ---- SSE: interpolation ---------------------------------------------------------------------- */

SSE_STEP Sse DotSse(const RpArithmetic *arithmetic, const float q0[4], const float q1[4]) {
    Sse p[4];
    for (int i = 0; i < 4; i++)
        p[i] = Sse_Mul(Sse_Load(&q0[i]), Sse_Load(&q1[i]));
    switch (Reading_Choice(arithmetic, READING_DOT4_SSE)) {
    case 1: /* sequential */
        return Sse_Add(Sse_Add(Sse_Add(p[0], p[1]), p[2]), p[3]);
    case 2: /* pairs */
        return Sse_Add(Sse_Add(p[0], p[1]), Sse_Add(p[2], p[3]));
    default: /* halves */
        return Sse_Add(Sse_Add(p[0], p[2]), Sse_Add(p[1], p[3]));
    }
}

static void StoredArcWeights(ArcOptions options, const float *c, const float *t, float *w0,
                             float *w1) {
    Weights weights = ArcWeights(options, X87_Load(c), X87_Load(t));
    X87_Store(weights.w0, w0);
    X87_Store(weights.w1, w1);
}

SSE_BUILD static void InterpolateSse(const RpArithmetic *arithmetic, const float q0[4],
                                     const float q1[4], const float *t, float result[4]) {
    const ArcOptions options = ArcOptionsOf(arithmetic, true);
    const float *sign = &one;
    Sse c = DotSse(arithmetic, q0, q1), unit = Sse_Load(&one), w0, w1;
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
        StoredArcWeights(options, &stored_c, t, &stored_w0, &stored_w1);
        w0 = Sse_Load(&stored_w0);
        w1 = Sse_Load(&stored_w1);
    }
    w1 = Sse_Mul(Sse_Load(sign), w1);
    for (int i = 0; i < 4; i++)
        Sse_Store(Sse_Add(Sse_Mul(w0, Sse_Load(&q0[i])), Sse_Mul(w1, Sse_Load(&q1[i]))),
                  &result[i]);
}

/* ---- slots 17 and 22 ------------------------------------------------------------------------- */

/* Writes the result only if the core can compute it. */
static ArcWay AskCore(const RpArithmetic *arithmetic, const float q0[4], const float q1[4],
                      const float *t, float result[4]) {
    if (!Arc_IsExact(arithmetic) || !Exact_IsInForce(arithmetic))
        return ARC_BY_X87;
    return Exact_Slerp(Arc_Order(arithmetic), q0, q1, t, result) ? ARC_BY_CORE : ARC_REFUSED;
}

ArcWay Arc_Interpolate(const RpArithmetic *arithmetic, const float q0[4], const float q1[4],
                       float t, float result[4]) {
    ArcWay way = AskCore(arithmetic, q0, q1, &t, result);
    if (way == ARC_BY_CORE)
        return way;
    float quaternion[4];
    const bool by_sse = Arithmetic_Build(arithmetic) == RP_BUILD_SSE;
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    if (way == ARC_BY_X87 && scope.has_mxcsr) /* the caller's MXCSR may have kept the core out */
        way = AskCore(arithmetic, q0, q1, &t, quaternion);
    if (way != ARC_BY_CORE)
        (by_sse ? InterpolateSse : InterpolateX87)(arithmetic, q0, q1, &t, quaternion);
    Arithmetic_Leave(scope);
    memcpy(result, quaternion, sizeof quaternion);
    return way;
}

void RpQuaternion_Interpolate(const RpArithmetic *arithmetic, const float q0[4], const float q1[4],
                              float t, float result[4]) {
    Arc_Interpolate(arithmetic, q0, q1, t, result);
}
