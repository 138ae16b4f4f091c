/* The library's poses (retropose/pose.h), by the routines that AniMesh.dll uses, too. */
#include "retropose/pose.h"

#include "animesh/column.h"
#include "animesh/pose_many.h"
#include "animesh/sample.h"
#include "animesh/streams.h"
#include "core/bytes.h"
#include "ngi32/arc_readings.h"
#include "ngi32/exact/scope.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static inline int32_t ParentOf(const uint8_t *node) {
    const uint16_t parent = Bytes_U16(node + NODE_AT_parent);
    return parent == NO_INDEX ? -1 : parent;
}

uint32_t RpSkeleton_NodeCount(const RpSkeleton *skeleton) {
    return skeleton->node_bytes / NODE_BYTES;
}

int32_t RpSkeleton_Parent(const RpSkeleton *skeleton, uint32_t node) {
    if (node >= RpSkeleton_NodeCount(skeleton))
        return -1;
    return ParentOf(skeleton->nodes + (size_t)node * NODE_BYTES);
}

static void ReadParents(const RpSkeleton *skeleton, uint32_t first, int count, int32_t *parents) {
    const uint8_t *node = skeleton->nodes + (size_t)first * NODE_BYTES;
    for (int i = 0; i < count; i++, node += NODE_BYTES)
        parents[i] = ParentOf(node);
}

void Pose_Interpolate(const PoseContext *context, const float q0[4], const float q1[4], float t,
                      float result[4]) {
    const ArcWay way = Arc_Interpolate(context->arithmetic, q0, q1, t, result);
    RpPoseCounters *counters = context->counters;
    if (counters)
        (*(way == ARC_BY_CORE  ? &counters->by_core
           : way == ARC_BY_X87 ? &counters->by_x87
                               : &counters->refused))++;
}

void Pose_ToMatrix(const PoseContext *context, const float q[4], float m[16]) {
    RpQuaternion_ToMatrix(context->arithmetic, q, m);
}

static const PoseMath library_math = POSE_LIBRARY_MATH;

PoseContext Pose_Context(const RpSkeleton *skeleton, const RpArithmetic *arithmetic,
                         RpPoseCounters *counters) {
    return (PoseContext){.skeleton = skeleton,
                         .bounded = true,
                         .arithmetic = arithmetic,
                         .math = &library_math,
                         .counters = counters};
}

void RpPose_Sample(const RpSkeleton *skeleton, const RpArithmetic *arithmetic, uint32_t node,
                   float t, float quaternion[4], float position[3], RpPoseCounters *counters) {
    PoseContext context = Pose_Context(skeleton, arithmetic, counters);
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    Pose_Sample(&context, node, t, quaternion, position);
    Arithmetic_Leave(scope);
}

void RpPose_Blend(const RpSkeleton *skeleton, const RpArithmetic *arithmetic, uint32_t node,
                  float t_a, float t_b, float weight, float matrix[16], RpPoseCounters *counters) {
    PoseContext context = Pose_Context(skeleton, arithmetic, counters);
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    Pose_Blend(&context, node, t_a, t_b, weight, matrix);
    Arithmetic_Leave(scope);
}

static RpStatus CheckParents(const RpSkeleton *skeleton, RpError *error) {
    const uint32_t nodes = RpSkeleton_NodeCount(skeleton);
    for (uint32_t node = 0; node < nodes; node++) {
        const int32_t parent = ParentOf(skeleton->nodes + (size_t)node * NODE_BYTES);
        if (parent < 0 || (uint32_t)parent < node)
            continue;
        char where[32], expected[32], found[32];
        snprintf(where, sizeof where, "Res1 node %" PRIu32, node);
        snprintf(expected, sizeof expected, "a parent below %" PRIu32, node);
        snprintf(found, sizeof found, "%" PRId32, parent);
        return RpError_Set(error, RP_INVALID, (uint64_t)node * NODE_BYTES + NODE_AT_parent,
                           "a node does not follow its parent", where, expected, found);
    }
    return RP_OK;
}

static void ClearTranslation(float matrix[16]) {
    static const float origin[3] = {0.0f, 0.0f, 0.0f};
    Matrix_SetColumn(matrix, TRANSLATION_COLUMN, origin);
}

/* Nodes are posed in runs, and matrices go through an array of their own, because the caller may
 * want only one of the two kinds. */
RpStatus RpPose_Skeleton(const RpSkeleton *skeleton, const RpArithmetic *arithmetic, float t_a,
                         float t_b, float weight, int zero_root, float (*local)[16],
                         float (*model_space)[16], RpPoseCounters *counters, RpError *error) {
    RpStatus status = CheckParents(skeleton, error);
    if (status != RP_OK)
        return status;
    const PoseContext context = Pose_Context(skeleton, arithmetic, counters);
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    PoseMany many = PoseMany_Begin(&context, Exact_Width(), t_a, t_b, weight);
    const uint32_t nodes = RpSkeleton_NodeCount(skeleton);
    for (uint32_t first = 0; first < nodes; first += EXACT_MANY) {
        float matrices[EXACT_MANY][16];
        const int count = nodes - first < EXACT_MANY ? (int)(nodes - first) : EXACT_MANY;
        PoseMany_Locals(&many, first, count, matrices);
        if (zero_root && first == 0)
            ClearTranslation(matrices[0]);
        if (local)
            memcpy(local[first], matrices, (size_t)count * sizeof *matrices);
        if (model_space) {
            int32_t parents[EXACT_MANY];
            ReadParents(skeleton, first, count, parents);
            PoseMany_Models(&many, first, count, parents, (const float(*)[16])matrices,
                            model_space);
        }
    }
    Arithmetic_Leave(scope);
    return RP_OK;
}
