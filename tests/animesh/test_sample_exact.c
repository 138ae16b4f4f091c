/* Tests that sampling between two keys gives the same bits through the exact core and through the
 * x87. The x87's bits come from the same call under an MXCSR that rounds toward zero: the core
 * refuses it under such an MXCSR, and no step of the generic build obeys MXCSR. */
#include "animesh/records.h"
#include "animesh/sample.h"
#include "ngi32/exact/keys.h"
#include "tests/ngi32/floats.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { CALLS = 1000000, GAMES_WORD = 0x007F, MXCSR = 0x1F80, MXCSR_TOWARD_ZERO = 0x7F80 };

static const Rounding core_rounding = {GAMES_WORD, MXCSR};
static const Rounding x87_rounding = {GAMES_WORD, MXCSR_TOWARD_ZERO};

typedef struct Input {
    PoseKey keys[2];
    float t;
} Input;

typedef struct Result {
    float quaternion[4], position[3];
} Result;

/* Draws a number from -1 to 1. */
static float Draw(Random *random) {
    return (float)(int32_t)Random_Next(random) * 0x1p-31f;
}

/* Draws 0 or a number of a size from 2^-40 to 2^40; two of these are often neighbours. */
static float Extreme(Random *random) {
    const float size = ldexpf(1, (int)Random_Below(random, 3) * 40 - 40);
    const float number = Random_Below(random, 2) ? size : nextafterf(size, 1);
    return Random_Below(random, 5) ? number : Random_Below(random, 2) ? 0 : -size;
}

/* Draws keys some frames apart and a time between them, as models have them. Now and then the time
 * is one of theirs, next to it, or outside, the times are equal, or numbers are at the ends of what
 * the core takes. */
static void DrawInput(Random *random, Input *input) {
    const float start = (float)Random_Below(random, 300),
                step = (float)(1 + Random_Below(random, 30));
    for (int k = 0; k < 2; k++) {
        PoseKey *key = &input->keys[k];
        key->time = k == 0 ? start : start + step;
        for (int i = 0; i < 3; i++)
            key->position[i] = ldexpf(Draw(random), (int)Random_Below(random, 12));
        for (int i = 0; i < 4; i++)
            key->rotation[i] = (int16_t)Random_Next(random);
    }
    if (Random_Below(random, 4)) /* neighbouring keys are alike */
        for (int i = 0; i < 4; i++)
            input->keys[1].rotation[i] = (int16_t)(input->keys[0].rotation[i] / 2 + 300 * i);
    input->t = start + step * fabsf(Draw(random));
    const uint32_t kind = Random_Below(random, 20);
    if (kind < 2)
        input->t = kind == 0 ? start : start + step;
    else if (kind < 4)
        input->t = nextafterf(kind == 2 ? start : start + step, start + step / 2);
    else if (kind == 4)
        input->t = 1000 * Draw(random);
    else if (kind == 5)
        input->keys[1].time = start;
    else if (kind == 6) { /* numbers of all sizes that the core takes */
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 3; i++)
                input->keys[k].position[i] = Extreme(random);
            input->keys[k].time = Extreme(random);
        }
        input->t = Extreme(random);
    }
}

static Result Sample(Rounding rounding, const RpArithmetic *settings, const Input *input) {
    const PoseContext context = Pose_Context(NULL, settings, NULL);
    const Rounding before = Rounding_Get();
    Result result;
    memset(&result, 0, sizeof result);
    Rounding_Set(rounding);
    Pose_SampleKeys(&context, &input->keys[0], &input->keys[1], input->t, result.quaternion,
                    result.position);
    Rounding_Set(before);
    return result;
}

static void Compare(const RpArithmetic *settings, const Input *input) {
    const Result found = Sample(core_rounding, settings, input);
    const Result expected = Sample(x87_rounding, settings, input);
    assert_memory_equal(&found, &expected, sizeof found);
}

static RpArithmetic Settings(const char *words) {
    RpArithmetic settings = OfThread(RP_BUILD_GENERIC, NULL);
    assert_int_equal(RpReadings_Parse(&settings.readings, RP_READS_RUNTIME, words, NULL), RP_OK);
    return settings;
}

TEST(CoreAndX87Agree) {
    static const char *const readings[] = {"",
                                           "key-lerp=weights",
                                           "key-alpha-bits=kept",
                                           "key-order=wxyz",
                                           "key-scale=f64",
                                           "key-scale=divide",
                                           "key-alpha=reciprocal",
                                           "nan-equal=c3"};
    for (size_t r = 0; r < sizeof readings / sizeof *readings; r++) {
        const RpArithmetic settings = Settings(readings[r]);
        Random random = {.state = 31 + r};
        for (int i = 0; i < (r == 0 ? CALLS : CALLS / 10); i++) {
            Input input;
            DrawInput(&random, &input);
            Compare(&settings, &input);
        }
    }
}

/* Puts numbers of every class in the place of each coordinate and time. */
TEST(SpecialValues) {
    const RpArithmetic settings = Settings("");
    Random random = {.state = 5};
    for (int round = 0; round < 300; round++)
        for (int place = 0; place < 9; place++)
            for (int special = 0; special < SPECIAL_COUNT; special++) {
                Input input;
                DrawInput(&random, &input);
                float *const number = place < 3   ? &input.keys[0].position[place]
                                      : place < 6 ? &input.keys[1].position[place - 3]
                                      : place < 8 ? &input.keys[place - 6].time
                                                  : &input.t;
                Float_Put(number, special_bits[special]);
                Compare(&settings, &input);
            }
}

/* Tests times near halves, at which FISTP rounds to the even neighbour, and times near the end of
 * the range that the core takes. */
TEST(Frames) {
    Random random = {.state = 9};
    const Rounding before = Rounding_Get();
    Rounding_Set(core_rounding);
    for (int i = 0; i < CALLS; i++) {
        float t = (float)((int)Random_Below(&random, 4000) - 2000) * 0.25f;
        if (i % 2)
            Float_Put(&t, Random_Next(&random));
        if (i % 3 == 0)
            t = nextafterf(t, i % 5 ? 0 : 1e9f);
        uint32_t frame;
        if (Exact_FrameAt(&t, &frame))
            assert_int_equal(frame, Pose_FrameAt(t));
        else
            assert_false(fabsf(t) < 0x1p30f);
    }
    Rounding_Set(before);
}

TEST(EveryComponent) {
    const Rounding before = Rounding_Get();
    for (int number = INT16_MIN; number <= INT16_MAX; number++) {
        const int16_t rotation[4] = {(int16_t)number, 1, 2, (int16_t)~number};
        Input input = {.keys = {{.time = 0}, {.time = 1}}, .t = 0};
        float found[4];
        memcpy(input.keys[0].rotation, rotation, sizeof rotation);
        Rounding_Set(core_rounding);
        Exact_DecodeRotation(rotation, found);
        Rounding_Set(before);
        const RpArithmetic settings = OfThread(RP_BUILD_GENERIC, NULL);
        const Result expected = Sample(x87_rounding, &settings, &input);
        assert_memory_equal(found, expected.quaternion, sizeof found);
    }
}

/* ---- callers --------------------------------------------------------------------------------- */

enum { FRAMES = 400 };

/* Makes one node between two keys. From frame 400 on, the second key holds. */
static void MakeSkeleton(const Input *input, RpSkeleton *skeleton) {
    static uint8_t node[NODE_BYTES], frame_map[FRAMES * MAP_WORD_BYTES];
    memset(node, 0xFF, sizeof node);
    memset(node + NODE_AT_map_start, 0, MAP_WORD_BYTES);
    node[NODE_AT_fallback] = 1;
    node[NODE_AT_fallback + 1] = 0;
    *skeleton = (RpSkeleton){.nodes = node,
                             .node_bytes = sizeof node,
                             .keys = (const uint8_t *)input->keys,
                             .key_bytes = sizeof input->keys,
                             .frame_map = frame_map,
                             .frame_map_bytes = sizeof frame_map,
                             .frame_count = FRAMES};
}

static Result SampleNode(Rounding rounding, const RpArithmetic *settings,
                         const RpSkeleton *skeleton, float t, RpPoseCounters *ways) {
    enum { FLAGS = 0x3F };
    const Rounding before = Rounding_Get();
    Result result;
    memset(&result, 0, sizeof result);
    Rounding_Set(rounding);
    RpPose_Sample(skeleton, settings, 0, t, result.quaternion, result.position, ways);
    const Rounding after = Rounding_Get();
    Rounding_Set(before);
    assert_int_equal(after.control_word, rounding.control_word);
    assert_int_equal(after.mxcsr & ~(uint32_t)FLAGS, rounding.mxcsr & ~(uint32_t)FLAGS);
    return result;
}

/* A caller who asks for a control word gets the bits of that word, and keeps its own modes. This
 * holds if the core serves the call, which needs no control word, and if it refuses. */
TEST(TheCallersModesDoNotMatter) {
    enum { FLUSHING = 0x9FC0 };
    static const Rounding callers[] = {{0x037F, MXCSR},
                                       {0x0C7F, MXCSR},
                                       {0x027F, FLUSHING},
                                       {0x0F7F, MXCSR_TOWARD_ZERO},
                                       {GAMES_WORD, FLUSHING}};
    const RpArithmetic by_value = {.build = RP_BUILD_GENERIC}, of_thread = Settings("");
    RpPoseCounters ways = {0}, x87 = {0};
    Random random = {.state = 77};
    for (int i = 0; i < 40000; i++) {
        Input input;
        RpSkeleton skeleton;
        DrawInput(&random, &input);
        if (i % 4 == 0) { /* these times are refused by the core */
            const uint32_t place = Random_Below(&random, 9);
            const uint32_t bits = special_bits[Random_Below(&random, SPECIAL_COUNT)];
            PoseKey *const key = &input.keys[place / 4 % 2];
            Float_Put(place == 8       ? &input.t
                      : place % 4 == 3 ? &key->time
                                       : &key->position[place % 4],
                      bits);
        }
        MakeSkeleton(&input, &skeleton);
        const Result expected = SampleNode(x87_rounding, &of_thread, &skeleton, input.t, &x87);
        for (size_t c = 0; c < sizeof callers / sizeof *callers; c++) {
            const Result found = SampleNode(callers[c], &by_value, &skeleton, input.t, &ways);
            assert_memory_equal(&found, &expected, sizeof found);
        }
    }
    assert_int_equal(x87.by_core + x87.refused, 0);
    assert_int_equal(ways.by_core + ways.by_x87 + ways.refused, 5 * x87.by_x87);
    assert_true(ways.by_core > 50000 && ways.refused > 5000);
}

typedef struct Blended {
    float matrix[16];
} Blended;

static Blended Blend(Rounding rounding, const RpArithmetic *settings, const RpSkeleton *skeleton,
                     const float times[2], float weight, RpPoseCounters *ways) {
    const Rounding before = Rounding_Get();
    Blended result;
    Rounding_Set(rounding);
    RpPose_Blend(skeleton, settings, 0, times[0], times[1], weight, result.matrix, ways);
    Rounding_Set(before);
    return result;
}

/* Makes rotations at a right angle, whose dot product is 0. Which side is the nearer one then
 * depends on how the squared lengths of their sum and difference are rounded. */
static void TurnByRightAngle(Input *input) {
    const int16_t *const a = input->keys[0].rotation;
    const int16_t b[4] = {(int16_t)-a[1], a[0], (int16_t)-a[3], a[2]};
    memcpy(input->keys[1].rotation, b, sizeof b);
}

TEST(BlendsAgree) {
    static const char *const readings[] = {"", "blend-lerp=delta", "flip-sum=pairs", "dot4=pairs"};
    RpPoseCounters ways = {0}, x87 = {0};
    for (size_t r = 0; r < sizeof readings / sizeof *readings; r++) {
        const RpArithmetic of_thread = Settings(readings[r]);
        RpArithmetic by_value = of_thread;
        by_value.control_word = 0;
        Random random = {.state = 90 + r};
        for (int i = 0; i < 60000; i++) {
            Input input;
            RpSkeleton skeleton;
            DrawInput(&random, &input);
            if (i % 3 == 0)
                TurnByRightAngle(&input);
            MakeSkeleton(&input, &skeleton);
            const float times[2] = {i % 3 == 0 ? input.keys[0].time : input.t,
                                    i % 2 ? input.keys[1].time : input.t / 2};
            const float weight = i % 5 ? fabsf(Draw(&random)) : Extreme(&random);
            const Blended expected =
                Blend(x87_rounding, &of_thread, &skeleton, times, weight, &x87);
            RpPoseCounters ordinary = {0}, odd = {0};
            const Rounding caller = {0x037F, MXCSR}, other = {0x037F, MXCSR_TOWARD_ZERO};
            const Blended found = Blend(caller, &by_value, &skeleton, times, weight, &ordinary);
            const Blended again = Blend(other, &by_value, &skeleton, times, weight, &odd);
            assert_memory_equal(&found, &expected, sizeof found);
            assert_memory_equal(&again, &expected, sizeof again);
            assert_memory_equal(&odd, &ordinary, sizeof odd); /* the core serves both */
            ways.by_core += odd.by_core;
        }
    }
    assert_int_equal(x87.by_core + x87.refused, 0);
    assert_true(ways.by_core > 200000);
}
