/* Poses of MSH models: sample a node, blend two poses, pose a whole skeleton.
 *
 * The bits are those of AniMesh.dll (0x10012880, 0x10012560; seed 000 sections 3 and 4) under the
 * control word and the readings that `arithmetic` asks for: by default the game's. The thread's own
 * control word and MXCSR do not matter and are left as they are. Nothing here allocates, prints or
 * keeps state, and any number of threads may share a model. Where the original would read outside
 * the model's streams, the fallback key or the identity is used instead, and RpPoseCounters counts
 * it.
 */
#ifndef RETROPOSE_POSE_H
#define RETROPOSE_POSE_H

#include "api.h"
#include "fastproc.h"
#include "memory.h"

#include <stdbool.h>

RP_API_BEGIN

/* The streams of one model, borrowed from the caller. The bytes are those of the file and need no
 * alignment. */
typedef struct RpSkeleton {
    const uint8_t *nodes; /* Res1, records of 38 bytes */
    uint32_t node_bytes;
    const uint8_t *keys; /* Res8, records of 24 bytes */
    uint32_t key_bytes;
    const uint8_t *frame_map; /* Res19, 16-bit words; may be null when empty */
    uint32_t frame_map_bytes;
    uint32_t frame_count; /* attribute 2 of Res19's directory entry */
} RpSkeleton;

typedef struct RpPoseCounters {
    uint64_t out_of_bounds; /* reads that the original would have made outside the streams */
    uint64_t undefined;     /* blends of which neither side was valid */
    /* Interpolations between two rotations (slots 17 and 22), by what computed them: the exact
     * core; the x87's steps, because of the arithmetic, the thread or the processor
     * (RpExact_Serves; RpFpu_IsIdeal says what the x87 is); the x87's steps after the core had been
     * asked and refused, because it could not decide a rounding or did not take a number. Of nodes
     * that are posed together, those at a key count, too. */
    uint64_t by_core, by_x87, refused;
} RpPoseCounters;

/* Finds the three streams in an NRes image of a model (`.msh`), taking the first of each type.
 * RP_TRUNCATED, RP_CORRUPT and RP_NOT_FOUND come with the byte offset, what belongs there and what
 * is there. Nodes of stride 24 are RP_UNSUPPORTED. `skeleton` borrows the image and is written only
 * on RP_OK. */
RpStatus RpSkeleton_FromNRes(const void *image, size_t size, RpSkeleton *skeleton, RpError *error);
/* Returns how many whole nodes the skeleton has. */
uint32_t RpSkeleton_NodeCount(const RpSkeleton *skeleton);
/* Returns the parent of a node, or -1. */
int32_t RpSkeleton_Parent(const RpSkeleton *skeleton, uint32_t node);

/* What the exact core computes without the x87, and several times as fast
 * (docs/reference/exact.md). Of an interpolation, a sample or a blend that it does not serve, steps
 * are left to the x87; the nodes of a skeleton that it does not serve are posed one after the
 * other, each as RpPose_Blend poses it. The bits are the same in any case. */
typedef enum RpExactWork {
    RP_EXACT_INTERPOLATION, /* slots 17 and 22 */
    RP_EXACT_SAMPLE,        /* one node at one time: RpPose_Sample */
    RP_EXACT_BLEND,         /* one node between two times: RpPose_Blend */
    /* Many nodes at once: RpPose_Skeleton, RpClip_Pose, RpMeshObject_Pose. Under an alternative of
     * the readings matrix-sum, matrix-sum-sse or world-product the products of their matrices are
     * taken one after the other nevertheless. */
    RP_EXACT_SKELETON,
    RP_EXACT_WORK_COUNT
} RpExactWork;
/* Returns "interpolation", "sample", "blend" or "skeleton", or "unknown". */
const char *RpExactWork_Name(RpExactWork work);
/* Returns whether the core serves this work under this arithmetic, on this processor and, where the
 * arithmetic takes the thread's control word and MXCSR, in this thread as it is. */
bool RpExact_Serves(const RpArithmetic *arithmetic, RpExactWork work);

/* Poses one node at time t, in frames: its rotation as w, x, y, z and its position in its parent.
 * `counters` may be null, and is added to. A node outside the model gives the identity and is
 * counted. */
void RpPose_Sample(const RpSkeleton *skeleton, const RpArithmetic *arithmetic, uint32_t node,
                   float t, float quaternion[4], float position[3], RpPoseCounters *counters);

/* Poses one node between two times. Side A counts when weight < 1 and t_a >= 0; side B counts when
 * weight > 0 and t_b >= 0. When neither counts, the result is the identity, and `undefined` counts
 * it. */
void RpPose_Blend(const RpSkeleton *skeleton, const RpArithmetic *arithmetic, uint32_t node,
                  float t_a, float t_b, float weight, float matrix[16], RpPoseCounters *counters);

/* Poses all nodes, parents first. local[i] is what RpPose_Blend gives, and model_space[i] is
 * model_space[parent] x local[i], multiplied by slot 28. `zero_root` zeroes node 0's translation in
 * both arrays, as the game's pose walk does (AniMesh 0x10008D88). RP_INVALID is returned, and
 * nothing is written, if a parent does not precede its child. The arrays have RpSkeleton_NodeCount
 * elements; either may be null. */
RpStatus RpPose_Skeleton(const RpSkeleton *skeleton, const RpArithmetic *arithmetic, float t_a,
                         float t_b, float weight, bool zero_root, float (*local)[16],
                         float (*model_space)[16], RpPoseCounters *counters, RpError *error);

/* What RpPose_Skeleton does, for `count` instances of one skeleton that have times of their own.
 * Nodes of different instances are posed together, which makes small skeletons as fast as large
 * ones. The arrays have count times RpSkeleton_NodeCount elements: all nodes of the first instance,
 * then those of the second. */
typedef struct RpPoseTimes {
    float a, b, weight; /* t_a, t_b and weight of RpPose_Blend */
} RpPoseTimes;
/* Poses all nodes of `count` instances. Errors are those of RpPose_Skeleton: RP_INVALID, before
 * anything is written. */
RpStatus RpPose_Skeletons(const RpSkeleton *skeleton, const RpArithmetic *arithmetic, size_t count,
                          const RpPoseTimes *times, bool zero_root, float (*local)[16],
                          float (*model_space)[16], RpPoseCounters *counters, RpError *error);

/* ---- prepared clips -------------------------------------------------------------------------- */

/* A skeleton prepared for posing. The poses have the same bits as those of RpPose_Skeletons, and
 * take less time, because what two keys in a row need whatever the time, such as the angle between
 * their rotations, is computed once (docs/reference/exact.md, "Prepared clips"). */
typedef struct RpClip RpClip;

/* Prepares a skeleton. The streams stay the caller's, and they still decide every pose: they must
 * outlive the clip, and no byte of them may change until it is freed.
 *
 * What is computed depends on the order of the dot product of two rotations: the reading `dot4`, or
 * in the SSE build `dot4-sse`. It is computed for the order that `arithmetic` asks for. A clip can
 * be posed under any arithmetic; where another order is asked for, or where the exact core does not
 * serve (RpExact_Serves), the poses come from the streams as without a clip. If the core does not
 * serve `arithmetic`, all of them do, and the clip keeps only the parents.
 *
 * A null allocator is the C library's heap. RP_NO_MEMORY, and RP_INVALID for a parent that does not
 * precede its child, leave *clip as it was. */
RpStatus RpClip_Prepare(const RpSkeleton *skeleton, const RpArithmetic *arithmetic,
                        const RpAllocator *allocator, RpClip **clip, RpError *error);
/* Returns the bytes that the clip takes, apart from its streams: 16 for each key, 8 for each joint,
 * and about a hundred. */
size_t RpClip_Bytes(const RpClip *clip);
/* Frees a clip, which may be null. */
void RpClip_Free(RpClip *clip);
/* Does what RpPose_Skeletons does for the skeleton of the clip. Any number of threads may pose one
 * clip. Nothing can fail, because the parents have been checked. */
void RpClip_Pose(const RpClip *clip, const RpArithmetic *arithmetic, size_t count,
                 const RpPoseTimes *times, bool zero_root, float (*local)[16],
                 float (*model_space)[16], RpPoseCounters *counters);

RP_API_END

#endif
