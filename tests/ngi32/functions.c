#include "functions.h"
#include "tests/of_thread.h"

#include "exports/reading_table.h"
#include "tests/model/model.h"

#include <math.h>

static void PutSt0(Result *result, long double value) {
    memcpy(result->st0, &value, sizeof result->st0);
}

static Model ModelOf(const Variant *v) {
    return (Model){Format_X87(v->rounding.control_word), Format_Sse(v->rounding.mxcsr), v->build,
                   &v->readings};
}

/* Defines both calls of a function. `a` is the arithmetic, `m` is the model of it. `in` and `out`
 * are laid out as both calls read them. */
#define PAIR(name, our_call, model_call)                                                           \
    static void Our##name(const RpArithmetic *a, float *in, float *out, Result *result) {          \
        (void)in, (void)out, (void)result;                                                         \
        our_call;                                                                                  \
    }                                                                                              \
    static void Model##name(const Variant *v, float *in, float *out, Result *result) {             \
        const Model m = ModelOf(v);                                                                \
        (void)in, (void)out, (void)result;                                                         \
        model_call;                                                                                \
    }

PAIR(ToMatrix, RpQuaternion_ToMatrix(a, in, out), Model_QuaternionToMatrix(&m, in, out))
PAIR(ToMirroredMatrix, RpQuaternion_ToMirroredMatrix(a, in, out),
     Model_QuaternionToMirroredMatrix(&m, in, out))
PAIR(Interpolate, RpQuaternion_Interpolate(a, in, in + 4, in[8], out),
     Model_InterpolateQuaternions(&m, in, in + 4, in[8], out))
PAIR(Product34, RpMatrix_Product34(a, in, in + 12, out),
     Model_MatrixProduct34(&m, in, in + 12, out))
PAIR(Product, RpMatrix_Product(a, in, in + 16, out), Model_MatrixProduct(&m, in, in + 16, out))
PAIR(PoseProduct, RpMatrix_PoseProduct(a, in, in + 16, out),
     Model_PoseProduct(&m, in, in + 16, out))
PAIR(Rotate, RpMatrix_Rotate(a, in, in + 16, out), Model_RotateVector(&m, in, in + 16, out))
PAIR(RotateTransposed, RpMatrix_RotateTransposed(a, in, in + 16, out),
     Model_RotateVectorTransposed(&m, in, in + 16, out))
PAIR(PointToFrame, RpMatrix_PointToFrame(a, in, in + 16, out),
     Model_PointToFrame(&m, in, in + 16, out))
PAIR(ReciprocalSquareRoot, PutSt0(result, RpScalar_ReciprocalSquareRoot(a, in[0])),
     PutSt0(result, Model_ReciprocalSquareRoot(&m, in[0])))
PAIR(Normalise, PutSt0(result, RpVector_Normalise(a, in)),
     PutSt0(result, Model_NormaliseVector(&m, in)))
PAIR(SegmentPlane, result->integer = (int32_t)RpSegment_Plane(a, in, in + 3, in + 6, out),
     result->integer = Model_SegmentPlane(&m, in, in + 3, in + 6, out))
PAIR(Combine, RpLight_Combine(a, in, in + 3, in + 6, out),
     Model_CombineLight(&m, in, in + 3, in + 6, out))
PAIR(DirectionalCosine, PutSt0(result, RpLight_DirectionalCosine(a, in, in + 3)),
     PutSt0(result, Model_DirectionalCosine(&m, in, in + 3)))

/* Greater powers would leave the exponents of the 80-bit format, which the model on MPFR does not
 * know. */
#ifdef MODEL_ON_X87
enum { POWERS = 8 };
#else
enum { POWERS = 6 };
#endif

/* The bits of one more input choose the power, the number of lights or the number of vertices. */
PAIR(Highlight,
     PutSt0(result, RpLight_Highlight(a, in, in + 3, in[6], in + 7, Float_Bits(in + 10) % POWERS)),
     PutSt0(result, Model_Highlight(&m, in, in + 3, in[6], in + 7, Float_Bits(in + 10) % POWERS)))
PAIR(PointLight, RpLight_Point(a, in, in + 10, in + 13, out),
     Model_PointLight(&m, in, in + 10, in + 13, out))
PAIR(DirectionalLights, RpLight_Directional(a, in, Float_Bits(in + 24) % 4, in + 18, in + 21, out),
     Model_DirectionalLights(&m, in, Float_Bits(in + 24) % 4, in + 18, in + 21, out))
PAIR(SineCosine, RpScalar_SineCosine(a, in[0], out, out + 1),
     Model_SineCosine(&m, in[0], out, out + 1))

/* Asks the model, or the library if there is no model. */
static int Polygon(const RpArithmetic *a, const Model *m, const float *in) {
    const float *const vertices[4] = {in + 7, in + 10, in + 13, in + 16};
    uint32_t count = Float_Bits(in + 19) % 5;
    return !m ? RpPolygon_Contains(a, in, vertices, count, in + 4)
              : Model_PointInPoly(m, in, vertices, count, in + 4);
}
PAIR(PolygonContains, result->integer = Polygon(a, NULL, in),
     result->integer = Polygon(NULL, &m, in))

#define ROW(name, inputs, outputs)                                                                 \
    { #name, inputs, outputs, Our##name, Model##name }
const Function functions[FUNCTION_COUNT] = {
    ROW(ToMatrix, 4, 16),          ROW(ToMirroredMatrix, 4, 16), ROW(Interpolate, 9, 4),
    ROW(Product34, 24, 12),        ROW(Product, 32, 16),         ROW(Rotate, 19, 3),
    ROW(RotateTransposed, 19, 3),  ROW(PointToFrame, 19, 3),     ROW(ReciprocalSquareRoot, 1, 0),
    ROW(Normalise, 3, 0),          ROW(SegmentPlane, 10, 3),     ROW(Combine, 9, 3),
    ROW(DirectionalCosine, 6, 0),  ROW(Highlight, 11, 0),        ROW(PointLight, 16, 3),
    ROW(DirectionalLights, 25, 3), ROW(SineCosine, 1, 2),        ROW(PolygonContains, 20, 0),
    ROW(PoseProduct, 32, 16),
};

const Function *Function_Find(const char *name) {
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static Rounding DrawRounding(Random *random) {
    static const uint16_t words[3] = {0x007F, 0x027F, 0x037F};
    Rounding rounding = {.control_word = 0x007F, .mxcsr = 0x1F80};
    if (Random_Below(random, 2)) {
        rounding.control_word =
            (uint16_t)(words[Random_Below(random, 3)] | Random_Below(random, 4) << 10);
        rounding.mxcsr |= Random_Below(random, 4) << 13;
    }
    return rounding;
}

uint32_t ChoiceCount(int reading) {
    uint32_t count = 1;
    for (const char *c = RpReadings_Choices(reading); *c; c++)
        count += *c == '|';
    return count;
}

/* Chooses no alternative, one, or any at random. */
static void DrawReadings(Random *random, RpReadings *readings) {
    memset(readings, 0, sizeof *readings);
    uint32_t kind = Random_Below(random, 4);
    int only = (int)Random_Below(random, READING_RUNTIME_COUNT);
    for (int i = 0; i < READING_RUNTIME_COUNT; i++)
        if (kind > 1 || (kind == 1 && i == only))
            readings->choice[i] = (uint8_t)Random_Below(random, ChoiceCount(i));
}

void Variant_Draw(Random *random, Variant *variant) {
    variant->build = (RpBuild)Random_Below(random, RP_BUILD_COUNT);
    variant->rounding = DrawRounding(random);
    DrawReadings(random, &variant->readings);
}

static void ScaleToLength1(float q[4]) {
    double squares = 0;
    for (int i = 0; i < 4; i++)
        squares += (double)q[i] * q[i];
    for (int i = 0; squares > 0 && i < 4; i++)
        q[i] = (float)(q[i] / sqrt(squares));
}

/* Puts two quaternions whose dot product, at 53 bits of precision and more, is 1 - 9.9999997e-6
 * exactly, or one unit of 2^-40 beside it. The numbers follow from 9.9999997e-6 = 0xA7C5AC * 2^-40
 * = 168 * 2^-24 - 14932 * 2^-40. */
static void PutLimitPair(Random *random, float in[8]) {
    const uint32_t large = Random_Below(random, 4);
    const uint32_t small = (large + 1 + Random_Below(random, 3)) % 4;
    memset(in, 0, 8 * sizeof *in);
    in[large] = 1;
    in[4 + large] = 1 - 168 * 0x1p-24f;
    in[small] = 0x1p-20f;
    in[4 + small] = (float)(14931 + (int)Random_Below(random, 3)) * 0x1p-20f;
}

void Quaternions_Draw(Random *random, float in[9]) {
    static const float towards[4] = {1, -1, 0, 0.5f};
    static const float steps[8] = {1, 0.1f, 0.01f, 5e-3f, 4.4721e-3f, 1e-3f, 1e-4f, 0};
    const float toward = towards[Random_Below(random, 4)], step = steps[Random_Below(random, 8)];
    Random_Fill(random, INPUT_ORDINARY, in, 9);
    if (Random_Below(random, 4))
        in[8] = (float)fabs(in[8]) * 0.5f;
    if (Random_Below(random, 16) == 0) {
        PutLimitPair(random, in);
        return;
    }
    if (Random_Below(random, 8))
        ScaleToLength1(in);
    for (int i = 0; i < 4; i++)
        in[4 + i] = toward * in[i] + step * in[4 + i];
    if (Random_Below(random, 2)) /* otherwise it may also be a little longer than 1 */
        ScaleToLength1(in + 4);
}

/* Puts whole numbers from -2 to 2, so that points lie exactly on planes and edges. */
static void PutIntegers(Random *random, float *in, int count) {
    for (int i = 0; i < count; i++)
        in[i] = (float)Random_Below(random, 5) - 2.0f;
}

/* Random segments miss three times in four, so the plane is often made to be crossed, or to go
 * through the end. */
static void PutPlane(Random *random, float *in) {
    if (Random_Below(random, 2))
        for (int i = 0; i < 3; i++)
            in[6 + i] = in[i] - in[3 + i];
    if (Random_Below(random, 2))
        in[9] = -(in[6] * in[3] + in[7] * in[4] + in[8] * in[5]);
}

/* Puts a square around the origin, near which the point is. */
static void PutSquare(Random *random, float *in) {
    static const int corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const int axis = (int)Random_Below(random, 3);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            float *value = &in[7 + 3 * i + (axis + 1 + k) % 3];
            *value = (float)corner[i][k] * (1 + *value * *value);
        }
    in[0] = in[1] = in[2] = 0.25f;
    in[axis] = 1;
}

void Function_Draw(Random *random, const Function *function, Memory *memory) {
    float *in = memory->at;
    const char *name = function->name;
    const InputKind kind = (InputKind)Random_Below(random, INPUT_KIND_COUNT);
    Random_Fill(random, kind, in, MAX_INPUTS + MAX_OUTPUTS);
    if (Random_Below(random, 2))
        return;
    if (kind == INPUT_ORDINARY && Random_Below(random, 2))
        PutIntegers(random, in, function->inputs);
    if (strcmp(name, "Interpolate") == 0)
        Quaternions_Draw(random, in);
    else if (strcmp(name, "SegmentPlane") == 0)
        PutPlane(random, in);
    else if (strcmp(name, "PolygonContains") == 0)
        PutSquare(random, in);
    else if (strcmp(name, "PointLight") == 0)
        in[6] = 1e4f;
    else if (strcmp(name, "Combine") == 0 && Random_Below(random, 2))
        in[6] = in[0] + in[3]; /* equal, or nearly */
    else if (strcmp(name, "Normalise") == 0 && Random_Below(random, 8) == 0)
        memset(in, 0, 3 * sizeof *in);
}

void Nans_Draw(Random *random, float *in) {
    for (int i = 0; i < MAX_INPUTS; i++) {
        const uint32_t quiet = Random_Below(random, 2) << 22, sign = Random_Below(random, 2) << 31;
        const uint32_t nan = sign | 0x7F800000 | quiet | (1 + Random_Below(random, 0x3FFFFE));
        if (Random_Below(random, 2))
            memcpy(&in[i], &nan, sizeof nan);
    }
}

/* ---- running --------------------------------------------------------------------------------- */

/* Returns whether the x87 stack is empty, as it has to be, so that the next caller can push eight
 * numbers. */
static bool IsX87StackEmpty(void) {
    struct {
        uint16_t words[14];
    } environment;
    enum { TAGS = 4 };
    __asm__ volatile("fnstenv %0\n\tfldenv %0" : "=m"(environment));
    return environment.words[TAGS] == 0xFFFF;
}

/* Returns whether the rounding is what it was before. The exception flags of MXCSR may stay set. */
static bool IsRoundingKept(Rounding wanted) {
    Rounding now = Rounding_Get();
    return now.control_word == wanted.control_word && (now.mxcsr & ~0x3Fu) == wanted.mxcsr;
}

bool Function_RunOurs(const Function *function, const Variant *variant, Memory *memory, int out,
                      Result *result) {
    Rounding before = Rounding_Get();
    memset(result, 0, sizeof *result);
    Rounding_Set(variant->rounding);
    function->ours(OF_THREAD_WITH(variant->build, &variant->readings), memory->at, memory->at + out,
                   result);
    bool kept = IsRoundingKept(variant->rounding) && IsX87StackEmpty();
    Rounding_Set(before);
    return kept;
}
