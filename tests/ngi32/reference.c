#include "reference.h"

#include "exports/readings.h"

static int Choice(const Reference *r, int hypothesis) {
    return r->hypotheses.choice[hypothesis];
}

static bool IsSse(const Reference *r) {
    return r->build == RP_BUILD_SSE;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Even the wide format is volatile here: otherwise a compiler could drop a conversion there and
 * back, which would let a signalling NaN pass. */
static Number Load(const float *at) {
    volatile Number value = *(const volatile float *)at;
    return value;
}

static void Store(Number value, float *to) {
    *(volatile float *)to = (float)value;
}

static Number Rounded(Number value) {
    float stored;
    Store(value, &stored);
    return Load(&stored);
}

typedef enum Operation { PLUS, MINUS, TIMES, OVER, ROOT } Operation;

/* Executes the x87 instruction that the compiler chooses, under the control word in force. */
static Number Compute(Operation operation, Number a, Number b) {
    volatile Number left = a, right = b, result = 0;
    switch (operation) {
    case PLUS:
        result = left + right;
        break;
    case MINUS:
        result = left - right;
        break;
    case TIMES:
        result = left * right;
        break;
    case OVER:
        result = left / right;
        break;
    case ROOT:
        __asm__ volatile("fsqrt" : "=t"(result) : "0"(left));
        break;
    }
    return result;
}

/* Computes in binary32 by rounding twice: first to 64 bits, then to 24. For these operations the
 * first rounding cannot spoil the second, because 64 is more than twice 24 plus two. Directed
 * roundings never do. */
static Number ComputeBinary32(const Reference *r, Operation operation, Number a, Number b) {
    if (a != a)
        return a; /* the left operand, whatever the right one is */
    if (operation != ROOT && b != b)
        return b;
    Rounding wide = r->rounding;
    wide.control_word = (uint16_t)(0x033F | (r->rounding.mxcsr >> 13 & 3) << 10);
    Rounding_Set(wide);
    Number result = Rounded(Compute(operation, a, b));
    Rounding_Set(r->rounding);
    return result;
}

static Number Step(const Reference *r, Operation operation, Number a, Number b) {
    return IsSse(r) ? ComputeBinary32(r, operation, a, b) : Compute(operation, a, b);
}

static Number Add(const Reference *r, Number a, Number b) {
    return Step(r, PLUS, a, b);
}
static Number Sub(const Reference *r, Number a, Number b) {
    return Step(r, MINUS, a, b);
}
static Number Mul(const Reference *r, Number a, Number b) {
    return Step(r, TIMES, a, b);
}
static Number Div(const Reference *r, Number a, Number b) {
    return Step(r, OVER, a, b);
}
static Number Root(const Reference *r, Number a) {
    return Step(r, ROOT, a, a);
}

/* Adds the terms in the order that a string names: "102" is (n1 + n0) + n2, and "01+23" is the sum
 * of two such sums. */
static Number Sum(const Reference *r, const char *order, const Number *n) {
    Number sum = n[order[0] - '0'];
    for (int i = 1; order[i]; i++) {
        if (order[i] == '+')
            return Add(r, sum, Sum(r, order + i + 1, n));
        sum = Add(r, sum, n[order[i] - '0']);
    }
    return sum;
}

/* The orders of the choices sequential|reverse|outer. The fourth choice of some hypotheses is
 * sequential for three terms. */
static const char *const orders_of_3[] = {"012", "210", "021", "012"};
static const char *const orders_of_4[] = {"0123", "01+23", "3210", "1230"};
/* The orders of hypothesis dot4-sse. */
static const char *const orders_of_4_sse[] = {"02+13", "0123", "01+23"};

/* The variant that computes a slot whose SSE build is not published. */
static Reference WithoutSse(const Reference *r) {
    Reference changed = *r;
    if (IsSse(r) && Choice(r, READING_SSE_SLOTS))
        changed.build = RP_BUILD_GENERIC;
    return changed;
}

typedef struct Triple {
    Number of[3];
} Triple;

static Triple Load3(const float *at, int stride) {
    return (Triple){{Load(at), Load(at + stride), Load(at + 2 * stride)}};
}

static Number Dot3(const Reference *r, int order, Triple a, Triple b) {
    Number products[3];
    for (int i = 0; i < 3; i++)
        products[i] = Mul(r, a.of[i], b.of[i]);
    return Sum(r, orders_of_3[order], products);
}

static void StoreAll(const Number *numbers, int count, float *out) {
    for (int i = 0; i < count; i++)
        Store(numbers[i], &out[i]);
}

/* ---- slots 14, 15 ---------------------------------------------------------------------------- */

typedef struct Element {
    int at;       /* index in the matrix */
    char left[3]; /* product on the left, of two components of the quaternion */
    char sign;
    char right[3];
    bool negated;
} Element;

static const Element turned[6] = {{1, "xy", '+', "wz", false}, {2, "xz", '-', "wy", false},
                                  {4, "xy", '-', "wz", false}, {6, "yz", '+', "wx", false},
                                  {8, "xz", '+', "wy", false}, {9, "yz", '-', "wx", false}};
static const Element mirrored_turned[6] = {{1, "xy", '-', "wz", false}, {4, "xy", '+', "wz", false},
                                           {2, "xz", '+', "wy", true},  {8, "xz", '-', "wy", true},
                                           {6, "yz", '-', "wx", true},  {9, "yz", '+', "wx", true}};
static const Element diagonal[3] = {
    {0, "yy", '+', "zz", false}, {5, "xx", '+', "zz", false}, {10, "xx", '+', "yy", false}};

static Number Component(const float q[4], char name) {
    return Load(&q[name == 'w' ? 0 : name - 'x' + 1]);
}

static Number ProductOf(const Reference *r, const float q[4], const char names[2]) {
    return Mul(r, Component(q, names[0]), Component(q, names[1]));
}

static Number TwiceElement(const Reference *r, const float q[4], const Element *e) {
    Number left = ProductOf(r, q, e->left), right = ProductOf(r, q, e->right);
    Number sum = e->sign == '+' ? Add(r, left, right) : Sub(r, left, right);
    return Add(r, sum, sum);
}

static Number DiagonalElement(const Reference *r, const float q[4], const Element *e) {
    int order = Choice(r, IsSse(r) ? READING_QUAT_DIAGONAL_SSE : READING_QUAT_DIAGONAL);
    if (order == 0)
        return Sub(r, 1, TwiceElement(r, q, e));
    const char *first = order == 1 ? e->left : e->right;
    const char *second = order == 1 ? e->right : e->left;
    Number a = ProductOf(r, q, first), b = ProductOf(r, q, second);
    return Sub(r, Sub(r, 1, Add(r, a, a)), Add(r, b, b));
}

static Number MirroredElement(const Reference *r, const float q[4], const Element *e) {
    if (e->negated && e->sign == '-' && Choice(r, READING_MIRROR_SIGN)) {
        Element swapped = *e;
        memcpy(swapped.left, e->right, sizeof swapped.left);
        memcpy(swapped.right, e->left, sizeof swapped.right);
        return TwiceElement(r, q, &swapped);
    }
    Number twice = TwiceElement(r, q, e);
    return e->negated ? -twice : twice;
}

void Reference_Matrix(const Reference *asked, bool mirrored, const float q[4], float m[16]) {
    const Reference of_mirrored = WithoutSse(asked), *r = mirrored ? &of_mirrored : asked;
    for (int i = 0; i < 3; i++)
        Store(DiagonalElement(r, q, &diagonal[i]), &m[diagonal[i].at]);
    for (int i = 0; i < 6; i++) {
        const Element *e = mirrored ? &mirrored_turned[i] : &turned[i];
        Store(MirroredElement(r, q, e), &m[e->at]);
    }
    if (mirrored && Choice(r, READING_MIRROR_SHAPE))
        return;
    static const int border[7] = {3, 7, 11, 12, 13, 14, 15};
    for (int i = 0; i < 7; i++)
        Float_Put(&m[border[i]], border[i] == 15 ? 0x3F800000 : 0);
}

/* ---- slots 17, 22 ---------------------------------------------------------------------------- */

static Number Sine(Number x) {
    __asm__ volatile("fsin" : "+t"(x));
    return x;
}

static Number Cosine(Number x) {
    __asm__ volatile("fcos" : "+t"(x));
    return x;
}

static Number ArcTangent(Number y, Number x) {
    __asm__ volatile("fpatan" : "+t"(x) : "u"(y) : "st(1)");
    return x;
}

static Number Kept(bool stored, Number value) {
    return stored ? Rounded(value) : value;
}

static Number RootOf(bool stored, Number radicand) {
    return Kept(stored, Compute(ROOT, radicand, 0));
}

/* The table of step 4 in docs/reference/arithmetic.md, in the order of the choices. */
static Number ArcCosine(const Reference *r, bool stored, Number c) {
    int form = Choice(r, READING_SLERP_ACOS);
    volatile double right_angle = 0x1.921fb54442d18p+0; /* exact: no rounding on the way */
    Number more = Compute(PLUS, 1, c), less = Compute(MINUS, 1, c);
    if (form == 3) {
        Number half = Kept(stored, ArcTangent(RootOf(stored, less), RootOf(stored, more)));
        return Compute(PLUS, half, half);
    }
    bool factored = form == 0 || form == 4;
    Number radicand = factored ? Kept(stored, Compute(TIMES, more, less))
                               : Compute(MINUS, 1, Kept(stored, Compute(TIMES, c, c)));
    Number root = RootOf(stored, radicand);
    if (form == 2)
        return ArcTangent(Kept(stored, Compute(OVER, root, c)), 1);
    if (form == 4)
        return Compute(MINUS, right_angle, Kept(stored, ArcTangent(c, root)));
    return ArcTangent(root, c);
}

/* Computes by x87 steps in every build. */
static void ArcWeights(const Reference *r, Number c, Number t, Number *w0, Number *w1) {
    bool stored = IsSse(r) && Choice(r, READING_SLERP_TRIG_SSE);
    bool store_trig = stored || Choice(r, READING_SLERP_TRIG);
    bool store_weights = stored || Choice(r, READING_SLERP_WEIGHTS);
    Number theta = Kept(stored || Choice(r, READING_SLERP_THETA), ArcCosine(r, stored, c));
    Number phi = Kept(stored, Compute(TIMES, t, theta));
    Number sine = Kept(store_trig, Sine(theta)), part = Kept(store_trig, Sine(phi));
    if (Choice(r, READING_SLERP_SINE))
        *w1 = Compute(OVER, part, sine);
    else
        *w1 = Compute(TIMES, part, Kept(stored, Compute(OVER, 1, sine)));
    *w1 = Kept(store_weights, *w1);
    *w0 = Compute(MINUS, Kept(store_trig, Cosine(phi)), Kept(stored, Compute(TIMES, *w1, c)));
    *w0 = Kept(store_weights || IsSse(r), *w0);
    *w1 = Kept(IsSse(r), *w1);
}

static Number Dot4(const Reference *r, const float q0[4], const float q1[4]) {
    Number p[4];
    for (int i = 0; i < 4; i++)
        p[i] = Mul(r, Load(&q0[i]), Load(&q1[i]));
    const char *order = IsSse(r) ? orders_of_4_sse[Choice(r, READING_DOT4_SSE)]
                                 : orders_of_4[Choice(r, READING_DOT4)];
    return Sum(r, order, p);
}

/* Returns 1e-5 as binary32 or, in an x87 build, as binary64. */
static Number LinearLimit(const Reference *r) {
    float limit;
    volatile double wide = 1e-5;
    Float_Put(&limit, 0x3727C5AC);
    return !IsSse(r) && Choice(r, READING_SLERP_LIMIT) ? (Number)wide : Load(&limit);
}

void Reference_Interpolate(const Reference *r, const float q0[4], const float q1[4], const float *t,
                           float out[4]) {
    Number c = Dot4(r, q0, q1), sign = 1, w0, w1, alpha = Load(t), result[4];
    if (c < 0) {
        c = -c;
        sign = -1;
    }
    if (Sub(r, 1, c) <= LinearLimit(r)) {
        w0 = Kept(!IsSse(r) && Choice(r, READING_SLERP_WEIGHTS), Sub(r, 1, alpha));
        w1 = alpha;
    } else {
        ArcWeights(r, c, alpha, &w0, &w1);
    }
    w1 = Mul(r, sign, w1);
    for (int i = 0; i < 4; i++)
        result[i] = Add(r, Mul(r, w0, Load(&q0[i])), Mul(r, w1, Load(&q1[i])));
    StoreAll(result, 4, out);
}

/* ---- matrices -------------------------------------------------------------------------------- */

void Reference_Product34(const Reference *asked, const float a[12], const float b[12],
                         float out[12]) {
    const Reference without = WithoutSse(asked), *r = &without;
    int order = Choice(r, READING_MATRIX34_SUM);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            Number t = Load(&a[4 * i + 3]);
            Number sum = Dot3(r, order, Load3(a + 4 * i, 1), Load3(b + j, 4));
            if (j == 3 && order == 3) {
                sum = t;
                for (int k = 0; k < 3; k++)
                    sum = Add(r, sum, Mul(r, Load(&a[4 * i + k]), Load(&b[4 * k + j])));
            } else if (j == 3) {
                sum = Add(r, sum, t);
            }
            Store(sum, &out[4 * i + j]);
        }
}

void Reference_Product(const Reference *r, const float a[16], const float b[16], float out[16]) {
    int order = Choice(r, IsSse(r) ? READING_MATRIX_SUM_SSE : READING_MATRIX_SUM);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            Number products[4];
            for (int k = 0; k < 4; k++)
                products[k] = Mul(r, Load(&a[4 * i + k]), Load(&b[4 * k + j]));
            Store(Sum(r, orders_of_4[order], products), &out[4 * i + j]);
        }
}

void Reference_PoseProduct(const Reference *r, const float a[16], const float b[16],
                           float out[16]) {
    const Reference without = WithoutSse(r);
    Reference_Product(&without, a, b, out);
}

void Reference_Rotate(const Reference *asked, const float m[16], const float v[3], float out[3]) {
    const Reference without = WithoutSse(asked), *r = &without;
    for (int i = 0; i < 3; i++) {
        Number sum = Dot3(r, Choice(r, READING_ROTATE_SUM), Load3(m + 4 * i, 1), Load3(v, 1));
        if (Choice(r, READING_ROTATE_VECTOR))
            sum = Add(r, sum, Load(&m[4 * i + 3]));
        Store(sum, &out[i]);
    }
}

void Reference_RotateTransposed(const Reference *asked, const float m[16], const float v[3],
                                float out[3]) {
    const Reference without = WithoutSse(asked), *r = &without;
    for (int j = 0; j < 3; j++)
        Store(Dot3(r, Choice(r, READING_TRANSPOSED_SUM), Load3(m + j, 4), Load3(v, 1)), &out[j]);
}

void Reference_PointToFrame(const Reference *asked, const float m[16], const float p[3],
                            float out[3]) {
    const Reference without = WithoutSse(asked), *r = &without;
    int order = Choice(r, READING_FRAME_SUM);
    Triple d;
    for (int i = 0; i < 3; i++)
        d.of[i] = Sub(r, Load(&p[i]), Load(&m[4 * i + 3]));
    for (int j = 0; j < 3; j++) {
        Triple axis = Load3(m + j, 4);
        Number n = Dot3(r, order, axis, d), square = Dot3(r, order, axis, axis);
        if (Choice(r, READING_FRAME_DIVISION))
            Store(Mul(r, n, Div(r, 1, square)), &out[j]);
        else
            Store(Div(r, n, square), &out[j]);
    }
}

/* ---- slots 11, 20, 38, 45 -------------------------------------------------------------------- */

/* Executes rcpss or rsqrtss in place. */
__attribute__((target("sse"))) static void EstimateReciprocal(float *value) {
    __asm__ volatile("rcpss %0, %%xmm0\n\tmovss %%xmm0, %0" : "+m"(*value) : : "xmm0");
}

__attribute__((target("sse"))) static void EstimateReciprocalRoot(float *value) {
    __asm__ volatile("rsqrtss %0, %%xmm0\n\tmovss %%xmm0, %0" : "+m"(*value) : : "xmm0");
}

static Number Estimated(void (*estimate)(float *), Number x) {
    float value;
    Store(x, &value);
    estimate(&value);
    return Load(&value);
}

Number Reference_ReciprocalSquareRoot(const Reference *asked, const float *x) {
    const Reference without = WithoutSse(asked), *r = &without;
    Number value = Load(x);
    if (!IsSse(r) && Choice(r, READING_RSQRT))
        return Root(r, Div(r, 1, value));
    if (!IsSse(r) || !Choice(r, READING_RSQRT_SSE))
        return Div(r, 1, Root(r, value));
    Number e = Estimated(EstimateReciprocalRoot, value);
    Number left = Mul(r, 0.5L, e), right = Sub(r, 3, Mul(r, Mul(r, value, e), e));
    return Mul(r, left, right);
}

void Reference_Combine(const Reference *r, const float light[3], const float ambient[3],
                       const float scene[3], float out[3]) {
    for (int i = 0; i < 3; i++) {
        Number sum = Add(r, Load(&light[i]), Load(&ambient[i])), least = Load(&scene[i]);
        uint32_t scene_bits = Float_Bits(&scene[i]);
        if (IsSse(r) ? !(sum > least) : sum < least)
            Float_Put(&out[i], scene_bits);
        else
            Store(sum, &out[i]);
    }
}

Number Reference_Normalise(const Reference *asked, float v[3]) {
    const Reference without = WithoutSse(asked), *r = &without;
    Triple from = Load3(v, 1);
    Number length = Root(r, Dot3(r, Choice(r, READING_NORMALISE_SUM), from, from));
    if (length == 0)
        return length;
    Number inverse = Div(r, 1, length);
    for (int i = 0; i < 3; i++)
        Store(Choice(r, READING_NORMALISE) ? Div(r, from.of[i], length)
                                           : Mul(r, from.of[i], inverse),
              &v[i]);
    return length;
}

static Number Distance(const Reference *r, int order, const float plane[4], const float point[3]) {
    Number terms[4];
    for (int i = 0; i < 3; i++)
        terms[i] = Mul(r, Load(&plane[i]), Load(&point[i]));
    terms[3] = Load(&plane[3]);
    static const char *const orders[] = {"0123", "2103", "0213", "3012"};
    return Sum(r, orders[order], terms);
}

int Reference_SegmentPlane(const Reference *r, const float start[3], const float end[3],
                           const float plane[4], float hit[3]) {
    Triple normal = Load3(plane, 1), v;
    for (int i = 0; i < 3; i++)
        v.of[i] = Sub(r, Load(&end[i]), Load(&start[i]));
    int order = Choice(r, IsSse(r) ? READING_PLANE_SUM_SSE : READING_PLANE_SUM);
    Number nv = Dot3(r, order, normal, v);
    if (!(nv < (r->build == RP_BUILD_GENERIC ? -0x1p-126L : 0)))
        return 0;
    Number d0 = Distance(r, order, plane, start), d1 = Distance(r, order, plane, end);
    if (!(d0 >= 0))
        return 0;
    if (IsSse(r) || Choice(r, READING_PLANE_FAR) ? !(d1 <= 0) : !(d1 < 0))
        return 0;
    Number k;
    if (IsSse(r)) {
        Number m = -nv, e = Estimated(EstimateReciprocal, m);
        if (Choice(r, READING_PLANE_NEWTON))
            e = Mul(r, e, Sub(r, 2, Mul(r, m, e)));
        else
            e = Sub(r, Add(r, e, e), Mul(r, Mul(r, m, e), e));
        k = Mul(r, d0, e);
    } else if (Choice(r, READING_PLANE_DIVISION)) {
        k = Mul(r, d0, Div(r, 1, -nv));
    } else {
        k = Div(r, d0, -nv);
    }
    Number result[3];
    for (int i = 0; i < 3; i++)
        result[i] = Add(r, Load(&start[i]), Mul(r, v.of[i], k));
    StoreAll(result, 3, hit);
    return 1;
}

/* ---- light: x87 in every build --------------------------------------------------------------- */

static Reference InX87(const Reference *r) {
    Reference x87 = *r;
    x87.build = RP_BUILD_GENERIC;
    return x87;
}

Number Reference_DirectionalCosine(const Reference *r, const float n[3], const float travel[3]) {
    Reference x87 = InX87(r);
    Triple back = Load3(travel, 1);
    for (int i = 0; i < 3; i++)
        back.of[i] = -back.of[i];
    Number cosine = Dot3(&x87, 0, Load3(n, 1), back);
    return cosine < 0 ? 0 : cosine;
}

Number Reference_Highlight(const Reference *r, const float n[3], const float travel[3],
                           const float *cosine, const float to_eye[3], uint32_t power) {
    Reference x87 = InX87(r);
    if (power == 0)
        return 0;
    Number c = Load(cosine), k = Add(&x87, c, c);
    Triple s;
    for (int i = 0; i < 3; i++)
        s.of[i] = Add(&x87, Load(&travel[i]), Mul(&x87, k, Load(&n[i])));
    Number result = Dot3(&x87, 0, s, Load3(to_eye, 1));
    for (uint32_t i = 1; i < power; i++)
        result = Mul(&x87, result, result);
    return result;
}

void Reference_PointLight(const Reference *r, const float light[10], const float vertex[3],
                          const float n[3], float sum[3]) {
    Reference x87 = InX87(r);
    Number range = Load(&light[6]), result[3];
    Triple to;
    for (int i = 0; i < 3; i++)
        to.of[i] = Sub(&x87, Load(&light[i]), Load(&vertex[i]));
    Number d = Root(&x87, Dot3(&x87, 0, to, to));
    if (d > range)
        return;
    Number f = Div(&x87, Dot3(&x87, 0, Load3(n, 1), to), d);
    if (!(f > 0))
        return;
    Number x = Div(&x87, Sub(&x87, range, d), range);
    Number a = Add(&x87, Load(&light[7]), Mul(&x87, Load(&light[8]), x));
    a = Add(&x87, a, Mul(&x87, Mul(&x87, Load(&light[9]), x), x));
    for (int i = 0; i < 3; i++)
        result[i] = Add(&x87, Load(&sum[i]), Mul(&x87, Mul(&x87, Load(&light[3 + i]), f), a));
    StoreAll(result, 3, sum);
}

void Reference_DirectionalLights(const Reference *r, const float *lights, uint32_t count,
                                 const float n[3], const float diffuse[3], float out[3]) {
    Reference x87 = InX87(r);
    Number sums[3] = {0, 0, 0};
    for (uint32_t light = 0; light < count; light++) {
        const float *travel = lights + 6 * light, *colour = travel + 3;
        Number c = Reference_DirectionalCosine(r, n, travel);
        for (int i = 0; i < 3; i++) {
            Number part = Mul(&x87, Load(&colour[i]), Load(&diffuse[i]));
            sums[i] = Add(&x87, sums[i], Mul(&x87, part, c));
        }
    }
    StoreAll(sums, 3, out);
}

/* ---- exports: x87 in every build ------------------------------------------------------------- */

static Number Magnitude(Number x) {
    return __builtin_fabsl(x);
}

static int DroppedAxis(const float n[3]) {
    Number x = Magnitude(Load(&n[0])), y = Magnitude(Load(&n[1])), z = Magnitude(Load(&n[2]));
    if (x >= y && y >= z)
        return 0;
    return x < y && y >= z ? 1 : 2;
}

int Reference_PolygonContains(const Reference *r, const float plane[4],
                              const float *const *vertices, uint32_t count, const float point[3]) {
    Reference x87 = InX87(r);
    int axis = DroppedAxis(plane), u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (uint32_t i = 0; i < count; i++) {
        const float *from = vertices[i], *to = vertices[(i + 1) % count];
        Number eu = Sub(&x87, Load(&to[u]), Load(&from[u]));
        Number ev = Sub(&x87, Load(&to[v]), Load(&from[v]));
        Number du = Sub(&x87, Load(&point[u]), Load(&from[u]));
        Number dv = Sub(&x87, Load(&point[v]), Load(&from[v]));
        Number cross = Sub(&x87, Mul(&x87, eu, dv), Mul(&x87, ev, du));
        if (!(Mul(&x87, cross, Load(&plane[axis])) >= 0))
            return 0;
    }
    return 1;
}

void Reference_SineCosine(const Reference *r, const float *angle, float *sine, float *cosine) {
    (void)r;
    Store(Sine(Load(angle)), sine);
    Store(Cosine(Load(angle)), cosine);
}
