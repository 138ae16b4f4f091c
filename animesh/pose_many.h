/* The poses of many nodes at once, by the exact core (docs/reference/exact.md). The bits are those
 * of Pose_Blend and RpMatrix_PoseProduct for one node after the other. */
#ifndef RETROPOSE_ANIMESH_POSE_MANY_H
#define RETROPOSE_ANIMESH_POSE_MANY_H

#include "animesh/sample.h"
#include "ngi32/exact/many.h"

/* ---- prepared clips -------------------------------------------------------------------------- */

/* The words of a node that lead to its keys. */
typedef struct ClipJoint {
    uint16_t map_start, fallback;
} ClipJoint;

struct RpClip {
    RpSkeleton skeleton; /* its streams are the caller's */
    const RpAllocator *allocator;
    size_t bytes;           /* of this and of all that it points to */
    const int32_t *parents; /* of all joints */
    /* The rest is null where the core did not serve when the clip was prepared. */
    const ExactPair *pairs; /* one for each key and the next one */
    const ClipJoint *joints;
    ExactSum order; /* for which the pairs were prepared */
    bool is_sound;  /* no read of a key or of the frame map can leave its stream */
};

/* ---- posing ---------------------------------------------------------------------------------- */

/* What is the same for all nodes of one call. */
typedef struct PoseMany {
    const PoseContext *context; /* its skeleton is not looked at */
    const ExactWidth *width;    /* null: the core does not serve, and nodes are posed one by one */
    ExactSum order;
    const RpClip *clip; /* null: nothing is prepared for this order */
} PoseMany;

/* Returns whether the core may pose nodes together under this arithmetic. */
bool PoseMany_IsExact(const RpArithmetic *arithmetic);

/* `width` is null, or the functions to take where the core serves. */
PoseMany PoseMany_Begin(const PoseContext *context, const ExactWidth *width);

/* The two times of a blend, prepared for any number of nodes. */
typedef struct PoseTimes {
    float a, b, weight;
    bool has_a, has_b; /* which sides count; neither where nodes are to be posed one by one */
    uint32_t frame_a, frame_b;
} PoseTimes;

/* To be called only if many->width is not null. */
PoseTimes PoseTimes_Of(float t_a, float t_b, float weight);

/* The keys of one side of nodes. */
typedef union PoseKeys {
    ExactSegments segments; /* of any skeletons */
    ExactTracks tracks;     /* of one skeleton */
} PoseKeys;

/* Up to EXACT_MANY nodes, each of its own skeleton and with its own times. */
typedef struct PoseRun {
    int count;
    uint64_t refused;           /* nodes that are to be posed one by one */
    uint64_t two_sided;         /* nodes of which both sides count */
    const RpSkeleton *skeleton; /* of all nodes, or null: each brings its own */
    const RpClip *clip;         /* of this skeleton, or null */
    PoseKeys side, other;
    EXACT_LANES float weight[EXACT_MANY];
} PoseRun;

void PoseRun_Begin(PoseRun *run);
/* Begins a run of nodes of one skeleton, which is the clip's if there is one. */
void PoseRun_BeginOne(PoseRun *run, const RpSkeleton *skeleton, const RpClip *clip);
/* Adds nodes first to first + count - 1, for which there has to be room. Of a null skeleton they
 * are refused. */
void PoseRun_Add(PoseRun *run, const RpSkeleton *skeleton, const PoseTimes *times, uint32_t first,
                 int count);
/* Adds nodes of the one skeleton, all of which are there. */
void PoseRun_AddNodes(PoseRun *run, const PoseTimes *times, uint32_t first, int count);
/* Writes what Pose_Blend gives for all nodes of the run but those that it returns. There is room
 * for EXACT_MANY matrices. The run is used up. */
uint64_t PoseMany_Locals(const PoseMany *many, PoseRun *run, float (*local)[16]);
/* The same into the local matrices of pieces, one for each node of the run; those of the nodes that
 * it returns may be anything. The array behind them is used, too. */
uint64_t PoseMany_LocalsOfPieces(const PoseMany *many, PoseRun *run,
                                 ExactPiece *pieces[EXACT_MANY]);

/* Multiplies the local matrices of these nodes by their parents' in `model`. Parents come first; a
 * parent below 0 is none. Returns false, and writes anything to these nodes' matrices, where the
 * products have to be computed one by one. */
bool PoseMany_Models(const PoseMany *many, uint32_t first, int count, const int32_t *parents,
                     const float (*local)[16], float (*model)[16]);

/* RpPose_Skeletons with functions of the caller's choice. */
RpStatus Pose_Skeletons(const PoseContext *context, const ExactWidth *width, size_t count,
                        const RpPoseTimes *times, bool zero_root, float (*local)[16],
                        float (*model_space)[16], RpError *error);

/* Returns whether products of matrices have the order of the core. */
bool PoseMany_Multiplies(const PoseMany *many);
#endif
