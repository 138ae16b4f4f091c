/* Slots 17 and 22 without the x87: the same bits as the steps of docs/reference/arithmetic.md under
 * the game's control word, several times as fast.
 *
 * Under that word (significands of 24 bits, rounding to nearest) every algebraic step of the x87
 * gives the binary32 result of the same IEEE operation, as long as nothing overflows or underflows.
 * The arc tangent, the sines and the cosine keep 64 bits and are rounded to 24 by the step after
 * them. They are computed in binary64 here, with an error that is known to be below a bound, and
 * each of these roundings is tested: where a number within the bound could round to another one,
 * the function refuses, and the caller takes the steps of the x87 instead. So the result is exact
 * whenever there is one.
 *
 * Sources: facts/numerics.md, facts/ngi32.md B.4.
 */
#ifndef RETROPOSE_NGI32_EXACT_SLERP_H
#define RETROPOSE_NGI32_EXACT_SLERP_H

#include "ngi32/exact/sum.h"

#include <stdbool.h>

/* Interpolates between the quaternions q0 and q1 (w, x, y, z). Returns false, and writes nothing,
 * where the x87 has to do it. Call it only if Exact_IsInForce (ngi32/exact/force.h) returns true.
 * It takes components that are 0 or of a size from 2^-40 to 2^40, and *t from 2^-40 to 1. `result`
 * may be one of the inputs. */
bool Exact_Slerp(ExactSum order, const float q0[4], const float q1[4], const float *t,
                 float result[4]);

typedef struct ExactPose {
    float quaternion[4], position[3];
} ExactPose;

/* Blends two poses: turns b's quaternion to the nearer side, interpolates with the weight, which is
 * from 2^-40 to 1, and computes (1 - weight) * a + weight * b of the positions. Returns false, and
 * writes nothing, where the x87 has to do it. `result` may be one of the inputs. */
bool Exact_BlendPoses(ExactSum order, const ExactPose *a, const ExactPose *b, const float *weight,
                      ExactPose *result);

#endif
