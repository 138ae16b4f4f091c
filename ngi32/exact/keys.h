/* The steps between two keys of an animation without the x87: the frame, the fraction of the time
 * between the keys, positions and the numbers of a rotation (docs/reference/arithmetic.md,
 * SampleNode). All of them are algebraic, so under the control word that Exact_IsInForce asks for
 * they are IEEE operations in binary32. The functions that may refuse do so where a result might
 * leave the range of binary32, and write nothing then.
 *
 * Numbers are passed by address, because on i686 a compiler may move a float through the x87, which
 * makes a signalling NaN quiet. */
#ifndef RETROPOSE_NGI32_EXACT_KEYS_H
#define RETROPOSE_NGI32_EXACT_KEYS_H

#include "ngi32/exact/sum.h"

#include <stdbool.h>
#include <stdint.h>

/* A key of Res8 as far as it is read here: x, y, z and the time, and behind them the rotation. That
 * it is so, animesh/pose_many.c checks with the table of records, which this folder does not know.
 */
enum { EXACT_KEY_AT_ROTATION = 16, EXACT_KEY_BYTES = 24 };

/* Rounds *t - 0.5 to the nearest integer, halves to even, for times below 2^30 in size. */
bool Exact_FrameAt(const float *t, uint32_t *frame);

/* What an interpolation needs of the rotations of two keys in a row besides themselves, whatever
 * the time. It was computed for one order of the dot product. */
typedef struct ExactPair {
    double theta;     /* the angle between the rotations; 0 where `reciprocal` is 0 or negative */
    float dot;        /* its cosine; negative: the second rotation is on the far side */
    float reciprocal; /* of its sine; 0: linear; negative: not decided, or an unknown cosine */
} ExactPair;

/* Prepares two keys, in the standard modes of MXCSR. */
void Exact_PreparePair(ExactSum order, const void *key0, const void *key1, ExactPair *pair);

/* Interpolates between two keys, whose first 16 bytes are x, y, z and the time. *alpha is (t -
 * time0) / (time1 - time0), which must be from 2^-40 to 1; `position` is p0 + (p1 - p0) * alpha, or
 * with `by_weights` (1 - alpha) * p0 + alpha * p1. Takes coordinates and times that are 0 or of a
 * size from 2^-40 to 2^40. */
bool Exact_BetweenKeys(const void *key0, const void *key1, const float *t, bool by_weights,
                       float *alpha, float position[3]);

/* Does this, decodes the rotations, which lie behind the time, and interpolates between them
 * (slerp.h) with the fraction. */
bool Exact_SampleKeys(ExactSum order, const void *key0, const void *key1, const float *t,
                      bool by_weights, float quaternion[4], float position[3]);

/* Multiplies the four numbers of a rotation by 1/32767 in binary32 (0x38000100), for every one of
 * them. The last one comes first: x, y, z, w becomes w, x, y, z. */
void Exact_DecodeRotation(const int16_t rotation[4], float quaternion[4]);

#endif
