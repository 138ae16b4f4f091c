/* A second evaluation of sampling and blending, by other means than the library's: binary64
 * arithmetic, each step of which is rounded to binary32. It equals the x87 under the game's control
 * word wherever nothing overflows or underflows (facts/numerics.md; a binary64 result rounds to the
 * same binary32 number as the exact one does, because 53 >= 2 * 24 + 2).
 *
 * It repeats only what AniMesh itself computes. Slots 14, 17 and 22 are called, under the game's
 * control word. */
#ifndef RETROPOSE_TESTS_ANIMESH_REFERENCE_H
#define RETROPOSE_TESTS_ANIMESH_REFERENCE_H

#include "retropose/pose.h"

typedef struct ReferenceSample {
    int keys; /* 1 for one key alone, 2 for a value between two */
    float quaternion[4];
    float position[3];
    float q0[4], q1[4], alpha; /* between two keys: the arguments of slot 17 */
} ReferenceSample;

float Reference_Component(int16_t component, int key_scale);

void Reference_Sample(const RpSkeleton *model, const RpPoseSettings *settings, uint32_t node,
                      float t, ReferenceSample *sample);
/* Returns the number of sides that counted; with none, the matrix is left alone. `flipped` tells
 * whether side B was negated. */
int Reference_Blend(const RpSkeleton *model, const RpPoseSettings *settings, uint32_t node,
                    float t_a, float t_b, float weight, float matrix[16], int *flipped);

#endif
