#include "replay/vectors/vector_skeleton.h"

#include "core/bytes.h"
#include "formats/synthetic/synthetic_streams.h"

#include <string.h>

enum { NO_PARENT = 0xFFFF, STATIC = 0xFFFF };

static void PutNumber(float *to, int64_t value, int exponent) {
    const uint32_t bits = Float_FromInteger(value, exponent);
    memcpy(to, &bits, sizeof bits);
}

void VectorSkeleton_Make(Random *random, VectorTimes times, VectorSkeleton *skeleton) {
    memset(skeleton, 0, sizeof *skeleton);
    memset(skeleton->nodes, 0xFF, sizeof skeleton->nodes);
    skeleton->streams = (RpSkeleton){.nodes = skeleton->nodes,
                                     .keys = skeleton->keys,
                                     .frame_map = skeleton->map,
                                     .frame_count = VECTOR_FRAMES};
    RpSkeleton *streams = &skeleton->streams;
    for (uint32_t node = 0; node < VECTOR_NODES; node++) {
        const uint32_t first = streams->key_bytes / KEY_BYTES;
        const uint32_t count = node % 3 == 2 ? 1 : 2 + Random_Below(random, VECTOR_KEYS_A_NODE - 1);
        const uint32_t last = first + count - 1;
        uint32_t quarters = 0;
        int32_t rotation[4];
        Quaternion_Unit(random, rotation);
        for (uint32_t k = 0; k < count; k++) {
            if (k > 0) {
                quarters += times == VECTOR_TIMES_DENSE   ? 4
                            : times == VECTOR_TIMES_WHOLE ? 4 * (1 + Random_Below(random, 5))
                                                          : 1 + Random_Below(random, 16);

                /* The rotation turns a little, or very little, or half way round. */
                int32_t from[4];
                memcpy(from, rotation, sizeof from);
                const uint32_t direction = Random_Below(random, 3);
                Quaternion_Turned(from, direction, Quaternion_Sine(random), rotation);
                const bool is_negated = Random_OneIn(random, 6);
                for (int i = 0; is_negated && i < 4; i++)
                    rotation[i] = -rotation[i];
            }

            /* The times of keys are in quarters of a frame. */
            RpMshKey key;
            for (uint32_t axis = 0; axis < 3; axis++)
                PutNumber(&key.position[axis], Random_Between(random, -4000, 4000), -6);
            PutNumber(&key.time, quarters, -2);
            for (uint32_t axis = 0; axis < 4; axis++)
                key.rotation[axis] = (int16_t)((int64_t)rotation[axis] * 32767 >> 30);
            SyntheticSkeleton_AddKey(streams, &key);
        }
        const uint32_t parent = node > 0 ? Random_Below(random, node) : NO_PARENT;
        const uint32_t map_start =
            count > 1 ? SyntheticSkeleton_AddFrames(streams, first, last) : STATIC;
        SyntheticSkeleton_AddNode(streams, 0, parent, map_start, last);
    }
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
    const uint32_t keys = skeleton->streams.key_bytes / KEY_BYTES;
    for (uint32_t k = 0; k < keys; k++)
        memcpy(values + (size_t)k * count, skeleton->keys + (size_t)k * KEY_BYTES + offset,
               count * sizeof *values);
    VectorText_Floats(text, name, values, keys * count);
}

void VectorSkeleton_Put(const VectorSkeleton *skeleton, VectorText *text) {
    PutWords(text, "parents", skeleton->nodes, VECTOR_NODES, NODE_BYTES, NODE_AT_parent);
    PutWords(text, "map_starts", skeleton->nodes, VECTOR_NODES, NODE_BYTES, NODE_AT_map_start);
    PutWords(text, "fallbacks", skeleton->nodes, VECTOR_NODES, NODE_BYTES, NODE_AT_fallback);
    PutKeyFloats(text, "key_positions", skeleton, KEY_AT_position, 3);
    PutKeyFloats(text, "key_times", skeleton, KEY_AT_time, 1);

    int32_t words[VECTOR_NODES * VECTOR_KEYS_A_NODE * 4];
    const uint32_t keys = skeleton->streams.key_bytes / KEY_BYTES;
    for (uint32_t i = 0; i < 4 * keys; i++)
        words[i] = (int16_t)Bytes_U16(skeleton->keys + (size_t)(i / 4) * KEY_BYTES +
                                      KEY_AT_rotation + 2 * (i % 4));
    VectorText_Integers(text, "key_rotations", words, 4 * keys);

    PutWords(text, "frame_map", skeleton->map, skeleton->streams.frame_map_bytes / MAP_WORD_BYTES,
             MAP_WORD_BYTES, 0);
    VectorText_Number(text, "frame_count", skeleton->streams.frame_count);
}
