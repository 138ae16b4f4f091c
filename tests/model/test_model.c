/* Compares samples and blends of a node's keys with the MPFR model, bit for bit: random keys and
 * times of every kind, under all precisions and rounding modes of the control word and of MXCSR, in
 * all builds, under all readings. */
#include "core/bytes.h"
#include "model.h"
#include "tests/ngi32/functions.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <stddef.h>

enum { CASES = 250000, KEYS = 6, FRAMES = 24 };

typedef struct Clip {
    uint8_t node[38], keys[24 * KEYS], frame_map[2 * FRAMES];
    RpSkeleton streams;
} Clip;

static void DrawKey(Random *random, InputKind kind, uint8_t *bytes, float time) {
    float position[3], q[9];
    Random_Fill(random, Random_Below(random, 16) ? kind : INPUT_SPECIAL, position, 3);
    Quaternions_Draw(random, q);
    memcpy(bytes, position, 12);
    memcpy(bytes + 12, &time, 4);
    for (int i = 0; i < 4; i++) {
        const bool raw = Random_Below(random, 8) == 0;
        const int component = raw ? (int)Random_Below(random, 65536) : (int)((double)q[i] * 32767);
        Bytes_PutU16(bytes + 16 + 2 * i, (uint32_t)component & 0xFFFF);
    }
}

/* Makes one node. Frame f names the last key at or before it, as in the game's files. The fallback
 * key is the last one or one in the middle, or the node has no map. Neighbouring keys are sometimes
 * nearly equal, so that the linear weights are used, too. */
static void DrawClip(Random *random, InputKind kind, Clip *clip) {
    float times[KEYS];
    uint32_t frame = 0;
    for (uint32_t k = 0; k < KEYS; k++) {
        times[k] = (float)frame + (Random_Below(random, 4) ? 0.0F : 0.25F);
        DrawKey(random, kind, clip->keys + 24 * k, times[k]);
        if (k && Random_Below(random, 4) == 0)
            memcpy(clip->keys + 24 * k + 16, clip->keys + 24 * k - 8, 8);
        frame += 1 + Random_Below(random, 4);
    }
    for (uint32_t f = 0, k = 0; f < FRAMES; f++) {
        while (k + 1 < KEYS && times[k + 1] <= (float)f)
            k++;
        Bytes_PutU16(clip->frame_map + 2 * f, k);
    }
    memset(clip->node, 0xFF, sizeof clip->node);
    Bytes_PutU16(clip->node + 4, Random_Below(random, 16) ? 0 : 0xFFFF);
    Bytes_PutU16(clip->node + 6, Random_Below(random, 4) ? KEYS - 1 : 3);
    clip->streams =
        (RpSkeleton){clip->node,      sizeof clip->node,      clip->keys, sizeof clip->keys,
                     clip->frame_map, sizeof clip->frame_map, FRAMES};
}

static float DrawNumber(Random *random, InputKind kind) {
    float number;
    Random_Fill(random, kind, &number, 1);
    return number;
}

static float DrawTime(Random *random, InputKind kind) {
    switch (Random_Below(random, 8)) {
    case 0:
        return (float)Random_Below(random, FRAMES);
    case 1:
        return (float)Random_Below(random, 4 * FRAMES) * 0.25F;
    case 2:
        return DrawNumber(random, INPUT_SPECIAL);
    case 3: /* past 2^32 only the low dword of the frame counts; past 2^63 it is 0 */
        return (float)Random_Below(random, 16) * 0x1p32F + DrawNumber(random, kind);
    case 4: /* any time, NaN too: the positions' kind decides only about values */
        return DrawNumber(random, INPUT_ANY);
    default:
        return (float)(Random_Next(random) >> 8) * (FRAMES * 0x1p-24F);
    }
}

/* Weights are mostly in 0..1. */
static float DrawWeight(Random *random, InputKind kind) {
    if (Random_Below(random, 4) == 0)
        return DrawNumber(random, kind);
    return (float)(Random_Next(random) >> 8) * 0x1p-24F;
}

typedef struct Posed {
    float quaternion[4], position[3], matrix[16];
} Posed;

TEST(SamplesAndBlendsEqualTheModel) {
    Random random = {.state = 20010816};
    for (int i = 0; i < CASES; i++) {
        const InputKind kind = (InputKind)Random_Below(&random, INPUT_KIND_COUNT);
        const Rounding before = Rounding_Get();
        Variant variant;
        Clip clip;
        Posed expected, actual;
        RpPoseCounters counters = {0};
        Variant_Draw(&random, &variant);
        DrawClip(&random, kind, &clip);
        const float a = DrawTime(&random, kind), b = DrawTime(&random, kind);
        const float weight = DrawWeight(&random, kind);
        const Model model = {Format_X87(variant.rounding.control_word),
                             Format_Sse(variant.rounding.mxcsr), variant.build, &variant.readings};
        const RpArithmetic settings = OfThread(variant.build, &variant.readings);
        /* What one side does not write must not be written by the other. */
        memset(&expected, 0xA5, sizeof expected);
        memset(&actual, 0xA5, sizeof actual);
        Rounding_Set(variant.rounding);
        Model_SampleNode(&model, &clip.streams, 0, a, expected.quaternion, expected.position);
        Model_BlendPoses(&model, &clip.streams, 0, a, b, weight, expected.matrix);
        RpPose_Sample(&clip.streams, &settings, 0, a, actual.quaternion, actual.position,
                      &counters);
        RpPose_Blend(&clip.streams, &settings, 0, a, b, weight, actual.matrix, &counters);
        Rounding_Set(before);
        assert_int_equal(counters.out_of_bounds, 0);
        if (memcmp(&expected, &actual, sizeof actual) != 0) {
            char readings[RP_READINGS_TEXT];
            RpReadings_Format(&variant.readings, RP_READS_RUNTIME, readings, sizeof readings);
            fail_msg("case %d, %s build, control word %04X, MXCSR %04X, readings \"%s\", times %g "
                     "and %g, weight %g",
                     i, RpBuild_Name(variant.build), variant.rounding.control_word,
                     (unsigned)variant.rounding.mxcsr, readings, (double)a, (double)b,
                     (double)weight);
        }
    }
}
