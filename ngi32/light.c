/* Slot 20 of g_FastProc and the four published lighting routines (facts/ngi32.md B.3), with the
 * order of operations of docs/reference/arithmetic.md. */
#include "ngi32/processor/scope.h"
#include "ngi32/processor/sse.h"
#include "ngi32/processor/x87.h"
#include "retropose/fastproc.h"
#include "slot-bodies.h"

#include <string.h>

static const float zero = 0.0f;

/* ---- slot 20 --------------------------------------------------------------------------------- */

static void CombineX87(const float light[3], const float ambient[3], const float scene[3],
                       float colour[3]) {
    for (int i = 0; i < 3; i++) {
        X87 sum = X87_Add(X87_Load(&light[i]), X87_Load(&ambient[i]));
        X87 least = X87_Load(&scene[i]);
        X87_Store(X87_Less(sum, least) ? least : sum, &colour[i]);
    }
}

SSE_BUILD static void CombineSse(const float light[3], const float ambient[3], const float scene[3],
                                 float colour[3]) {
    for (int i = 0; i < 3; i++) {
        Sse sum = Sse_Add(Sse_Load(&light[i]), Sse_Load(&ambient[i]));
        Sse_Store(Sse_Max(sum, Sse_Load(&scene[i])), &colour[i]);
    }
}

void RpLight_Combine(const RpArithmetic *arithmetic, const float light[3], const float ambient[3],
                     const float scene[3], float colour[3]) {
    float result[3];
    const bool by_sse = Arithmetic_Build(arithmetic) == RP_BUILD_SSE;
    const ArithmeticScope scope = Arithmetic_EnterFor(arithmetic, by_sse);
    (by_sse ? CombineSse : CombineX87)(light, ambient, scene, result);
    Arithmetic_Leave(scope);
    memcpy(colour, result, sizeof result);
}

/* ---- lighting routines ----------------------------------------------------------------------- */

/* The original's routine is Ngi32 0x10016139. */
static X87 DirectionalCosine(const float normal[3], const float travel[3]) {
    X87 cosine = X87_Mul(X87_Load(&normal[0]), X87_Neg(X87_Load(&travel[0])));
    for (int i = 1; i < 3; i++)
        cosine = X87_Add(cosine, X87_Mul(X87_Load(&normal[i]), X87_Neg(X87_Load(&travel[i]))));
    X87 nothing = X87_Load(&zero);
    return X87_Less(cosine, nothing) ? nothing : cosine;
}

/* Ngi32 0x1001616F. The power is a number of squarings, not an exponent. The original does all of
 * them; long before the hundredth a number is reached that is its own square. */
static X87 Highlight(const float normal[3], const float travel[3], float cosine,
                     const float to_eye[3], uint32_t power) {
    if (power == 0)
        return X87_Load(&zero);
    X87 c = X87_Load(&cosine);

    /* The dot product of (travel + 2c * normal) with to_eye. */
    X87 twice = X87_Add(c, c), along[3];
    for (int i = 0; i < 3; i++) {
        X87 reflected = X87_Add(X87_Load(&travel[i]), X87_Mul(twice, X87_Load(&normal[i])));
        along[i] = X87_Mul(reflected, X87_Load(&to_eye[i]));
    }
    X87 highlight = X87_Add(X87_Add(along[0], along[1]), along[2]);
    for (uint32_t squarings = power - 1; squarings > 0; squarings--) {
        X87 last = highlight;
        highlight = X87_Mul(highlight, highlight);
        if (X87_IsSame(highlight, last))
            /* the number is its own square, so more squarings would change neither it nor a flag */
            break;
    }
    return highlight;
}

typedef struct PointLight {
    float position[3];
    float colour[3];
    float range;
    float falloff[3];
} PointLight;

_Static_assert(sizeof(PointLight) == 10 * sizeof(float), "the light of RpLight_Point");

/* The original's routine is Ngi32 0x100164F0. */
static void AddPointLight(const float light[10], const float vertex[3], const float normal[3],
                          float sum[3]) {
    PointLight from;
    memcpy(&from, light, sizeof from);
    X87 to[3], squares[3], facings[3];
    for (int i = 0; i < 3; i++) {
        to[i] = X87_Sub(X87_Load(&from.position[i]), X87_Load(&vertex[i]));
        squares[i] = X87_Mul(to[i], to[i]);
        facings[i] = X87_Mul(X87_Load(&normal[i]), to[i]);
    }
    X87 distance = X87_Sqrt(X87_Add(X87_Add(squares[0], squares[1]), squares[2]));
    if (X87_Less(X87_Load(&from.range), distance))
        return;
    X87 facing = X87_Div(X87_Add(X87_Add(facings[0], facings[1]), facings[2]), distance);
    if (!X87_Less(X87_Load(&zero), facing))
        return;

    /* falloff[0] + falloff[1] * x + falloff[2] * x^2 for x = (range - distance) / range. */
    X87 range = X87_Load(&from.range);
    X87 x = X87_Div(X87_Sub(range, distance), range);
    X87 linear = X87_Mul(X87_Load(&from.falloff[1]), x);
    X87 square = X87_Mul(X87_Mul(X87_Load(&from.falloff[2]), x), x);
    X87 attenuation = X87_Add(X87_Add(X87_Load(&from.falloff[0]), linear), square);

    float result[3];
    for (int i = 0; i < 3; i++) {
        X87 colour = X87_Mul(X87_Mul(X87_Load(&from.colour[i]), facing), attenuation);
        X87_Store(X87_Add(X87_Load(&sum[i]), colour), &result[i]);
    }
    memcpy(sum, result, sizeof result);
}

/* ---- under the control word that is asked for ------------------------------------------------ */

long double RpLight_DirectionalCosine(const RpArithmetic *arithmetic, const float normal[3],
                                      const float travel[3]) {
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    const X87 cosine = DirectionalCosine(normal, travel);
    Arithmetic_Leave(scope);
    return X87_ToLongDouble(cosine);
}

long double RpLight_Highlight(const RpArithmetic *arithmetic, const float normal[3],
                              const float travel[3], float cosine, const float to_eye[3],
                              uint32_t power) {
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    const X87 highlight = Highlight(normal, travel, cosine, to_eye, power);
    Arithmetic_Leave(scope);
    return X87_ToLongDouble(highlight);
}

void RpLight_Point(const RpArithmetic *arithmetic, const float light[10], const float vertex[3],
                   const float normal[3], float sum[3]) {
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    AddPointLight(light, vertex, normal, sum);
    Arithmetic_Leave(scope);
}

void RpLight_Directional(const RpArithmetic *arithmetic, const float *lights, uint32_t count,
                         const float normal[3], const float diffuse[3], float colour[3]) {
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);

    /* The original's routine is Ngi32 0x10018260. */
    enum { DIRECTION = 0, COLOUR = 3, FLOATS = 6 };
    X87 sums[3];
    for (int i = 0; i < 3; i++)
        sums[i] = X87_Load(&zero);
    for (; count > 0; count--, lights += FLOATS) {
        X87 cosine = DirectionalCosine(normal, lights + DIRECTION);
        for (int i = 0; i < 3; i++) {
            X87 reflected = X87_Mul(X87_Load(&lights[COLOUR + i]), X87_Load(&diffuse[i]));
            sums[i] = X87_Add(sums[i], X87_Mul(reflected, cosine));
        }
    }
    for (int i = 0; i < 3; i++)
        X87_Store(sums[i], &colour[i]);
    Arithmetic_Leave(scope);
}
