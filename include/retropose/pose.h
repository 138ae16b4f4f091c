/* Poses of MSH models: sample a node, blend two poses, pose a whole skeleton.
 *
 * The bits are those of AniMesh.dll (0x10012880, 0x10012560; seed 000 sections 3 and 4) under the
 * x87 control word that the caller has set: call RpFpu_SetControlWord first for the game's results.
 * Nothing allocates, prints or keeps state; any number of threads may share a model.
 * Where the original would read out of the model's streams, the fallback key or the identity is
 * used instead and counted in RpPoseCounters.
 */
#ifndef RETROPOSE_POSE_H
#define RETROPOSE_POSE_H

#include "api.h"
#include "fastproc.h"

RP_API_BEGIN

/* The streams of one model, borrowed from the caller: bytes as in the file, any alignment. */
typedef struct RpModel {
    const uint8_t *nodes; /* Res1, stride 38 */
    uint32_t node_bytes;
    const uint8_t *keys; /* Res8, stride 24 */
    uint32_t key_bytes;
    const uint8_t *frame_map; /* Res19, u16; may be null when empty */
    uint32_t frame_map_bytes;
    uint32_t frame_count; /* attr2 of Res19's directory entry */
} RpModel;

typedef struct RpPoseSettings {
    RpBuild build;           /* which of the original's builds: RP_BUILD_SSE on any recent one */
    RpHypotheses hypotheses; /* all zero: the defaults */
} RpPoseSettings;

typedef struct RpPoseCounters {
    uint64_t out_of_bounds; /* reads that the original would have made outside the streams */
    uint64_t undefined;     /* blends with neither side valid */
} RpPoseCounters;

/* Finds the three streams in an NRes image of a model (`.msh`), the first of each type.
 * RP_TRUNCATED, RP_CORRUPT or RP_NOT_FOUND with the byte offset, what belongs there and what is
 * there; RP_UNSUPPORTED for nodes of stride 24. `model` borrows the image and is only written on
 * RP_OK. */
RpStatus RpModel_FromNRes(const void *image, size_t size, RpModel *model, RpError *error);
uint32_t RpModel_NodeCount(const RpModel *model);
/* Parent of a node, or -1. */
int32_t RpModel_Parent(const RpModel *model, uint32_t node);

/* One node at time t (frames): w, x, y, z and the position in its parent. counters may be null, and
 * is added to. A node outside the model gives the identity and counts. */
void RpPose_Sample(const RpModel *model, const RpPoseSettings *settings, uint32_t node, float t,
                   float quaternion[4], float position[3], RpPoseCounters *counters);

/* One node between two times: side A counts when weight < 1 and t_a >= 0, side B when weight > 0
 * and t_b >= 0. Neither: the identity, counted. */
void RpPose_Blend(const RpModel *model, const RpPoseSettings *settings, uint32_t node, float t_a,
                  float t_b, float weight, float matrix[16], RpPoseCounters *counters);

/* All nodes: local[i] as RpPose_Blend, model_space[i] = model_space[parent] x local[i] by slot 28,
 * parents first. `zero_root` zeroes node 0's translation, in both arrays, as the game's pose walk
 * does (AniMesh 0x10008D88). RP_INVALID, and nothing written, if a parent does not precede its
 * child. The arrays have RpModel_NodeCount elements; either may be null. */
RpStatus RpPose_Skeleton(const RpModel *model, const RpPoseSettings *settings, float t_a, float t_b,
                         float weight, int zero_root, float (*local)[16], float (*model_space)[16],
                         RpPoseCounters *counters, RpError *error);

RP_API_END

#endif
