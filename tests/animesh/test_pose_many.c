/* Tests that the poses of many nodes at once have the bits of one node after the other, for every
 * width of vectors that the processor has. In the generic build, one after the other means the x87:
 * the core refuses under an MXCSR that rounds toward zero, which the x87 does not mind. The SSE
 * build obeys MXCSR, so there it means the public functions for one node. */
#include "animesh/pose_many.h"
#include "animesh/records.h"
#include "animesh/streams.h"
#include "tests/ngi32/floats.h"
#include "tests/of_thread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_NODES = 150, MOST_KEYS = 600, MOST_FRAMES = 64, GAMES_WORD = 0x007F };
enum { STANDARD = 0x1F80, TOWARD_ZERO = 0x7F80, FLUSHED = 0x9FC0 /* FTZ and DAZ */ };

typedef struct Model {
    uint8_t nodes[MOST_NODES * NODE_BYTES], keys[MOST_KEYS * KEY_BYTES];
    uint8_t map[MOST_NODES * MOST_FRAMES * MAP_WORD_BYTES];
    RpSkeleton skeleton;
} Model;

typedef struct Times {
    float a, b, weight;
} Times;

typedef struct Result {
    float local[MOST_NODES][16], model[MOST_NODES][16];
    RpPoseCounters counters;
} Result;

/* ---- inputs ---------------------------------------------------------------------------------- */

static void PutU16(uint8_t *bytes, uint32_t value) {
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

/* From -1 to 1. */
static float Draw(Random *random) {
    return (float)(int32_t)Random_Next(random) * 0x1p-31f;
}

/* A key like those of models, turned a little from the one before. */
static void DrawKey(Random *random, float time, int16_t rotation[4], uint8_t *key) {
    float numbers[4] = {ldexpf(Draw(random), (int)Random_Below(random, 8)), Draw(random),
                        Draw(random), time};
    double length = 0;
    for (int i = 0; i < 4; i++) {
        const int turned = rotation[i] + (int)Random_Below(random, 12000) - 6000;
        rotation[i] = (int16_t)(turned > 32767 ? 32767 : turned < -32767 ? -32767 : turned);
        length += (double)rotation[i] * rotation[i];
    }
    for (int i = 0; i < 4 && length > 0; i++)
        rotation[i] = (int16_t)(rotation[i] * (32767 / sqrt(length)) * 0.9999);
    memcpy(key, numbers, sizeof numbers);
    memcpy(key + KEY_AT_rotation, rotation, 4 * sizeof *rotation);
}

static float TimeOf(const Model *model, uint32_t key) {
    float time;
    memcpy(&time, model->keys + (size_t)key * KEY_BYTES + offsetof(PoseKey, time), sizeof time);
    return time;
}

/* `strange` models have numbers of every class in their keys, and nodes that lead out of streams.
 */
static void DrawModel(Random *random, bool strange, Model *model) {
    const uint32_t nodes = 1 + Random_Below(random, MOST_NODES);
    const uint32_t frames = 1 + Random_Below(random, MOST_FRAMES);
    uint32_t keys = 0;
    memset(model, 0, sizeof *model);
    for (uint32_t n = 0; n < nodes; n++) {
        uint8_t *node = model->nodes + (size_t)n * NODE_BYTES;
        const uint32_t first = keys;
        uint32_t count = 1 + Random_Below(random, MOST_KEYS / nodes);
        int16_t rotation[4] = {0, 0, 0, 32767};
        float time = 0;
        for (uint32_t k = 0; k < count; k++, keys++) {
            DrawKey(random, time, rotation, model->keys + (size_t)keys * KEY_BYTES);
            time += (float)(1 + Random_Below(random, 2 * frames / count + 1));
        }
        for (uint32_t f = 0; f < frames;
             f++) { /* the last key whose time has come, or the fallback */
            uint32_t key = first;
            while (key + 1 < keys && TimeOf(model, key + 1) <= (float)f)
                key++;
            PutU16(model->map + ((size_t)n * frames + f) * MAP_WORD_BYTES, key);
        }
        PutU16(node + NODE_AT_parent,
               n == 0 || Random_Below(random, 20) == 0 ? NO_INDEX : Random_Below(random, n));
        PutU16(node + NODE_AT_map_start, Random_Below(random, 10) ? n * frames : NO_INDEX);
        PutU16(node + NODE_AT_fallback, keys - 1);
    }
    model->skeleton = (RpSkeleton){model->nodes, nodes * NODE_BYTES,
                                   model->keys,  keys * KEY_BYTES,
                                   model->map,   nodes * frames * MAP_WORD_BYTES,
                                   frames};
    for (uint32_t i = 0; strange && i < 1 + Random_Below(random, 4); i++) {
        uint8_t *node = model->nodes + (size_t)Random_Below(random, nodes) * NODE_BYTES;
        uint8_t *key = model->keys + (size_t)Random_Below(random, keys) * KEY_BYTES;
        const uint32_t special = special_bits[Random_Below(random, SPECIAL_COUNT)];
        switch (Random_Below(random, 6)) {
        case 0: /* anywhere, or so that one of the frames is the first behind the map */
            PutU16(node + NODE_AT_map_start, Random_Below(random, 2)
                                                 ? Random_Below(random, 0x10000)
                                                 : nodes * frames - Random_Below(random, frames));
            break;
        case 1:
            PutU16(node + NODE_AT_fallback, Random_Below(random, 0x10000));
            break;
        case 2: /* a rotation of any length, down to none */
            memset(key + KEY_AT_rotation, (int)Random_Below(random, 2) * 0x81, 8);
            break;
        default:
            memcpy(key + 4 * Random_Below(random, 4), &special, sizeof special);
        }
    }
}

/* Mostly times between keys; at keys, beside them, beyond the last one, negative, and special. */
static float DrawTime(Random *random, const Model *model) {
    const float frames = (float)model->skeleton.frame_count;
    float t = frames * fabsf(Draw(random));
    switch (Random_Below(random, 12)) {
    case 0:
        return floorf(t);
    case 1:
        return nextafterf(floorf(t), 1e9f);
    case 2:
        return nextafterf(floorf(t), -1);
    case 3:
        return -t;
    case 4:
        return Random_Below(random, 2) ? t * 0x1p20f : t * 0x1p40f;
    case 5:
        Float_Put(&t, special_bits[Random_Below(random, SPECIAL_COUNT)]);
        return t;
    default:
        return t;
    }
}

static Times DrawTimes(Random *random, const Model *model) {
    Times times = {DrawTime(random, model), -1, 0};
    const uint32_t kind = Random_Below(random, 4);
    if (kind > 0) {
        times.b = DrawTime(random, model);
        times.weight = fabsf(Draw(random));
    }
    if (kind == 3)
        switch (Random_Below(random, 6)) {
        case 0:
            times.weight = nextafterf(1, 0);
            break;
        case 1:
            times.weight = nextafterf(0, 1);
            break;
        case 2:
            times.weight = 0x1p-40f;
            break;
        case 3:
            times.weight = nextafterf(0x1p-40f, 0);
            break;
        case 4:
            times.weight = (float)Random_Below(random, 3) - 1;
            break;
        default:
            Float_Put(&times.weight, special_bits[Random_Below(random, SPECIAL_COUNT)]);
        }
    return times;
}

/* ---- both ways ------------------------------------------------------------------------------- */

static void OneByOne(const Model *model, const RpArithmetic *settings, uint32_t mxcsr, Times times,
                     Result *result) {
    const Rounding before = Rounding_Get();
    Rounding_Set((Rounding){GAMES_WORD, mxcsr});
    for (uint32_t n = 0; n < RpSkeleton_NodeCount(&model->skeleton); n++) {
        const int32_t parent = RpSkeleton_Parent(&model->skeleton, n);
        RpPose_Blend(&model->skeleton, settings, n, times.a, times.b, times.weight,
                     result->local[n], &result->counters);
        if (parent < 0)
            memcpy(result->model[n], result->local[n], sizeof *result->model);
        else
            RpMatrix_PoseProduct(settings, result->model[parent], result->local[n],
                                 result->model[n]);
    }
    Rounding_Set(before);
}

static bool Many(const Model *model, const RpArithmetic *settings, uint32_t mxcsr, Times times,
                 const ExactWidth *width, Result *result) {
    const Rounding before = Rounding_Get();
    Rounding_Set((Rounding){GAMES_WORD, mxcsr});
    const PoseContext context = Pose_Context(&model->skeleton, settings, &result->counters);
    PoseMany many = PoseMany_Begin(&context, width, times.a, times.b, times.weight);
    const uint32_t nodes = RpSkeleton_NodeCount(&model->skeleton);
    for (uint32_t first = 0; first < nodes; first += EXACT_MANY) {
        float local[EXACT_MANY][16];
        int32_t parents[EXACT_MANY];
        const int count = nodes - first < EXACT_MANY ? (int)(nodes - first) : EXACT_MANY;
        for (int i = 0; i < count; i++)
            parents[i] = RpSkeleton_Parent(&model->skeleton, first + (uint32_t)i);
        PoseMany_Locals(&many, first, count, local);
        memcpy(result->local[first], local, (size_t)count * sizeof *local);
        PoseMany_Models(&many, first, count, parents, (const float(*)[16])local, result->model);
    }
    assert_int_equal(Rounding_Get().mxcsr & ~0x3Fu, mxcsr & ~0x3Fu);
    Rounding_Set(before);
    return many.width != NULL;
}

static RpArithmetic Settings(RpBuild build, const char *words) {
    RpArithmetic settings = OfThread(build, NULL);
    assert_int_equal(RpReadings_Parse(&settings.readings, RP_READS_RUNTIME, words, NULL), RP_OK);
    return settings;
}

/* Returns how many nodes were posed. */
static uint64_t Compare(const RpArithmetic *settings, uint32_t mxcsr, uint64_t seed, int models,
                        bool strange) {
    static Model model;
    static Result expected, found;
    Random random = {.state = seed};
    uint64_t nodes = 0;
    for (int m = 0; m < models; m++) {
        DrawModel(&random, strange, &model);
        for (int round = 0; round < 4; round++) {
            const Times times = DrawTimes(&random, &model);
            memset(&expected, 0, sizeof expected);
            OneByOne(&model, settings, settings->build == RP_BUILD_SSE ? mxcsr : TOWARD_ZERO, times,
                     &expected);
            for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
                memset(&found, 0, sizeof found);
                Many(&model, settings, mxcsr, times, *width, &found);
                assert_memory_equal(&found, &expected, sizeof found);
                nodes += RpSkeleton_NodeCount(&model.skeleton);
            }
        }
    }
    return nodes;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_many_and_one_by_one_agree(void **state) {
    (void)state;
    const RpBuild builds[] = {RP_BUILD_GENERIC, RP_BUILD_FXCH, RP_BUILD_SSE};
    uint64_t nodes = 0;
    for (size_t b = 0; b < sizeof builds / sizeof *builds; b++) {
        const RpArithmetic settings = Settings(builds[b], "");
        nodes += Compare(&settings, STANDARD, 3 + b, 700, false);
        nodes += Compare(&settings, STANDARD, 30 + b, 700, true);
        nodes += Compare(&settings, FLUSHED, 300 + b, 300, true);
    }
    print_message("%llu poses\n", (unsigned long long)nodes);
}

/* A node with two keys whose rotations are at right angles: the dot product is exactly 0, and the
 * sum and the difference differ only by what was rounded. That alone decides which side is nearer,
 * and no other step makes up for a wrong choice. */
static void test_right_angles(void **state) {
    (void)state;
    static Model model;
    static Result expected, found;
    const RpArithmetic settings = Settings(RP_BUILD_GENERIC, "");
    Random random = {.state = 99};
    for (int round = 0; round < 200; round++) {
        memset(&model, 0, sizeof model);
        for (uint32_t n = 0; n < MOST_NODES; n++) {
            uint8_t *node = model.nodes + (size_t)n * NODE_BYTES;
            uint8_t *key = model.keys + (size_t)(2 * n) * KEY_BYTES;
            const float one = 1;
            int16_t q[4]; /* x, y, z, w */
            for (int i = 0; i < 4; i++)
                q[i] = (int16_t)((int)Random_Below(&random, 40000) - 20000);
            const int16_t turned[4] = {q[3], (int16_t)-q[2], q[1], (int16_t)-q[0]};
            memcpy(key + KEY_AT_rotation, q, sizeof q);
            memcpy(key + KEY_BYTES + KEY_AT_rotation, turned, sizeof turned);
            memcpy(key + KEY_BYTES + offsetof(PoseKey, time), &one, sizeof one);
            PutU16(model.map + (size_t)n * MAP_WORD_BYTES, 2 * n);
            PutU16(node + NODE_AT_parent, NO_INDEX);
            PutU16(node + NODE_AT_map_start, n);
            PutU16(node + NODE_AT_fallback, 2 * n + 1);
        }
        model.skeleton = (RpSkeleton){
            model.nodes, MOST_NODES * NODE_BYTES,     model.keys, 2 * MOST_NODES * KEY_BYTES,
            model.map,   MOST_NODES * MAP_WORD_BYTES, 1};
        const Times times = {0, 1, fabsf(Draw(&random))};
        memset(&expected, 0, sizeof expected);
        OneByOne(&model, &settings, TOWARD_ZERO, times, &expected);
        for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
            memset(&found, 0, sizeof found);
            assert_true(Many(&model, &settings, STANDARD, times, *width, &found));
            assert_memory_equal(&found, &expected, sizeof found);
        }
    }
}

/* Every choice of a hypothesis of poses, whether the core serves it or not. */
static void test_readings(void **state) {
    (void)state;
    static const char *const readings[] = {"dot4=pairs",
                                           "dot4=reverse",
                                           "dot4=w-last",
                                           "dot4-sse=sequential",
                                           "dot4-sse=pairs",
                                           "key-order=wxyz",
                                           "key-scale=f64",
                                           "key-scale=divide",
                                           "key-lerp=weights",
                                           "key-alpha=reciprocal",
                                           "key-alpha-bits=kept",
                                           "nan-equal=c3",
                                           "blend-lerp=delta",
                                           "flip-sum=pairs",
                                           "flip-sum=reverse",
                                           "flip-sum=w-last",
                                           "slerp-limit=f64",
                                           "slerp-sine=quotient",
                                           "slerp-acos=half",
                                           "slerp-theta=stored",
                                           "slerp-trig=stored",
                                           "slerp-weights=stored",
                                           "slerp-trig-sse=stored",
                                           "quat-diagonal=chain",
                                           "quat-diagonal-sse=reverse",
                                           "matrix-sum=pairs",
                                           "matrix-sum-sse=reverse",
                                           "sse-slots=published"};
    for (size_t r = 0; r < sizeof readings / sizeof *readings; r++)
        for (int b = 0; b < 2; b++) {
            const RpArithmetic settings =
                Settings(b ? RP_BUILD_SSE : RP_BUILD_GENERIC, readings[r]);
            Compare(&settings, STANDARD, 100 + r, 40, r % 2);
        }
}

/* The core takes what models look like; nearly all of it in one go. */
static void test_ordinary_models_are_served(void **state) {
    (void)state;
    static Model model;
    static Result result;
    const RpArithmetic settings = Settings(RP_BUILD_SSE, "");
    Random random = {.state = 77};
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
        DrawModel(&random, false, &model);
        assert_true(Many(&model, &settings, STANDARD, (Times){0.3f, -1, 0}, *width, &result));
        assert_false(Many(&model, &settings, TOWARD_ZERO, (Times){0.3f, -1, 0}, *width, &result));
        assert_false(Many(&model, &settings, STANDARD, (Times){-1, -1, 0}, *width, &result));
    }
}

/* What the public function does besides: a root without translation, either array alone. */
static void test_skeleton(void **state) {
    (void)state;
    static Model model;
    static Result whole, other;
    const RpArithmetic settings = Settings(RP_BUILD_SSE, "");
    const Rounding before = Rounding_Get();
    Random random = {.state = 5};
    DrawModel(&random, false, &model);
    Rounding_Set((Rounding){GAMES_WORD, STANDARD});
    for (int zero_root = 0; zero_root < 2; zero_root++) {
        assert_int_equal(RpPose_Skeleton(&model.skeleton, &settings, 1.25f, -1, 0, zero_root,
                                         whole.local, whole.model, NULL, NULL),
                         RP_OK);
        assert_int_equal(RpPose_Skeleton(&model.skeleton, &settings, 1.25f, -1, 0, zero_root,
                                         other.local, NULL, NULL, NULL),
                         RP_OK);
        assert_int_equal(RpPose_Skeleton(&model.skeleton, &settings, 1.25f, -1, 0, zero_root, NULL,
                                         other.model, NULL, NULL),
                         RP_OK);
        assert_memory_equal(&whole, &other, sizeof whole);
        assert_true((whole.local[0][3] == 0) == zero_root);
    }
    Rounding_Set(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_and_one_by_one_agree),
        cmocka_unit_test(test_right_angles),
        cmocka_unit_test(test_readings),
        cmocka_unit_test(test_ordinary_models_are_served),
        cmocka_unit_test(test_skeleton),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
