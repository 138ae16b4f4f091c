/* The poses of many nodes of a skeleton at once, by the exact core (docs/reference/exact.md). The
 * bits are those of Pose_Blend and RpMatrix_PoseProduct for one node after the other. */
#ifndef RETROPOSE_ANIMESH_POSE_MANY_H
#define RETROPOSE_ANIMESH_POSE_MANY_H

#include "animesh/sample.h"
#include "ngi32/exact/many.h"

/* What is the same for all nodes of one call. */
typedef struct PoseMany {
    const PoseContext *context;
    const ExactWidth *width; /* null: the core does not serve, and nodes are posed one by one */
    ExactSum order;
    float t_a, t_b, weight;
    bool has_a, has_b; /* which sides count */
    uint32_t frame_a, frame_b;
    bool finite; /* so far all numbers of all matrices are */
} PoseMany;

/* Returns whether the core may pose nodes together under this arithmetic. */
bool PoseMany_IsExact(const RpArithmetic *arithmetic);

/* `width` is null, or the functions to take where the core serves. */
PoseMany PoseMany_Begin(const PoseContext *context, const ExactWidth *width, float t_a, float t_b,
                        float weight);

/* Writes what Pose_Blend gives for nodes first to first + count - 1. The count is from 1 to
 * EXACT_MANY, and there is room for EXACT_MANY matrices. */
void PoseMany_Locals(PoseMany *many, uint32_t first, int count, float (*local)[16]);

/* Multiplies the local matrices of these nodes by their parents' in `model`. Parents come first; a
 * parent below 0 is none. */
void PoseMany_Models(PoseMany *many, uint32_t first, int count, const int32_t *parents,
                     const float (*local)[16], float (*model)[16]);

#endif
