/* Tests of what the documented steps of slots 14, 15, 17 and 22 mean, on numbers that every
 * precision and build computes exactly, and on the turn that was published. */
#include "each_build.h"
#include "exports/reading_table.h"
#include "retropose/fastproc.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>

TEST_OF_EACH_BUILD(AQuaternionBecomesTheTransposedRotation) {
    static const float q[4] = {1, 2, 3, 4};
    static const float turned[16] = {-49, 20, 10, 0, 4, -39, 28, 0, 22, 20, -25, 0, 0, 0, 0, 1};
    static const float mirrored[16] = {-49, 4,   -22, 0, 20, -39, -20, 0,
                                       -10, -28, -25, 0, 0,  0,   0,   1};
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const float no_turn[4] = {1, 0, 0, 0};
    float m[16];
    RpQuaternion_ToMatrix(OF_THREAD(build), q, m);
    EachBuild_CheckFloats(m, turned, 16);
    RpQuaternion_ToMirroredMatrix(OF_THREAD(build), q, m);
    EachBuild_CheckFloats(m, mirrored, 16);
    RpQuaternion_ToMatrix(OF_THREAD(build), no_turn, m);
    EachBuild_CheckFloats(m, identity, 16);
    RpReadings only_3x3 = EachBuild_With(READING_MIRROR_SHAPE);
    static const int others[] = {3, 7, 11, 12, 13, 14, 15};
    EachBuild_FillUntouched(m, 16);
    RpQuaternion_ToMirroredMatrix(OF_THREAD_WITH(build, &only_3x3), q, m);
    for (int i = 0; i < 7; i++)
        assert_int_equal(Float_Bits(&m[others[i]]), UNTOUCHED);
    EachBuild_CheckFloats(&m[8], &mirrored[8], 3);
}

TEST_OF_EACH_BUILD(OppositeQuaternionsAreTheSame) {
    static const float q[4] = {0.5f, -0.5f, 0.5f, 0.5f}, opposite[4] = {-0.5f, 0.5f, -0.5f, -0.5f};
    static const float ts[] = {0, 0.25f, 1, 3, -2};
    float result[4];
    for (size_t i = 0; i < sizeof ts / sizeof *ts; i++) {
        RpQuaternion_Interpolate(OF_THREAD(build), q, q, ts[i], result);
        EachBuild_CheckFloats(result, q, 4); /* t is not limited */
        RpQuaternion_Interpolate(OF_THREAD(build), q, opposite, ts[i], result);
        EachBuild_CheckFloats(result, q, 4);
    }
}

TEST_OF_EACH_BUILD(AnArcStartsAtOneQuaternionAndEndsAtTheOther) {
    static const float q0[4] = {1, 0, 0, 0}, q1[4] = {0, 1, 0, 0};
    float result[4];
    RpQuaternion_Interpolate(OF_THREAD(build), q0, q1, 0, result);
    EachBuild_CheckFloats(result, q0, 4);
    RpQuaternion_Interpolate(OF_THREAD(build), q0, q1, 0.5f, result);
    for (int i = 0; i < 2; i++) /* sine and cosine of 45 degrees */
        assert_true(result[i] > 0.70710665f && result[i] < 0.70710691f);
    assert_true(result[2] == 0 && result[3] == 0);
    RpQuaternion_Interpolate(OF_THREAD(build), q0, q1, 1, result);
    assert_true(result[0] > -1e-6f && result[0] < 1e-6f && result[1] == 1);
}

/* Returns whether a dot product of 1 - gap, which is exact with 64-bit significands, is
 * interpolated linearly. The halves of an arc are longer than those of its chord, which tells the
 * two cases apart. */
static bool IsLinear(uint32_t gap_bits) {
    float gap, q0[4] = {1, 0, 0, 0}, q1[4] = {1, 1, 0, 0}, result[4];
    Float_Put(&gap, gap_bits);
    q0[1] = -gap;
    Rounding_Set((Rounding){.control_word = 0x037F, .mxcsr = 0x1F80});
    RpQuaternion_Interpolate(OF_THREAD(RP_BUILD_GENERIC), q0, q1, 0.5f, result);
    EachBuild_Restore(NULL);
    return result[0] == 1;
}

TEST(TheLinearLimitIsInclusive) {
    assert_true(IsLinear(0x3727C5AB));
    assert_true(IsLinear(0x3727C5AC)); /* 9.9999997e-6 */
    assert_false(IsLinear(0x3727C5AD));
}

TEST(ADotAboveOneIsLinear) {
    static const float q0[4] = {1, 0, 0, 0};
    float q1[4] = {0, 0, 0, 0}, result[4];
    Float_Put(&q1[0], 0x3F800001);
    for (int build = 0; build < RP_BUILD_COUNT; build++) {
        RpQuaternion_Interpolate(OF_THREAD((RpBuild)build), q0, q1, 1, result);
        EachBuild_CheckFloats(result, q1, 4);
    }
}

/* Checks the only angle of a running game that was published together with what the game made of it
 * (facts/published.md 1): z = 1.6262363, stored as -sin = -0.99846 and cos = -0.05541 in the first
 * row of Rz. */
static void CheckPublished(float minus_sine, float cosine) {
    char text[32];
    snprintf(text, sizeof text, "%.5f %.5f", (double)minus_sine, (double)cosine);
    assert_string_equal(text, "-0.99846 -0.05541");
}

TEST_OF_EACH_BUILD(TheTurnOfARunningGameIsThePublishedOne) {
    const float angle = 1.6262363F;
    float sine, cosine, half_sine, half_cosine, matrix[16];
    RpScalar_SineCosine(OF_THREAD(build), angle, &sine, &cosine);
    CheckPublished(-sine, cosine);
    RpScalar_SineCosine(OF_THREAD(build), angle / 2, &half_sine, &half_cosine);
    const float conjugate[4] = {half_cosine, 0, 0, -half_sine};
    RpQuaternion_ToMatrix(OF_THREAD(build), conjugate, matrix);
    CheckPublished(matrix[1], matrix[0]);
}

AROUND_ALL(EachBuild_Save, EachBuild_Restore)
