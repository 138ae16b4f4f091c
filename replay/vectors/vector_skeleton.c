#include "replay/vectors/vector_skeleton.h"

#include "core/bytes.h"

#include <string.h>

enum { NO_PARENT = 0xFFFF, STATIC = 0xFFFF };

static void PutFloat(uint8_t *bytes, uint32_t bits) {
    Bytes_PutU32(bytes, bits);
}

static uint32_t NextTime(Random *random, VectorTimes times, uint32_t quarters) {
    if (times == VECTOR_TIMES_DENSE)
        return quarters + 4;
    return quarters + (times == VECTOR_TIMES_WHOLE ? 4 * (1 + Random_Below(random, 5))
                                                   : 1 + Random_Below(random, 16));
}

static void MakeNode(Random *random, VectorTimes times, VectorSkeleton *skeleton) {
    const uint32_t index = skeleton->node_count++, first = skeleton->key_count;
    const uint32_t count = index % 3 == 2 ? 1 : 2 + Random_Below(random, VECTOR_KEYS_A_NODE - 1);
    uint8_t *node = skeleton->nodes + (size_t)index * NODE_BYTES;
    uint32_t quarters[VECTOR_KEYS_A_NODE] = {0};
    int32_t rotation[4];
    Quaternion_Unit(random, rotation);
    for (uint32_t k = 0; k < count; k++) {
        if (k > 0) {
            quarters[k] = NextTime(random, times, quarters[k - 1]);

            /* The rotation turns a little, or very little, or half way round. */
            int32_t from[4];
            memcpy(from, rotation, sizeof from);
            const uint32_t direction = Random_Below(random, 3);
            Quaternion_Turned(from, direction, Quaternion_Sine(random), rotation);
            if (Random_OneIn(random, 6))
                for (int i = 0; i < 4; i++)
                    rotation[i] = -rotation[i];
        }

        /* The times of keys are in quarters of a frame. */
        uint8_t *key = skeleton->keys + (size_t)(first + k) * KEY_BYTES;
        for (uint32_t axis = 0; axis < 3; axis++)
            PutFloat(key + KEY_AT_position + 4 * axis,
                     Float_FromInteger(Random_Between(random, -4000, 4000), -6));
        PutFloat(key + KEY_AT_time, Float_FromInteger(quarters[k], -2));
        for (uint32_t axis = 0; axis < 4; axis++)
            Bytes_PutU16(key + KEY_AT_rotation + 2 * axis,
                         (uint16_t)(int16_t)((int64_t)rotation[axis] * 32767 >> 30));
    }
    skeleton->key_count += count;
    memset(node, 0xFF, NODE_BYTES);
    Bytes_PutU16(node + NODE_AT_flags, 0);
    const uint32_t parent = index > 0 ? Random_Below(random, index) : NO_PARENT;
    Bytes_PutU16(node + NODE_AT_parent, (uint16_t)parent);
    Bytes_PutU16(node + NODE_AT_map_start, (uint16_t)(count > 1 ? skeleton->word_count : STATIC));
    Bytes_PutU16(node + NODE_AT_fallback, (uint16_t)(skeleton->key_count - 1));
    if (count > 1) {
        /* The key of a frame is the last one at or before it (seed 000 section 5.4). */
        uint8_t *map = skeleton->map + (size_t)skeleton->word_count * MAP_WORD_BYTES;
        uint32_t key = 0;
        for (uint32_t frame = 0; frame < VECTOR_FRAMES; frame++) {
            while (key + 1 < count && quarters[key + 1] <= 4 * frame)
                key++;
            Bytes_PutU16(map + frame * MAP_WORD_BYTES, (uint16_t)(first + key));
        }

        skeleton->word_count += VECTOR_FRAMES;
    }
}

void VectorSkeleton_Make(Random *random, VectorTimes times, VectorSkeleton *skeleton) {
    memset(skeleton, 0, sizeof *skeleton);
    skeleton->frame_count = VECTOR_FRAMES;
    while (skeleton->node_count < VECTOR_NODES)
        MakeNode(random, times, skeleton);
}

RpSkeleton VectorSkeleton_Of(const VectorSkeleton *skeleton) {
    return (RpSkeleton){.nodes = skeleton->nodes,
                        .node_bytes = skeleton->node_count * NODE_BYTES,
                        .keys = skeleton->keys,
                        .key_bytes = skeleton->key_count * KEY_BYTES,
                        .frame_map = skeleton->map,
                        .frame_map_bytes = skeleton->word_count * MAP_WORD_BYTES,
                        .frame_count = skeleton->frame_count};
}

/* ---- as text --------------------------------------------------------------------------------- */

static void PutWords(VectorText *text, const char *name, const uint8_t *records, uint32_t count,
                     uint32_t stride, uint32_t offset) {
    int32_t words[VECTOR_NODES * VECTOR_FRAMES];
    for (uint32_t i = 0; i < count; i++)
        words[i] = Bytes_U16(records + (size_t)i * stride + offset);
    VectorText_Integers(text, name, words, count);
}

static void PutKeyFloats(VectorText *text, const char *name, const VectorSkeleton *skeleton,
                         uint32_t offset, uint32_t count) {
    float values[VECTOR_NODES * VECTOR_KEYS_A_NODE * 3];
    for (uint32_t k = 0; k < skeleton->key_count; k++)
        memcpy(values + (size_t)k * count, skeleton->keys + (size_t)k * KEY_BYTES + offset,
               count * sizeof *values);
    VectorText_Floats(text, name, values, skeleton->key_count * count);
}

void VectorSkeleton_Put(const VectorSkeleton *skeleton, VectorText *text) {
    PutWords(text, "parents", skeleton->nodes, skeleton->node_count, NODE_BYTES, NODE_AT_parent);
    PutWords(text, "map_starts", skeleton->nodes, skeleton->node_count, NODE_BYTES,
             NODE_AT_map_start);
    PutWords(text, "fallbacks", skeleton->nodes, skeleton->node_count, NODE_BYTES,
             NODE_AT_fallback);
    PutKeyFloats(text, "key_positions", skeleton, KEY_AT_position, 3);
    PutKeyFloats(text, "key_times", skeleton, KEY_AT_time, 1);

    int32_t words[VECTOR_NODES * VECTOR_KEYS_A_NODE * 4];
    for (uint32_t i = 0; i < 4 * skeleton->key_count; i++)
        words[i] = (int16_t)Bytes_U16(skeleton->keys + (size_t)(i / 4) * KEY_BYTES +
                                      KEY_AT_rotation + 2 * (i % 4));
    VectorText_Integers(text, "key_rotations", words, 4 * skeleton->key_count);

    PutWords(text, "frame_map", skeleton->map, skeleton->word_count, MAP_WORD_BYTES, 0);
    VectorText_Number(text, "frame_count", skeleton->frame_count);
}
