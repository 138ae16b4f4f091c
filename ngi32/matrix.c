/* Slots 4, 7, 23, 26, 28 and 35 of g_FastProc (facts/ngi32.md B.3, facts/animesh.md E.6), with the
 * order of operations of docs/reference/arithmetic.md. */
#include "ngi32/exact/force.h"
#include "ngi32/reading.h"
#include "ngi32/sums.h"
#include "retropose/fastproc.h"

#include <string.h>

/* The fourth order of slot 4 adds the products to the translation (docs/reference/arithmetic.md).
 */
enum { MATRIX34_TRANSLATION_FIRST = 3 };

/* The points that public sources leave open for slot 26. */
typedef struct FrameOptions {
    int order;       /* reading frame-sum */
    bool reciprocal; /* reading frame-division */
} FrameOptions;

/* ---- x87 ------------------------------------------------------------------------------------- */

/* How the products of a function are added, and where their second factors are. */
typedef struct SumOptions {
    int order;
    bool memory; /* reading operands: the second factors are in memory */
} SumOptions;

static SumOptions SumOptionsOf(const RpArithmetic *arithmetic, int order_index) {
    return (SumOptions){.order = Reading_Choice(arithmetic, order_index),
                        .memory = Reading_IsAlternative(arithmetic, READING_OPERANDS)};
}

/* Returns ((t + a0*b0) + a1*b1) + a2*b2, where the elements of b are a row apart. */
static X87 TranslationFirstX87(bool memory, const float *t, const float *a, const float *b) {
    X87 sum = X87_Load(t);
    for (int k = 0; k < 3; k++)
        sum = X87_Add(sum, X87_Product(memory, a + k, b + 4 * k));
    return sum;
}

static X87 TranslatedX87(SumOptions options, const float *t, const float *a, const float *b) {
    if (options.order == MATRIX34_TRANSLATION_FIRST)
        return TranslationFirstX87(options.memory, t, a, b);
    return X87_Add(X87_Dot3By(options.memory, options.order, a, 1, b, 4), X87_Load(t));
}

static void Product34X87(SumOptions options, const float a[12], const float b[12],
                         float product[12]) {
    for (int i = 0; i < 12; i += 4) {
        for (int j = 0; j < 3; j++)
            X87_Store(X87_Dot3By(options.memory, options.order, a + i, 1, b + j, 4),
                      &product[i + j]);
        X87_Store(TranslatedX87(options, &a[i + 3], a + i, b + 3), &product[i + 3]);
    }
}

/* Computes one element: a row of four numbers times a column, whose numbers are a row apart. */
static X87 Dot4X87(SumOptions options, const float *a, const float *b) {
    const bool memory = options.memory;
    X87 first = X87_Product(memory, a, b), second = X87_Product(memory, a + 1, b + 4);
    X87 third = X87_Product(memory, a + 2, b + 8);
    return X87_Sum4(options.order, first, second, third, X87_Product(memory, a + 3, b + 12));
}

static void ProductX87(SumOptions options, const float a[16], const float b[16],
                       float product[16]) {
    for (int i = 0; i < 16; i += 4)
        for (int j = 0; j < 4; j++)
            X87_Store(Dot4X87(options, a + i, b + j), &product[i + j]);
}

/* The default choices have a function of their own. It is fast, because the compiler knows them. */
static void SequentialProductX87(const float a[16], const float b[16], float product[16]) {
    for (int i = 0; i < 16; i += 4)
        for (int j = 0; j < 4; j++) {
            X87 three = X87_Dot3(SUM3_SEQUENTIAL, a + i, 1, b + j, 4);
            X87_Store(X87_Add(three, X87_Product(false, &a[i + 3], &b[12 + j])), &product[i + j]);
        }
}

static void RotateX87(SumOptions options, bool affine, const float m[16], const float v[3],
                      float result[3]) {
    for (int i = 0; i < 3; i++) {
        X87 sum = X87_Dot3By(options.memory, options.order, m + 4 * i, 1, v, 1);
        if (affine)
            sum = X87_Add(sum, X87_Load(&m[4 * i + 3]));
        X87_Store(sum, &result[i]);
    }
}

static void RotateTransposedX87(SumOptions options, const float m[16], const float v[3],
                                float result[3]) {
    for (int j = 0; j < 3; j++)
        X87_Store(X87_Dot3By(options.memory, options.order, m + j, 4, v, 1), &result[j]);
}

/* The distance to the origin stays on the x87 stack with all its bits. X87_Dot3 loads floats from
 * memory, so it cannot be used here. */
static void PointToFrameX87(FrameOptions options, const float m[16], const float p[3],
                            float result[3]) {
    static const float one = 1.0f;
    X87 d[3];
    for (int i = 0; i < 3; i++)
        d[i] = X87_Sub(X87_Load(&p[i]), X87_Load(&m[4 * i + 3]));
    for (int j = 0; j < 3; j++) {
        X87 along = X87_Dot3OfStack(options.order, m + j, 4, d[0], d[1], d[2]);
        X87 square = X87_Dot3(options.order, m + j, 4, m + j, 4);
        if (options.reciprocal)
            X87_Store(X87_Mul(along, X87_Div(X87_Load(&one), square)), &result[j]);
        else
            X87_Store(X87_Div(along, square), &result[j]);
    }
}

/* ---- SSE ------------------------------------------------------------------------------------- */

SSE_STEP Sse ProductOfSse(const float *a, const float *b) {
    return Sse_Mul(Sse_Load(a), Sse_Load(b));
}

/* Returns a[k] times row k of b. */
SSE_STEP Sse ScaledRowSse(const float *a, const float *b, int k) {
    return Sse_Mul4(Sse_Broadcast(Sse_Load(a + k)), Sse_Load4(b + 4 * k));
}

SSE_STEP Sse TranslationFirstSse(const float *t, const float *a, const float *b) {
    Sse sum = Sse_Load(t);
    for (int k = 0; k < 3; k++)
        sum = Sse_Add(sum, ProductOfSse(a + k, b + 4 * k));
    return sum;
}

SSE_BUILD static void Product34Sse(int order, const float a[12], const float b[12],
                                   float product[12]) {
    for (int i = 0; i < 12; i += 4) {
        float *translation = &product[i + 3];
        Sse_Store4(Sse_Sum3Of4(order, ScaledRowSse(a + i, b, 0), ScaledRowSse(a + i, b, 1),
                               ScaledRowSse(a + i, b, 2)),
                   product + i);
        if (order == MATRIX34_TRANSLATION_FIRST)
            Sse_Store(TranslationFirstSse(&a[i + 3], a + i, b + 3), translation);
        else
            Sse_Store(Sse_Add(Sse_Load(translation), Sse_Load(&a[i + 3])), translation);
    }
}

SSE_STEP void ProductBySse(int order, const float a[16], const float b[16], float product[16]) {
    for (int i = 0; i < 16; i += 4)
        Sse_Store4(Sse_Sum4Of4(order, ScaledRowSse(a + i, b, 0), ScaledRowSse(a + i, b, 1),
                               ScaledRowSse(a + i, b, 2), ScaledRowSse(a + i, b, 3)),
                   product + i);
}

SSE_BUILD static void ProductSse(int order, const float a[16], const float b[16],
                                 float product[16]) {
    if (order == SUM4_SEQUENTIAL)
        ProductBySse(SUM4_SEQUENTIAL, a, b, product);
    else
        ProductBySse(order, a, b, product);
}

SSE_BUILD static void RotateSse(int order, bool affine, const float m[16], const float v[3],
                                float result[3]) {
    for (int i = 0; i < 3; i++) {
        Sse sum = Sse_Dot3(order, m + 4 * i, 1, v, 1);
        if (affine)
            sum = Sse_Add(sum, Sse_Load(&m[4 * i + 3]));
        Sse_Store(sum, &result[i]);
    }
}

SSE_BUILD static void RotateTransposedSse(int order, const float m[16], const float v[3],
                                          float result[3]) {
    for (int j = 0; j < 3; j++)
        Sse_Store(Sse_Dot3(order, m + j, 4, v, 1), &result[j]);
}

SSE_BUILD static void PointToFrameSse(FrameOptions options, const float m[16], const float p[3],
                                      float result[3]) {
    static const float one = 1.0f;
    float d[3];
    for (int i = 0; i < 3; i++)
        Sse_Store(Sse_Sub(Sse_Load(&p[i]), Sse_Load(&m[4 * i + 3])), &d[i]);
    for (int j = 0; j < 3; j++) {
        Sse along = Sse_Dot3(options.order, m + j, 4, d, 1);
        Sse square = Sse_Dot3(options.order, m + j, 4, m + j, 4);
        if (options.reciprocal)
            Sse_Store(Sse_Mul(along, Sse_Div(Sse_Load(&one), square)), &result[j]);
        else
            Sse_Store(Sse_Div(along, square), &result[j]);
    }
}

/* ---- slots ----------------------------------------------------------------------------------- */

void RpMatrix_Product34(const RpArithmetic *arithmetic, const float a[12], const float b[12],
                        float product[12]) {
    float result[12];
    const SumOptions options = SumOptionsOf(arithmetic, READING_MATRIX34_SUM);
    const bool has_sse = Reading_BuildOfSlot(arithmetic) == RP_BUILD_SSE;
    const bool by_core = !has_sse && Exact_Serves(arithmetic, a, 12, b, 12);
    const bool by_sse = has_sse || by_core;
    const ArithmeticScope scope = Arithmetic_EnterUnless(by_core, arithmetic, by_sse);
    if (by_sse)
        Product34Sse(options.order, a, b, result);
    else
        Product34X87(options, a, b, result);
    Arithmetic_Leave(scope);
    memcpy(product, result, sizeof result);
}

static void ProductOfBuild(const RpArithmetic *arithmetic, RpBuild build, const float a[16],
                           const float b[16], float product[16]) {
    float result[16];
    const SumOptions options = SumOptionsOf(arithmetic, READING_MATRIX_SUM);
    const bool by_core = build != RP_BUILD_SSE && Exact_Serves(arithmetic, a, 16, b, 16);
    const ArithmeticScope scope =
        Arithmetic_EnterUnless(by_core, arithmetic, build == RP_BUILD_SSE);
    if (build == RP_BUILD_SSE)
        ProductSse(Reading_Choice(arithmetic, READING_MATRIX_SUM_SSE), a, b, result);
    else if (by_core)
        ProductSse(options.order, a, b, result);
    else if (options.order == SUM4_SEQUENTIAL && !options.memory)
        SequentialProductX87(a, b, result);
    else
        ProductX87(options, a, b, result);
    Arithmetic_Leave(scope);
    memcpy(product, result, sizeof result);
}

void RpMatrix_Product(const RpArithmetic *arithmetic, const float a[16], const float b[16],
                      float product[16]) {
    ProductOfBuild(arithmetic, Arithmetic_Build(arithmetic), a, b, product);
}

void RpMatrix_PoseProduct(const RpArithmetic *arithmetic, const float a[16], const float b[16],
                          float product[16]) {
    ProductOfBuild(arithmetic, Reading_BuildOfSlot(arithmetic), a, b, product);
}

void RpMatrix_Rotate(const RpArithmetic *arithmetic, const float matrix[16], const float vector[3],
                     float result[3]) {
    float rotated[3];
    const SumOptions options = SumOptionsOf(arithmetic, READING_ROTATE_SUM);
    bool affine = Reading_IsAlternative(arithmetic, READING_ROTATE_VECTOR);
    const bool by_sse = Reading_BuildOfSlot(arithmetic) == RP_BUILD_SSE;
    const ArithmeticScope scope = Arithmetic_EnterFor(arithmetic, by_sse);
    if (by_sse)
        RotateSse(options.order, affine, matrix, vector, rotated);
    else
        RotateX87(options, affine, matrix, vector, rotated);
    Arithmetic_Leave(scope);
    memcpy(result, rotated, sizeof rotated);
}

void RpMatrix_RotateTransposed(const RpArithmetic *arithmetic, const float matrix[16],
                               const float vector[3], float result[3]) {
    float rotated[3];
    const SumOptions options = SumOptionsOf(arithmetic, READING_TRANSPOSED_SUM);
    const bool by_sse = Arithmetic_Build(arithmetic) == RP_BUILD_SSE;
    const ArithmeticScope scope = Arithmetic_EnterFor(arithmetic, by_sse);
    if (by_sse)
        RotateTransposedSse(options.order, matrix, vector, rotated);
    else
        RotateTransposedX87(options, matrix, vector, rotated);
    Arithmetic_Leave(scope);
    memcpy(result, rotated, sizeof rotated);
}

void Matrix_RotateTransposedInPlace(const RpArithmetic *arithmetic, const float matrix[16],
                                    float vector[3]) {
    RpMatrix_RotateTransposed(arithmetic, matrix, vector, vector);
}

void RpMatrix_PointToFrame(const RpArithmetic *arithmetic, const float frame[16],
                           const float point[3], float result[3]) {
    float local[3];
    bool reciprocal = Reading_IsAlternative(arithmetic, READING_FRAME_DIVISION);
    FrameOptions options = {.order = Reading_Choice(arithmetic, READING_FRAME_SUM),
                            .reciprocal = reciprocal};
    const bool by_sse = Reading_BuildOfSlot(arithmetic) == RP_BUILD_SSE;
    const ArithmeticScope scope = Arithmetic_EnterFor(arithmetic, by_sse);
    (by_sse ? PointToFrameSse : PointToFrameX87)(options, frame, point, local);
    Arithmetic_Leave(scope);
    memcpy(result, local, sizeof local);
}
