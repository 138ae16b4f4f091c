/* One call from the name of a model in an archive to the matrices of its nodes.
 *
 * It does what a program would otherwise do with nres.h, msh.h and pose.h: find the member, read it
 * strictly, find its streams, and pose its skeleton. The bits are those of RpPose_Skeleton. No
 * control word has to be set: the thread's own does not matter and is left as it is. Programs that
 * pose one model many times keep the skeleton (RpMsh_Skeleton) or a clip (RpClip_Prepare) instead.
 */
#ifndef RETROPOSE_MODEL_POSE_H
#define RETROPOSE_MODEL_POSE_H

#include "api.h"
#include "memory.h"
#include "pose.h"

RP_API_BEGIN

/* A posed model. It owns all that it points to, and nothing of the archive is needed any more. The
 * arrays have `node_count` elements, one a node, parents first. */
typedef struct RpModelPose {
    uint32_t node_count;
    uint32_t frame_count; /* of the model: it moves between the frames 0 and frame_count - 1 */
    /* Matrices are row-major, for column vectors: the translation is in 3, 7 and 11, in the units
     * of the model. */
    float (*local)[16];       /* in the space of the node's parent */
    float (*model_space)[16]; /* in the space of the model */
    const char **names;       /* as UTF-8 or whatever the file has, ended by a NUL; maybe empty */
    int32_t *parents;         /* index of the node's parent, or -1 */
    RpPoseCounters counters;
    const RpAllocator *allocator;
} RpModelPose;

/* Poses the model that is called `member` in an NRes archive (`.rlb`), at a time in frames. Names
 * are compared as RpNRes_Find does, without regard to case. A null `member` means that the bytes
 * are the model's own (`.msh`). A null `arithmetic` means the game's, in the build that gives the
 * same bits on every processor; a null allocator is the C library's heap.
 *
 * The time is from 0 to 2^31; between two frames the model is between two poses, and behind its
 * last frame it stays as it is there. Node 0 keeps its translation, as in RpPose_Skeleton without
 * `zero_root`.
 *
 * Returns RP_OK, and a pose that RpModelPose_Free frees. Otherwise *pose is empty, and may be freed
 * too: RP_NOT_FOUND for an archive without the member; RP_CORRUPT and RP_TRUNCATED for bytes that
 * break the rules of docs/formats/nres.md or msh.md, with the offset of the byte in the archive,
 * where there is one; RP_UNSUPPORTED for nodes of stride 24; RP_INVALID for a time outside of its
 * range or that is no number; RP_NO_MEMORY. */
RpStatus RpModelPose_FromArchive(const void *archive, size_t size, const char *member, float frame,
                                 const RpArithmetic *arithmetic, const RpAllocator *allocator,
                                 RpModelPose *pose, RpError *error);
/* Frees what a pose owns, and leaves it empty. An empty pose, and one of all zeros, is fine. */
void RpModelPose_Free(RpModelPose *pose);

RP_API_END

#endif
