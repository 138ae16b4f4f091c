/* A second implementation of docs/reference/arithmetic.md in plain C: a step is an operation of the
 * language on volatile numbers, and one routine serves every build. It shares no code with
 * ngi32/. */
#ifndef RETROPOSE_TESTS_NGI32_REFERENCE_H
#define RETROPOSE_TESTS_NGI32_REFERENCE_H

#include "floats.h"
#include "retropose/fastproc.h"

typedef struct Reference {
    RpBuild build;
    RpReadings hypotheses;
    Rounding rounding; /* the rounding that is in force when the routines are called */
} Reference;

typedef long double Number;

void Reference_Matrix(const Reference *r, bool mirrored, const float q[4], float m[16]);
void Reference_Interpolate(const Reference *r, const float q0[4], const float q1[4], const float *t,
                           float out[4]);
void Reference_Product34(const Reference *r, const float a[12], const float b[12], float out[12]);
void Reference_Product(const Reference *r, const float a[16], const float b[16], float out[16]);
void Reference_PoseProduct(const Reference *r, const float a[16], const float b[16], float out[16]);
void Reference_Rotate(const Reference *r, const float m[16], const float v[3], float out[3]);
void Reference_RotateTransposed(const Reference *r, const float m[16], const float v[3],
                                float out[3]);
void Reference_PointToFrame(const Reference *r, const float m[16], const float p[3], float out[3]);
Number Reference_ReciprocalSquareRoot(const Reference *r, const float *x);
Number Reference_Normalise(const Reference *r, float v[3]);
int Reference_SegmentPlane(const Reference *r, const float start[3], const float end[3],
                           const float plane[4], float hit[3]);
void Reference_Combine(const Reference *r, const float light[3], const float ambient[3],
                       const float scene[3], float out[3]);
Number Reference_DirectionalCosine(const Reference *r, const float n[3], const float travel[3]);
Number Reference_Highlight(const Reference *r, const float n[3], const float travel[3],
                           const float *cosine, const float to_eye[3], uint32_t power);
void Reference_PointLight(const Reference *r, const float light[10], const float vertex[3],
                          const float n[3], float sum[3]);
void Reference_DirectionalLights(const Reference *r, const float *lights, uint32_t count,
                                 const float n[3], const float diffuse[3], float out[3]);
int Reference_PolygonContains(const Reference *r, const float plane[4],
                              const float *const *vertices, uint32_t count, const float point[3]);
void Reference_SineCosine(const Reference *r, const float *angle, float *sine, float *cosine);

#endif
