/* Slot 20 of g_FastProc and the four published lighting routines (facts/ngi32.md B.3), with the
 * order of operations of docs/reference/arithmetic.md. */
#include "ngi32/exact/scope.h"
#include "ngi32/sse.h"
#include "ngi32/x87.h"
#include "retropose/fastproc.h"
#include "slot-bodies.h"

#include <string.h>

static const float zero = 0.0f;

/* ---- slot 20 --------------------------------------------------------------------------------- */

static void CombineX87(const float light[3], const float ambient[3], const float scene[3],
                       float colour[3]) {
    for (int i = 0; i < 3; i++) {
        long double sum = X87_Add(X87_Load(&light[i]), X87_Load(&ambient[i]));
        long double least = X87_Load(&scene[i]);
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

/* Ngi32 0x10016139 */
static long double DirectionalCosine(const float normal[3], const float travel[3]) {
    long double cosine = X87_Mul(X87_Load(&normal[0]), X87_Neg(X87_Load(&travel[0])));
    for (int i = 1; i < 3; i++)
        cosine = X87_Add(cosine, X87_Mul(X87_Load(&normal[i]), X87_Neg(X87_Load(&travel[i]))));
    long double nothing = X87_Load(&zero);
    return X87_Less(cosine, nothing) ? nothing : cosine;
}

/* Returns the dot product of (travel + k * normal) with to_eye. */
static long double ReflectedToEye(const float normal[3], const float travel[3], long double k,
                                  const float to_eye[3]) {
    long double along[3];
    for (int i = 0; i < 3; i++) {
        long double reflected = X87_Add(X87_Load(&travel[i]), X87_Mul(k, X87_Load(&normal[i])));
        along[i] = X87_Mul(reflected, X87_Load(&to_eye[i]));
    }
    return X87_Add(X87_Add(along[0], along[1]), along[2]);
}

enum { REAL_BYTES = 10 }; /* bytes of a long double that carry its value; the rest is padding */

/* Ngi32 0x1001616F. The power is a number of squarings, not an exponent. The original does all of
 * them; long before the hundredth a number is reached that is its own square. */
static long double Highlight(const float normal[3], const float travel[3], float cosine,
                             const float to_eye[3], uint32_t power) {
    if (power == 0)
        return X87_Load(&zero);
    long double c = X87_Load(&cosine);
    long double highlight = ReflectedToEye(normal, travel, X87_Add(c, c), to_eye);
    for (uint32_t squarings = power - 1; squarings > 0; squarings--) {
        long double last = highlight;
        highlight = X87_Mul(highlight, highlight);
        if (memcmp(&highlight, &last, REAL_BYTES) == 0)
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

/* Returns falloff[0] + falloff[1] * x + falloff[2] * x^2 for x = (range - distance) / range. */
static long double Attenuation(const PointLight *light, long double distance) {
    long double range = X87_Load(&light->range);
    long double x = X87_Div(X87_Sub(range, distance), range);
    long double linear = X87_Mul(X87_Load(&light->falloff[1]), x);
    long double square = X87_Mul(X87_Mul(X87_Load(&light->falloff[2]), x), x);
    return X87_Add(X87_Add(X87_Load(&light->falloff[0]), linear), square);
}

/* Ngi32 0x100164F0 */
static void AddPointLight(const float light[10], const float vertex[3], const float normal[3],
                          float sum[3]) {
    PointLight from;
    memcpy(&from, light, sizeof from);
    long double to[3], squares[3], facings[3];
    for (int i = 0; i < 3; i++) {
        to[i] = X87_Sub(X87_Load(&from.position[i]), X87_Load(&vertex[i]));
        squares[i] = X87_Mul(to[i], to[i]);
        facings[i] = X87_Mul(X87_Load(&normal[i]), to[i]);
    }
    long double distance = X87_Sqrt(X87_Add(X87_Add(squares[0], squares[1]), squares[2]));
    if (X87_Less(X87_Load(&from.range), distance))
        return;
    long double facing = X87_Div(X87_Add(X87_Add(facings[0], facings[1]), facings[2]), distance);
    if (!X87_Less(X87_Load(&zero), facing))
        return;
    long double attenuation = Attenuation(&from, distance);
    float result[3];
    for (int i = 0; i < 3; i++) {
        long double colour = X87_Mul(X87_Mul(X87_Load(&from.colour[i]), facing), attenuation);
        X87_Store(X87_Add(X87_Load(&sum[i]), colour), &result[i]);
    }
    memcpy(sum, result, sizeof result);
}

/* Ngi32 0x10018260 */
static void DirectionalLights(const float *lights, uint32_t count, const float normal[3],
                              const float diffuse[3], float colour[3]) {
    enum { DIRECTION = 0, COLOUR = 3, FLOATS = 6 };
    long double sums[3];
    for (int i = 0; i < 3; i++)
        sums[i] = X87_Load(&zero);
    for (; count > 0; count--, lights += FLOATS) {
        long double cosine = DirectionalCosine(normal, lights + DIRECTION);
        for (int i = 0; i < 3; i++) {
            long double reflected = X87_Mul(X87_Load(&lights[COLOUR + i]), X87_Load(&diffuse[i]));
            sums[i] = X87_Add(sums[i], X87_Mul(reflected, cosine));
        }
    }
    for (int i = 0; i < 3; i++)
        X87_Store(sums[i], &colour[i]);
}

/* ---- under the control word that is asked for ------------------------------------------------ */

long double RpLight_DirectionalCosine(const RpArithmetic *arithmetic, const float normal[3],
                                      const float travel[3]) {
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    const long double cosine = DirectionalCosine(normal, travel);
    Arithmetic_Leave(scope);
    return cosine;
}

long double RpLight_Highlight(const RpArithmetic *arithmetic, const float normal[3],
                              const float travel[3], float cosine, const float to_eye[3],
                              uint32_t power) {
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    const long double highlight = Highlight(normal, travel, cosine, to_eye, power);
    Arithmetic_Leave(scope);
    return highlight;
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
    DirectionalLights(lights, count, normal, diffuse, colour);
    Arithmetic_Leave(scope);
}
