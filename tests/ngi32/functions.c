#include "functions.h"

static void PutSt0(Result *result, long double value) {
    memcpy(result->st0, &value, sizeof result->st0);
}

/* `v` is the variant. `in` and `out` are laid out as both calls of the pair read them. */
#define PAIR(name, our_call, reference_call)                                                       \
    static void Our##name(const Reference *v, float *in, float *out, Result *result) {             \
        (void)v, (void)in, (void)out, (void)result;                                                \
        our_call;                                                                                  \
    }                                                                                              \
    static void Reference##name(const Reference *v, float *in, float *out, Result *result) {       \
        (void)v, (void)in, (void)out, (void)result;                                                \
        reference_call;                                                                            \
    }

PAIR(ToMatrix, RpQuaternion_ToMatrix(v->build, &v->hypotheses, in, out),
     Reference_Matrix(v, false, in, out))
PAIR(ToMirroredMatrix, RpQuaternion_ToMirroredMatrix(v->build, &v->hypotheses, in, out),
     Reference_Matrix(v, true, in, out))
PAIR(Interpolate, RpQuaternion_Interpolate(v->build, &v->hypotheses, in, in + 4, in[8], out),
     Reference_Interpolate(v, in, in + 4, in + 8, out))
PAIR(Product34, RpMatrix_Product34(v->build, &v->hypotheses, in, in + 12, out),
     Reference_Product34(v, in, in + 12, out))
PAIR(Product, RpMatrix_Product(v->build, &v->hypotheses, in, in + 16, out),
     Reference_Product(v, in, in + 16, out))
PAIR(PoseProduct, RpMatrix_PoseProduct(v->build, &v->hypotheses, in, in + 16, out),
     Reference_PoseProduct(v, in, in + 16, out))
PAIR(Rotate, RpMatrix_Rotate(v->build, &v->hypotheses, in, in + 16, out),
     Reference_Rotate(v, in, in + 16, out))
PAIR(RotateTransposed, RpMatrix_RotateTransposed(v->build, &v->hypotheses, in, in + 16, out),
     Reference_RotateTransposed(v, in, in + 16, out))
PAIR(PointToFrame, RpMatrix_PointToFrame(v->build, &v->hypotheses, in, in + 16, out),
     Reference_PointToFrame(v, in, in + 16, out))
PAIR(ReciprocalSquareRoot,
     PutSt0(result, RpScalar_ReciprocalSquareRoot(v->build, &v->hypotheses, in[0])),
     PutSt0(result, Reference_ReciprocalSquareRoot(v, in)))
PAIR(Normalise, PutSt0(result, RpVector_Normalise(v->build, &v->hypotheses, in)),
     PutSt0(result, Reference_Normalise(v, in)))
PAIR(SegmentPlane,
     result->integer = (int32_t)RpSegment_Plane(v->build, &v->hypotheses, in, in + 3, in + 6, out),
     result->integer = Reference_SegmentPlane(v, in, in + 3, in + 6, out))
PAIR(Combine, RpLight_Combine(v->build, &v->hypotheses, in, in + 3, in + 6, out),
     Reference_Combine(v, in, in + 3, in + 6, out))
PAIR(DirectionalCosine, PutSt0(result, RpLight_DirectionalCosine(in, in + 3)),
     PutSt0(result, Reference_DirectionalCosine(v, in, in + 3)))

/* The bits of one more input choose the power, the number of lights or the number of vertices. */
PAIR(Highlight,
     PutSt0(result, RpLight_Highlight(in, in + 3, in[6], in + 7, Float_Bits(in + 10) % 8)),
     PutSt0(result, Reference_Highlight(v, in, in + 3, in + 6, in + 7, Float_Bits(in + 10) % 8)))
PAIR(PointLight, RpLight_Point(in, in + 10, in + 13, out),
     Reference_PointLight(v, in, in + 10, in + 13, out))
PAIR(DirectionalLights, RpLight_Directional(in, Float_Bits(in + 24) % 4, in + 18, in + 21, out),
     Reference_DirectionalLights(v, in, Float_Bits(in + 24) % 4, in + 18, in + 21, out))
PAIR(SineCosine, RpScalar_SineCosine(in[0], out, out + 1),
     Reference_SineCosine(v, in, out, out + 1))

static int Polygon(const Reference *v, const float *in, bool ours) {
    const float *const vertices[4] = {in + 7, in + 10, in + 13, in + 16};
    uint32_t count = Float_Bits(in + 19) % 5;
    return ours ? RpPolygon_Contains(in, vertices, count, in + 4)
                : Reference_PolygonContains(v, in, vertices, count, in + 4);
}
PAIR(PolygonContains, result->integer = Polygon(v, in, true),
     result->integer = Polygon(v, in, false))

#define ROW(name, inputs, outputs)                                                                 \
    { #name, inputs, outputs, Our##name, Reference##name }
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
