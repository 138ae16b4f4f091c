/* Slots 11 and 38 of g_FastProc (facts/ngi32.md B.3) and ngiGetSinCos (facts/ngi32.md C), in the
 * order of operations of docs/arithmetic.md. */
#include "hypothesis.h"
#include "retropose/fastproc.h"
#include "sse.h"
#include "x87.h"

#include <string.h>

static const float zero = 0.0f, half = 0.5f, one = 1.0f, three = 3.0f;

/* ---- slot 11 --------------------------------------------------------------------------------- */

SSE_BUILD static void ReciprocalSquareRootSse(bool newton, const float *x, float *result) {
    Sse value = Sse_Load(x);
    if (newton) {
        Sse r = Sse_Rsqrt(value);
        Sse correction = Sse_Sub(Sse_Load(&three), Sse_Mul(Sse_Mul(value, r), r));
        Sse_Store(Sse_Mul(Sse_Mul(Sse_Load(&half), r), correction), result);
    } else {
        Sse_Store(Sse_Div(Sse_Load(&one), Sse_Sqrt(value)), result);
    }
}

long double RpScalar_ReciprocalSquareRoot(RpBuild build, const RpHypotheses *hypotheses, float x) {
    if (build != RP_BUILD_SSE)
        return X87_Div(X87_Load(&one), X87_Sqrt(X87_Load(&x)));
    float result;
    ReciprocalSquareRootSse(Hypothesis_IsAlternative(hypotheses, HYPOTHESIS_RSQRT_SSE), &x,
                            &result);
    return X87_Load(&result);
}

/* ---- slot 38 --------------------------------------------------------------------------------- */

static long double NormaliseX87(bool quotient, float v[3]) {
    long double squares = X87_Mul(X87_Load(&v[0]), X87_Load(&v[0]));
    for (int i = 1; i < 3; i++)
        squares = X87_Add(squares, X87_Mul(X87_Load(&v[i]), X87_Load(&v[i])));
    long double length = X87_Sqrt(squares);
    if (X87_Equal(length, X87_Load(&zero)))
        return length;
    if (quotient) {
        for (int i = 0; i < 3; i++)
            X87_Store(X87_Div(X87_Load(&v[i]), length), &v[i]);
    } else {
        long double inverse = X87_Div(X87_Load(&one), length);
        for (int i = 0; i < 3; i++)
            X87_Store(X87_Mul(X87_Load(&v[i]), inverse), &v[i]);
    }
    return length;
}

SSE_BUILD static void NormaliseSse(bool quotient, float v[3], float *former_length) {
    Sse squares = Sse_Mul(Sse_Load(&v[0]), Sse_Load(&v[0]));
    for (int i = 1; i < 3; i++)
        squares = Sse_Add(squares, Sse_Mul(Sse_Load(&v[i]), Sse_Load(&v[i])));
    Sse length = Sse_Sqrt(squares);
    Sse_Store(length, former_length);
    if (Sse_Equal(length, Sse_Load(&zero)))
        return;
    if (quotient) {
        for (int i = 0; i < 3; i++)
            Sse_Store(Sse_Div(Sse_Load(&v[i]), length), &v[i]);
    } else {
        Sse inverse = Sse_Div(Sse_Load(&one), length);
        for (int i = 0; i < 3; i++)
            Sse_Store(Sse_Mul(Sse_Load(&v[i]), inverse), &v[i]);
    }
}

long double RpVector_Normalise(RpBuild build, const RpHypotheses *hypotheses, float vector[3]) {
    bool quotient = Hypothesis_IsAlternative(hypotheses, HYPOTHESIS_NORMALISE);
    if (build != RP_BUILD_SSE)
        return NormaliseX87(quotient, vector);
    float length;
    NormaliseSse(quotient, vector, &length);
    return X87_Load(&length);
}

/* ---- ngiGetSinCos ---------------------------------------------------------------------------- */

void RpScalar_SineCosine(float angle, float *sine, float *cosine) {
    X87_Store(X87_Sin(X87_Load(&angle)), sine);
    X87_Store(X87_Cos(X87_Load(&angle)), cosine);
}
