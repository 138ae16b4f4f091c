/* The library's poses (retropose/pose.h). They use the same routines as AniMesh.dll. */
#include "retropose/pose.h"

#include "animesh/column.h"
#include "animesh/pose_many.h"
#include "animesh/sample.h"
#include "animesh/streams.h"
#include "core/bytes.h"
#include "ngi32/arc_readings.h"
#include "ngi32/processor/scope.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static inline int32_t ParentOf(const uint8_t *node) {
    /* Adding 1 wraps only 0xFFFF, which stands for no parent, to 0. */
    return (int32_t)(uint16_t)(Bytes_U16(node + NODE_AT_parent) + 1) - 1;
}

uint32_t RpSkeleton_NodeCount(const RpSkeleton *skeleton) {
    return skeleton->node_bytes / NODE_BYTES;
}

int32_t RpSkeleton_Parent(const RpSkeleton *skeleton, uint32_t node) {
    if (node >= RpSkeleton_NodeCount(skeleton))
        return -1;
    return ParentOf(skeleton->nodes + (size_t)node * NODE_BYTES);
}

PoseContext Pose_Context(const RpSkeleton *skeleton, const RpArithmetic *arithmetic,
                         RpPoseCounters *counters) {
    return (PoseContext){.skeleton = skeleton,
                         .bounded = true,
                         .arithmetic = arithmetic,
                         .math = &Pose_LibraryMath,
                         .counters = counters};
}

/* The exact core is called under the standard MXCSR. The functions called here set a control word
 * only for the steps that the core leaves to the x87. */
void RpPose_Sample(const RpSkeleton *skeleton, const RpArithmetic *arithmetic, uint32_t node,
                   float t, float quaternion[4], float position[3], RpPoseCounters *counters) {
    const PoseContext context = Pose_Context(skeleton, arithmetic, counters);
    const ArithmeticScope scope = Arithmetic_EnterSse(arithmetic);
    Pose_Sample(&context, node, t, quaternion, position);
    Arithmetic_Leave(scope);
}

void RpPose_Blend(const RpSkeleton *skeleton, const RpArithmetic *arithmetic, uint32_t node,
                  float t_a, float t_b, float weight, float matrix[16], RpPoseCounters *counters) {
    const PoseContext context = Pose_Context(skeleton, arithmetic, counters);
    const ArithmeticScope scope = Arithmetic_EnterSse(arithmetic);
    Pose_Blend(&context, node, t_a, t_b, weight, matrix);
    Arithmetic_Leave(scope);
}

static RpStatus RefuseParent(uint32_t node, int32_t parent, RpError *error) {
    char where[32], expected[32], found[32];
    snprintf(where, sizeof where, "Res1 node %" PRIu32, node);
    snprintf(expected, sizeof expected, "a parent below %" PRIu32, node);
    snprintf(found, sizeof found, "%" PRId32, parent);
    return RpError_Set(error, RP_INVALID, (uint64_t)node * NODE_BYTES + NODE_AT_parent,
                       "a node does not follow its parent", where, expected, found);
}

RpStatus Pose_ReadParents(const RpSkeleton *skeleton, int32_t *parents, uint32_t room,
                          RpError *error) {
    const uint32_t nodes = RpSkeleton_NodeCount(skeleton), kept = nodes < room ? nodes : room;
    const uint8_t *record = skeleton->nodes;
    uint32_t node = 0;
    for (; node < kept; node++, record += NODE_BYTES) {
        parents[node] = ParentOf(record);
        if ((uint32_t)(parents[node] + 1) > node)
            return RefuseParent(node, parents[node], error);
    }
    for (; node < nodes; node++, record += NODE_BYTES)
        if ((uint32_t)(ParentOf(record) + 1) > node)
            return RefuseParent(node, ParentOf(record), error);
    return RP_OK;
}

/* ---- many skeletons -------------------------------------------------------------------------- */

/* The nodes of all instances are numbered through: first those of the first instance, then those of
 * the second, and so on. */
typedef struct Skeletons {
    const PoseContext *context;
    const RpPoseTimes *times;
    bool zero_root;
    uint32_t nodes;         /* number of nodes of one instance */
    const int32_t *parents; /* the parents of the first `known` nodes */
    uint32_t known;
    PoseMany many;
    PoseTimes prepared; /* the times of the instance `prepared_for` */
    size_t prepared_for;
} Skeletons;

typedef struct Place {
    size_t instance;
    uint32_t node;
} Place;

static void PoseLocals(Skeletons *skeletons, Place from, int count, float (*local)[16]) {
    static const float origin[3] = {0.0f, 0.0f, 0.0f};
    uint64_t refused = UINT64_MAX;
    if (skeletons->many.width) {
        PoseRun run;
        PoseRun_BeginOne(&run, skeletons->context->skeleton, skeletons->many.clip);
        Place next = from;
        for (int left = count; left > 0;) {
            const RpPoseTimes *times = &skeletons->times[next.instance];
            const uint32_t rest = skeletons->nodes - next.node;
            const int some = rest < (uint32_t)left ? (int)rest : left;
            if (skeletons->prepared_for != next.instance) {
                skeletons->prepared = PoseTimes_Of(times->a, times->b, times->weight);
                skeletons->prepared_for = next.instance;
            }
            PoseRun_AddNodes(&run, &skeletons->prepared, next.node, some);
            left -= some;
            next = (Place){next.instance + 1, 0};
        }
        refused = PoseMany_Locals(&skeletons->many, &run, local);
    }
    Place place = from;
    for (int i = 0; (refused || skeletons->zero_root) && i < count; i++) {
        if (refused >> i & 1) {
            const RpPoseTimes *times = &skeletons->times[place.instance];
            Pose_Blend(skeletons->context, place.node, times->a, times->b, times->weight, local[i]);
        }
        if (skeletons->zero_root && place.node == 0)
            Matrix_SetColumn(local[i], TRANSLATION_COLUMN, origin);
        if (++place.node == skeletons->nodes)
            place = (Place){place.instance + 1, 0};
    }
}

/* Computes the model matrices of a run. `model` begins with the first instance that has nodes in
 * this run; `parents` count from there. */
static void PoseModels(const Skeletons *skeletons, uint32_t first, int count,
                       const int32_t *parents, const float (*local)[16], float (*model)[16]) {
    if (skeletons->many.width &&
        PoseMany_Models(&skeletons->many, first, count, parents, local, model))
        return;
    for (int i = 0; i < count; i++) {
        float *product = model[first + (uint32_t)i];
        if (parents[i] < 0)
            memcpy(product, local[i], sizeof *model);
        else
            RpMatrix_PoseProduct(skeletons->context->arithmetic, model[parents[i]], local[i],
                                 product);
    }
}

/* Returns the parents of the nodes of a run, counted from the first instance that has nodes in
 * it. */
static const int32_t *ParentsFrom(const Skeletons *skeletons, uint32_t first, int count,
                                  int32_t room[EXACT_MANY]) {
    if ((uint64_t)first + (uint32_t)count <= skeletons->known)
        return skeletons->parents + first;
    int32_t before = 0; /* number of nodes in the instances before */
    for (int i = 0; i < count; i++, first++) {
        if (first == skeletons->nodes) {
            before += (int32_t)skeletons->nodes;
            first = 0;
        }
        const int32_t parent =
            first < skeletons->known
                ? skeletons->parents[first]
                : ParentOf(skeletons->context->skeleton->nodes + (size_t)first * NODE_BYTES);
        room[i] = parent < 0 ? -1 : before + parent;
    }
    return room;
}

/* Nodes are posed in runs. If the caller's array has no room for a whole run, or if there is no
 * array, the matrices are made in another one. */
static void PoseRuns(Skeletons *skeletons, size_t count, float (*local)[16],
                     float (*model_space)[16]) {
    Place from = {0, 0};
    const size_t all = count * skeletons->nodes;
    for (size_t first = 0; first < all; first += EXACT_MANY) {
        float room[EXACT_MANY][16];
        const int some = all - first < EXACT_MANY ? (int)(all - first) : EXACT_MANY;
        float(*matrices)[16] = local && some == EXACT_MANY ? local + first : room;
        PoseLocals(skeletons, from, some, matrices);
        if (local && matrices == room)
            memcpy(local[first], matrices, (size_t)some * sizeof *matrices);
        if (model_space) {
            int32_t others[EXACT_MANY];
            const int32_t *parents = ParentsFrom(skeletons, from.node, some, others);
            PoseModels(skeletons, from.node, some, parents, (const float(*)[16])matrices,
                       model_space + from.instance * skeletons->nodes);
        }
        const size_t next = first + EXACT_MANY;
        from = (Place){next / skeletons->nodes, (uint32_t)(next % skeletons->nodes)};
    }
}

RpStatus Pose_Skeletons(const PoseContext *context, const ExactWidth *width, size_t count,
                        const RpPoseTimes *times, bool zero_root, float (*local)[16],
                        float (*model_space)[16], RpError *error) {
    int32_t parents[EXACT_MANY];
    const RpClip *clip = context->clip;
    RpStatus status =
        clip ? RP_OK : Pose_ReadParents(context->skeleton, parents, EXACT_MANY, error);
    if (status != RP_OK)
        return status;
    const uint32_t nodes = RpSkeleton_NodeCount(context->skeleton);
    const ArithmeticScope scope = Arithmetic_Enter(context->arithmetic);
    Skeletons skeletons = {.context = context,
                           .times = times,
                           .zero_root = zero_root,
                           .nodes = nodes,
                           .parents = clip ? clip->parents : parents,
                           .known = clip || nodes < EXACT_MANY ? nodes : EXACT_MANY,
                           .many = PoseMany_Begin(context, width),
                           .prepared_for = SIZE_MAX};
    PoseRuns(&skeletons, count, local, model_space);
    Arithmetic_Leave(scope);
    return RP_OK;
}

RpStatus RpPose_Skeletons(const RpSkeleton *skeleton, const RpArithmetic *arithmetic, size_t count,
                          const RpPoseTimes *times, bool zero_root, float (*local)[16],
                          float (*model_space)[16], RpPoseCounters *counters, RpError *error) {
    const PoseContext context = Pose_Context(skeleton, arithmetic, counters);
    return Pose_Skeletons(&context, Exact_Width(), count, times, zero_root, local, model_space,
                          error);
}

RpStatus RpPose_Skeleton(const RpSkeleton *skeleton, const RpArithmetic *arithmetic, float t_a,
                         float t_b, float weight, bool zero_root, float (*local)[16],
                         float (*model_space)[16], RpPoseCounters *counters, RpError *error) {
    const ArithmeticScope scope = Arithmetic_EnterSse(arithmetic);
    const RpPoseTimes times = {t_a, t_b, weight};
    const RpStatus status = RpPose_Skeletons(skeleton, arithmetic, 1, &times, zero_root, local,
                                             model_space, counters, error);
    Arithmetic_Leave(scope);
    return status;
}
