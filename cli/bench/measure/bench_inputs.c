#include "cli/bench/measure/bench_inputs.h"

#include "animesh/records.h"
#include "core/random.h"

#include <string.h>

static uint64_t seed = 1;

void Bench_Restart(void) {
    seed = 1;
}

float Bench_Draw(void) {
    return (float)((int32_t)(Random_Lcg64(&seed) >> 40) - 0x800000) * 0x1p-23F;
}

void Bench_DrawQuaternion(float q[4]) {
    q[0] = 0.9F;
    for (int i = 1; i < 4; i++)
        q[i] = 0.25F * Bench_Draw();
}

static void PutU16(uint8_t *bytes, unsigned value) {
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

static void MakeKey(float time, uint8_t *key) {
    const float numbers[4] = {Bench_Draw(), Bench_Draw(), Bench_Draw(), time};
    float q[4];
    memcpy(key, numbers, sizeof numbers);
    Bench_DrawQuaternion(q);
    for (int i = 0; i < 4; i++)
        PutU16(key + KEY_AT_rotation + 2 * i, (unsigned)(int)(q[(i + 1) % 4] * 32767.0F) & 0xFFFF);
}

RpSkeleton Bench_MakeSkeleton(unsigned joints) {
    static uint8_t nodes[BENCH_MOST_JOINTS * NODE_BYTES];
    static uint8_t keys[BENCH_MOST_JOINTS * BENCH_KEYS * KEY_BYTES];
    static uint8_t frame_map[BENCH_MOST_JOINTS * BENCH_FRAMES * MAP_WORD_BYTES];
    memset(nodes, 0xFF, sizeof nodes);
    for (unsigned j = 0; j < joints; j++) {
        uint8_t *node = nodes + j * NODE_BYTES;
        for (unsigned k = 0; k < BENCH_KEYS; k++)
            MakeKey((float)(k * BENCH_KEY_DISTANCE), keys + (j * BENCH_KEYS + k) * KEY_BYTES);
        for (unsigned f = 0; f < BENCH_FRAMES; f++)
            PutU16(frame_map + (j * BENCH_FRAMES + f) * MAP_WORD_BYTES,
                   j * BENCH_KEYS + f / BENCH_KEY_DISTANCE);
        PutU16(node + NODE_AT_parent, j == 0 ? 0xFFFF : (j - 1) / 2);
        PutU16(node + NODE_AT_map_start, j * BENCH_FRAMES);
        PutU16(node + NODE_AT_fallback, (j + 1) * BENCH_KEYS - 1);
    }
    return (RpSkeleton){.nodes = nodes,
                        .node_bytes = joints * NODE_BYTES,
                        .keys = keys,
                        .key_bytes = joints * BENCH_KEYS * KEY_BYTES,
                        .frame_map = frame_map,
                        .frame_map_bytes = joints * BENCH_FRAMES * MAP_WORD_BYTES,
                        .frame_count = BENCH_FRAMES};
}

uint32_t Bench_SwapMxcsr(uint32_t wanted) {
    const uint32_t before = State_Mxcsr();
    State_SetMxcsr(wanted);
    return before;
}
