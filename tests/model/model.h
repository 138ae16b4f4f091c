/* An implementation of docs/reference/arithmetic.md that was written from that page. It takes the
 * same steps and shares nothing with the replacement or the stand-in. Its functions have the page's
 * names. It is built twice, on MPFR and on the processor's numbers (number.h). */
#ifndef RETROPOSE_TESTS_MODEL_MODEL_H
#define RETROPOSE_TESTS_MODEL_MODEL_H

#include "number.h"
#include "retropose/pose.h"

typedef struct Model {
    Format x87, sse; /* the formats that the control word and the MXCSR in force ask for */
    RpBuild build;
    const RpReadings *readings;
} Model;

/* The functions take fsin, fcos and fpatan from the processor, under the control word in force. So
 * they have to be called in the state that `x87` describes. test_transcendentals.c compares the
 * three instructions with the true values. rcpss and rsqrtss are the processor's, too;
 * tests/ngi32/processor/measure_estimates.c compares them with the makers' models. */

void Model_QuaternionToMatrix(const Model *model, const float q[4], float m[16]);
void Model_QuaternionToMirroredMatrix(const Model *model, const float q[4], float m[16]);
void Model_InterpolateQuaternions(const Model *model, const float q0[4], const float q1[4], float t,
                                  float out[4]);
void Model_MatrixProduct(const Model *model, const float a[16], const float b[16], float out[16]);
void Model_PoseProduct(const Model *model, const float a[16], const float b[16], float out[16]);
void Model_MatrixProduct34(const Model *model, const float a[12], const float b[12], float out[12]);
void Model_RotateVector(const Model *model, const float m[16], const float v[3], float out[3]);
void Model_RotateVectorTransposed(const Model *model, const float m[16], const float v[3],
                                  float out[3]);
long double Model_ReciprocalSquareRoot(const Model *model, float x);
void Model_CombineLight(const Model *model, const float light[3], const float ambient[3],
                        const float scene[3], float out[3]);
void Model_PointToFrame(const Model *model, const float m[16], const float p[3], float out[3]);
long double Model_NormaliseVector(const Model *model, float v[3]);
int Model_SegmentPlane(const Model *model, const float start[3], const float end[3],
                       const float plane[4], float hit[3]);

long double Model_DirectionalCosine(const Model *model, const float n[3], const float travel[3]);
long double Model_Highlight(const Model *model, const float n[3], const float travel[3],
                            float cosine, const float eye[3], uint32_t power);
void Model_PointLight(const Model *model, const float light[10], const float vertex[3],
                      const float n[3], float sum[3]);
void Model_DirectionalLights(const Model *model, const float *lights, uint32_t count,
                             const float n[3], const float diffuse[3], float out[3]);
void Model_SineCosine(const Model *model, float angle, float *sine, float *cosine);
int Model_PointInPoly(const Model *model, const float plane[4], const float *const *vertices,
                      uint32_t count, const float point[3]);

/* Returns a component of a key's quaternion. */
float Model_Component(const Model *model, int16_t value);
/* Says whether a blend negates the second quaternion. */
bool Model_IsOpposite(const Model *model, const float a[4], const float b[4]);
/* Returns the number of keys that counted, 1 or 2. */
int Model_SampleNode(const Model *model, const RpSkeleton *streams, uint32_t node, float t,
                     float quaternion[4], float position[3]);
/* Returns the number of sides that counted. */
int Model_BlendPoses(const Model *model, const RpSkeleton *streams, uint32_t node, float t_a,
                     float t_b, float weight, float matrix[16]);

#endif
