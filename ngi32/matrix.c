/* Slots 4, 7, 23, 26, 28 and 35 of g_FastProc (facts/ngi32.md B.3, facts/animesh.md E.6), in the
 * order of operations of docs/arithmetic.md. */
#include "hypothesis.h"
#include "retropose/fastproc.h"
#include "sse.h"
#include "x87.h"

#include <string.h>

/* ---- x87 ------------------------------------------------------------------------------------- */

/* (a0*b0 + a1*b1) + a2*b2, the elements of each `stride` apart. */
static long double Dot3X87(const float *a, int a_stride, const float *b, int b_stride) {
    long double sum = X87_Mul(X87_Load(a), X87_Load(b));
    for (int k = 1; k < 3; k++)
        sum = X87_Add(sum, X87_Mul(X87_Load(a + k * a_stride), X87_Load(b + k * b_stride)));
    return sum;
}

static void Product34X87(const float a[12], const float b[12], float product[12]) {
    for (int i = 0; i < 12; i += 4)
        for (int j = 0; j < 4; j++) {
            long double sum = Dot3X87(a + i, 1, b + j, 4);
            if (j == 3)
                sum = X87_Add(sum, X87_Load(&a[i + 3]));
            X87_Store(sum, &product[i + j]);
        }
}

static void ProductX87(const float a[16], const float b[16], float product[16]) {
    for (int i = 0; i < 16; i += 4)
        for (int j = 0; j < 4; j++) {
            long double last = X87_Mul(X87_Load(&a[i + 3]), X87_Load(&b[12 + j]));
            X87_Store(X87_Add(Dot3X87(a + i, 1, b + j, 4), last), &product[i + j]);
        }
}

static void RotateX87(bool affine, const float m[16], const float v[3], float result[3]) {
    for (int i = 0; i < 3; i++) {
        long double sum = Dot3X87(m + 4 * i, 1, v, 1);
        if (affine)
            sum = X87_Add(sum, X87_Load(&m[4 * i + 3]));
        X87_Store(sum, &result[i]);
    }
}

static void RotateTransposedX87(const float m[16], const float v[3], float result[3]) {
    for (int j = 0; j < 3; j++)
        X87_Store(Dot3X87(m + j, 4, v, 1), &result[j]);
}

/* The distance to the origin stays on the stack with all its bits, hence not by Dot3X87. */
static void PointToFrameX87(const float m[16], const float p[3], float result[3]) {
    long double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = X87_Sub(X87_Load(&p[i]), X87_Load(&m[4 * i + 3]));
    for (int j = 0; j < 3; j++) {
        long double along = X87_Mul(X87_Load(&m[j]), d[0]);
        along = X87_Add(along, X87_Mul(X87_Load(&m[4 + j]), d[1]));
        along = X87_Add(along, X87_Mul(X87_Load(&m[8 + j]), d[2]));
        X87_Store(X87_Div(along, Dot3X87(m + j, 4, m + j, 4)), &result[j]);
    }
}

/* ---- SSE ------------------------------------------------------------------------------------- */

SSE_STEP Sse Dot3Sse(const float *a, int a_stride, const float *b, int b_stride) {
    Sse sum = Sse_Mul(Sse_Load(a), Sse_Load(b));
    for (int k = 1; k < 3; k++)
        sum = Sse_Add(sum, Sse_Mul(Sse_Load(a + k * a_stride), Sse_Load(b + k * b_stride)));
    return sum;
}

/* a_k times row k of b */
SSE_STEP Sse ScaledRowSse(const float *a, const float *b, int k) {
    return Sse_Mul4(Sse_Broadcast(Sse_Load(a + k)), Sse_Load4(b + 4 * k));
}

/* (a_0 * row 0 + a_1 * row 1) + a_2 * row 2 */
SSE_STEP Sse ThreeRowsSse(const float *a, const float *b) {
    return Sse_Add4(Sse_Add4(ScaledRowSse(a, b, 0), ScaledRowSse(a, b, 1)), ScaledRowSse(a, b, 2));
}

SSE_BUILD static void Product34Sse(const float a[12], const float b[12], float product[12]) {
    for (int i = 0; i < 12; i += 4) {
        float *translation = &product[i + 3];
        Sse_Store4(ThreeRowsSse(a + i, b), product + i);
        Sse_Store(Sse_Add(Sse_Load(translation), Sse_Load(&a[i + 3])), translation);
    }
}

SSE_BUILD static void ProductSse(const float a[16], const float b[16], float product[16]) {
    for (int i = 0; i < 16; i += 4)
        Sse_Store4(Sse_Add4(ThreeRowsSse(a + i, b), ScaledRowSse(a + i, b, 3)), product + i);
}

SSE_BUILD static void RotateSse(bool affine, const float m[16], const float v[3], float result[3]) {
    for (int i = 0; i < 3; i++) {
        Sse sum = Dot3Sse(m + 4 * i, 1, v, 1);
        if (affine)
            sum = Sse_Add(sum, Sse_Load(&m[4 * i + 3]));
        Sse_Store(sum, &result[i]);
    }
}

SSE_BUILD static void RotateTransposedSse(const float m[16], const float v[3], float result[3]) {
    for (int j = 0; j < 3; j++)
        Sse_Store(Dot3Sse(m + j, 4, v, 1), &result[j]);
}

SSE_BUILD static void PointToFrameSse(const float m[16], const float p[3], float result[3]) {
    float d[3];
    for (int i = 0; i < 3; i++)
        Sse_Store(Sse_Sub(Sse_Load(&p[i]), Sse_Load(&m[4 * i + 3])), &d[i]);
    for (int j = 0; j < 3; j++)
        Sse_Store(Sse_Div(Dot3Sse(m + j, 4, d, 1), Dot3Sse(m + j, 4, m + j, 4)), &result[j]);
}

/* ---- slots ----------------------------------------------------------------------------------- */

void RpMatrix_Product34(RpBuild build, const float a[12], const float b[12], float product[12]) {
    float result[12];
    (build == RP_BUILD_SSE ? Product34Sse : Product34X87)(a, b, result);
    memcpy(product, result, sizeof result);
}

void RpMatrix_Product(RpBuild build, const float a[16], const float b[16], float product[16]) {
    float result[16];
    (build == RP_BUILD_SSE ? ProductSse : ProductX87)(a, b, result);
    memcpy(product, result, sizeof result);
}

void RpMatrix_Rotate(RpBuild build, const RpHypotheses *hypotheses, const float matrix[16],
                     const float vector[3], float result[3]) {
    float rotated[3];
    bool affine = Hypothesis_IsAlternative(hypotheses, HYPOTHESIS_ROTATE_VECTOR);
    (build == RP_BUILD_SSE ? RotateSse : RotateX87)(affine, matrix, vector, rotated);
    memcpy(result, rotated, sizeof rotated);
}

void RpMatrix_RotateTransposed(RpBuild build, const float matrix[16], const float vector[3],
                               float result[3]) {
    float rotated[3];
    (build == RP_BUILD_SSE ? RotateTransposedSse : RotateTransposedX87)(matrix, vector, rotated);
    memcpy(result, rotated, sizeof rotated);
}

void RpMatrix_PointToFrame(RpBuild build, const float frame[16], const float point[3],
                           float result[3]) {
    float local[3];
    (build == RP_BUILD_SSE ? PointToFrameSse : PointToFrameX87)(frame, point, local);
    memcpy(result, local, sizeof local);
}
