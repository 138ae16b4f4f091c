/* A prepared clip: what posing the skeleton of a model needs again and again, computed once
 * (docs/reference/exact.md, "Prepared clips"). The poses have the same bits without. */
#ifndef RETROPOSE_ANIMESH_CLIP_H
#define RETROPOSE_ANIMESH_CLIP_H

#include "ngi32/exact/keys.h"
#include "retropose/pose.h"

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

#endif
