/* Poses many nodes at once with the exact core (docs/reference/exact.md). The bits are the same as
 * those of Pose_Blend and RpMatrix_PoseProduct, called for one node after the other. */
#ifndef RETROPOSE_ANIMESH_POSE_MANY_H
#define RETROPOSE_ANIMESH_POSE_MANY_H

#include "animesh/sample.h"
#include "ngi32/exact/many.h"

/* ---- prepared clips -------------------------------------------------------------------------- */

/* The words of a node by which its keys are found. */
typedef struct ClipJoint {
    uint16_t map_start, fallback;
} ClipJoint;

struct RpClip {
    RpSkeleton skeleton; /* its streams belong to the caller */
    const RpAllocator *allocator;
    size_t bytes;           /* size of this struct and of all that it points to */
    const int32_t *parents; /* the parents of all joints */
    /* The rest is null if the core did not serve when the clip was prepared. */
    const ExactPair *pairs; /* one for each key and the next one */
    const ClipJoint *joints;
    ExactSum order; /* the order of the dot product that the pairs were prepared for */
    bool is_sound;  /* no read of a key or of the frame map can leave its stream */
};

/* ---- posing ---------------------------------------------------------------------------------- */

/* What all nodes of one call have in common. */
typedef struct PoseMany {
    const PoseContext *context; /* its skeleton is not looked at */
    const ExactWidth *width;    /* null: the core does not serve, and nodes are posed one by one */
    ExactSum order;
    const RpClip *clip; /* null: nothing is prepared for this order of the dot product */
} PoseMany;

/* Returns whether the core may pose nodes together under this arithmetic. */
bool PoseMany_IsExact(const RpArithmetic *arithmetic);

/* `width` is null, or has the functions to call if the core serves. */
PoseMany PoseMany_Begin(const PoseContext *context, const ExactWidth *width);

/* The two times of a blend, prepared for any number of nodes. */
typedef struct PoseTimes {
    float a, b, weight;
    bool has_a, has_b; /* which sides count; neither if nodes have to be posed one by one */
    uint32_t frame_a, frame_b;
} PoseTimes;

/* Call it only if many->width is not null. */
PoseTimes PoseTimes_Of(float t_a, float t_b, float weight);

/* The keys of nodes on one side. */
typedef union PoseKeys {
    ExactSegments segments; /* for nodes of any skeletons */
    ExactTracks tracks;     /* for nodes of one skeleton */
} PoseKeys;

/* Up to EXACT_MANY nodes, each with its own skeleton and its own times. */
typedef struct PoseRun {
    int count;
    uint64_t refused;           /* nodes that have to be posed one by one */
    uint64_t two_sided;         /* nodes of which both sides count */
    const RpSkeleton *skeleton; /* the skeleton of all nodes, or null if each has its own */
    const RpClip *clip;         /* the clip of this skeleton, or null */
    PoseKeys side, other;
    EXACT_LANES float weight[EXACT_MANY];
} PoseRun;

void PoseRun_Begin(PoseRun *run);
/* Begins a run of nodes of one skeleton, which is the clip's if there is one. */
void PoseRun_BeginOne(PoseRun *run, const RpSkeleton *skeleton, const RpClip *clip);
/* Adds nodes first to first + count - 1, for which the run must have room. With a null skeleton
 * they count as refused. */
void PoseRun_Add(PoseRun *run, const RpSkeleton *skeleton, const PoseTimes *times, uint32_t first,
                 int count);
/* Adds nodes of the run's one skeleton. All of them must exist. */
void PoseRun_AddNodes(PoseRun *run, const PoseTimes *times, uint32_t first, int count);
/* Writes the matrices that Pose_Blend gives, for all nodes of the run except those that it returns.
 * `local` has room for EXACT_MANY matrices. The run cannot be used again. */
uint64_t PoseMany_Locals(const PoseMany *many, PoseRun *run, float (*local)[16]);
/* Does the same, but writes into the local matrices of pieces, one for each node of the run. Those
 * of the nodes that it returns are not valid. The pointers behind the last node in the array are
 * overwritten. */
uint64_t PoseMany_LocalsOfPieces(const PoseMany *many, PoseRun *run,
                                 ExactPiece *pieces[EXACT_MANY]);

/* Multiplies the local matrices of these nodes by their parents' matrices in `model`. Parents come
 * first; a negative parent means none. Returns false when the products have to be computed one by
 * one; the matrices of these nodes are then not valid. */
bool PoseMany_Models(const PoseMany *many, uint32_t first, int count, const int32_t *parents,
                     const float (*local)[16], float (*model)[16]);

/* Does what RpPose_Skeletons does, with functions that the caller chooses. */
RpStatus Pose_Skeletons(const PoseContext *context, const ExactWidth *width, size_t count,
                        const RpPoseTimes *times, bool zero_root, float (*local)[16],
                        float (*model_space)[16], RpError *error);

/* Returns whether the products of matrices are to be added up in the order of the core. */
bool PoseMany_Multiplies(const PoseMany *many);
#endif
