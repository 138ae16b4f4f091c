/* The mathematics of Ngi32.dll: the published entries of its function table g_FastProc, the
 * lighting routines, the point-in-polygon test, sine and cosine, and the x87 control word.
 *
 * Every function gives the bits of the original's step sequence (docs/reference/arithmetic.md)
 * under the control word that `arithmetic` asks for, which is the game's by default: significands
 * of 24 bits, rounding to nearest even, exceptions masked. `arithmetic` also chooses between the
 * original's builds; where a function has no code of its own for one, it takes the GENERIC one's. A
 * null `arithmetic` means the defaults.
 *
 * Shapes: matrices are 16 floats, row-major, for column vectors, translation in 3, 7, 11;
 * quaternions are w, x, y, z. All values are legal, NaN included. Inputs and outputs may overlap.
 * Sources of each: docs/reference/abi.md, by slot.
 */
#ifndef RETROPOSE_FASTPROC_H
#define RETROPOSE_FASTPROC_H

#include "api.h"
#include "arithmetic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

RP_API_BEGIN

/* ---- x87 control word ------------------------------------------------------------------------ */

/* These functions concern the thread's own control word, which counts only for
 * RP_THREADS_CONTROL_WORD. */

/* Returns the thread's x87 control word; on machines without an x87, the one that was set last. */
uint16_t RpFpu_ControlWord(void);
/* Sets the control word to (old & 0xF0FF) | 0x003F, as the code at Ngi32 0x10006D00 does, and
 * returns the old word. */
uint16_t RpFpu_SetControlWord(void);
/* Sets the thread's control word, for instance to what RpFpu_SetControlWord returned. */
void RpFpu_Restore(uint16_t control_word);
/* Returns whether the x87 is one in software, because the machine has none (ARM, WebAssembly) or
 * the library was built with RETROPOSE_SOFT_X87. Its sines, cosines and arc tangents are ideal: the
 * true value rounded once to 64 bits, where those of a processor may be off by one place
 * (docs/reference/x87.md, "The x87 in software"). Everything else has the bits of the
 * instructions. */
bool RpFpu_IsIdeal(void);

/* ---- processor classes ----------------------------------------------------------------------- */

typedef struct RpProcessor {
    bool sse, amd3dnow, fxch, mmx;
} RpProcessor;

/* Fills in what CPUID says about this processor, and false where CPUID does not exist. */
void RpProcessor_Detect(RpProcessor *processor);
/* Fills in the class that the setting ForceCpu asks for. The documented values are 2 to 7; any
 * other value detects the processor. */
void RpProcessor_FromForceCpu(int32_t force_cpu, RpProcessor *processor);
/* Returns the build that the code at Ngi32 0x10002F90 puts into g_FastProc for this processor. */
RpBuild RpProcessor_Build(const RpProcessor *processor);

/* ---- quaternions ----------------------------------------------------------------------------- */

/* Slots 17 and 22 interpolate between two quaternions: spherically, with the sign of one flipped
 * where they point apart, and linearly where they are within 1e-5 of each other. The result is not
 * normalised again, and t is not limited to 0..1. */
void RpQuaternion_Interpolate(const RpArithmetic *arithmetic, const float q0[4], const float q1[4],
                              float t, float result[4]);
/* Interpolates `count` pairs: result[i] is what RpQuaternion_Interpolate gives for q0[i], q1[i] and
 * t[i]. Under the game's control word this is several times as fast as one after the other
 * (docs/reference/exact.md). `result` may be q0 or q1. */
void RpQuaternion_InterpolateMany(const RpArithmetic *arithmetic, size_t count,
                                  const float (*q0)[4], const float (*q1)[4], const float *t,
                                  float (*result)[4]);
/* Slot 14 writes all 16 elements of a rotation matrix: the transpose of the usual one for column
 * vectors. */
void RpQuaternion_ToMatrix(const RpArithmetic *arithmetic, const float quaternion[4],
                           float matrix[16]);
/* Slot 15 writes S R S, where R is the matrix of slot 14 and S is diag(1, 1, -1). */
void RpQuaternion_ToMirroredMatrix(const RpArithmetic *arithmetic, const float quaternion[4],
                                   float matrix[16]);

/* ---- matrices and vectors -------------------------------------------------------------------- */

/* Slot 4 multiplies the first three rows of two matrices: 12 elements each. */
void RpMatrix_Product34(const RpArithmetic *arithmetic, const float a[12], const float b[12],
                        float product[12]);
/* Slot 23 multiplies two matrices of 16 elements. */
void RpMatrix_Product(const RpArithmetic *arithmetic, const float a[16], const float b[16],
                      float product[16]);
/* Slot 28, which the pose walk uses, makes the same product as slot 23. Public sources leave open
 * whether it has an SSE build (reading `sse-slots`). */
void RpMatrix_PoseProduct(const RpArithmetic *arithmetic, const float a[16], const float b[16],
                          float product[16]);
/* Slot 7 turns a vector by a matrix; by default the translation is not added (reading
 * `rotate-vector`). */
void RpMatrix_Rotate(const RpArithmetic *arithmetic, const float matrix[16], const float vector[3],
                     float result[3]);
/* Slot 35 turns a vector by the transposed matrix. */
void RpMatrix_RotateTransposed(const RpArithmetic *arithmetic, const float matrix[16],
                               const float vector[3], float result[3]);
/* Slot 26 expresses a point in the coordinates of a frame. */
void RpMatrix_PointToFrame(const RpArithmetic *arithmetic, const float frame[16],
                           const float point[3], float result[3]);
/* Slot 11 returns 1 / sqrt(x). The result keeps all the bits that register ST0 has in the
 * original. */
long double RpScalar_ReciprocalSquareRoot(const RpArithmetic *arithmetic, float x);
/* Slot 38 normalises a vector in place and returns its former length. A vector of length 0 is left
 * alone. */
long double RpVector_Normalise(const RpArithmetic *arithmetic, float vector[3]);
/* Slot 45 finds where the segment from `start` to `end` crosses a plane from its front. It returns
 * 1 and writes the crossing point to `hit`, or returns 0 and writes nothing. `plane` is the normal,
 * followed by the offset. */
uint32_t RpSegment_Plane(const RpArithmetic *arithmetic, const float start[3], const float end[3],
                         const float plane[4], float hit[3]);

/* ---- light ----------------------------------------------------------------------------------- */

/* Slot 20 computes max(light + ambient, scene) for each channel. */
void RpLight_Combine(const RpArithmetic *arithmetic, const float light[3], const float ambient[3],
                     const float scene[3], float colour[3]);
/* Returns the dot product of a normal and the direction that a directional light comes from, or 0
 * where it is negative, as ST0 holds it. `travel` is where the light goes. */
long double RpLight_DirectionalCosine(const RpArithmetic *arithmetic, const float normal[3],
                                      const float travel[3]);
/* Returns the highlight of a directional light as ST0 holds it. `cosine` is what
 * RpLight_DirectionalCosine gave, `to_eye` the direction to the eye, of length 1, and `power`
 * the exponent. */
long double RpLight_Highlight(const RpArithmetic *arithmetic, const float normal[3],
                              const float travel[3], float cosine, const float to_eye[3],
                              uint32_t power);
/* Adds one point light's contribution to `sum`. `light` is position (3), colour (3), range, and the
 * attenuation numbers a0, a1, a2. */
void RpLight_Point(const RpArithmetic *arithmetic, const float light[10], const float vertex[3],
                   const float normal[3], float sum[3]);
/* Adds up `count` directional lights, each a direction of travel (3) and a colour (3). */
void RpLight_Directional(const RpArithmetic *arithmetic, const float *lights, uint32_t count,
                         const float normal[3], const float diffuse[3], float colour[3]);

/* ---- numbers in ST0 -------------------------------------------------------------------------- */

/* These are for languages and compilers that have no `long double`, or another number of that name.
 * They write what `fstp` stores of register ST0, which is the same on every machine: the
 * significand with its integer bit (8 bytes, the lowest first), then the exponent, biased by 16383,
 * with the sign in bit 15 (2 bytes). */

/* Writes what RpScalar_ReciprocalSquareRoot returns. */
void RpScalar_ReciprocalSquareRootSt0(const RpArithmetic *arithmetic, float x, uint8_t st0[10]);
/* Normalises in place as RpVector_Normalise does, and writes what that returns. */
void RpVector_NormaliseSt0(const RpArithmetic *arithmetic, float vector[3], uint8_t st0[10]);
/* Writes what RpLight_DirectionalCosine returns. */
void RpLight_DirectionalCosineSt0(const RpArithmetic *arithmetic, const float normal[3],
                                  const float travel[3], uint8_t st0[10]);
/* Writes what RpLight_Highlight returns. */
void RpLight_HighlightSt0(const RpArithmetic *arithmetic, const float normal[3],
                          const float travel[3], float cosine, const float to_eye[3],
                          uint32_t power, uint8_t st0[10]);

/* ---- exports --------------------------------------------------------------------------------- */

/* The export mrnPointInPoly returns 1 for a point inside the polygon or on an edge, and 0 for a
 * point outside. Of `plane` only the normal is read, not the fourth number. */
bool RpPolygon_Contains(const RpArithmetic *arithmetic, const float plane[4],
                        const float *const *vertices, uint32_t count, const float point[3]);
/* The export ngiGetSinCos computes sine and cosine of an angle in radians. */
void RpScalar_SineCosine(const RpArithmetic *arithmetic, float angle, float *sine, float *cosine);

RP_API_END

#endif
