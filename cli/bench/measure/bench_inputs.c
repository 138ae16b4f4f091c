#include "cli/bench/measure/bench_inputs.h"

#include "animesh/records.h"
#include "core/random.h"
#include "formats/synthetic/synthetic_streams.h"

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

RpSkeleton Bench_MakeSkeleton(unsigned joints) {
    static uint8_t nodes[BENCH_MOST_JOINTS * NODE_BYTES];
    static uint8_t keys[BENCH_MOST_JOINTS * BENCH_KEYS * KEY_BYTES];
    static uint8_t frame_map[BENCH_MOST_JOINTS * BENCH_FRAMES * MAP_WORD_BYTES];
    RpSkeleton skeleton = {
        .nodes = nodes, .keys = keys, .frame_map = frame_map, .frame_count = BENCH_FRAMES};
    memset(nodes, 0xFF, sizeof nodes);
    for (unsigned j = 0; j < joints; j++) {
        for (unsigned k = 0; k < BENCH_KEYS; k++) {
            const float numbers[3] = {Bench_Draw(), Bench_Draw(), Bench_Draw()};
            RpMshKey key = {.time = (float)(k * BENCH_KEY_DISTANCE)};
            float q[4];
            memcpy(key.position, numbers, sizeof key.position);
            Bench_DrawQuaternion(q);
            for (int i = 0; i < 4; i++)
                key.rotation[i] = (int16_t)(q[(i + 1) % 4] * 32767.0F);
            SyntheticSkeleton_AddKey(&skeleton, &key);
        }
        for (unsigned f = 0; f < BENCH_FRAMES; f++)
            SyntheticSkeleton_AddWord(&skeleton, j * BENCH_KEYS + f / BENCH_KEY_DISTANCE);
        SyntheticSkeleton_AddNode(&skeleton, 0xFFFF, j == 0 ? 0xFFFF : (j - 1) / 2,
                                  j * BENCH_FRAMES, (j + 1) * BENCH_KEYS - 1);
    }
    return skeleton;
}

uint32_t Bench_SwapMxcsr(uint32_t wanted) {
    const uint32_t before = State_Mxcsr();
    State_SetMxcsr(wanted);
    return before;
}
