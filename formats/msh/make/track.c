#include "formats/msh/make/track.h"

/* ---- lists of keys --------------------------------------------------------------------------- */

void KeyList_Init(KeyList *list, const RpAllocator *allocator) {
    *list = (KeyList){.allocator = allocator};
}

void KeyList_Free(KeyList *list) {
    RpMemory_Free(list->allocator, list->keys);
    KeyList_Init(list, list->allocator);
}

static bool Grow(KeyList *list) {
    if (list->count < list->capacity)
        return true;
    uint64_t capacity = list->capacity ? (uint64_t)list->capacity * 2 : 8;
    if (capacity > UINT32_MAX / sizeof *list->keys)
        return false;
    RpMshKey *keys = RpMemory_Resize(list->allocator, list->keys, (size_t)capacity * sizeof *keys);
    if (!keys)
        return false;
    list->keys = keys;
    list->capacity = (uint32_t)capacity;
    return true;
}

void KeyList_Add(KeyList *list, const RpMshKey *key, double time) {
    if (list->failed || !Grow(list)) {
        list->failed = true;
        return;
    }
    list->keys[list->count] = *key;
    list->keys[list->count++].time = (float)time;
}

RpStatus Retrack_Begin(Retrack *retrack, RpMshAnimation *animation, RpError *error) {
    const uint32_t count = animation->node_count;
    *retrack = (Retrack){.animation = animation};
    if (count == 0)
        return RP_OK;
    retrack->lists = Make_Array(animation->allocator, count, sizeof *retrack->lists);
    if (!retrack->lists)
        return RpMemory_Refused(error, "tracks");
    for (uint32_t n = 0; n < count; n++)
        KeyList_Init(&retrack->lists[n], animation->allocator);
    return RP_OK;
}

void Retrack_Settle(Retrack *retrack, uint32_t *frame_count) {
    KeyList *longest = NULL;
    for (uint32_t n = 0; n < retrack->animation->node_count; n++) {
        KeyList *list = &retrack->lists[n];
        if (list->count > 1 &&
            (!longest || list->keys[list->count - 1].time > longest->keys[longest->count - 1].time))
            longest = list;
    }
    if (!longest) {
        *frame_count = 1;
        return;
    }
    const RpMshKey last = longest->keys[longest->count - 1];
    if (last.time < (float)(*frame_count - 1))
        KeyList_Add(longest, &last, *frame_count - 1);
}

RpStatus Retrack_End(Retrack *retrack, uint32_t frame_count, RpStatus status, RpError *error) {
    RpMshAnimation *animation = retrack->animation;
    const uint32_t count = retrack->lists ? animation->node_count : 0;
    for (uint32_t n = 0; status == RP_OK && n < count; n++)
        if (retrack->lists[n].failed)
            status = RpMemory_Refused(error, "tracks");
    for (uint32_t n = 0; n < count; n++) {
        if (status == RP_OK) {
            RpMemory_Free(animation->allocator, animation->tracks[n].keys);
            animation->tracks[n] = (RpMshTrack){retrack->lists[n].keys, retrack->lists[n].count};
        } else {
            KeyList_Free(&retrack->lists[n]);
        }
    }
    RpMemory_Free(animation->allocator, retrack->lists);
    if (status == RP_OK)
        animation->frame_count = frame_count;
    return status;
}

/* ---- keys ------------------------------------------------------------------------------------ */

bool Key_SamePose(const RpMshKey *a, const RpMshKey *b) {
    return memcmp(a->position, b->position, sizeof a->position) == 0 &&
           memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0;
}

/* ---- sampling -------------------------------------------------------------------------------- */

RpStatus TrackSampler_Init(TrackSampler *sampler, const RpMshKey *keys, uint32_t key_count,
                           const RpAllocator *allocator, RpError *error) {
    uint32_t frames = 1;
    RpMshNode node = {.parent = RP_MSH_NONE};
    *sampler = (TrackSampler){.streams = {.key_count = 0}};
    RpStatus status = Track_Frames(0, keys, key_count, &frames, error);
    TrackWriter_Init(&sampler->streams, frames, allocator);
    if (status == RP_OK)
        status = TrackWriter_Add(&sampler->streams, 0, keys, key_count, &node.map_start,
                                 &node.fallback, error);
    if (status != RP_OK) {
        TrackSampler_Free(sampler);
        return status;
    }
    RpMshNode_Write(&node, sampler->node);
    sampler->model = (RpSkeleton){.nodes = sampler->node,
                                  .node_bytes = RP_MSH_NODE_BYTES,
                                  .keys = sampler->streams.keys.bytes,
                                  .key_bytes = (uint32_t)sampler->streams.keys.size,
                                  .frame_map = sampler->streams.map.bytes,
                                  .frame_map_bytes = (uint32_t)sampler->streams.map.size,
                                  .frame_count = frames};
    return RP_OK;
}

void TrackSampler_Free(TrackSampler *sampler) {
    TrackWriter_Free(&sampler->streams);
}

void Model_Sample(const RpSkeleton *model, uint32_t node, float time, float quaternion[4],
                  float position[3]) {
    const RpPoseSettings settings = {.build = RP_BUILD_SSE};
    uint16_t word = RpFpu_SetControlWord();
    RpPose_Sample(model, &settings, node, time, quaternion, position, NULL);
    RpFpu_Restore(word);
}

RpMshKey Model_SampleKey(const RpSkeleton *model, uint32_t node, float time) {
    /* The sampler's default order is the file's: x, y, z, w; its sense is the file's, too. */
    const RpMshReadings raw = {.key_order = 0, .rotation = 1};
    RpMshKey key = {.time = time};
    float quaternion[4];
    Model_Sample(model, node, time, quaternion, key.position);
    RpMsh_EncodeRotation(quaternion, &raw, key.rotation);
    return key;
}
