/* Tests of what the documented steps of light mean, on small integers, and the boundaries of every
 * comparison. */
#include "each_build.h"
#include "retropose/fastproc.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>

enum { X87_BUILDS = 2 }; /* RP_BUILD_GENERIC and RP_BUILD_FXCH */

static void Lights(RpBuild build) {
    static const float light[3] = {1, 2, 3}, ambient[3] = {1, -4, 1}, scene[3] = {1, 0, 4};
    static const float brightest[3] = {2, 0, 4};
    float colour[3];
    RpLight_Combine(OF_THREAD(build), light, ambient, scene, colour);
    EachBuild_CheckFloats(colour, brightest, 3);
}

TEST(SceneLightIsTheLeast) {
    EachBuild_Run(Lights);
    /* If either side is a NaN the SSE build keeps the scene's value, and the x87 builds keep the
     * sum. */
    float nan[3], scene[3] = {1, 1, 1}, zeros[3] = {0, 0, 0}, colour[3];
    for (int i = 0; i < 3; i++)
        Float_Put(&nan[i], 0x7FC00007);
    RpLight_Combine(OF_THREAD(RP_BUILD_SSE), nan, zeros, scene, colour);
    EachBuild_CheckFloats(colour, scene, 3);
    for (int build = 0; build < X87_BUILDS; build++) {
        RpLight_Combine(OF_THREAD((RpBuild)build), nan, zeros, scene, colour);
        EachBuild_CheckBits(colour, 0x7FC00007, 3);
        RpLight_Combine(OF_THREAD((RpBuild)build), scene, zeros, nan, colour);
        EachBuild_CheckFloats(colour, scene, 3);
    }
}

TEST(ASurfaceTurnedAwayGetsNoLight) {
    static const float up[3] = {0, 0, 1}, down[3] = {0, 0, -2};
    float zero;
    assert_true(RpLight_DirectionalCosine(OF_THREAD(RP_BUILD_GENERIC), up, down) == 2);
    zero = (float)RpLight_DirectionalCosine(OF_THREAD(RP_BUILD_GENERIC), up, up);
    assert_int_equal(Float_Bits(&zero), 0); /* +0 */
}

TEST(AHighlightIsSquaredPowerLessOneTimes) {
    /* The reflected vector is travel + 2 cosine n = (0, 0, 3). */
    static const float n[3] = {0, 0, 1}, travel[3] = {0, 0, -1}, eye[3] = {5, 6, 1};
    static const float expected[] = {0, 3, 9, 81, 6561};
    for (uint32_t power = 0; power < 5; power++)
        assert_true(RpLight_Highlight(OF_THREAD(RP_BUILD_GENERIC), n, travel, 2, eye, power) ==
                    expected[power]);
}

/* The first squaring of every number except the last ones is already its own square. Doing all
 * squarings would take minutes. */
TEST(AHighlightsSquaringsEndAtAFixedPoint) {
    static const float n[3] = {0, 0, 1}, travel[3] = {0, 0, -1};
    static const float heights[] = {0.99999994f, -0.99999994f, 1.0000001f, 1, -1, 0, 1e-30f, 3};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        const float eye[3] = {0, 0, heights[i]};
        long double all = RpLight_Highlight(OF_THREAD(RP_BUILD_GENERIC), n, travel, 1, eye, 1);
        for (int squarings = 1; squarings < 1000; squarings++)
            all *= all;
        assert_true(RpLight_Highlight(OF_THREAD(RP_BUILD_GENERIC), n, travel, 1, eye, 1000) == all);
        assert_true(RpLight_Highlight(OF_THREAD(RP_BUILD_GENERIC), n, travel, 1, eye, UINT32_MAX) ==
                    all);
    }
    const float nothing[3] = {0, 0, NAN};
    assert_true(
        isnan(RpLight_Highlight(OF_THREAD(RP_BUILD_GENERIC), n, travel, 1, nothing, UINT32_MAX)));
}

/* Puts the light at the height z above the vertex. */
static float PointLightAt(float z) {
    const float light[10] = {0, 0, z, 1, 2, 4, 8, 3, 16, 64};
    static const float vertex[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    float sum[3] = {100, 100, 100};
    RpLight_Point(OF_THREAD(RP_BUILD_GENERIC), light, vertex, up, sum);
    assert_true(sum[1] - 100 == 2 * (sum[0] - 100) && sum[2] - 100 == 4 * (sum[0] - 100));
    return sum[0];
}

TEST(APointLightFadesToTheEndOfItsRange) {
    assert_true(PointLightAt(4) == 100 + 3 + 16 * 0.5f + 64 * 0.25f);
    assert_true(PointLightAt(8) == 103); /* at the range itself */
    assert_true(PointLightAt(8.5f) == 100);
    assert_true(PointLightAt(-4) == 100); /* from behind */
    assert_true(PointLightAt(0) == 100);  /* at the vertex itself 0 / 0 does not face the light */
}

TEST(DirectionalLightsAddUp) {
    static const float lights[12] = {0, 0, -1, 1, 2, 3, 0, 0, -2, 10, 10, 10};
    static const float up[3] = {0, 0, 1}, diffuse[3] = {1, 2, 1};
    static const float one[3] = {1, 4, 3}, both[3] = {21, 44, 23};
    float colour[3];
    RpLight_Directional(OF_THREAD(RP_BUILD_GENERIC), lights, 1, up, diffuse, colour);
    EachBuild_CheckFloats(colour, one, 3);
    RpLight_Directional(OF_THREAD(RP_BUILD_GENERIC), lights, 2, up, diffuse, colour);
    EachBuild_CheckFloats(colour, both, 3);
    RpLight_Directional(OF_THREAD(RP_BUILD_GENERIC), lights, 0, up, diffuse, colour);
    EachBuild_CheckBits(colour, 0, 3);
}

AROUND_ALL(EachBuild_Save, EachBuild_Restore)
