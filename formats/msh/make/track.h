/* A track that is being changed: growing lists of keys, and the game's pose at any time. */
#ifndef RETROPOSE_FORMATS_MSH_MAKE_TRACK_H
#define RETROPOSE_FORMATS_MSH_MAKE_TRACK_H

#include "formats/msh/make/make.h"
#include "retropose/msh_anim.h"

/* ---- lists of keys --------------------------------------------------------------------------- */

typedef struct KeyList {
    RpMshKey *keys;
    uint32_t count, capacity;
    const RpAllocator *allocator;
    bool failed; /* an allocation was refused; this stays set */
} KeyList;

void KeyList_Init(KeyList *list, const RpAllocator *allocator);
void KeyList_Free(KeyList *list);
/* Appends a copy of the key, with another time. */
void KeyList_Add(KeyList *list, const RpMshKey *key, double time);

/* New tracks for all nodes. The animation gets either all of them or none. */
typedef struct Retrack {
    RpMshAnimation *animation;
    KeyList *lists; /* one for each node */
} Retrack;

RpStatus Retrack_Begin(Retrack *retrack, RpMshAnimation *animation, RpError *error);
/* The last frame must be the last key of some track (facts/formats.md C.9, rule 4). So the
 * track that ends last is extended to it with its last pose. If no track is animated, one frame
 * is left. */
void Retrack_Settle(Retrack *retrack, uint32_t *frame_count);
/* Gives the lists to the animation if `status` is RP_OK and none of the lists failed; otherwise
 * frees them. */
RpStatus Retrack_End(Retrack *retrack, uint32_t frame_count, RpStatus status, RpError *error);

/* ---- keys ------------------------------------------------------------------------------------ */

/* Returns whether both have the same pose, bit for bit. */
bool Key_SamePose(const RpMshKey *a, const RpMshKey *b);

/* ---- sampling -------------------------------------------------------------------------------- */

/* Checks what sampling relies on: at least one key, times that ascend from 0, finite numbers. */
RpStatus Track_Check(const RpMshTrack *track, RpError *error);
/* Write what the game shows of a checked track at a time: the pose that its sampler computes with a
 * canonical frame map. They use the game's control word and restore the caller's. `settings` are
 * those of retropose/pose.h; the other function uses the defaults. */
void Track_SampleWith(const RpMshTrack *track, const RpArithmetic *settings, float time,
                      float quaternion[4], float position[3]);
void Track_Sample(const RpMshTrack *track, float time, float quaternion[4], float position[3]);
/* Give the pose as a key of that time: of a track, and of a node of a model. */
RpMshKey Track_SampleKey(const RpMshTrack *track, float time);
RpMshKey Skeleton_SampleKey(const RpSkeleton *skeleton, uint32_t node, float time);

#endif
