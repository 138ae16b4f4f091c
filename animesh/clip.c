/* Prepares the clips of skeletons. Declared in retropose/pose.h and animesh/pose_many.h. */
#include "animesh/pose_many.h"
#include "animesh/streams.h"
#include "core/bytes.h"
#include "ngi32/arc_readings.h"
#include "ngi32/processor/scope.h"

#include <string.h>

static uint32_t KeyCount(const RpSkeleton *skeleton) {
    return skeleton->key_bytes / KEY_BYTES;
}

/* ---- clips ----------------------------------------------------------------------------------- */

/* A clip is one block of memory: the clip itself, then its pairs, parents and joints. */
_Static_assert(sizeof(RpClip) % _Alignof(ExactPair) == 0, "the pairs behind a clip are aligned");
RpStatus RpClip_Prepare(const RpSkeleton *skeleton, const RpArithmetic *arithmetic,
                        const RpAllocator *allocator, RpClip **clip, RpError *error) {
    const bool is_served = PoseMany_IsExact(arithmetic);
    const uint32_t nodes = RpSkeleton_NodeCount(skeleton);
    const size_t pair_count = is_served ? KeyCount(skeleton) : 0;
    const size_t joint_bytes = sizeof(int32_t) + (is_served ? sizeof(ClipJoint) : 0);
    const size_t bytes = sizeof **clip + pair_count * sizeof(ExactPair) + nodes * joint_bytes;
    RpClip *made = RpMemory_Resize(allocator, NULL, bytes);
    if (!made)
        return RpMemory_Refused(error, "a clip");
    ExactPair *pairs = (ExactPair *)(void *)(made + 1);
    int32_t *parents = (int32_t *)(void *)(pairs + pair_count);
    *made = (RpClip){.skeleton = *skeleton, .allocator = allocator, .parents = parents};
    made->bytes = bytes;
    const RpStatus status = Pose_ReadParents(skeleton, parents, nodes, error);
    if (status != RP_OK) {
        RpMemory_Free(allocator, made);
        return status;
    }
    if (is_served) {
        const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
        made->order = Arc_Order(arithmetic);

        /* The last key has a pair only to fill the list: no key follows it, so no sample needs its
         * pair. */
        const uint32_t keys = KeyCount(&made->skeleton);
        const uint8_t *key = made->skeleton.keys;
        const uint32_t before = Exact_Enter();
        for (uint32_t i = 0; i + 1 < keys; i++, key += KEY_BYTES)
            Exact_PreparePair(made->order, key, key + KEY_BYTES, &pairs[i]);
        if (keys > 0)
            pairs[keys - 1] = (ExactPair){0};
        Exact_Leave(before);
        made->pairs = pairs;

        Arithmetic_Leave(scope);

        ClipJoint *joints = (ClipJoint *)(void *)(parents + nodes);
        const uint8_t *node = made->skeleton.nodes;
        const uint32_t words = made->skeleton.frame_map_bytes / MAP_WORD_BYTES;
        made->is_sound = true;
        for (uint32_t i = 0; i < RpSkeleton_NodeCount(&made->skeleton); i++, node += NODE_BYTES) {
            joints[i] = (ClipJoint){.map_start = Bytes_U16(node + NODE_AT_map_start),
                                    .fallback = Bytes_U16(node + NODE_AT_fallback)};
            made->is_sound = made->is_sound && joints[i].fallback < keys &&
                             (joints[i].map_start == NO_INDEX ||
                              (uint64_t)joints[i].map_start + made->skeleton.frame_count <= words);
        }
        made->joints = joints;
    }
    *clip = made;
    return RP_OK;
}

size_t RpClip_Bytes(const RpClip *clip) {
    return clip->bytes;
}

void RpClip_Free(RpClip *clip) {
    if (clip)
        RpMemory_Free(clip->allocator, clip);
}

void RpClip_Pose(const RpClip *clip, const RpArithmetic *arithmetic, size_t count,
                 const RpPoseTimes *times, bool zero_root, float (*local)[16],
                 float (*model_space)[16], RpPoseCounters *counters) {
    PoseContext context = Pose_Context(&clip->skeleton, arithmetic, counters);
    context.clip = clip;
    (void)Pose_Skeletons(&context, Exact_Width(), count, times, zero_root, local, model_space,
                         NULL); /* fails only if a parent comes after its child */
}
