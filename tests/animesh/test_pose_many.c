/* Tests that the poses of many nodes at once have the bits of one node after the other, for every
 * width of vectors that the processor has. In the generic build, one after the other means the x87:
 * the core refuses under an MXCSR that rounds toward zero, which the x87 does not mind. The SSE
 * build obeys MXCSR, so there it means the public functions for one node. */
#include "animesh/pose_many.h"
#include "replay/composed/random_skeleton.h"
#include "replay/composed/rounding.h"
#include "tests/of_thread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_NODES = SKELETON_MOST_NODES, GAMES_WORD = 0x007F };
enum { STANDARD = 0x1F80, TOWARD_ZERO = 0x7F80, FLUSHED = 0x9FC0 /* FTZ and DAZ */ };

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

/* What computed a pose differs between both ways, and nothing else may. */
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
    for (int m = 0; m < models; m++) {
        RandomSkeleton_Make(&random, strange, &model);
        for (int round = 0; round < 4; round++) {
            const Times times = SkeletonTimes_Draw(&random, &model.skeleton);
            memset(&expected, 0, sizeof expected);
            OneByOne(&model, settings, settings->build == RP_BUILD_SSE ? mxcsr : TOWARD_ZERO, times,
                     &expected);
            ForgetWays(&expected);
            for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
                memset(&found, 0, sizeof found);
                Many(&model, settings, mxcsr, times, *width, &found);
                ForgetWays(&found);
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

static void PutU16(uint8_t *bytes, uint32_t value) {
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
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
        const Times times = {0, 1, (float)Random_Below(&random, 1 << 24) * 0x1p-24f};
        memset(&expected, 0, sizeof expected);
        OneByOne(&model, &settings, TOWARD_ZERO, times, &expected);
        ForgetWays(&expected);
        for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
            memset(&found, 0, sizeof found);
            assert_true(Many(&model, &settings, STANDARD, times, *width, &found));
            ForgetWays(&found);
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
        RandomSkeleton_Make(&random, false, &model);
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

/* Poses the skeleton together, and node by node. */
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

/* Every node of this model is between two keys, so that each has one interpolation, or three. */
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
        PutU16(model->map + (size_t)n * MAP_WORD_BYTES, 2 * n);
        PutU16(model->nodes + (size_t)n * NODE_BYTES + NODE_AT_parent, NO_INDEX);
        PutU16(model->nodes + (size_t)n * NODE_BYTES + NODE_AT_map_start, n);
        PutU16(model->nodes + (size_t)n * NODE_BYTES + NODE_AT_fallback, 2 * n + 1);
    }
}

static void test_what_computed_a_pose_is_counted(void **state) {
    (void)state;
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

/* Whatever the number of nodes, what lies in the lanes behind the last one sets no flag. */
static void test_unused_lanes_refuse_nothing(void **state) {
    (void)state;
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
            }
            Exact_Pad(&segments, nodes);
            const uint32_t before = Exact_Enter();
            const uint64_t refused =
                (*width)->sample(&segments, nodes, 0.3f, EXACT_SEQUENTIAL, &poses);
            assert_true(Exact_Leave(before));
            assert_int_equal(refused, 0);
        }
}

/* What RpExact_Serves says is what happens. */
static void test_the_core_serves_what_it_says(void **state) {
    (void)state;
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
                for (int work = 0; work < RP_EXACT_WORK_COUNT; work++)
                    served[work] += RpExact_Serves(&arithmetic, (RpExactWork)work);
            }
    assert_true(served[RP_EXACT_INTERPOLATION] > served[RP_EXACT_SAMPLE]);
    assert_true(served[RP_EXACT_SAMPLE] > served[RP_EXACT_SKELETON]);
    assert_false(RpExact_Serves(&(RpArithmetic){.control_word = 0x037F}, RP_EXACT_SAMPLE));
    assert_false(RpExact_Serves(NULL, RP_EXACT_WORK_COUNT));
    assert_true(RpExact_Serves(NULL, RP_EXACT_SKELETON));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_and_one_by_one_agree),
        cmocka_unit_test(test_right_angles),
        cmocka_unit_test(test_readings),
        cmocka_unit_test(test_ordinary_models_are_served),
        cmocka_unit_test(test_skeleton),
        cmocka_unit_test(test_unused_lanes_refuse_nothing),
        cmocka_unit_test(test_what_computed_a_pose_is_counted),
        cmocka_unit_test(test_the_core_serves_what_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
