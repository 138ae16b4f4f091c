#include "formats/msh/make/track.h"
#include "exports/reading_table.h"

#include "animesh/sample.h"
#include "ngi32/processor/scope.h"

#include <inttypes.h>
#include <string.h>

/* ---- lists of keys --------------------------------------------------------------------------- */

void KeyList_Init(KeyList *list, const RpAllocator *allocator) {
    *list = (KeyList){.allocator = allocator};
}

void KeyList_Free(KeyList *list) {
    RpMemory_Free(list->allocator, list->keys);
    KeyList_Init(list, list->allocator);
}

void KeyList_Add(KeyList *list, const RpMshKey *key, double time) {
    if (list->failed)
        return;
    if (list->count == list->capacity) {
        uint64_t capacity = list->capacity ? (uint64_t)list->capacity * 2 : 8;
        RpMshKey *keys =
            capacity <= UINT32_MAX / sizeof *keys
                ? RpMemory_Resize(list->allocator, list->keys, (size_t)capacity * sizeof *keys)
                : NULL;
        list->failed = !keys;
        if (list->failed)
            return;
        list->keys = keys;
        list->capacity = (uint32_t)capacity;
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

RpStatus Track_Check(const RpMshTrack *track, RpError *error) {
    uint32_t frames;
    const RpStatus status = Track_Frames(0, track->keys, track->key_count, &frames, error);
    if (status == RP_OK && track->key_count > MAKE_MAX_KEYS)
        return Make_Refuse(error, RP_INVALID, "the key pool is full", "node", 0,
                           "at most 65535 keys in a model", "%" PRIu32, track->key_count);
    return status;
}

static PoseKey StoredKey(const RpMshKey *key) {
    PoseKey stored = {.time = key->time};
    memcpy(stored.position, key->position, sizeof stored.position);
    memcpy(stored.rotation, key->rotation, sizeof stored.rotation);
    return stored;
}

void Track_SampleWith(const RpMshTrack *track, const RpArithmetic *settings, float time,
                      float quaternion[4], float position[3]) {
    const PoseContext context = Pose_Context(NULL, settings, NULL);
    const ArithmeticScope scope = Arithmetic_Enter(settings);

    /* The first key is the one that the canonical frame map names for the frame (seed 000 section
     * 5.4): the last one at or before it. */
    const uint32_t frame = Pose_FrameAt(time);
    uint32_t first = 0, high = track->key_count - 1;
    if (frame > (uint32_t)track->keys[high].time)
        first = high;
    while (first < high) {
        const uint32_t middle = high - (high - first) / 2;
        if (track->keys[middle].time <= (float)frame)
            first = middle;
        else
            high = middle - 1;
    }
    const bool last = first + 1 == track->key_count;
    const PoseKey k0 = StoredKey(&track->keys[first]),
                  k1 = StoredKey(&track->keys[last ? first : first + 1]);
    Pose_SampleKeys(&context, &k0, last ? NULL : &k1, time, quaternion, position);
    Arithmetic_Leave(scope);
}

void Track_Sample(const RpMshTrack *track, float time, float quaternion[4], float position[3]) {
    const RpArithmetic settings = {.build = RP_BUILD_SSE};
    Track_SampleWith(track, &settings, time, quaternion, position);
}

/* The file has the components x, y, z, w, and the sampler's default order and direction of rotation
 * are those of the file. */
static void PutRotation(const float quaternion[4], RpMshKey *key) {
    const RpReadings raw = {.choice = {[READING_KEY_ORDER] = 0, [READING_ROTATION] = 1}};
    RpMsh_EncodeRotation(quaternion, &raw, key->rotation);
}

RpMshKey Track_SampleKey(const RpMshTrack *track, float time) {
    RpMshKey key = {.time = time};
    float quaternion[4];
    Track_Sample(track, time, quaternion, key.position);
    PutRotation(quaternion, &key);
    return key;
}

RpMshKey Skeleton_SampleKey(const RpSkeleton *skeleton, uint32_t node, float time) {
    const RpArithmetic settings = {.build = RP_BUILD_SSE};
    RpMshKey key = {.time = time};
    float quaternion[4];
    RpPose_Sample(skeleton, &settings, node, time, quaternion, key.position, NULL);
    PutRotation(quaternion, &key);
    return key;
}
