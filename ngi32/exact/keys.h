/* Computes what lies between two keys of an animation without the x87: the frame, the fraction of
 * the time between the keys, positions and the numbers of a rotation (docs/reference/arithmetic.md,
 * SampleNode). All steps are algebraic. Under the control word that Exact_IsInForce requires, each
 * is therefore one IEEE operation in binary32. Functions that return false do so when a result
 * might leave the range of binary32, and then write nothing.
 *
 * Numbers are passed by address, because on i686 a compiler may move a float through the x87, which
 * makes a signalling NaN quiet. */
#ifndef RETROPOSE_NGI32_EXACT_KEYS_H
#define RETROPOSE_NGI32_EXACT_KEYS_H

#include "ngi32/exact/sum.h"

#include <stdbool.h>
#include <stdint.h>

/* The parts of a key of Res8 that are read here: x, y, z and the time, followed by the rotation.
 * animesh/pose_many.c checks these numbers against the table of records, which this folder does not
 * use. */
enum { EXACT_KEY_AT_ROTATION = 16, EXACT_KEY_BYTES = 24 };

/* Rounds *t - 0.5 to the nearest integer, halves to even, for times below 2^30 in size. */
bool Exact_FrameAt(const float *t, uint32_t *frame);

/* What interpolating between the rotations of two keys in a row needs besides the rotations
 * themselves, whatever the time. It was computed for one order of the dot product. */
typedef struct ExactPair {
    double theta;     /* the angle between the rotations; 0 if `reciprocal` is 0 or negative */
    float dot;        /* cosine of the angle; negative if the second rotation is on the far side */
    float reciprocal; /* 1 / sine of the angle; 0: interpolate linearly; negative: a rounding was
                         not decided, or the cosine is one whose errors are not known */
} ExactPair;

/* Prepares two keys, in the standard modes of MXCSR. */
void Exact_PreparePair(ExactSum order, const void *key0, const void *key1, ExactPair *pair);

/* Interpolates between two keys, whose first 16 bytes are x, y, z and the time. *alpha is (t -
 * time0) / (time1 - time0), which must be from 2^-40 to 1; `position` is p0 + (p1 - p0) * alpha, or
 * with `by_weights` (1 - alpha) * p0 + alpha * p1. Takes coordinates and times that are 0 or of a
 * size from 2^-40 to 2^40. */
bool Exact_BetweenKeys(const void *key0, const void *key1, const float *t, bool by_weights,
                       float *alpha, float position[3]);

/* Does the same. It also decodes the rotations, which follow the time in the keys, and interpolates
 * between them (slerp.h) with the fraction. */
bool Exact_SampleKeys(ExactSum order, const void *key0, const void *key1, const float *t,
                      bool by_weights, float quaternion[4], float position[3]);

/* Multiplies the four numbers of a rotation by 1/32767, rounded to binary32 (0x38000100). The last
 * number comes first in the result: x, y, z, w becomes w, x, y, z. */
void Exact_DecodeRotation(const int16_t rotation[4], float quaternion[4]);

#endif
