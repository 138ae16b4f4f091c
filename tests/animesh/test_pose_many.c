/* Tests that the poses of many nodes at once have the bits of one node after the other, for every
 * width of vectors that the processor has. In the generic build, one after the other means by the
 * x87, whose bits come from an MXCSR that rounds toward zero: the core refuses under it, and the
 * x87 does not obey it. The SSE build obeys MXCSR, so there it means by the public functions for
 * one node. */
#include "animesh/pose_many.h"
#include "cli/bench/measure/counted_memory.h"
#include "core/bytes.h"
#include "formats/synthetic/synthetic_streams.h"
#include "replay/composed/random_skeleton.h"
#include "replay/composed/rounding.h"
#include "tests/bits.h"
#include "tests/of_thread.h"
#include "tests/test.h"
#include "tests/unmasked.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = SKELETON_MOST_NODES, GAMES_WORD = 0x007F, MOST_DRAWN = 1000000 };
enum {
    STANDARD = 0x1F80,
    TOWARD_ZERO = 0x7F80,
    FLUSHED = 0x9FC0 /* FTZ and DAZ */,
    ZERO_DIVIDE_MASK = 0x0200
};

typedef RandomSkeleton Model;
typedef SkeletonTimes Times;

typedef struct Result {
    float local[MOST_NODES][16], model[MOST_NODES][16];
    RpPoseCounters counters;
} Result;

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

/* Prepares a clip if the core serves. */
static RpClip *Prepare(const Model *model, const RpArithmetic *settings) {
    RpClip *clip = NULL;
    const Rounding before = Rounding_Get();
    Rounding_Set((Rounding){GAMES_WORD, STANDARD});
    assert_int_equal(RpClip_Prepare(&model->skeleton, settings, NULL, &clip, NULL), RP_OK);
    Rounding_Set(before);
    return clip;
}

/* Poses all nodes at once. `clip` may be null. */
static bool ManyOf(const Model *model, const RpClip *clip, const RpArithmetic *settings,
                   uint32_t mxcsr, Times times, const ExactWidth *width, Result *result) {
    const Rounding before = Rounding_Get();
    Rounding_Set((Rounding){GAMES_WORD, mxcsr});
    PoseContext context = Pose_Context(&model->skeleton, settings, &result->counters);
    context.clip = clip;
    const RpPoseTimes when = {times.a, times.b, times.weight};
    assert_int_equal(
        Pose_Skeletons(&context, width, 1, &when, 0, result->local, result->model, NULL), RP_OK);
    const bool served = PoseMany_Begin(&context, width).width != NULL;
    assert_int_equal(Rounding_Get().mxcsr & ~0x3Fu, mxcsr & ~0x3Fu);
    Rounding_Set(before);
    return served;
}

static bool Many(const Model *model, const RpArithmetic *settings, uint32_t mxcsr, Times times,
                 const ExactWidth *width, Result *result) {
    return ManyOf(model, NULL, settings, mxcsr, times, width, result);
}

static RpArithmetic Settings(RpBuild build, const char *words) {
    RpArithmetic settings = OfThread(build, NULL);
    assert_int_equal(RpReadings_Parse(&settings.readings, RP_READS_RUNTIME, words, NULL), RP_OK);
    return settings;
}

/* Forgets what computed a pose. That differs between the two ways, and nothing else may. */
static void ForgetWays(Result *result) {
    RpPoseCounters *counters = &result->counters;
    counters->by_core = counters->by_x87 = counters->refused = 0;
}

/* Returns how many nodes were posed. */
static uint64_t Compare(const RpArithmetic *settings, uint32_t mxcsr, uint64_t seed, int models,
                        bool strange) {
    static Model model;
    static Result expected, found;
    Random random = {.state = seed};
    uint64_t nodes = 0;
    const RpArithmetic reverse = Settings(RP_BUILD_GENERIC, "dot4=reverse");
    for (int m = 0; m < models; m++) {
        RandomSkeleton_Make(&random, strange, &model);
        /* The poses are made without a clip, with one, and with one that was prepared for another
         * order. */
        RpClip *clips[3] = {NULL, Prepare(&model, settings), Prepare(&model, &reverse)};
        for (int round = 0; round < 4; round++) {
            const Times times = SkeletonTimes_Draw(&random, &model.skeleton);
            memset(&expected, 0, sizeof expected);
            /* The core refuses under both words, and no step of the SSE build divides. */
            OneByOne(&model, settings,
                     settings->build == RP_BUILD_SSE ? mxcsr & ~(uint32_t)ZERO_DIVIDE_MASK
                                                     : TOWARD_ZERO,
                     times, &expected);
            assert_int_equal(expected.counters.by_core, 0);
            ForgetWays(&expected);
            for (const ExactWidth *const *width = Exact_Widths(); *width; width++)
                for (int c = 0; c < 3; c++) {
                    memset(&found, 0, sizeof found);
                    ManyOf(&model, clips[c], settings, mxcsr, times, *width, &found);
                    ForgetWays(&found);
                    assert_memory_equal(&found, &expected, sizeof found);
                    nodes += RpSkeleton_NodeCount(&model.skeleton);
                }
        }
        for (int c = 0; c < 3; c++)
            RpClip_Free(clips[c]);
    }
    return nodes;
}

/* ---- tests ----------------------------------------------------------------------------------- */

TEST(ManyAndOneByOneAgree) {
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

/* Draws a number from -1 to 1. */
static float Draw(Random *random) {
    return (float)(int32_t)Random_Next(random) * 0x1p-31f;
}

/* ---- pairs of rotations ---------------------------------------------------------------------- */

/* The rotations of two keys, each as x, y, z, w. */
typedef struct Pair {
    int16_t first[4], second[4];
} Pair;

/* Makes a model of one frame without nodes. */
static void BeginModel(Model *model) {
    memset(model, 0, sizeof *model);
    model->skeleton = (RpSkeleton){
        .nodes = model->nodes, .keys = model->keys, .frame_map = model->map, .frame_count = 1};
}

/* Makes nodes of two keys each, at the times 0 and 1. */
static void MakePairs(const Pair *pairs, uint32_t count, Model *model) {
    BeginModel(model);
    for (uint32_t n = 0; n < count; n++) {
        RpMshKey first = {.time = 0}, second = {.time = 1};
        memcpy(first.rotation, pairs[n].first, sizeof first.rotation);
        memcpy(second.rotation, pairs[n].second, sizeof second.rotation);
        SyntheticSkeleton_AddKey(&model->skeleton, &first);
        SyntheticSkeleton_AddKey(&model->skeleton, &second);
        SyntheticSkeleton_AddWord(&model->skeleton, 2 * n);
        SyntheticSkeleton_AddNode(&model->skeleton, 0, NO_INDEX, n, 2 * n + 1);
    }
}

/* Demands the x87's poses from all three ways: together, with a clip, and one by one. */
static void ComparePairs(const Model *model, const RpArithmetic *settings, Times times) {
    static Result expected, found;
    memset(&expected, 0, sizeof expected);
    memset(&found, 0, sizeof found);
    OneByOne(model, settings, TOWARD_ZERO, times, &expected);
    assert_int_equal(expected.counters.by_core, 0);
    OneByOne(model, settings, STANDARD, times, &found);
    assert_true(found.counters.by_core > 0);
    ForgetWays(&expected);
    ForgetWays(&found);
    assert_memory_equal(&found, &expected, sizeof found);
    RpClip *clip = Prepare(model, settings);
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++)
        for (int prepared = 0; prepared < 2; prepared++) {
            memset(&found, 0, sizeof found);
            assert_true(
                ManyOf(model, prepared ? clip : NULL, settings, STANDARD, times, *width, &found));
            ForgetWays(&found);
            assert_memory_equal(&found, &expected, sizeof found);
        }
    RpClip_Free(clip);
}

/* Compares poses between the keys of a node, and blends of the poses of both keys. */
static void ComparePairsInBothWays(const Pair *pairs, uint32_t count, Random *random) {
    static Model model;
    const RpArithmetic settings = Settings(RP_BUILD_GENERIC, "");
    const float between = (float)(1 + Random_Below(random, (1 << 24) - 1)) * 0x1p-24f;
    MakePairs(pairs, count, &model);
    ComparePairs(&model, &settings, (Times){between / 2, -1, 0});
    ComparePairs(&model, &settings, (Times){0, 1, between});
}

/* The dot product of rotations at right angles is 0 or nearly so, and their sum and difference
 * differ only by what was rounded. That alone decides which side is nearer, and no other step makes
 * up for a wrong choice. */
TEST(RightAngles) {
    Random random = {.state = 99};
    for (int round = 0; round < 200; round++) {
        Pair pairs[MOST_NODES];
        for (uint32_t n = 0; n < MOST_NODES; n++) {
            int16_t *q = pairs[n].first;
            for (int i = 0; i < 4; i++)
                q[i] = (int16_t)((int)Random_Below(&random, 40000) - 20000);
            const int16_t turned[4] = {q[3], (int16_t)-q[2], q[1], (int16_t)-q[0]};
            memcpy(pairs[n].second, turned, sizeof turned);
        }
        ComparePairsInBothWays(pairs, MOST_NODES, &random);
    }
}

/* All products are 0, and so is their sum exactly. */
TEST(RotationsAlongDifferentAxes) {
    Random random = {.state = 100};
    Pair pairs[48];
    uint32_t count = 0;
    memset(pairs, 0, sizeof pairs);
    for (int first = 0; first < 4; first++)
        for (int second = 0; second < 4; second++)
            for (int signs = 0; signs < 4 && first != second; signs++, count++) {
                pairs[count].first[first] = signs & 1 ? -32767 : 32767;
                pairs[count].second[second] = signs & 2 ? -32767 : 32767;
            }
    assert_int_equal(count, 48);
    for (int round = 0; round < 50; round++)
        ComparePairsInBothWays(pairs, count, &random);
}

/* Returns the cosine of a pair of rotations, summed up as the reading `dot4=sequential` does. */
static float CosineOf(const Pair *pair) {
    float products[4], q0[4], q1[4];
    Exact_DecodeRotation(pair->first, q0);
    Exact_DecodeRotation(pair->second, q1);
    for (int i = 0; i < 4; i++)
        products[i] = q0[i] * q1[i];
    return ((products[0] + products[1]) + products[2]) + products[3];
}

/* Rotations whose cosine is the largest of an arc, or the next one, which is interpolated linearly.
 * Both kinds give other weights, so each copy of the limit decides the poses. */
TEST(BesideTheLimitOfArcs) {
    Random random = {.state = 101};
    uint32_t kinds[2] = {0, 0};
    /* This number is 1 less 168 * 2^-24; the limit is 167.77 of these units. */
    const uint32_t largest_of_an_arc = 0x3F7FFF58;
    for (int round = 0; round < 10; round++) {
        Pair pairs[MOST_NODES];
        for (uint32_t n = 0, drawn = 0; n < MOST_NODES; drawn++) {
            Pair *pair = &pairs[n];
            float q[4], square = 0;
            if (drawn == MOST_DRAWN)
                fail_msg("of %d pairs only %u are beside the limit", MOST_DRAWN, (unsigned)n);
            for (int i = 0; i < 4; i++) {
                q[i] = Draw(&random);
                square += q[i] * q[i];
            }
            /* This quaternion is at right angles to q. The limit is at about 1/224 of a radian. */
            const float turned[4] = {q[3], -q[2], q[1], -q[0]}, size = 32767 / sqrtf(square);
            for (int i = 0; i < 4; i++) {
                pair->first[i] = (int16_t)lrintf(q[i] * size);
                pair->second[i] = (int16_t)lrintf((q[i] + turned[i] / 224) * size);
                pair->second[i] = (int16_t)(n % 2 ? -pair->second[i] : pair->second[i]);
            }
            const float cosine = fabsf(CosineOf(pair));
            const uint32_t above = BitsAt(&cosine) - largest_of_an_arc;
            if (above > 1)
                continue;
            kinds[above]++;
            n++;
        }
        ComparePairsInBothWays(pairs, MOST_NODES, &random);
    }
    assert_true(kinds[0] > MOST_NODES && kinds[1] > MOST_NODES);
}

/* Tests every choice of a reading about poses, whether the core serves it or not. */
TEST(Readings) {
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

static uint32_t CountOf(uint64_t bits) {
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* The core takes ordinary models, nearly all of them in one go. */
TEST(OrdinaryModelsAreServed) {
    static Model model;
    static Result result;
    static float local[EXACT_MANY][16];
    const RpArithmetic settings = Settings(RP_BUILD_SSE, "");
    const PoseContext context = Pose_Context(&model.skeleton, &settings, NULL);
    Random random = {.state = 77};
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
        RandomSkeleton_Make(&random, false, &model);
        assert_true(Many(&model, &settings, STANDARD, (Times){0.3f, -1, 0}, *width, &result));
        assert_false(Many(&model, &settings, TOWARD_ZERO, (Times){0.3f, -1, 0}, *width, &result));
        const Rounding before = Rounding_Get();
        Rounding_Set((Rounding){GAMES_WORD, STANDARD});
        const PoseMany many = PoseMany_Begin(&context, *width);
        uint32_t posed = 0, refused = 0;
        for (int round = 0; round < 200; round++) {
            const float frames = (float)model.skeleton.frame_count;
            const PoseTimes times =
                PoseTimes_Of(frames * fabsf(Draw(&random)), frames * fabsf(Draw(&random)),
                             round % 2 ? 0 : fabsf(Draw(&random)));
            const uint32_t nodes = RpSkeleton_NodeCount(&model.skeleton);
            PoseRun run;
            PoseRun_Begin(&run);
            PoseRun_Add(&run, &model.skeleton, &times, 0,
                        nodes < EXACT_MANY ? (int)nodes : EXACT_MANY);
            posed += (uint32_t)run.count;
            refused += CountOf(PoseMany_Locals(&many, &run, local));
        }
        Rounding_Set(before);
        assert_true(refused < posed / 100);
    }
}

/* Tests several instances of one skeleton at times of their own. Some instances have one side, some
 * the other, some both and some none. */
TEST(ManySkeletons) {
    enum { INSTANCES = 12 };
    static Model model;
    static Result expected;
    static float local[INSTANCES * MOST_NODES][16], product[INSTANCES * MOST_NODES][16];
    Random random = {.state = 12};
    const Rounding before = Rounding_Get();
    for (int round = 0; round < 300; round++) {
        const RpArithmetic settings = Settings(round % 2 ? RP_BUILD_SSE : RP_BUILD_GENERIC,
                                               round % 16   ? ""
                                               : round % 32 ? "matrix-sum=pairs"
                                                            : "key-lerp=weights");
        const uint32_t mxcsr = round % 5 ? STANDARD : FLUSHED;
        const size_t count = Random_Below(&random, INSTANCES + 1);
        RpPoseTimes when[INSTANCES];
        do
            RandomSkeleton_Make(&random, round % 3 == 0, &model);
        while (round % 2 && RpSkeleton_NodeCount(&model.skeleton) > 40);
        const uint32_t nodes = RpSkeleton_NodeCount(&model.skeleton);
        for (size_t i = 0; i < count; i++) {
            const Times times = SkeletonTimes_Draw(&random, &model.skeleton);
            when[i] = (RpPoseTimes){times.a, times.b, times.weight};
        }
        RpClip *clip = Prepare(&model, &settings);
        int variant = round;
        for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
            RpPoseCounters counters = {0}, one_by_one = {0};
            PoseContext context = Pose_Context(&model.skeleton, &settings, &counters);
            context.clip = variant++ % 2 ? clip : NULL;
            memset(local, 0xA5, sizeof local);
            memset(product, 0xA5, sizeof product);
            Rounding_Set((Rounding){GAMES_WORD, mxcsr});
            assert_int_equal(Pose_Skeletons(&context, *width, count, when, 0, local, product, NULL),
                             RP_OK);
            Rounding_Set(before);
            for (size_t i = 0; i < count; i++) {
                memset(&expected, 0, sizeof expected);
                OneByOne(&model, &settings, settings.build == RP_BUILD_SSE ? mxcsr : TOWARD_ZERO,
                         (Times){when[i].a, when[i].b, when[i].weight}, &expected);
                assert_memory_equal(local[i * nodes], expected.local, nodes * sizeof *local);
                assert_memory_equal(product[i * nodes], expected.model, nodes * sizeof *local);
                one_by_one.out_of_bounds += expected.counters.out_of_bounds;
                one_by_one.undefined += expected.counters.undefined;
            }
            assert_int_equal(counters.out_of_bounds, one_by_one.out_of_bounds);
            assert_int_equal(counters.undefined, one_by_one.undefined);
            if (count < INSTANCES) { /* nothing is written behind the last one */
                assert_int_equal(BitsAt(local[count * nodes]), 0xA5A5A5A5);
                assert_int_equal(BitsAt(product[count * nodes]), 0xA5A5A5A5);
            }
        }
        RpClip_Free(clip);
    }
}

/* A denormal result of the last step is exact, so this step sets no flag, but under an MXCSR that
 * flushes it becomes 0. A root moved by 1.5 * 2^-126 carries a node moved by -2^-126. */
TEST(ExactDenormalsAreFlushed) {
    static Model model;
    static Result expected, found;
    const uint32_t moves[2] = {0x00C00000, 0x80800000};
    BeginModel(&model);
    SyntheticSkeleton_AddWord(&model.skeleton, 0);
    for (uint32_t n = 0; n < 2; n++) {
        RpMshKey key = {.rotation = {0, 0, 0, 32767}};
        memcpy(&key.position[0], &moves[n], sizeof moves[n]);
        SyntheticSkeleton_AddKey(&model.skeleton, &key);
        SyntheticSkeleton_AddNode(&model.skeleton, 0, n ? 0 : NO_INDEX, NO_INDEX, n);
    }
    const uint32_t modes[2] = {STANDARD, FLUSHED};
    for (int m = 0; m < 2; m++)
        for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
            const RpArithmetic settings = Settings(RP_BUILD_SSE, "");
            memset(&expected, 0, sizeof expected);
            memset(&found, 0, sizeof found);
            OneByOne(&model, &settings, modes[m], (Times){0, -1, 0}, &expected);
            Many(&model, &settings, modes[m], (Times){0, -1, 0}, *width, &found);
            ForgetWays(&expected);
            ForgetWays(&found);
            assert_memory_equal(&found, &expected, sizeof found);
            assert_int_equal(BitsAt(&found.model[1][3]), m ? 0 : 0x00400000);
        }
}

/* Tests what the public function does in addition: a root without translation, and either array
 * alone. */
TEST(Skeleton) {
    static Model model;
    static Result whole, other;
    const RpArithmetic settings = Settings(RP_BUILD_SSE, "");
    const Rounding before = Rounding_Get();
    Random random = {.state = 5};
    RandomSkeleton_Make(&random, false, &model);
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

/* Poses the skeleton as a whole, and node by node. */
static RpPoseCounters Ways(const Model *model, const RpArithmetic *arithmetic, float t_b,
                           bool together) {
    static Result result;
    RpPoseCounters counters = {0};
    if (together)
        RpPose_Skeleton(&model->skeleton, arithmetic, 0.3f, t_b, 0.5f, false, result.local, NULL,
                        &counters, NULL);
    for (uint32_t n = 0; !together && n < RpSkeleton_NodeCount(&model->skeleton); n++)
        RpPose_Blend(&model->skeleton, arithmetic, n, 0.3f, t_b, 0.5f, result.local[n], &counters);
    return counters;
}

/* Makes a model whose nodes are all between two keys, so that each has one interpolation, or
 * three. */
static void MakeMoving(Random *random, Model *model, uint32_t nodes) {
    RandomSkeleton_Make(random, false, model);
    model->skeleton.node_bytes = nodes * NODE_BYTES;
    model->skeleton.key_bytes = 2 * nodes * KEY_BYTES;
    model->skeleton.frame_map_bytes = nodes * MAP_WORD_BYTES;
    model->skeleton.frame_count = 1;
    for (uint32_t n = 0; n < nodes; n++) {
        uint8_t *key = model->keys + (size_t)(2 * n) * KEY_BYTES;
        const float one = 1, zero = 0;
        const int16_t straight[4] = {100, 200, 300, 32000}, turned[4] = {9000, 100, -300, 20000};
        memcpy(key + offsetof(PoseKey, time), &zero, sizeof zero);
        memcpy(key + KEY_BYTES + offsetof(PoseKey, time), &one, sizeof one);
        memcpy(key + KEY_AT_rotation, straight, sizeof straight);
        memcpy(key + KEY_BYTES + KEY_AT_rotation, turned, sizeof turned);
        Bytes_PutU16(model->map + (size_t)n * MAP_WORD_BYTES, 2 * n);
        Bytes_PutU16(model->nodes + (size_t)n * NODE_BYTES + NODE_AT_parent, NO_INDEX);
        Bytes_PutU16(model->nodes + (size_t)n * NODE_BYTES + NODE_AT_map_start, n);
        Bytes_PutU16(model->nodes + (size_t)n * NODE_BYTES + NODE_AT_fallback, 2 * n + 1);
    }
}

TEST(WhatComputedAPoseIsCounted) {
    static Model model;
    Random random = {.state = 12};
    const Rounding before = Rounding_Get();
    const RpArithmetic by_value = {.build = RP_BUILD_GENERIC}, of_thread = Settings(0, "");
    const RpArithmetic wide = {.control_word = 0x037F};
    MakeMoving(&random, &model, 3);
    for (int together = 0; together < 2; together++)
        for (int sides = 1; sides <= 2; sides++) {
            const uint64_t all = sides == 1 ? 3 : 9;
            const float t_b = sides == 1 ? -1 : 0.6f;
            Rounding_Set((Rounding){GAMES_WORD, STANDARD});
            RpPoseCounters ways = Ways(&model, &by_value, t_b, together);
            assert_int_equal(ways.by_core, all);
            assert_int_equal(ways.by_x87 + ways.refused, 0);
            ways = Ways(&model, &wide, t_b, together);
            assert_int_equal(ways.by_x87, all);
            assert_int_equal(ways.by_core + ways.refused, 0);
            Rounding_Set((Rounding){GAMES_WORD, TOWARD_ZERO});
            assert_int_equal(Ways(&model, &of_thread, t_b, together).by_x87, all);
            assert_int_equal(Ways(&model, &by_value, t_b, together).by_core, all);
            Rounding_Set(before);
        }
    /* A rotation so small that the core does not take it. */
    const int16_t none[4] = {0};
    memcpy(model.keys + KEY_AT_rotation, none, sizeof none);
    const float tiny = 0x1p-42f;
    RpPoseCounters ways = {0};
    float quaternion[4], position[3];
    RpPose_Sample(&model.skeleton, &by_value, 0, tiny, quaternion, position, &ways);
    assert_int_equal(ways.refused, 1);
    assert_int_equal(ways.by_core + ways.by_x87, 0);
}

/* Every instance has a root of its own. This is tested for skeletons of one node up to more than
 * the lanes take at once, and for arithmetic that the core does not serve, for which nodes are
 * posed one by one. */
TEST(TheRootOfEveryInstanceIsZeroed) {
    enum { INSTANCES = 5, NODES = EXACT_MANY + 6 };
    static Model model;
    static float kept[2][INSTANCES * NODES][16], zeroed[2][INSTANCES * NODES][16];
    Random random = {.state = 47};
    for (int round = 0; round < 12; round++) {
        const uint32_t nodes = round < 6 ? 1 + (uint32_t)round : NODES - 6 + (uint32_t)round % 6;
        const RpArithmetic settings = {.control_word = round % 3 ? 0 : 0x037F};
        RpPoseTimes times[INSTANCES];
        for (int i = 0; i < INSTANCES; i++)
            times[i] = (RpPoseTimes){0.1f * (float)(1 + i), -1, 0};
        MakeMoving(&random, &model, nodes);
        for (uint32_t n = 0; n < nodes; n++) {
            /* the mean of both keys, so that the root is not at 0 */
            const float x = (float)(1 + n);
            memcpy(model.keys + (size_t)(2 * n) * KEY_BYTES, &x, sizeof x);
            memcpy(model.keys + (size_t)(2 * n + 1) * KEY_BYTES, &x, sizeof x);
            Bytes_PutU16(model.nodes + (size_t)n * NODE_BYTES + NODE_AT_parent, n ? 0 : NO_INDEX);
        }
        RpClip *clip = NULL;
        assert_int_equal(RpClip_Prepare(&model.skeleton, &settings, NULL, &clip, NULL), RP_OK);
        for (int by_clip = 0; by_clip < 2; by_clip++) {
            for (int zero = 0; zero < 2; zero++) {
                float(*const local)[16] = zero ? zeroed[0] : kept[0];
                float(*const product)[16] = zero ? zeroed[1] : kept[1];
                if (by_clip)
                    RpClip_Pose(clip, &settings, INSTANCES, times, zero, local, product, NULL);
                else
                    assert_int_equal(RpPose_Skeletons(&model.skeleton, &settings, INSTANCES, times,
                                                      zero, local, product, NULL, NULL),
                                     RP_OK);
            }
            for (uint32_t i = 0; i < INSTANCES * nodes; i++) {
                const float *const local = zeroed[0][i], *const product = zeroed[1][i];
                if (i % nodes != 0) {
                    float expected[16];
                    RpMatrix_PoseProduct(&settings, zeroed[1][i - i % nodes], local, expected);
                    assert_memory_equal(local, kept[0][i], sizeof kept[0][i]);
                    assert_memory_equal(product, expected, sizeof expected);
                    continue;
                }
                assert_true(kept[0][i][3] != 0 && kept[1][i][3] != 0);
                for (int row = 0; row < 3; row++) {
                    assert_int_equal(BitsAt(&local[4 * row + 3]), 0);
                    assert_int_equal(BitsAt(&product[4 * row + 3]), 0);
                }
            }
        }
        RpClip_Free(clip);
    }
}

/* Whatever the number of nodes is, the contents of the lanes after the last node set no flag. */
TEST(UnusedLanesRefuseNothing) {
    static Model model;
    Random random = {.state = 14};
    for (int nodes = 1; nodes <= 2 * EXACT_MOST_LANES + 1; nodes++)
        for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
            ExactSegments segments;
            ExactPoses poses;
            MakeMoving(&random, &model, (uint32_t)nodes);
            memset(&segments, 0xFF, sizeof segments);
            for (int i = 0; i < nodes; i++) {
                segments.first[i] = model.keys + (size_t)(2 * i) * KEY_BYTES;
                segments.second[i] = segments.first[i] + KEY_BYTES;
                segments.held[i] = 0;
                segments.time[i] = 0.3f;
            }
            Exact_Pad(&segments, nodes);
            const uint32_t before = Exact_Enter();
            const uint64_t refused = (*width)->sample(&segments, nodes, EXACT_SEQUENTIAL, &poses);
            assert_true(Exact_Leave(before));
            assert_int_equal(refused, 0);
        }
}

/* ---- prepared clips -------------------------------------------------------------------------- */

TEST(TheMemoryOfAClip) {
    static Model model;
    CountedMemory heap = {0};
    const RpAllocator allocator = CountedMemory_Allocator(&heap);
    Random random = {.state = 41};
    const RpArithmetic served = {.build = RP_BUILD_GENERIC}, wide = {.control_word = 0x037F};
    RpClip *clip = NULL;
    MakeMoving(&random, &model, 40);
    assert_int_equal(RpClip_Prepare(&model.skeleton, &served, &allocator, &clip, NULL), RP_OK);
    assert_int_equal(RpClip_Bytes(clip), heap.bytes);
    assert_true(2 * (RpClip_Bytes(clip) - sizeof *clip) <= 5 * (size_t)model.skeleton.key_bytes);
    RpClip_Free(clip);
    assert_int_equal(heap.blocks, 0);
    /* If the core does not serve, a clip has only the parents. */
    assert_int_equal(RpClip_Prepare(&model.skeleton, &wide, &allocator, &clip, NULL), RP_OK);
    assert_int_equal(RpClip_Bytes(clip), heap.bytes);
    assert_int_equal(RpClip_Bytes(clip), sizeof *clip + 40 * sizeof(int32_t));
    RpClip_Free(clip);
    clip = NULL;
    heap.refuse = SIZE_MAX;
    RpError error;
    assert_int_equal(RpClip_Prepare(&model.skeleton, &served, &allocator, &clip, &error),
                     RP_NO_MEMORY);
    assert_null(clip);
    heap.refuse = 0;
    for (uint32_t parent = 3; parent < 6; parent++) {
        Bytes_PutU16(model.nodes + (size_t)3 * NODE_BYTES + NODE_AT_parent,
                     parent == 5 ? 0xFFFE : parent);
        assert_int_equal(RpClip_Prepare(&model.skeleton, &served, &allocator, &clip, &error),
                         RP_INVALID);
        assert_int_equal(error.offset, 3 * NODE_BYTES + NODE_AT_parent);
        assert_null(clip);
    }
    assert_int_equal(heap.blocks, 0);
    RpClip_Free(NULL);
}

/* A clip whose angles are spoiled gives other poses, but only where it may be used. */
TEST(AClipIsUsedForItsOrder) {
    static Model model;
    static Result raw, prepared;
    Random random = {.state = 42};
    const RpArithmetic settings = Settings(RP_BUILD_GENERIC, "");
    const RpArithmetic reverse = Settings(RP_BUILD_GENERIC, "dot4=reverse");
    MakeMoving(&random, &model, 7);
    RpClip *clip = Prepare(&model, &settings);
    for (uint32_t i = 0; i < 14; i++)
        ((ExactPair *)(uintptr_t)clip->pairs)[i].theta *= 0.5;
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++)
        for (int order = 0; order < 2; order++)
            for (int mode = 0; mode < 2; mode++) {
                const RpArithmetic *arithmetic = order ? &reverse : &settings;
                const uint32_t mxcsr = mode ? TOWARD_ZERO : STANDARD;
                memset(&raw, 0, sizeof raw);
                memset(&prepared, 0, sizeof prepared);
                ManyOf(&model, NULL, arithmetic, mxcsr, (Times){0.3f, -1, 0}, *width, &raw);
                ManyOf(&model, clip, arithmetic, mxcsr, (Times){0.3f, -1, 0}, *width, &prepared);
                assert_int_equal(memcmp(&raw, &prepared, sizeof raw) != 0, !order && !mode);
            }
    RpClip_Free(clip);
}

/* Tests frame maps of which parts are missing. */
TEST(AClipReadsNothingOutside) {
    static Model model;
    static Result expected, found;
    Random random = {.state = 43};
    const RpArithmetic settings = Settings(RP_BUILD_GENERIC, "");
    MakeMoving(&random, &model, 9);
    model.skeleton.frame_map_bytes = 5 * MAP_WORD_BYTES;
    RpClip *clip = Prepare(&model, &settings);
    OneByOne(&model, &settings, TOWARD_ZERO, (Times){0.3f, -1, 0}, &expected);
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
        memset(&found, 0, sizeof found);
        ManyOf(&model, clip, &settings, STANDARD, (Times){0.3f, -1, 0}, *width, &found);
        assert_int_equal(found.counters.out_of_bounds, 4);
        assert_memory_equal(found.model, expected.model, sizeof found.model);
    }
    RpClip_Free(clip);
}

/* A dot product of -0 is the cosine of an angle that the core does not know. */
TEST(AClipLeavesWhatTheCoreRefuses) {
    static Model model;
    static Result expected, found;
    Random random = {.state = 45};
    const RpArithmetic settings = Settings(RP_BUILD_GENERIC, "");
    const int16_t first[4] = {0, 0, -20000, -20000}, second[4] = {-20000, -20000, 0, 0};
    MakeMoving(&random, &model, 5);
    memcpy(model.keys + KEY_AT_rotation, first, sizeof first);
    memcpy(model.keys + KEY_BYTES + KEY_AT_rotation, second, sizeof second);
    RpClip *clip = Prepare(&model, &settings);
    OneByOne(&model, &settings, TOWARD_ZERO, (Times){0.3f, -1, 0}, &expected);
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
        memset(&found, 0, sizeof found);
        ManyOf(&model, clip, &settings, STANDARD, (Times){0.3f, -1, 0}, *width, &found);
        assert_memory_equal(found.model, expected.model, sizeof found.model);
        assert_int_equal(found.counters.by_core, 4);
        assert_int_equal(found.counters.refused, 1);
    }
    RpClip_Free(clip);
}

/* Tests the public function, with roots that keep their translation. */
TEST(ClipsPoseAsSkeletonsDo) {
    static Model model;
    static Result of_clip, of_skeleton;
    Random random = {.state = 44};
    for (int round = 0; round < 60; round++) {
        const RpArithmetic settings = {.build = round % 2 ? RP_BUILD_SSE : RP_BUILD_GENERIC};
        RpClip *clip;
        RandomSkeleton_Make(&random, false, &model);
        assert_int_equal(RpClip_Prepare(&model.skeleton, &settings, NULL, &clip, NULL), RP_OK);
        const Times times = SkeletonTimes_Draw(&random, &model.skeleton);
        const RpPoseTimes when = {times.a, times.b, times.weight};
        memset(&of_clip, 0, sizeof of_clip);
        memset(&of_skeleton, 0, sizeof of_skeleton);
        RpClip_Pose(clip, &settings, 1, &when, round % 3, of_clip.local, of_clip.model,
                    &of_clip.counters);
        RpPose_Skeletons(&model.skeleton, &settings, 1, &when, round % 3, of_skeleton.local,
                         of_skeleton.model, &of_skeleton.counters, NULL);
        assert_memory_equal(&of_clip, &of_skeleton, sizeof of_clip);
        RpClip_Free(clip);
    }
}

/* RpExact_Serves tells the truth. */
TEST(TheCoreServesWhatItSays) {
    static Model model;
    Random random = {.state = 13};
    int served[RP_EXACT_WORK_COUNT] = {0};
    MakeMoving(&random, &model, 3);
    for (int i = 0; RpReadings_Name(i); i++)
        for (uint8_t choice = 0; choice < 5; choice++)
            for (int build = 0; build < RP_BUILD_COUNT; build++) {
                size_t length;
                RpArithmetic arithmetic = {.build = (RpBuild)build};
                arithmetic.readings.choice[i] = choice;
                RpReadings_Choice(&arithmetic.readings, i, &length);
                if (length == 0 || !(RpReadings_Kind(i) & RP_READS_RUNTIME))
                    continue;
                const bool skeleton = RpExact_Serves(&arithmetic, RP_EXACT_SKELETON);
                const bool one = RpExact_Serves(&arithmetic, RP_EXACT_INTERPOLATION);
                assert_int_equal(Ways(&model, &arithmetic, -1, false).by_core, one ? 3 : 0);
                if (skeleton)
                    assert_int_equal(Ways(&model, &arithmetic, -1, true).by_core, 3);
                assert_true(one || !RpExact_Serves(&arithmetic, RP_EXACT_SAMPLE));
                assert_true(one || !skeleton);
                assert_true(RpExact_Serves(&arithmetic, RP_EXACT_SAMPLE) ||
                            !RpExact_Serves(&arithmetic, RP_EXACT_BLEND));
                assert_true(RpExact_Serves(&arithmetic, RP_EXACT_BLEND) || !skeleton);
                for (int work = 0; work < RP_EXACT_WORK_COUNT; work++)
                    served[work] += RpExact_Serves(&arithmetic, (RpExactWork)work);
            }
    assert_true(served[RP_EXACT_INTERPOLATION] > served[RP_EXACT_SAMPLE]);
    assert_true(served[RP_EXACT_SAMPLE] > served[RP_EXACT_BLEND]);
    assert_true(served[RP_EXACT_BLEND] > served[RP_EXACT_SKELETON]);
    assert_false(RpExact_Serves(&(RpArithmetic){.control_word = 0x037F}, RP_EXACT_SAMPLE));
    assert_false(RpExact_Serves(NULL, RP_EXACT_WORK_COUNT));
    assert_true(RpExact_Serves(NULL, RP_EXACT_SKELETON));
}

/* ---- unmasked exceptions --------------------------------------------------------------------- */

static void PoseBy(int function, const Model *model, const RpArithmetic *arithmetic,
                   const RpPoseTimes *times, const RpClip *clip, Result *result) {
    const RpSkeleton *skeleton = &model->skeleton;
    RpClip *made = NULL;
    switch (function) {
    case 0:
        RpPose_Sample(skeleton, arithmetic, 0, times->a, result->local[0], result->local[1],
                      &result->counters);
        break;
    case 1:
        RpPose_Blend(skeleton, arithmetic, 0, times->a, times->b, times->weight, result->local[0],
                     &result->counters);
        break;
    case 2:
        RpPose_Skeleton(skeleton, arithmetic, times->a, times->b, times->weight, true,
                        result->local, result->model, &result->counters, NULL);
        break;
    case 3:
        RpClip_Pose(clip, arithmetic, 1, times, true, result->local, result->model,
                    &result->counters);
        break;
    default:
        result->counters.refused =
            (uint64_t)RpClip_Prepare(skeleton, arithmetic, NULL, &made, NULL);
        RpClip_Free(made);
        break;
    }
}

/* Tests strange skeletons, whose keys hold infinities and NaNs. */
TEST(UnmaskedExceptionsStayTheCallers) {
    static Model model;
    static Result expected, found;
    Random random = {.state = 46};
    for (unsigned unmasked = 1; unmasked <= EXCEPTIONS; unmasked++)
        for (int round = 0; round < 8; round++) {
            const RpArithmetic arithmetic = {.build = round % 2 ? RP_BUILD_SSE : RP_BUILD_GENERIC};
            const unsigned sticky =
                round & 2 ? Random_Below(&random, EXCEPTIONS + 1) & ~unmasked : 0;
            RandomSkeleton_Make(&random, round != 0, &model);
            const Times drawn = SkeletonTimes_Draw(&random, &model.skeleton);
            const RpPoseTimes times = {drawn.a, drawn.b, drawn.weight};
            RpClip *clip = NULL;
            RpClip_Prepare(&model.skeleton, &arithmetic, NULL, &clip, NULL);
            for (int function = 0; function < 5; function++) {
                if (function == 3 && !clip)
                    continue;
                memset(&expected, 0, sizeof expected);
                memset(&found, 0, sizeof found);
                PoseBy(function, &model, &arithmetic, &times, clip, &expected);
                const Unmasked thread = Unmasked_Begin(unmasked, sticky);
                PoseBy(function, &model, &arithmetic, &times, clip, &found);
                Unmasked_End(thread, function);
                assert_memory_equal(&found, &expected, sizeof found);
            }
            RpClip_Free(clip);
        }
}
