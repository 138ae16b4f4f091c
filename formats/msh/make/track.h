/* One track at work: growing lists of keys, and the game's pose at any time of it. */
#ifndef RETROPOSE_FORMATS_MSH_MAKE_TRACK_H
#define RETROPOSE_FORMATS_MSH_MAKE_TRACK_H

#include "formats/msh/make/make.h"
#include "retropose/msh_anim.h"

/* ---- lists of keys --------------------------------------------------------------------------- */

typedef struct KeyList {
    RpMshKey *keys;
    uint32_t count, capacity;
    const RpAllocator *allocator;
    bool failed; /* an allocation was refused; stays set */
} KeyList;

void KeyList_Init(KeyList *list, const RpAllocator *allocator);
void KeyList_Free(KeyList *list);
/* With another time than its own. */
void KeyList_Add(KeyList *list, const RpMshKey *key, double time);

/* New tracks for all nodes, of which either all or none become the animation's. */
typedef struct Retrack {
    RpMshAnimation *animation;
    KeyList *lists; /* one a node */
} Retrack;

RpStatus Retrack_Begin(Retrack *retrack, RpMshAnimation *animation, RpError *error);
/* The last frame must be some track's last key (facts/formats.md C.9, rule 4): the track that ends
 * last holds its pose until then. Without an animated track one frame is left. */
void Retrack_Settle(Retrack *retrack, uint32_t *frame_count);
/* Takes the lists when `status` is RP_OK and none failed; frees them otherwise. */
RpStatus Retrack_End(Retrack *retrack, uint32_t frame_count, RpStatus status, RpError *error);

/* ---- keys ------------------------------------------------------------------------------------ */

/* The same pose, bit for bit. */
bool Key_SamePose(const RpMshKey *a, const RpMshKey *b);

/* ---- sampling -------------------------------------------------------------------------------- */

/* The streams of a model of one node, whose track this is. */
typedef struct TrackSampler {
    uint8_t node[RP_MSH_NODE_BYTES];
    TrackWriter streams;
    RpSkeleton model;
} TrackSampler;

RpStatus TrackSampler_Init(TrackSampler *sampler, const RpMshKey *keys, uint32_t key_count,
                           const RpAllocator *allocator, RpError *error);
void TrackSampler_Free(TrackSampler *sampler);
/* Under the game's control word, whatever the caller's is. */
void Model_Sample(const RpSkeleton *model, uint32_t node, float time, float quaternion[4],
                  float position[3]);
/* The pose as a key of that time. */
RpMshKey Model_SampleKey(const RpSkeleton *model, uint32_t node, float time);

#endif
