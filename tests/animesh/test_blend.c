/* Tests of AniMesh 0x10012560: which side counts, when a side is negated, and how the sides are
 * mixed (facts/animesh.md E.5). */
#include "fixture.h"
#include "tests/of_thread.h"

#include "core/random.h"

#include <math.h>
#include <string.h>

static const RpReadings defaults;
static TestModel pair;

/* Makes two nodes of one key each, a and b, which differ in position and rotation. A blend poses
 * one node at two times, so that side A samples frame 0 and side B frame 1 of a track of two
 * keys. */
static void MakePair(const int16_t a[4], const int16_t b[4]) {
    static const float positions[2][3] = {{1, 2, 3}, {10, -20, 0.3f}};
    TestModel_Begin(&pair, 2);
    TestModel_AddKey(&pair, positions[0], 0, a);
    TestModel_AddKey(&pair, positions[1], 2, b);
    TestModel_AddMapWord(&pair, 0);
    TestModel_AddMapWord(&pair, 1);
    TestModel_AddNode(&pair, 0xFFFF, 0, 1);
}

enum { TIME_A = 0, TIME_B = 2 };

typedef struct Blended {
    float m[16];
    RpPoseCounters counters;
} Blended;

static Blended BlendWith(const RpReadings *readings, float t_a, float t_b, float weight) {
    Blended blended = {.counters = {0}};
    PoseContext context = {.skeleton = &pair.model,
                           .bounded = true,
                           .arithmetic = OF_THREAD_WITH(RP_BUILD_GENERIC, readings),
                           .math = &recording_math,
                           .counters = &blended.counters};
    memset(&recorded, 0, sizeof recorded);
    uint16_t word = ControlWord_Set(GAME_WORD);
    Pose_Blend(&context, 0, t_a, t_b, weight, blended.m);
    ControlWord_Set(word);
    return blended;
}

static const int16_t pose_a[4] = {100, 200, 300, 32000}, pose_b[4] = {-50, 700, 20, 31000};

static void Decode(const int16_t xyzw[4], float q[4]) {
    const Model model = GameModel(RP_BUILD_GENERIC, &defaults);
    for (int i = 0; i < 4; i++)
        q[i] = Model_Component(&model, xyzw[(i + 3) % 4]);
}

static void AssertRotation(const float q[4], const int16_t xyzw[4], float sign) {
    float expected[4];
    Decode(xyzw, expected);
    for (int i = 0; i < 4; i++)
        AssertBits(q[i], sign * expected[i]);
}

static void AssertMatrix(const Blended *blended, float x, float y, float z) {
    assert_int_equal(recorded.matrices, 1);
    for (int i = 0; i < 16; i++) {
        bool translation = i == 3 || i == 7 || i == 11;
        AssertBits(blended->m[i], translation ? i == 3 ? x : i == 7 ? y : z : (float)(100 + i));
    }
    assert_int_equal(blended->counters.undefined, 0);
    assert_int_equal(blended->counters.out_of_bounds, 0);
}

/* ---- sides ----------------------------------------------------------------------------------- */

enum { SIDE_NONE, SIDE_A, SIDE_B, SIDE_BOTH };

static void AssertSides(float t_a, float t_b, float weight, int sides) {
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const float blend[4] = {6, 7, 8, 9};
    MakePair(pose_a, pose_b);
    Blended blended = BlendWith(&defaults, t_a, t_b, weight);
    assert_int_equal(recorded.blends, sides == SIDE_BOTH);
    if (sides == SIDE_NONE) {
        AssertAllBits(blended.m, identity, 16);
        assert_int_equal(recorded.matrices, 0);
        assert_int_equal(blended.counters.undefined, 1);
    } else if (sides == SIDE_A) {
        AssertMatrix(&blended, 1, 2, 3);
        AssertRotation(recorded.q, pose_a, 1);
    } else if (sides == SIDE_B) {
        AssertMatrix(&blended, 10, -20, 0.3f);
        AssertRotation(recorded.q, pose_b, 1);
    } else {
        AssertBits(recorded.t, weight);
        AssertRotation(recorded.q0, pose_a, 1);
        AssertRotation(recorded.q1, pose_b, 1);
        AssertAllBits(recorded.q, blend, 4);
    }
}

TEST(WeightChoosesTheSides) {
    static const struct {
        float weight;
        int sides;
    } cases[] = {{0, SIDE_A},
                 {-0.0f, SIDE_A},
                 {-3, SIDE_A},
                 {-INFINITY, SIDE_A},
                 {1, SIDE_B},
                 {1.5f, SIDE_B},
                 {INFINITY, SIDE_B},
                 {NAN, SIDE_NONE},
                 {0.5f, SIDE_BOTH},
                 {0x1p-149f, SIDE_BOTH},
                 {0.99999994f, SIDE_BOTH}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        AssertSides(TIME_A, TIME_B, cases[i].weight, cases[i].sides);
}

TEST(TimesBelowZeroLeaveASideOut) {
    static const float below[] = {-1, -0x1p-149f, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        AssertSides(below[i], TIME_B, 0.5f, SIDE_B);
        AssertSides(TIME_A, below[i], 0.5f, SIDE_A);
        AssertSides(below[i], below[i], 0.5f, SIDE_NONE);
        AssertSides(below[i], TIME_B, 0, SIDE_NONE);
        AssertSides(TIME_A, below[i], 1, SIDE_NONE);
    }
    AssertSides(-0.0f, TIME_B, 0.5f, SIDE_BOTH);
}

/* ---- the flip -------------------------------------------------------------------------------- */

TEST(FartherSideIsNegated) {
    static const int16_t far_b[4] = {-100, -200, 300, -32000};
    MakePair(pose_a, far_b);
    Blended blended = BlendWith(&defaults, TIME_A, TIME_B, 0.25f);
    AssertRotation(recorded.q0, pose_a, 1);
    AssertRotation(recorded.q1, far_b, -1);
    AssertMatrix(&blended, 1 * 0.75f + 10 * 0.25f, 2 * 0.75f - 20 * 0.25f, 3 * 0.75f + 0.075f);
}

TEST(EqualDistancesDoNotFlip) {
    static const int16_t a[4] = {32767, 0, 0, 0}, b[4] = {0, -32767, 0, 0}, none[4] = {0, 0, 0, 0};
    MakePair(a, b); /* at right angles */
    BlendWith(&defaults, TIME_A, TIME_B, 0.5f);
    AssertRotation(recorded.q1, b, 1);
    MakePair(none, b);
    BlendWith(&defaults, TIME_A, TIME_B, 0.5f);
    AssertRotation(recorded.q1, b, 1);
    MakePair(b, none);
    BlendWith(&defaults, TIME_A, TIME_B, 0.5f);
    for (int i = 0; i < 4; i++)
        AssertBits(recorded.q1[i], 0.0f); /* not -0 */
}

/* The sums are rounded step by step, so that their order decides if the quaternions are nearly at
 * right angles. */
TEST(FlipSumDecidesNearRightAngles) {
    static const char *const choices[4] = {"", "flip-sum=pairs", "flip-sum=reverse",
                                           "flip-sum=w-last"};
    RpReadings readings[4];
    uint64_t seed = 9;
    int differences[4][4] = {{0}};
    for (int k = 0; k < 4; k++)
        readings[k] = ReadingsOf(choices[k]);
    for (int i = 0; i < 20000; i++) {
        int16_t a[4], b[4];
        for (int k = 0; k < 4; k++)
            a[k] = (int16_t)Random_SplitMix(&seed);
        b[0] = (int16_t)-a[1], b[1] = a[0], b[2] = (int16_t)-a[3], b[3] = a[2]; /* a . b = 0 */
        MakePair(a, b);
        float q_a[4], q_b[4];
        bool flipped[4];
        Decode(a, q_a);
        Decode(b, q_b);
        for (int k = 0; k < 4; k++) {
            const Model model = GameModel(RP_BUILD_GENERIC, &readings[k]);
            BlendWith(&readings[k], TIME_A, TIME_B, 0.5f);
            flipped[k] = Model_IsOpposite(&model, q_a, q_b);
            AssertRotation(recorded.q1, b, flipped[k] ? -1 : 1);
        }
        for (int k = 0; k < 16; k++)
            differences[k / 4][k % 4] += flipped[k / 4] != flipped[k % 4];
    }
    for (int k = 0; k < 16; k++)
        assert_true(k / 4 == k % 4 || differences[k / 4][k % 4] > 100);
}

/* For b = a, a + (b - a) w is always a, while (1 - w) a + w b is a only if rounding allows it. */
TEST(BlendLerpDecidesAtEqualPositions) {
    const RpReadings delta = ReadingsOf("blend-lerp=delta");
    static const int16_t q[4] = {32767, 0, 0, 0};
    uint64_t seed = 3;
    int moved = 0;
    for (int i = 0; i < 1000; i++) {
        MakePair(q, q);
        const float position[3] = {Random_SplitMixBetween(&seed, -9, 9), 0, 0};
        memcpy(pair.keys, position, sizeof position);
        memcpy(pair.keys + 24, position, sizeof position);
        float weight = Random_SplitMixBetween(&seed, 0.01f, 0.99f);
        Blended by_weights = BlendWith(&defaults, TIME_A, TIME_B, weight);
        Blended by_delta = BlendWith(&delta, TIME_A, TIME_B, weight);
        AssertBits(by_delta.m[3], position[0]);
        moved += memcmp(&by_weights.m[3], position, 4) != 0;
    }
    assert_true(moved > 10);
}

/* ---- all together ---------------------------------------------------------------------------- */

TEST(RandomModelsAgreeWithTheModelOfTheArithmetic) {
    static const float weights[] = {0, 1, 0.5f, 0.25f, -1, 2};
    uint64_t seed = 2;
    int sides[3] = {0, 0, 0}, flips = 0;
    for (int i = 0; i < 3000; i++) {
        TestModel_MakeRandom(&pair, &seed, 0);
        RpArithmetic settings = OfThread((RpBuild)(i % RP_BUILD_COUNT), NULL);
        const char *reading = i % 2 ? ""
                                    : "flip-sum=pairs,blend-lerp=delta,key-alpha=reciprocal,"
                                      "key-lerp=weights,key-order=wxyz,quat-diagonal=chain";
        settings.readings = ReadingsOf(reading);
        for (int k = 0; k < 32; k++) {
            uint32_t node = (uint32_t)(Random_SplitMix(&seed) % RpSkeleton_NodeCount(&pair.model));
            float t_a = Random_SplitMixBetween(&seed, -1, (float)pair.model.frame_count + 1);
            float t_b = Random_SplitMixBetween(&seed, -1, (float)pair.model.frame_count + 1);
            float weight =
                k % 2 ? Random_SplitMixBetween(&seed, 0, 1) : weights[Random_SplitMix(&seed) % 6];
            float actual[16], expected[16], q_a[4], q_b[4], p[3];
            RpPoseCounters counters = {0};
            const Model model = GameModel(settings.build, &settings.readings);
            uint16_t word = ControlWord_Set(GAME_WORD);
            int count = Model_BlendPoses(&model, &pair.model, node, t_a, t_b, weight, expected);
            if (count == 2) {
                Model_SampleNode(&model, &pair.model, node, t_a, q_a, p);
                Model_SampleNode(&model, &pair.model, node, t_b, q_b, p);
                flips += Model_IsOpposite(&model, q_a, q_b);
            }
            RpPose_Blend(&pair.model, &settings, node, t_a, t_b, weight, actual, &counters);
            ControlWord_Set(word);
            AssertAllBits(actual, expected, 16);
            assert_int_equal(counters.undefined, count == 0);
            assert_int_equal(counters.out_of_bounds, 0);
            sides[count]++;
        }
    }
    assert_true(sides[0] > 5000 && sides[1] > 20000 && sides[2] > 20000 && flips > 5000);
}
