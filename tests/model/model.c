#include "model.h"

#include "exports/reading_table.h"
#include "hardware.h"

#include <string.h>

/* The model's arithmetic reads like docs/reference/arithmetic.md. The first argument of each
 * operation is the format in force, so that a step in the wrong format cannot hide. */
#define ADD  Number_Add
#define SUB  Number_Subtract
#define MUL  Number_Multiply
#define DIV  Number_Divide
#define ROOT Number_SquareRoot
#define NEG  Number_Negate
#define F    Number_FromFloat

static bool IsSse(const Model *model) {
    return model->build == RP_BUILD_SSE;
}

/* Returns the format of the steps that both builds share. */
static const Format *Common(const Model *model) {
    return IsSse(model) ? &model->sse : &model->x87;
}

static int Choice(const Model *model, int reading) {
    return model->readings->choice[reading];
}

static float FloatOfBits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static void StoreAll(const Format *f, const Number *numbers, int count, float *out) {
    for (int i = 0; i < count; i++)
        out[i] = Number_ToFloat(f, numbers[i]);
}

/* Returns the model of a slot of which nobody knows whether it has an SSE build (reading
 * sse-slots). */
static Model Unpublished(const Model *model) {
    Model slot = *model;
    if (IsSse(model) && Choice(model, READING_SSE_SLOTS) == 1) /* published */
        slot.build = RP_BUILD_GENERIC;
    return slot;
}

/* Takes the number from memory, because passing it may make it quiet. */
static bool IsSignalling(const float *value) {
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    return (bits & 0x7FC00000) == 0x7F800000 && (bits & 0x003FFFFF) != 0;
}

/* Multiplies by an input, as the reading operands says. An x87 build may take the input from
 * memory without loading it. Then the product of a quiet and a signalling NaN is the quiet one, and
 * `a` is quiet, because it was loaded or computed. */
static Number Times(const Model *model, Number a, const float *b) {
    const bool memory = !IsSse(model) && Choice(model, READING_OPERANDS) == 1;
    if (memory && Number_IsNan(a) && IsSignalling(b))
        return a;
    return MUL(Common(model), a, F(*b));
}

static Number Product(const Model *model, const float *a, const float *b) {
    return Times(model, F(*a), b);
}

/* The orders of the section "Orders of a sum". */
typedef enum Order3 { SEQUENTIAL, REVERSE, OUTER } Order3;

static Number Sum3(const Format *f, Order3 order, Number a, Number b, Number c) {
    switch (order) {
    case REVERSE:
        return ADD(f, ADD(f, c, b), a);
    case OUTER:
        return ADD(f, ADD(f, a, c), b);
    default:
        return ADD(f, ADD(f, a, b), c);
    }
}

/* Computes a0*b0 + a1*b1 + a2*b2. */
static Number Dot3(const Format *f, Order3 order, Number a0, Number b0, Number a1, Number b1,
                   Number a2, Number b2) {
    return Sum3(f, order, MUL(f, a0, b0), MUL(f, a1, b1), MUL(f, a2, b2));
}

static Number Dot3F(const Model *model, Order3 order, const float a[3], const float b[3]) {
    return Sum3(Common(model), order, Product(model, &a[0], &b[0]), Product(model, &a[1], &b[1]),
                Product(model, &a[2], &b[2]));
}

/* The orders are sequential, pairs, reverse and w-last. */
static Number Sum4(const Format *f, int order, const Number p[4]) {
    switch (order) {
    case 1:
        return ADD(f, ADD(f, p[0], p[1]), ADD(f, p[2], p[3]));
    case 2:
        return ADD(f, ADD(f, ADD(f, p[3], p[2]), p[1]), p[0]);
    case 3:
        return ADD(f, ADD(f, ADD(f, p[1], p[2]), p[3]), p[0]);
    default:
        return ADD(f, ADD(f, ADD(f, p[0], p[1]), p[2]), p[3]);
    }
}

/* ---- slots 14, 15 ---------------------------------------------------------------------------- */

typedef Number (*Combine)(const Format *, Number, Number);

/* Computes 2(a +- b). */
static Number Twice(const Format *f, Combine combine, Number a, Number b) {
    const Number s = combine(f, a, b);
    return ADD(f, s, s);
}

typedef struct Products {
    Number xx, yy, zz, xy, xz, yz, wx, wy, wz;
} Products;

static Products ProductsOf(const Model *model, const float q[4]) {
    const float *w = &q[0], *x = &q[1], *y = &q[2], *z = &q[3];
    return (Products){Product(model, x, x), Product(model, y, y), Product(model, z, z),
                      Product(model, x, y), Product(model, x, z), Product(model, y, z),
                      Product(model, w, x), Product(model, w, y), Product(model, w, z)};
}

static Number OneLessTwice(const Model *model, Number a, Number b) {
    const Format *f = Common(model);
    const Number one = Number_FromInteger(1);
    switch (Choice(model, IsSse(model) ? READING_QUAT_DIAGONAL_SSE : READING_QUAT_DIAGONAL)) {
    case 1: /* chain */
        return SUB(f, SUB(f, one, ADD(f, a, a)), ADD(f, b, b));
    case 2: /* reverse */
        return SUB(f, SUB(f, one, ADD(f, b, b)), ADD(f, a, a));
    default: /* sum */
        return SUB(f, one, Twice(f, ADD, a, b));
    }
}

/* Negates 2(a - b) as reading mirror-sign says. */
static Number NegatedDifference(const Model *model, Number a, Number b) {
    const Format *f = Common(model);
    return Choice(model, READING_MIRROR_SIGN) == 1 ? Twice(f, SUB, b, a) : NEG(Twice(f, SUB, a, b));
}

static void Frame(float m[16]) {
    m[3] = m[7] = m[11] = m[12] = m[13] = m[14] = 0;
    m[15] = 1;
}

void Model_QuaternionToMatrix(const Model *model, const float q[4], float m[16]) {
    const Format *f = Common(model);
    const Products p = ProductsOf(model, q);
    m[0] = Number_ToFloat(f, OneLessTwice(model, p.yy, p.zz));
    m[1] = Number_ToFloat(f, Twice(f, ADD, p.xy, p.wz));
    m[2] = Number_ToFloat(f, Twice(f, SUB, p.xz, p.wy));
    m[4] = Number_ToFloat(f, Twice(f, SUB, p.xy, p.wz));
    m[5] = Number_ToFloat(f, OneLessTwice(model, p.xx, p.zz));
    m[6] = Number_ToFloat(f, Twice(f, ADD, p.yz, p.wx));
    m[8] = Number_ToFloat(f, Twice(f, ADD, p.xz, p.wy));
    m[9] = Number_ToFloat(f, Twice(f, SUB, p.yz, p.wx));
    m[10] = Number_ToFloat(f, OneLessTwice(model, p.xx, p.yy));
    Frame(m);
}

void Model_QuaternionToMirroredMatrix(const Model *asked, const float q[4], float m[16]) {
    const Model slot = Unpublished(asked), *model = &slot;
    const Format *f = Common(model);
    const Products p = ProductsOf(model, q);
    m[0] = Number_ToFloat(f, OneLessTwice(model, p.yy, p.zz));
    m[5] = Number_ToFloat(f, OneLessTwice(model, p.xx, p.zz));
    m[10] = Number_ToFloat(f, OneLessTwice(model, p.xx, p.yy));
    m[1] = Number_ToFloat(f, Twice(f, SUB, p.xy, p.wz));
    m[4] = Number_ToFloat(f, Twice(f, ADD, p.xy, p.wz));
    m[2] = Number_ToFloat(f, NEG(Twice(f, ADD, p.xz, p.wy)));
    m[8] = Number_ToFloat(f, NegatedDifference(model, p.xz, p.wy));
    m[6] = Number_ToFloat(f, NegatedDifference(model, p.yz, p.wx));
    m[9] = Number_ToFloat(f, NEG(Twice(f, ADD, p.yz, p.wx)));
    if (Choice(model, READING_MIRROR_SHAPE) == 0) /* 4x4 */
        Frame(m);
}

/* ---- slots 17, 22 ---------------------------------------------------------------------------- */

static Number SumOf4(const Model *model, const Number p[4]) {
    const Format *f = Common(model);
    if (!IsSse(model))
        return Sum4(f, Choice(model, READING_DOT4), p);
    if (Choice(model, READING_DOT4_SSE) == 0) /* halves */
        return ADD(f, ADD(f, p[0], p[2]), ADD(f, p[1], p[3]));
    return Sum4(f, Choice(model, READING_DOT4_SSE) == 2, p);
}

/* The transcendental instructions round by the control word's rounding, which is in force while
 * they run (see RunUnder in test_model.c, which sets it around the model as well). */
static Number Sine(Number x) {
    return Number_FromLongDouble(Hardware_Sine(Number_ToLongDouble(x)));
}

static Number Cosine(Number x) {
    return Number_FromLongDouble(Hardware_Cosine(Number_ToLongDouble(x)));
}

static Number ArcTangent(Number y, Number x) {
    return Number_FromLongDouble(
        Hardware_ArcTangent(Number_ToLongDouble(y), Number_ToLongDouble(x)));
}

#define STEP(value) (stored ? Number_Stored(f, value) : (value))

/* Computes the arc cosine by the table of slerp-acos in step 4. */
static Number ArcCosine(const Model *model, bool stored, Number c) {
    const Format *f = &model->x87;
    const Number one = Number_FromInteger(1);
    const Number more = ADD(f, one, c), less = SUB(f, one, c);
    const Number factored = STEP(ROOT(f, STEP(MUL(f, more, less))));
    const Number plain = STEP(ROOT(f, SUB(f, one, STEP(MUL(f, c, c)))));
    switch (Choice(model, READING_SLERP_ACOS)) {
    case 1: /* plain */
        return ArcTangent(plain, c);
    case 2: /* quotient */
        return ArcTangent(STEP(DIV(f, plain, c)), one);
    case 3: { /* half */
        const Number half = STEP(ArcTangent(STEP(ROOT(f, less)), STEP(ROOT(f, more))));
        return ADD(f, half, half);
    }
    case 4: /* complement */
        return SUB(f, Number_FromDouble(0x1.921FB54442D18p0), STEP(ArcTangent(c, factored)));
    default: /* crt */
        return ArcTangent(factored, c);
    }
}

#define STEP_IF(condition, value) ((condition) ? Number_Stored(f, value) : (value))

/* Takes the remaining steps from 4 on. `stored` means that each of the named intermediate results
 * is stored. */
static void ArcWeights(const Model *model, bool stored, Number c, Number t, Number *w0,
                       Number *w1) {
    const Format *f = &model->x87;
    const Number one = Number_FromInteger(1);
    const bool trig = stored || Choice(model, READING_SLERP_TRIG) == 1;
    const bool weights = stored || Choice(model, READING_SLERP_WEIGHTS) == 1;
    const Number theta =
        STEP_IF(stored || Choice(model, READING_SLERP_THETA) == 1, ArcCosine(model, stored, c));
    const Number phi = STEP(MUL(f, t, theta));
    const Number sine = STEP_IF(trig, Sine(theta)), sine_phi = STEP_IF(trig, Sine(phi));
    const Number cosine = STEP_IF(trig, Cosine(phi));
    if (Choice(model, READING_SLERP_SINE) == 0) /* reciprocal */
        *w1 = STEP_IF(weights, MUL(f, sine_phi, STEP(DIV(f, one, sine))));
    else
        *w1 = STEP_IF(weights, DIV(f, sine_phi, sine));
    *w0 = STEP_IF(weights, SUB(f, cosine, STEP(MUL(f, *w1, c))));
}

/* Returns the limit of reading slerp-limit. */
static Number Limit(const Model *model) {
    if (!IsSse(model) && Choice(model, READING_SLERP_LIMIT) == 1) /* f64 */
        return Number_FromDouble(0x1.4F8B588E368F1p-17);
    return F(FloatOfBits(0x3727C5AC));
}

void Model_InterpolateQuaternions(const Model *model, const float q0[4], const float q1[4], float t,
                                  float out[4]) {
    const Format *f = Common(model);
    const Number one = Number_FromInteger(1), alpha = F(t);
    Number p[4];
    for (int i = 0; i < 4; i++)
        p[i] = Product(model, &q0[i], &q1[i]);
    Number c = SumOf4(model, p), s = one, w0, w1;
    if (Number_Less(c, Number_FromInteger(0))) {
        c = NEG(c);
        s = NEG(s);
    }
    const Number k = SUB(f, one, c);
    if (Number_LessEqual(k, Limit(model))) {
        w0 = SUB(f, one, alpha);
        if (!IsSse(model) && Choice(model, READING_SLERP_WEIGHTS) == 1) /* stored */
            w0 = Number_Stored(f, w0);
        w1 = alpha;
    } else {
        const bool stored = IsSse(model) && Choice(model, READING_SLERP_TRIG_SSE) == 1;
        ArcWeights(model, stored, c, alpha, &w0, &w1);
        if (IsSse(model)) {
            w0 = Number_Stored(&model->x87, w0);
            w1 = Number_Stored(&model->x87, w1);
        }
    }
    w1 = MUL(f, s, w1);
    Number result[4];
    for (int i = 0; i < 4; i++)
        result[i] = ADD(f, Times(model, w0, &q0[i]), Times(model, w1, &q1[i]));
    StoreAll(f, result, 4, out);
}

/* ---- slots 4, 7, 23, 28, 35 ------------------------------------------------------------------ */

void Model_MatrixProduct(const Model *model, const float a[16], const float b[16], float out[16]) {
    const Format *f = Common(model);
    const int order = Choice(model, IsSse(model) ? READING_MATRIX_SUM_SSE : READING_MATRIX_SUM);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            Number p[4];
            for (int k = 0; k < 4; k++)
                p[k] = Product(model, &a[4 * i + k], &b[4 * k + j]);
            out[4 * i + j] = Number_ToFloat(f, Sum4(f, order, p));
        }
}

void Model_PoseProduct(const Model *model, const float a[16], const float b[16], float out[16]) {
    const Model slot = Unpublished(model);
    Model_MatrixProduct(&slot, a, b, out);
}

void Model_MatrixProduct34(const Model *asked, const float a[12], const float b[12],
                           float out[12]) {
    const Model model = Unpublished(asked);
    const Format *f = Common(&model);
    const int choice = Choice(&model, READING_MATRIX34_SUM);
    const bool translation_first = choice == 3;
    const Order3 order = translation_first ? SEQUENTIAL : (Order3)choice;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            const float *row = a + 4 * i;
            const Number t = F(row[3]);
            const Number p[3] = {Product(&model, &row[0], &b[j]),
                                 Product(&model, &row[1], &b[4 + j]),
                                 Product(&model, &row[2], &b[8 + j])};
            Number sum = Sum3(f, order, p[0], p[1], p[2]);
            if (j == 3)
                sum = translation_first ? ADD(f, ADD(f, ADD(f, t, p[0]), p[1]), p[2])
                                        : ADD(f, sum, t);
            out[4 * i + j] = Number_ToFloat(f, sum);
        }
}

void Model_RotateVector(const Model *asked, const float m[16], const float v[3], float out[3]) {
    const Model model = Unpublished(asked);
    const Format *f = Common(&model);
    for (int i = 0; i < 3; i++) {
        Number sum = Dot3F(&model, (Order3)Choice(&model, READING_ROTATE_SUM), m + 4 * i, v);
        if (Choice(&model, READING_ROTATE_VECTOR) == 1) /* affine */
            sum = ADD(f, sum, F(m[4 * i + 3]));
        out[i] = Number_ToFloat(f, sum);
    }
}

static Number Column3(const Format *f, Order3 order, const float m[16], int j, Number a, Number b,
                      Number c) {
    return Dot3(f, order, F(m[j]), a, F(m[4 + j]), b, F(m[8 + j]), c);
}

void Model_RotateVectorTransposed(const Model *model, const float m[16], const float v[3],
                                  float out[3]) {
    const Format *f = Common(model);
    const Order3 order = (Order3)Choice(model, READING_TRANSPOSED_SUM);
    for (int j = 0; j < 3; j++) {
        const float column[3] = {m[j], m[4 + j], m[8 + j]};
        out[j] = Number_ToFloat(f, Dot3F(model, order, column, v));
    }
}

/* ---- slots 11, 20, 26, 38 -------------------------------------------------------------------- */

/* The operand of an estimate is a number of binary32 already.
 * tests/ngi32/processor/measure_estimates.c holds the processor's estimates against its maker's
 * model. */
static float OperandOf(Number x) {
    const Format binary32 = Format_Sse(0);
    return Number_ToFloat(&binary32, x);
}

static Number RsqrtEstimate(Number x) {
    return F(Hardware_ReciprocalSquareRoot(OperandOf(x)));
}

static Number RcpEstimate(Number x) {
    return F(Hardware_Reciprocal(OperandOf(x)));
}

long double Model_ReciprocalSquareRoot(const Model *asked, float x) {
    const Model slot = Unpublished(asked), *model = &slot;
    const Format *f = Common(model);
    if (!IsSse(model) && Choice(model, READING_RSQRT) == 1) /* root */
        return Number_ToLongDouble(ROOT(f, DIV(f, Number_FromInteger(1), F(x))));
    if (IsSse(model) && Choice(model, READING_RSQRT_SSE) == 1) { /* newton */
        const Number r = RsqrtEstimate(F(x));
        const Number half = F(0.5F), three = Number_FromInteger(3);
        return Number_ToLongDouble(
            MUL(f, MUL(f, half, r), SUB(f, three, MUL(f, MUL(f, F(x), r), r))));
    }
    return Number_ToLongDouble(DIV(f, Number_FromInteger(1), ROOT(f, F(x))));
}

void Model_CombineLight(const Model *model, const float light[3], const float ambient[3],
                        const float scene[3], float out[3]) {
    const Format *f = Common(model);
    for (int i = 0; i < 3; i++) {
        const Number s = ADD(f, F(light[i]), F(ambient[i]));
        /* maxss gives the second operand as it is */
        if (IsSse(model) && !Number_Less(F(scene[i]), s))
            memcpy(&out[i], &scene[i], sizeof *out);
        else if (IsSse(model))
            out[i] = Number_ToFloat(f, s);
        else
            out[i] = Number_ToFloat(f, Number_Less(s, F(scene[i])) ? F(scene[i]) : s);
    }
}

void Model_PointToFrame(const Model *asked, const float m[16], const float p[3], float out[3]) {
    const Model model = Unpublished(asked);
    const Format *f = Common(&model);
    const Order3 order = (Order3)Choice(&model, READING_FRAME_SUM);
    Number d[3];
    for (int i = 0; i < 3; i++)
        d[i] = SUB(f, F(p[i]), F(m[4 * i + 3]));
    for (int j = 0; j < 3; j++) {
        const Number n = Column3(f, order, m, j, d[0], d[1], d[2]);
        const Number q = Column3(f, order, m, j, F(m[j]), F(m[4 + j]), F(m[8 + j]));
        const bool divide = Choice(&model, READING_FRAME_DIVISION) == 0;
        out[j] =
            Number_ToFloat(f, divide ? DIV(f, n, q) : MUL(f, n, DIV(f, Number_FromInteger(1), q)));
    }
}

long double Model_NormaliseVector(const Model *asked, float v[3]) {
    const Model slot = Unpublished(asked), *model = &slot;
    const Format *f = Common(model);
    const Order3 order = (Order3)Choice(model, READING_NORMALISE_SUM);
    const Number l = ROOT(f, Dot3F(model, order, v, v));
    if (Number_Equal(l, Number_FromInteger(0)))
        return Number_ToLongDouble(l);
    const Number inverse = DIV(f, Number_FromInteger(1), l);
    for (int i = 0; i < 3; i++)
        v[i] = Number_ToFloat(f, Choice(model, READING_NORMALISE) == 0 /* reciprocal */
                                     ? MUL(f, F(v[i]), inverse)
                                     : DIV(f, F(v[i]), l));
    return Number_ToLongDouble(l);
}

/* ---- slot 45 --------------------------------------------------------------------------------- */

static int PlaneSum(const Model *model) {
    return Choice(model, IsSse(model) ? READING_PLANE_SUM_SSE : READING_PLANE_SUM);
}

static Number PlaneDistance(const Model *model, const float plane[4], const float point[3]) {
    const Format *f = Common(model);
    const Number offset = F(plane[3]);
    if (PlaneSum(model) != 3)
        return ADD(f, Dot3F(model, (Order3)PlaneSum(model), plane, point), offset);
    const Number p[4] = {offset, Product(model, &plane[0], &point[0]), /* offset-first */
                         Product(model, &plane[1], &point[1]),
                         Product(model, &plane[2], &point[2])};
    return Sum4(f, 0, p);
}

static bool FarEndMisses(const Model *model, Number d1) {
    const Number zero = Number_FromInteger(0);
    if (IsSse(model) || Choice(model, READING_PLANE_FAR) == 1) /* inclusive */
        return !Number_LessEqual(d1, zero);
    return !Number_Less(d1, zero);
}

static Number HitFraction(const Model *model, Number d0, Number m) {
    const Format *f = Common(model);
    if (!IsSse(model))
        return Choice(model, READING_PLANE_DIVISION) == 0 /* divide */
                   ? DIV(f, d0, m)
                   : MUL(f, d0, DIV(f, Number_FromInteger(1), m));
    const Number r = RcpEstimate(m);
    const Number refined = Choice(model, READING_PLANE_NEWTON) == 0 /* expanded */
                               ? SUB(f, ADD(f, r, r), MUL(f, MUL(f, m, r), r))
                               : MUL(f, r, SUB(f, Number_FromInteger(2), MUL(f, m, r)));
    return MUL(f, d0, refined);
}

int Model_SegmentPlane(const Model *model, const float start[3], const float end[3],
                       const float plane[4], float hit[3]) {
    const Format *f = Common(model);
    const Number zero = Number_FromInteger(0);
    Number v[3];
    for (int i = 0; i < 3; i++)
        v[i] = SUB(f, F(end[i]), F(start[i]));
    const Order3 order = PlaneSum(model) == 3 ? SEQUENTIAL : (Order3)PlaneSum(model);
    const Number nv = Dot3(f, order, F(plane[0]), v[0], F(plane[1]), v[1], F(plane[2]), v[2]);
    const Number limit = model->build == RP_BUILD_GENERIC ? F(FloatOfBits(0x80800000)) : zero;
    if (!Number_Less(nv, limit))
        return 0;
    const Number d0 = PlaneDistance(model, plane, start);
    if (!Number_LessEqual(zero, d0))
        return 0;
    if (FarEndMisses(model, PlaneDistance(model, plane, end)))
        return 0;
    const Number k = HitFraction(model, d0, NEG(nv));
    Number result[3];
    for (int i = 0; i < 3; i++)
        result[i] = ADD(f, F(start[i]), MUL(f, v[i], k));
    StoreAll(f, result, 3, hit);
    return 1;
}

/* ---- light ----------------------------------------------------------------------------------- */

static Number Cosine3(const Format *f, const float n[3], const float t[3]) {
    const Number c =
        Dot3(f, SEQUENTIAL, F(n[0]), NEG(F(t[0])), F(n[1]), NEG(F(t[1])), F(n[2]), NEG(F(t[2])));
    return Number_Less(c, Number_FromInteger(0)) ? Number_FromInteger(0) : c;
}

long double Model_DirectionalCosine(const Model *model, const float n[3], const float travel[3]) {
    return Number_ToLongDouble(Cosine3(&model->x87, n, travel));
}

long double Model_Highlight(const Model *model, const float n[3], const float travel[3],
                            float cosine, const float eye[3], uint32_t power) {
    const Format *f = &model->x87;
    if (power == 0)
        return 0;
    const Number k = ADD(f, F(cosine), F(cosine));
    Number s[3];
    for (int i = 0; i < 3; i++)
        s[i] = ADD(f, F(travel[i]), MUL(f, k, F(n[i])));
    Number total = Dot3(f, SEQUENTIAL, s[0], F(eye[0]), s[1], F(eye[1]), s[2], F(eye[2]));
    while (--power)
        total = MUL(f, total, total);
    return Number_ToLongDouble(total);
}

void Model_PointLight(const Model *model, const float light[10], const float vertex[3],
                      const float n[3], float sum[3]) {
    const Format *f = &model->x87;
    const Number range = F(light[6]);
    Number to[3], result[3];
    for (int i = 0; i < 3; i++)
        to[i] = SUB(f, F(light[i]), F(vertex[i]));
    const Number d = ROOT(f, Dot3(f, SEQUENTIAL, to[0], to[0], to[1], to[1], to[2], to[2]));
    if (Number_Less(range, d))
        return;
    const Number facing =
        DIV(f, Dot3(f, SEQUENTIAL, F(n[0]), to[0], F(n[1]), to[1], F(n[2]), to[2]), d);
    if (!Number_Less(Number_FromInteger(0), facing))
        return;
    const Number x = DIV(f, SUB(f, range, d), range);
    const Number a =
        ADD(f, ADD(f, F(light[7]), MUL(f, F(light[8]), x)), MUL(f, MUL(f, F(light[9]), x), x));
    for (int i = 0; i < 3; i++)
        result[i] = ADD(f, F(sum[i]), MUL(f, MUL(f, F(light[3 + i]), facing), a));
    StoreAll(f, result, 3, sum);
}

void Model_DirectionalLights(const Model *model, const float *lights, uint32_t count,
                             const float n[3], const float diffuse[3], float out[3]) {
    const Format *f = &model->x87;
    Number sum[3] = {Number_FromInteger(0), Number_FromInteger(0), Number_FromInteger(0)};
    for (uint32_t light = 0; light < count; light++) {
        const float *row = lights + (size_t)6 * light;
        const Number c = Cosine3(f, n, row);
        for (int i = 0; i < 3; i++)
            sum[i] = ADD(f, sum[i], MUL(f, MUL(f, F(row[3 + i]), F(diffuse[i])), c));
    }
    StoreAll(f, sum, 3, out);
}

/* ---- ngiGetSinCos, mrnPointInPoly ------------------------------------------------------------ */

void Model_SineCosine(const Model *model, float angle, float *sine, float *cosine) {
    *sine = Number_ToFloat(&model->x87, Sine(F(angle)));
    *cosine = Number_ToFloat(&model->x87, Cosine(F(angle)));
}

static int DroppedAxis(const float n[3]) {
    Number a[3];
    for (int i = 0; i < 3; i++) {
        a[i] = F(n[i]);
        if (Number_Less(a[i], Number_FromInteger(0)))
            a[i] = NEG(a[i]);
    }
    if (Number_LessEqual(a[1], a[0]) && Number_LessEqual(a[2], a[1]))
        return 0;
    if (Number_Less(a[0], a[1]) && Number_LessEqual(a[2], a[1]))
        return 1;
    return 2;
}

int Model_PointInPoly(const Model *model, const float plane[4], const float *const *vertices,
                      uint32_t count, const float point[3]) {
    const Format *f = &model->x87;
    const int axis = DroppedAxis(plane), u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (uint32_t i = 0; i < count; i++) {
        const float *here = vertices[i], *next = vertices[(i + 1) % count];
        const Number e_u = SUB(f, F(next[u]), F(here[u])), e_v = SUB(f, F(next[v]), F(here[v]));
        const Number d_u = SUB(f, F(point[u]), F(here[u])), d_v = SUB(f, F(point[v]), F(here[v]));
        const Number cross = SUB(f, MUL(f, e_u, d_v), MUL(f, e_v, d_u));
        if (!Number_LessEqual(Number_FromInteger(0), MUL(f, cross, F(plane[axis]))))
            return 0;
    }
    return 1;
}

/* ---- AniMesh: x87 in every build; the slots it calls are the build's ------------------------- */

typedef struct Key {
    float position[3], time, quaternion[4]; /* w, x, y, z */
} Key;

static uint16_t U16(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

float Model_Component(const Model *model, int16_t value) {
    const Format *f = &model->x87;
    const Number n = Number_FromInteger(value);
    switch (Choice(model, READING_KEY_SCALE)) {
    case 0:
        return Number_ToFloat(f, MUL(f, n, F(FloatOfBits(0x38000100))));
    case 1: {
        const uint64_t bits = 0x3F00002000400080u;
        double scale;
        memcpy(&scale, &bits, 8);
        return Number_ToFloat(f, MUL(f, n, Number_FromDouble(scale)));
    }
    default:
        return Number_ToFloat(f, DIV(f, n, Number_FromInteger(32767)));
    }
}

static Key ReadKey(const Model *model, const RpSkeleton *streams, uint32_t index) {
    const uint8_t *bytes = streams->keys + (size_t)24 * index;
    Key key;
    memcpy(key.position, bytes, 12);
    memcpy(&key.time, bytes + 12, 4);
    float parts[4];
    for (int i = 0; i < 4; i++)
        parts[i] = Model_Component(model, (int16_t)U16(bytes + 16 + 2 * i));
    const bool w_last = Choice(model, READING_KEY_ORDER) == 0; /* xyzw */
    for (int i = 0; i < 4; i++)
        key.quaternion[i] = parts[w_last ? (i + 3) % 4 : i];
    return key;
}

static bool TimeEquals(const Model *model, float t, float key_time) {
    if (Choice(model, READING_NAN_EQUAL) == 1 && (Number_IsNan(F(t)) || Number_IsNan(F(key_time))))
        return true;
    return Number_Equal(F(t), F(key_time));
}

/* Returns the fraction by reading key-alpha. */
static Number KeyFraction(const Model *model, float t, float from, float to) {
    const Format *f = &model->x87;
    const Number past = SUB(f, F(t), F(from)), whole = SUB(f, F(to), F(from));
    return Choice(model, READING_KEY_ALPHA) == 0
               ? DIV(f, past, whole)
               : MUL(f, past, DIV(f, Number_FromInteger(1), whole));
}

static Number Between(const Model *model, Number weight, Number a, Number b, bool delta) {
    const Format *f = &model->x87;
    if (delta)
        return ADD(f, a, MUL(f, SUB(f, b, a), weight));
    const Number rest = SUB(f, Number_FromInteger(1), weight);
    return ADD(f, MUL(f, rest, a), MUL(f, weight, b));
}

static void CopyKey(const Key *key, float quaternion[4], float position[3]) {
    memcpy(quaternion, key->quaternion, sizeof key->quaternion);
    memcpy(position, key->position, sizeof key->position);
}

/* Takes step 2: finds the fallback key, or the key that the frame map names. */
static uint32_t FirstKey(const Model *model, const RpSkeleton *streams, const uint8_t *record,
                         float t, bool *fallback) {
    const uint32_t frame = (uint32_t)Number_ToInteger(&model->x87, SUB(&model->x87, F(t), F(0.5F)));
    const uint16_t map_start = U16(record + 4), last = U16(record + 6);
    *fallback = true;
    if (frame >= streams->frame_count || map_start == 0xFFFF)
        return last;
    const uint16_t key = U16(streams->frame_map + 2 * ((size_t)map_start + frame));
    if (key >= last)
        return last;
    *fallback = false;
    return key;
}

int Model_SampleNode(const Model *model, const RpSkeleton *streams, uint32_t node, float t,
                     float quaternion[4], float position[3]) {
    const Format *f = &model->x87;
    bool fallback;
    const uint32_t index =
        FirstKey(model, streams, streams->nodes + (size_t)38 * node, t, &fallback);
    const Key k0 = ReadKey(model, streams, index);
    if (fallback || TimeEquals(model, t, k0.time)) {
        CopyKey(&k0, quaternion, position);
        return 1;
    }
    const Key k1 = ReadKey(model, streams, index + 1);
    if (TimeEquals(model, t, k1.time)) {
        CopyKey(&k1, quaternion, position);
        return 1;
    }
    const Number fraction = KeyFraction(model, t, k0.time, k1.time);
    const float alpha = Number_ToFloat(f, fraction);
    const Number weight = Choice(model, READING_KEY_ALPHA_BITS) == 0 ? F(alpha) : fraction;
    const bool delta = Choice(model, READING_KEY_LERP) == 0;
    for (int i = 0; i < 3; i++)
        position[i] =
            Number_ToFloat(f, Between(model, weight, F(k0.position[i]), F(k1.position[i]), delta));
    Model_InterpolateQuaternions(model, k0.quaternion, k1.quaternion, alpha, quaternion);
    return 2;
}

/* Compares |u|^2 < |v|^2 with u = a + b and v = a - b. */
bool Model_IsOpposite(const Model *model, const float a[4], const float b[4]) {
    const Format *f = &model->x87;
    Number uu[4], vv[4];
    for (int i = 0; i < 4; i++) {
        const Number u = ADD(f, F(a[i]), F(b[i])), v = SUB(f, F(a[i]), F(b[i]));
        uu[i] = MUL(f, u, u);
        vv[i] = MUL(f, v, v);
    }
    const int order = Choice(model, READING_FLIP_SUM);
    return Number_Less(Sum4(f, order, uu), Sum4(f, order, vv));
}

int Model_BlendPoses(const Model *model, const RpSkeleton *streams, uint32_t node, float t_a,
                     float t_b, float weight, float matrix[16]) {
    const Number zero = Number_FromInteger(0), one = Number_FromInteger(1), w = F(weight);
    const bool has_a = Number_Less(w, one) && Number_LessEqual(zero, F(t_a));
    const bool has_b = Number_Less(zero, w) && Number_LessEqual(zero, F(t_b));
    float q[4], p[3], q_b[4], p_b[3];
    if (!has_a && !has_b) {
        memset(matrix, 0, 16 * sizeof *matrix);
        matrix[0] = matrix[5] = matrix[10] = matrix[15] = 1;
        return 0;
    }
    if (has_a)
        Model_SampleNode(model, streams, node, t_a, q, p);
    if (has_b)
        Model_SampleNode(model, streams, node, t_b, q_b, p_b);
    if (has_a && has_b) {
        if (Model_IsOpposite(model, q, q_b))
            for (int i = 0; i < 4; i++)
                q_b[i] = Number_ToFloat(&model->x87, NEG(F(q_b[i])));
        Model_InterpolateQuaternions(model, q, q_b, weight, q);
        const bool delta = Choice(model, READING_BLEND_LERP) == 1;
        for (int i = 0; i < 3; i++)
            p[i] = Number_ToFloat(&model->x87, Between(model, w, F(p[i]), F(p_b[i]), delta));
    } else if (has_b) {
        memcpy(q, q_b, sizeof q);
        memcpy(p, p_b, sizeof p);
    }
    Model_QuaternionToMatrix(model, q, matrix);
    for (int i = 0; i < 3; i++)
        matrix[4 * i + 3] = p[i];
    return has_a + has_b;
}
