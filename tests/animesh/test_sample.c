/* Tests of AniMesh 0x10012880: which key it takes, which branch, and which numbers
 * (facts/animesh.md E.4). */
#include "fixture.h"
#include "tests/of_thread.h"

#include "core/random.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const RpReadings defaults;

/* What most tests sample, or make something else of. */
static TestModel track;

static int MakeTrack(void **state) {
    (void)state;
    TestModel_MakeTrack(&track);
    return 0;
}
AROUND_EACH(MakeTrack, NULL)

typedef struct Sampled {
    float q[4], p[3];
    RpPoseCounters counters;
} Sampled;

/* Samples under the game's control word and records the interpolation. */
static Sampled SampleWith(const RpReadings *readings, uint32_t node, float t) {
    Sampled sampled = {.counters = {0}};
    PoseContext context = {.skeleton = &track.model,
                           .bounded = true,
                           .arithmetic = OF_THREAD_WITH(RP_BUILD_GENERIC, readings),
                           .math = &recording_math,
                           .counters = &sampled.counters};
    memset(&recorded, 0, sizeof recorded);
    uint16_t word = ControlWord_Set(GAME_WORD);
    Pose_Sample(&context, node, t, sampled.q, sampled.p);
    ControlWord_Set(word);
    return sampled;
}

static Sampled Sample(float t) {
    return SampleWith(&defaults, 0, t);
}

static void AssertComponent(float actual, int component, const RpReadings *readings) {
    const Model model = GameModel(RP_BUILD_GENERIC, readings);
    AssertBits(actual, Model_Component(&model, (int16_t)component));
}

static void AssertIsKey(const Sampled sampled, uint32_t key) {
    const Model model = GameModel(RP_BUILD_GENERIC, &defaults);
    TestModel single = track;
    float q[4], p[3];
    single.model.nodes = single.nodes;
    single.model.frame_count = 0; /* every time gives the fallback key */
    single.nodes[6] = (uint8_t)key;
    single.nodes[7] = 0;
    Model_SampleNode(&model, &single.model, 0, 0, q, p);
    assert_int_equal(recorded.interpolations, 0);
    AssertAllBits(sampled.q, q, 4);
    AssertAllBits(sampled.p, p, 3);
    assert_int_equal(sampled.counters.out_of_bounds, 0);
}

static void AssertIsBetween(const Sampled sampled, float alpha) {
    static const float result[4] = {2, 3, 4, 5};
    assert_int_equal(recorded.interpolations, 1);
    AssertAllBits(sampled.q, result, 4);
    AssertBits(recorded.t, alpha);
    assert_int_equal(sampled.counters.out_of_bounds, 0);
}

/* ---- which key ------------------------------------------------------------------------------- */

TEST(FrameAtOrPastTheCountGivesTheFallback) {
    static const float times[] = {12, 11.500001f, 100, 1e9f, 2147483648.0f, -0.75f, -1, -1000};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        AssertIsKey(Sample(times[i]), 2);
    track.model.frame_count = 5; /* frame 4 is in, frame 5 is not */
    AssertIsBetween(Sample(4.5f), 0.5f / 6);
    AssertIsKey(Sample(5.5001f), 2);
}

TEST(NodeWithoutMapGivesTheFallback) {
    track.nodes[4] = track.nodes[5] = 0xFF;
    AssertIsKey(Sample(2), 2);
}

TEST(MapWordAtOrPastTheFallbackGivesTheFallback) {
    static const uint16_t words[] = {2, 3, 500, 0xFFFF};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        TestModel_MakeTrack(&track);
        memcpy(track.frame_map + 2 * 2, &words[i], 2);
        AssertIsKey(Sample(2.25f), 2);
    }
}

TEST(MapStartMovesTheBlock) {
    for (int frame = 0; frame < 11; frame++)
        TestModel_AddMapWord(&track, 1);
    track.nodes[4] = 11;
    /* The time precedes the start of the segment from 4 to 10. */
    AssertIsBetween(Sample(2.5f), -0.25f);
}

TEST(EachNodeHasItsOwnTrack) {
    TestModel_AddNode(&track, 0, 0xFFFF, 1);
    AssertIsKey(SampleWith(&defaults, 1, 2.5f), 1);
}

/* ---- exact times ----------------------------------------------------------------------------- */

TEST(KeyTimesGiveTheirKeysAlone) {
    static const struct {
        float t;
        uint32_t key;
    } cases[] = {
        {0, 0},  /* x = -0.5 rounds to frame 0, key 0 */
        {4, 1},  /* x = 3.5 rounds to frame 4 */
        {10, 2}, /* frame 10 names the fallback */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        AssertIsKey(Sample(cases[i].t), cases[i].key);
    AssertIsKey(Sample(-0.0f), 0);
}

TEST(SecondKeysTimeIsReachedThroughTheFirstsSegment) {
    float five = 5;
    memcpy(track.keys + 24 + 12, &five, 4); /* key 1 at the odd time 5: x = 4.5 gives frame 4 */
    track.frame_map[2 * 4] = 0;             /* frame 4 now lies in key 0's segment */
    AssertIsKey(Sample(5), 1);
}

TEST(OddTimesLandInTheFrameBefore) {
    TestModel_Begin(&track, 8);
    static const float origin[3] = {0, 0, 0};
    for (int i = 0; i < 9; i++) {
        int16_t rotation[4] = {0, 0, (int16_t)(1000 * i), 32767};
        TestModel_AddKey(&track, origin, (float)(100 * i), rotation); /* never equal to t */
    }
    for (uint16_t frame = 0; frame < 8; frame++)
        TestModel_AddMapWord(&track, frame);
    TestModel_AddNode(&track, 0xFFFF, 0, 8);
    for (int t = 1; t < 8; t++) {
        int frame = t % 2 ? t - 1 : t;
        Sample((float)t);
        assert_int_equal(recorded.interpolations, 1);
        AssertComponent(recorded.q0[3], 1000 * frame, &defaults);
        AssertComponent(recorded.q1[3], 1000 * (frame + 1), &defaults);
    }
}

TEST(DenormalTimesAreComparedExactly) {
    Sampled sampled = Sample(FromBits(1)); /* not equal to key 0's time 0 */
    AssertIsBetween(sampled, 0.0f);        /* 2^-149 / 4, stored */
    for (int i = 0; i < 3; i++)
        AssertBits(sampled.p[i], (const float[]){1, 2, 3}[i]);
}

TEST(EqualKeyTimesDivideByZero) {
    float zero = 0;
    memcpy(track.keys + 24 + 12, &zero, 4);
    AssertIsKey(Sample(0), 0);
    Sampled past = Sample(2.5f);
    AssertIsBetween(past, INFINITY);
    AssertBits(past.p[0], INFINITY);  /* 1 + (5.25 - 1) * inf */
    AssertBits(past.p[1], -INFINITY); /* 2 + (-2 - 2) * inf */
    memcpy(track.keys + 24, track.keys, 4);
    past = Sample(2.5f);
    AssertBits(past.p[0], FromBits(0xFFC00000)); /* 0 * inf: the x87's default NaN */
}

/* ---- frame index ----------------------------------------------------------------------------- */

TEST(FrameIndexIsTheLowDwordOf64Bits) {
    TestModel_Begin(&track, 2000);
    static const float origin[3] = {0, 0, 0};
    static const int16_t none[4] = {0, 0, 0, 0}, mark[4] = {0, 0, 77, 0};
    TestModel_AddKey(&track, origin, -5, none);
    TestModel_AddKey(&track, origin, -4, mark);
    TestModel_AddKey(&track, origin, -3, none);
    TestModel_AddKey(&track, origin, -2, none);
    for (int frame = 0; frame < 2000; frame++)
        TestModel_AddMapWord(&track, frame == 512 ? 1 : 0);
    TestModel_AddNode(&track, 0xFFFF, 0, 3);
    static const struct {
        float t;
        int marked; /* 1 if the frame is 512, 0 if it is another one of the map */
    } cases[] = {
        {512, 1},
        {4294967296.0f + 512, 1},
        {3 * 4294967296.0f + 512, 0}, /* not in binary32: 0x300000000 */
        {4294967296.0f, 0},
        {-4294967296.0f + 512, 1},
        {9223372036854775808.0f, 0},
        {1e30f, 0},
        {-1e30f, 0},
        {INFINITY, 0},
        {-INFINITY, 0},
        {NAN, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample(cases[i].t);
        assert_int_equal(recorded.interpolations, 1); /* none of them is the fallback */
        AssertComponent(recorded.q0[3], cases[i].marked ? 77 : 0, &defaults);
    }
    Sample(4294967296.0f * 0.5f); /* 0x80000000: past every count below it */
    assert_int_equal(recorded.interpolations, 0);
}

TEST(NotANumberIsFrameZeroAndEqualToNothing) {
    Sampled sampled = Sample(FromBits(0x7FC12345));
    AssertIsBetween(sampled, FromBits(0x7FC12345));
    for (int i = 0; i < 3; i++)
        AssertBits(sampled.p[i], FromBits(0x7FC12345));
}

TEST(SignallingNotANumberInAPositionIsCopied) {
    const uint32_t signalling = 0x7F812345;
    memcpy(track.keys + 2 * 24 + 4, &signalling, 4);
    Sampled sampled = Sample(10);
    assert_int_equal(BitsAt(&sampled.p[1]), signalling);
}

/* ---- readings -------------------------------------------------------------------------------- */

TEST(KeyOrderMovesTheComponents) {
    static const float origin[3] = {0, 0, 0};
    static const int16_t rotation[4] = {1, 2, 3, 4};
    TestModel_Begin(&track, 0);
    TestModel_AddKey(&track, origin, 0, rotation);
    TestModel_AddNode(&track, 0xFFFF, 0xFFFF, 0);
    Sampled sampled = Sample(0);
    for (int i = 0; i < 4; i++)
        AssertComponent(sampled.q[i], (const int[]){4, 1, 2, 3}[i], &defaults);
    const RpReadings readings = ReadingsOf("key-order=wxyz");
    sampled = SampleWith(&readings, 0, 0);
    for (int i = 0; i < 4; i++)
        AssertComponent(sampled.q[i], 1 + i, &defaults);
}

/* Decodes every possible component by each of the three readings, and demands that the readings
 * differ. */
TEST(KeyScaleDecodesAllComponents) {
    static const char *const names[] = {"", "key-scale=f64", "key-scale=divide"};
    static const float origin[3] = {0, 0, 0};
    static float decoded[3][65536];
    for (int scale = 0; scale < 3; scale++) {
        const RpReadings readings = ReadingsOf(names[scale]);
        for (int value = -32768; value < 32768; value += 4) {
            int16_t rotation[4];
            for (int i = 0; i < 4; i++)
                rotation[i] = (int16_t)(value + (i + 1) % 4); /* w, x, y, z: value and on */
            TestModel_Begin(&track, 0);
            TestModel_AddKey(&track, origin, 0, rotation);
            TestModel_AddNode(&track, 0xFFFF, 0xFFFF, 0);
            Sampled sampled = SampleWith(&readings, 0, 0);
            for (int i = 0; i < 4; i++) {
                AssertComponent(sampled.q[i], value + i, &readings);
                decoded[scale][value + i + 32768] = sampled.q[i];
            }
        }
    }
    assert_int_not_equal(memcmp(decoded[0], decoded[1], sizeof *decoded), 0);
    assert_int_equal(Bits(decoded[0][65535]), 0x3F800000); /* 32767 is 1 in each reading */
    assert_int_equal(Bits(decoded[1][65535]), 0x3F800000);
    assert_int_equal(Bits(decoded[2][65535]), 0x3F800000);
}

/* The time is five sixths of the way from time 4 to time 10. */
TEST(KeyAlphaDividesOrMultiplies) {
    const RpReadings reciprocal = ReadingsOf("key-alpha=reciprocal");
    Sample(9);
    AssertBits(recorded.t, 0x1.AAAAAAp-1f);
    SampleWith(&reciprocal, 0, 9);
    AssertBits(recorded.t, 0x1.AAAAACp-1f); /* the binary32 1/6 is too large */
}

/* The time is a third of the way, and a third of the number lies a third of a unit above a binary32
 * number. The stored 1/3 is too large by enough (2^-25) to round it up. */
TEST(KeyAlphaBitsMatterBeyond24) {
    enum { WIDE_WORD = 0x037F };
    const RpReadings readings[2] = {ReadingsOf(""), ReadingsOf("key-alpha-bits=kept")};
    float x[2];
    const float from = 0, to = 11953768 * 0x1p-21f;
    memcpy(track.keys + 24, &from, sizeof from);
    memcpy(track.keys + 48, &to, sizeof to);
    for (int i = 0; i < 2; i++) {
        RpPoseCounters counters = {0};
        PoseContext context = {.skeleton = &track.model,
                               .bounded = true,
                               .arithmetic = OF_THREAD_WITH(RP_BUILD_GENERIC, &readings[i]),
                               .math = &recording_math,
                               .counters = &counters};
        float q[4], p[3];
        uint16_t word = ControlWord_Set(WIDE_WORD);
        Pose_Sample(&context, 0, 6, q, p);
        ControlWord_Set(word);
        AssertBits(recorded.t, 0x1.555556p-2f); /* slot 17 gets the stored one in both */
        x[i] = p[0];
    }
    const double third = 0x1.555556p-2;
    AssertBits(x[0], (float)((double)to * third));
    AssertBits(x[1], (float)((double)to / 3));
    assert_true(x[0] != x[1]);
}

TEST(KeyLerpChangesTheRoundings) {
    const RpReadings weights = ReadingsOf("key-lerp=weights");
    uint64_t seed = 5;
    int differences = 0;
    for (int i = 0; i < 1000; i++) {
        float t = Random_SplitMixBetween(&seed, 4.01f, 9.99f);
        Sampled delta = Sample(t), weighed = SampleWith(&weights, 0, t);
        differences += memcmp(delta.p, weighed.p, sizeof delta.p) != 0;
        for (int k = 0; k < 3; k++)
            assert_true(fabsf(delta.p[k] - weighed.p[k]) <= 4e-6f * 16);
    }
    assert_true(differences > 0);
}

TEST(NanEqualTakesTheFirstKey) {
    const RpReadings c3 = ReadingsOf("nan-equal=c3");
    AssertIsKey(SampleWith(&c3, 0, NAN), 0);
    AssertIsBetween(SampleWith(&c3, 0, 2.5f), 0.625f); /* numbers are compared in either case */
    float nan = NAN;
    memcpy(track.keys + 24 + 12, &nan, 4);
    AssertIsKey(SampleWith(&c3, 0, 2.5f), 1);
}

/* ---- all together ---------------------------------------------------------------------------- */

static float RandomTime(uint64_t *seed, const RpSkeleton *model) {
    float frames = (float)model->frame_count;
    switch (Random_SplitMix(seed) % 4) {
    case 0:
        return (float)(Random_SplitMix(seed) % (model->frame_count + 2u));
    case 1:
        return (float)(Random_SplitMix(seed) % (4u * model->frame_count + 2u)) / 4;
    case 2:
        return Random_SplitMixBetween(seed, -2, frames + 2);
    default:
        return nextafterf((float)(Random_SplitMix(seed) % (model->frame_count + 1u)),
                          Random_SplitMix(seed) % 2 ? 1e9f : -1e9f);
    }
}

TEST(RandomModelsAgreeWithTheModelOfTheArithmetic) {
    static const char *const readings[] = {"", "key-order=wxyz,key-scale=f64",
                                           "key-lerp=weights,key-scale=divide,slerp-sine=quotient"};
    uint64_t seed = 1;
    int between = 0, alone = 0;
    for (int i = 0; i < 3000; i++) {
        TestModel_MakeRandom(&track, &seed, i % 3 ? 0 : 200);
        TestModel_AddKey(&track, (const float[3]){1, 2, 3}, 50, (const int16_t[4]){1, 2, 3, 4});
        RpArithmetic settings = OfThread((RpBuild)(i % RP_BUILD_COUNT), NULL);
        settings.readings = ReadingsOf(readings[i / 3 % 3]);
        for (int k = 0; k < 32; k++) {
            uint32_t node = (uint32_t)(Random_SplitMix(&seed) % RpSkeleton_NodeCount(&track.model));
            float t = RandomTime(&seed, &track.model), q[4], p[3];
            float expected_q[4], expected_p[3];
            RpPoseCounters counters = {0};
            const Model model = GameModel(settings.build, &settings.readings);
            uint16_t word = ControlWord_Set(GAME_WORD);
            int keys = Model_SampleNode(&model, &track.model, node, t, expected_q, expected_p);
            RpPose_Sample(&track.model, &settings, node, t, q, p, &counters);
            ControlWord_Set(word);
            AssertAllBits(q, expected_q, 4);
            AssertAllBits(p, expected_p, 3);
            assert_int_equal(counters.out_of_bounds, 0);
            between += keys == 2;
            alone += keys == 1;
        }
    }
    assert_true(between > 20000 && alone > 20000);
}
