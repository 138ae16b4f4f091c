#include "functions.h"
#include "tests/of_thread.h"

#include "tests/model/model.h"

static void PutSt0(Result *result, long double value) {
    memcpy(result->st0, &value, sizeof result->st0);
}

static Model ModelOf(const Variant *v) {
    return (Model){Format_X87(v->rounding.control_word), Format_Sse(v->rounding.mxcsr), v->build,
                   &v->readings};
}

/* Defines both calls of a function. `v` is the variant, `m` is the model of it. `in` and `out` are
 * laid out as both calls read them. */
#define PAIR(name, our_call, model_call)                                                           \
    static void Our##name(const Variant *v, float *in, float *out, Result *result) {               \
        (void)v, (void)in, (void)out, (void)result;                                                \
        our_call;                                                                                  \
    }                                                                                              \
    static void Model##name(const Variant *v, float *in, float *out, Result *result) {             \
        const Model m = ModelOf(v);                                                                \
        (void)in, (void)out, (void)result;                                                         \
        model_call;                                                                                \
    }

PAIR(ToMatrix, RpQuaternion_ToMatrix(OF_THREAD_WITH(v->build, &v->readings), in, out),
     Model_QuaternionToMatrix(&m, in, out))
PAIR(ToMirroredMatrix,
     RpQuaternion_ToMirroredMatrix(OF_THREAD_WITH(v->build, &v->readings), in, out),
     Model_QuaternionToMirroredMatrix(&m, in, out))
PAIR(Interpolate,
     RpQuaternion_Interpolate(OF_THREAD_WITH(v->build, &v->readings), in, in + 4, in[8], out),
     Model_InterpolateQuaternions(&m, in, in + 4, in[8], out))
PAIR(Product34, RpMatrix_Product34(OF_THREAD_WITH(v->build, &v->readings), in, in + 12, out),
     Model_MatrixProduct34(&m, in, in + 12, out))
PAIR(Product, RpMatrix_Product(OF_THREAD_WITH(v->build, &v->readings), in, in + 16, out),
     Model_MatrixProduct(&m, in, in + 16, out))
PAIR(PoseProduct, RpMatrix_PoseProduct(OF_THREAD_WITH(v->build, &v->readings), in, in + 16, out),
     Model_PoseProduct(&m, in, in + 16, out))
PAIR(Rotate, RpMatrix_Rotate(OF_THREAD_WITH(v->build, &v->readings), in, in + 16, out),
     Model_RotateVector(&m, in, in + 16, out))
PAIR(RotateTransposed,
     RpMatrix_RotateTransposed(OF_THREAD_WITH(v->build, &v->readings), in, in + 16, out),
     Model_RotateVectorTransposed(&m, in, in + 16, out))
PAIR(PointToFrame, RpMatrix_PointToFrame(OF_THREAD_WITH(v->build, &v->readings), in, in + 16, out),
     Model_PointToFrame(&m, in, in + 16, out))
PAIR(ReciprocalSquareRoot,
     PutSt0(result, RpScalar_ReciprocalSquareRoot(OF_THREAD_WITH(v->build, &v->readings), in[0])),
     PutSt0(result, Model_ReciprocalSquareRoot(&m, in[0])))
PAIR(Normalise, PutSt0(result, RpVector_Normalise(OF_THREAD_WITH(v->build, &v->readings), in)),
     PutSt0(result, Model_NormaliseVector(&m, in)))
PAIR(SegmentPlane,
     result->integer = (int32_t)RpSegment_Plane(OF_THREAD_WITH(v->build, &v->readings), in, in + 3,
                                                in + 6, out),
     result->integer = Model_SegmentPlane(&m, in, in + 3, in + 6, out))
PAIR(Combine, RpLight_Combine(OF_THREAD_WITH(v->build, &v->readings), in, in + 3, in + 6, out),
     Model_CombineLight(&m, in, in + 3, in + 6, out))
PAIR(DirectionalCosine,
     PutSt0(result, RpLight_DirectionalCosine(OF_THREAD(RP_BUILD_GENERIC), in, in + 3)),
     PutSt0(result, Model_DirectionalCosine(&m, in, in + 3)))

/* The bits of one more input choose the power, the number of lights or the number of vertices. */
PAIR(Highlight,
     PutSt0(result, RpLight_Highlight(OF_THREAD(RP_BUILD_GENERIC), in, in + 3, in[6], in + 7,
                                      Float_Bits(in + 10) % 8)),
     PutSt0(result, Model_Highlight(&m, in, in + 3, in[6], in + 7, Float_Bits(in + 10) % 8)))
PAIR(PointLight, RpLight_Point(OF_THREAD(RP_BUILD_GENERIC), in, in + 10, in + 13, out),
     Model_PointLight(&m, in, in + 10, in + 13, out))
PAIR(DirectionalLights,
     RpLight_Directional(OF_THREAD(RP_BUILD_GENERIC), in, Float_Bits(in + 24) % 4, in + 18, in + 21,
                         out),
     Model_DirectionalLights(&m, in, Float_Bits(in + 24) % 4, in + 18, in + 21, out))
PAIR(SineCosine, RpScalar_SineCosine(OF_THREAD(RP_BUILD_GENERIC), in[0], out, out + 1),
     Model_SineCosine(&m, in[0], out, out + 1))

/* Asks the model, or the library if there is no model. */
static int Polygon(const Model *m, const float *in) {
    const float *const vertices[4] = {in + 7, in + 10, in + 13, in + 16};
    uint32_t count = Float_Bits(in + 19) % 5;
    return !m ? RpPolygon_Contains(OF_THREAD(RP_BUILD_GENERIC), in, vertices, count, in + 4)
              : Model_PointInPoly(m, in, vertices, count, in + 4);
}
PAIR(PolygonContains, result->integer = Polygon(NULL, in), result->integer = Polygon(&m, in))

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
