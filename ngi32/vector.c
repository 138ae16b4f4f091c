/* Slots 11 and 38 of g_FastProc (facts/ngi32.md B.3) and ngiGetSinCos (facts/ngi32.md C), in the
 * order of operations of docs/reference/arithmetic.md. */
#include "ngi32/exact/force.h"
#include "ngi32/exact/sine_cosine.h"
#include "ngi32/reading.h"
#include "ngi32/sums.h"
#include "retropose/fastproc.h"

#include <string.h>

static const float zero = 0.0f, half = 0.5f, one = 1.0f, three = 3.0f;

/* ---- slot 11 --------------------------------------------------------------------------------- */

SSE_BUILD static void ReciprocalSquareRootSse(bool newton, RpEstimates maker, const float *x,
                                              float *result) {
    Sse value = Sse_Load(x);
    if (newton) {
        Sse r = Sse_RsqrtOf(maker, value);
        Sse correction = Sse_Sub(Sse_Load(&three), Sse_Mul(Sse_Mul(value, r), r));
        Sse_Store(Sse_Mul(Sse_Mul(Sse_Load(&half), r), correction), result);
    } else {
        Sse_Store(Sse_Div(Sse_Load(&one), Sse_Sqrt(value)), result);
    }
}

static X87 ReciprocalSquareRootX87(bool root, const float *x) {
    X87 unit = X87_Load(&one);
    if (root)
        return X87_Sqrt(X87_Div(unit, X87_Load(x)));
    return X87_Div(unit, X87_Sqrt(X87_Load(x)));
}

long double RpScalar_ReciprocalSquareRoot(const RpArithmetic *arithmetic, float x) {
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    X87 root;
    if (Reading_BuildOfSlot(arithmetic) == RP_BUILD_SSE) {
        float result;
        bool newton = Reading_IsAlternative(arithmetic, READING_RSQRT_SSE);
        ReciprocalSquareRootSse(newton, Arithmetic_Estimates(arithmetic), &x, &result);
        root = X87_Load(&result);
    } else {
        root = ReciprocalSquareRootX87(Reading_IsAlternative(arithmetic, READING_RSQRT), &x);
    }
    Arithmetic_Leave(scope);
    return X87_ToLongDouble(root);
}

/* ---- slot 38 --------------------------------------------------------------------------------- */

typedef struct NormaliseOptions {
    int order;     /* normalise-sum */
    bool quotient; /* normalise */
} NormaliseOptions;

static inline X87 SquareX87(const float *x) {
    return X87_Mul(X87_Load(x), X87_Load(x));
}

static X87 NormaliseX87(NormaliseOptions options, float v[3]) {
    X87 x = SquareX87(&v[0]), y = SquareX87(&v[1]), z = SquareX87(&v[2]);
    X87 length = X87_Sqrt(X87_Sum3(options.order, x, y, z));
    if (X87_Equal(length, X87_Load(&zero)))
        return length;
    if (options.quotient) {
        for (int i = 0; i < 3; i++)
            X87_Store(X87_Div(X87_Load(&v[i]), length), &v[i]);
    } else {
        X87 inverse = X87_Div(X87_Load(&one), length);
        for (int i = 0; i < 3; i++)
            X87_Store(X87_Mul(X87_Load(&v[i]), inverse), &v[i]);
    }
    return length;
}

SSE_STEP Sse SquareSse(const float *x) {
    return Sse_Mul(Sse_Load(x), Sse_Load(x));
}

SSE_BUILD static void NormaliseSse(NormaliseOptions options, float v[3], float *former_length) {
    Sse x = SquareSse(&v[0]), y = SquareSse(&v[1]), z = SquareSse(&v[2]);
    Sse length = Sse_Sqrt(Sse_Sum3(options.order, x, y, z));
    Sse_Store(length, former_length);
    if (Sse_Equal(length, Sse_Load(&zero)))
        return;
    if (options.quotient) {
        for (int i = 0; i < 3; i++)
            Sse_Store(Sse_Div(Sse_Load(&v[i]), length), &v[i]);
    } else {
        Sse inverse = Sse_Div(Sse_Load(&one), length);
        for (int i = 0; i < 3; i++)
            Sse_Store(Sse_Mul(Sse_Load(&v[i]), inverse), &v[i]);
    }
}

long double RpVector_Normalise(const RpArithmetic *arithmetic, float vector[3]) {
    bool quotient = Reading_IsAlternative(arithmetic, READING_NORMALISE);
    NormaliseOptions options = {.order = Reading_Choice(arithmetic, READING_NORMALISE_SUM),
                                .quotient = quotient};
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    X87 former;
    if (Reading_BuildOfSlot(arithmetic) == RP_BUILD_SSE) {
        float length;
        NormaliseSse(options, vector, &length);
        former = X87_Load(&length);
    } else {
        former = NormaliseX87(options, vector);
    }
    Arithmetic_Leave(scope);
    return X87_ToLongDouble(former);
}

/* ---- ngiGetSinCos ---------------------------------------------------------------------------- */

static bool AskCore(const RpArithmetic *arithmetic, const float *angle, float *sine,
                    float *cosine) {
    return Exact_IsInForce(arithmetic) && Exact_RoundedSineCosine(angle, sine, cosine);
}

void RpScalar_SineCosine(const RpArithmetic *arithmetic, float angle, float *sine, float *cosine) {
    if (AskCore(arithmetic, &angle, sine, cosine))
        return;
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    /* The caller's MXCSR may have kept the core out. */
    if (!scope.has_mxcsr || !AskCore(arithmetic, &angle, sine, cosine)) {
        X87_Store(X87_Sin(X87_Load(&angle)), sine);
        X87_Store(X87_Cos(X87_Load(&angle)), cosine);
    }
    Arithmetic_Leave(scope);
}
