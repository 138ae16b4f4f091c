/* Tests of what the documented steps mean, on numbers that every precision and build computes
 * exactly: small integers, and the boundaries of every comparison. */
#include "exports/reading_table.h"
#include "floats.h"
#include "retropose/fastproc.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { X87_BUILDS = 2 }; /* RP_BUILD_GENERIC and RP_BUILD_FXCH */

#define UNTOUCHED 0x7FDEAD55u

static Rounding saved;

static void ForEachBuild(void (*body)(RpBuild build)) {
    static const uint16_t words[] = {0x007F, 0x027F, 0x037F};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (int build = 0; build < RP_BUILD_COUNT; build++) {
            Rounding_Set((Rounding){.control_word = words[i], .mxcsr = 0x1F80});
            body((RpBuild)build);
        }
    Rounding_Set(saved);
}

/* A test that runs for each build under each precision. */
#define TEST_OF_EACH_BUILD(name)                                                                   \
    static void name##In(RpBuild build);                                                           \
    TEST(name) {                                                                                   \
        ForEachBuild(name##In);                                                                    \
    }                                                                                              \
    static void name##In(RpBuild build)

static int Save(void **state) {
    (void)state;
    saved = Rounding_Get();
    return 0;
}

static int Restore(void **state) {
    (void)state;
    Rounding_Set(saved);
    return 0;
}

/* Compares bits, because -0 is not 0 here. */
static void CheckFloats(const float *actual, const float *expected, int count) {
    for (int i = 0; i < count; i++)
        if (Float_Bits(&actual[i]) != Float_Bits(&expected[i]))
            fail_msg("element %d: %08X, not %08X", i, (unsigned)Float_Bits(&actual[i]),
                     (unsigned)Float_Bits(&expected[i]));
}

static void CheckBits(const float *actual, uint32_t bits, int count) {
    for (int i = 0; i < count; i++)
        assert_int_equal(Float_Bits(&actual[i]), bits);
}

static void FillUntouched(float *values, int count) {
    for (int i = 0; i < count; i++)
        Float_Put(&values[i], UNTOUCHED);
}

static RpReadings With(int reading) {
    RpReadings readings;
    memset(&readings, 0, sizeof readings);
    readings.choice[reading] = 1;
    return readings;
}

/* ---- slots 14 and 15 ------------------------------------------------------------------------- */

TEST_OF_EACH_BUILD(AQuaternionBecomesTheTransposedRotation) {
    static const float q[4] = {1, 2, 3, 4};
    static const float turned[16] = {-49, 20, 10, 0, 4, -39, 28, 0, 22, 20, -25, 0, 0, 0, 0, 1};
    static const float mirrored[16] = {-49, 4,   -22, 0, 20, -39, -20, 0,
                                       -10, -28, -25, 0, 0,  0,   0,   1};
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const float no_turn[4] = {1, 0, 0, 0};
    float m[16];
    RpQuaternion_ToMatrix(OF_THREAD(build), q, m);
    CheckFloats(m, turned, 16);
    RpQuaternion_ToMirroredMatrix(OF_THREAD(build), q, m);
    CheckFloats(m, mirrored, 16);
    RpQuaternion_ToMatrix(OF_THREAD(build), no_turn, m);
    CheckFloats(m, identity, 16);
    RpReadings only_3x3 = With(READING_MIRROR_SHAPE);
    static const int others[] = {3, 7, 11, 12, 13, 14, 15};
    FillUntouched(m, 16);
    RpQuaternion_ToMirroredMatrix(OF_THREAD_WITH(build, &only_3x3), q, m);
    for (int i = 0; i < 7; i++)
        assert_int_equal(Float_Bits(&m[others[i]]), UNTOUCHED);
    CheckFloats(&m[8], &mirrored[8], 3);
}

/* ---- reading operands ------------------------------------------------------------------------ */

enum { QUIET = 0x7FC00001, SIGNALLING = 0x7F800020, MADE_QUIET = 0x7FC00020 };

/* Multiplies a quiet NaN by a signalling one of the larger payload. The SSE build keeps the left
 * one. */
static uint32_t ProductOfNans(RpBuild build, const RpReadings *readings) {
    float m[16] = {0}, v[3] = {0, 1, 1}, result[3];
    Float_Put(&m[0], QUIET);
    Float_Put(&v[0], SIGNALLING);
    RpMatrix_Rotate(OF_THREAD_WITH(build, readings), m, v, result);
    return Float_Bits(&result[0]);
}

TEST_OF_EACH_BUILD(AFactorInMemoryIsStillSignalling) {
    const RpReadings loaded = {{0}}, memory = With(READING_OPERANDS);
    assert_int_equal(ProductOfNans(build, &loaded), build == RP_BUILD_SSE ? QUIET : MADE_QUIET);
    assert_int_equal(ProductOfNans(build, &memory), QUIET);
}

/* ---- slots 17 and 22 ------------------------------------------------------------------------- */

TEST_OF_EACH_BUILD(OppositeQuaternionsAreTheSame) {
    static const float q[4] = {0.5f, -0.5f, 0.5f, 0.5f}, opposite[4] = {-0.5f, 0.5f, -0.5f, -0.5f};
    static const float ts[] = {0, 0.25f, 1, 3, -2};
    float result[4];
    for (size_t i = 0; i < sizeof ts / sizeof *ts; i++) {
        RpQuaternion_Interpolate(OF_THREAD(build), q, q, ts[i], result);
        CheckFloats(result, q, 4); /* t is not limited */
        RpQuaternion_Interpolate(OF_THREAD(build), q, opposite, ts[i], result);
        CheckFloats(result, q, 4);
    }
}

TEST_OF_EACH_BUILD(AnArcStartsAtOneQuaternionAndEndsAtTheOther) {
    static const float q0[4] = {1, 0, 0, 0}, q1[4] = {0, 1, 0, 0};
    float result[4];
    RpQuaternion_Interpolate(OF_THREAD(build), q0, q1, 0, result);
    CheckFloats(result, q0, 4);
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
    Rounding_Set(saved);
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
        CheckFloats(result, q1, 4);
    }
}

/* ---- matrices and vectors -------------------------------------------------------------------- */

TEST_OF_EACH_BUILD(AProductTakesRowsOfTheLeft) {
    static const float a[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static const float b[16] = {2, 0, 1, 3, 1, 1, 0, 2, 0, 3, 1, 1, 4, 1, 0, 1};
    static const float ab[16] = {20, 15, 4, 14, 48, 35, 12, 42, 76, 55, 20, 70, 104, 75, 28, 98};
    /* The bottom row of each matrix counts as 0, 0, 0, 1. */
    static const float ab34[12] = {4, 11, 4, 14, 16, 27, 12, 42, 28, 43, 20, 70};
    float result[16];
    RpMatrix_Product(OF_THREAD(build), a, b, result);
    CheckFloats(result, ab, 16);
    RpMatrix_Product34(OF_THREAD(build), a, b, result);
    CheckFloats(result, ab34, 12);
}

TEST_OF_EACH_BUILD(AVectorIsTurnedByRowsOrByColumns) {
    static const float m[16] = {1, 2, 3, 100, 4, 5, 6, 200, 7, 8, 9, 300, 0, 0, 0, 1};
    static const float v[3] = {1, 10, 100};
    static const float turned[3] = {321, 654, 987}, placed[3] = {421, 854, 1287};
    static const float turned_back[3] = {741, 852, 963};
    RpReadings affine = With(READING_ROTATE_VECTOR);
    float result[3];
    RpMatrix_Rotate(OF_THREAD(build), m, v, result);
    CheckFloats(result, turned, 3);
    RpMatrix_Rotate(OF_THREAD_WITH(build, &affine), m, v, result);
    CheckFloats(result, placed, 3);
    RpMatrix_RotateTransposed(OF_THREAD(build), m, v, result);
    CheckFloats(result, turned_back, 3);
}

TEST_OF_EACH_BUILD(APointIsMeasuredAlongTheAxesOfAFrame) {
    /* The frame's axes have lengths 2, 1 and 4 along y, -x and z. Its origin is (10, 20, 30). */
    static const float frame[16] = {0, -1, 0, 10, 2, 0, 0, 20, 0, 0, 4, 30, 0, 0, 0, 1};
    static const float point[3] = {13, 24, 38}, local[3] = {2, -3, 2};
    float result[3];
    RpMatrix_PointToFrame(OF_THREAD(build), frame, point, result);
    CheckFloats(result, local, 3);
}

TEST_OF_EACH_BUILD(NormalisingReturnsTheFormerLength) {
    float v[3] = {8, 0, -6}, zeros[3] = {0.0f, -0.0f, 0.0f};
    static const float unit[3] = {0.8f, 0, -0.6f}, same_zeros[3] = {0.0f, -0.0f, 0.0f};
    RpReadings quotient = With(READING_NORMALISE);
    assert_true(RpVector_Normalise(OF_THREAD_WITH(build, &quotient), v) == 10);
    CheckFloats(v, unit, 3);
    assert_true(RpVector_Normalise(OF_THREAD(build), zeros) == 0);
    CheckFloats(zeros, same_zeros, 3);
    assert_true(RpScalar_ReciprocalSquareRoot(OF_THREAD(build), 4) == 0.5L);
    assert_true(RpScalar_ReciprocalSquareRoot(OF_THREAD(build), 0) == (long double)__builtin_inf());
}

/* ---- slot 45 --------------------------------------------------------------------------------- */

static const float floor_plane[4] = {0, 0, 1, -1}; /* z = 1 */

static int Cross(RpBuild build, const RpReadings *readings, float from_z, float to_z,
                 float hit[3]) {
    const float start[3] = {1, 2, from_z}, end[3] = {5, 10, to_z};
    FillUntouched(hit, 3);
    int crosses =
        (int)RpSegment_Plane(OF_THREAD_WITH(build, readings), start, end, floor_plane, hit);
    if (!crosses)
        CheckBits(hit, UNTOUCHED, 3);
    return crosses;
}

TEST_OF_EACH_BUILD(ASegmentCrossesFromTheFrontOnly) {
    RpReadings inclusive = With(READING_PLANE_FAR);
    static const float middle[3] = {3, 6, 1}, start[3] = {1, 2, 1}, end[3] = {5, 10, 1};
    bool sse = build == RP_BUILD_SSE;
    float hit[3];
    assert_int_equal(Cross(build, NULL, 3, -1, hit), 1);
    for (int i = 0; i < 3; i++) /* the SSE build's reciprocal is an approximation */
        assert_true(sse ? hit[i] > 0.9999f * middle[i] && hit[i] < 1.0001f * middle[i]
                        : hit[i] == middle[i]);
    assert_int_equal(Cross(build, NULL, -1, 3, hit), 0); /* from behind */
    assert_int_equal(Cross(build, NULL, 3, 2, hit), 0);  /* short of the plane */
    assert_int_equal(Cross(build, NULL, 0, -1, hit), 0); /* all behind it */
    assert_int_equal(Cross(build, NULL, 2, 2, hit), 0);  /* along it */
    assert_int_equal(Cross(build, NULL, 1, -1, hit), 1); /* from the plane itself */
    CheckFloats(hit, start, 3);
    assert_int_equal(Cross(build, NULL, 3, 1, hit), sse); /* to the plane itself */
    assert_int_equal(Cross(build, &inclusive, 3, 1, hit), 1);
    for (int i = 0; i < 3; i++)
        assert_true(sse ? hit[i] > 0.9999f * end[i] && hit[i] < 1.0001f * end[i]
                        : hit[i] == end[i]);
}

/* n . v is -FLT_MIN, or the next number beyond it. */
static int CrossSlowly(RpBuild build, uint32_t end_bits) {
    static const float start[3] = {0, 0, 0}, plane[4] = {0, 0, 1, 0};
    float end[3] = {0, 0, 0}, hit[3];
    Float_Put(&end[2], end_bits);
    return (int)RpSegment_Plane(OF_THREAD(build), start, end, plane, hit);
}

TEST(TheGenericBuildDemandsADescentOfMoreThanTheLeastNormal) {
    assert_int_equal(CrossSlowly(RP_BUILD_GENERIC, 0x80800000), 0);
    assert_int_equal(CrossSlowly(RP_BUILD_GENERIC, 0x80800001), 1);
    assert_int_equal(CrossSlowly(RP_BUILD_FXCH, 0x80800000), 1);
    assert_int_equal(CrossSlowly(RP_BUILD_FXCH, 0x80000001), 1);
    assert_int_equal(CrossSlowly(RP_BUILD_SSE, 0x80000001), 1);
}

/* ---- light ----------------------------------------------------------------------------------- */

static void Lights(RpBuild build) {
    static const float light[3] = {1, 2, 3}, ambient[3] = {1, -4, 1}, scene[3] = {1, 0, 4};
    static const float brightest[3] = {2, 0, 4};
    float colour[3];
    RpLight_Combine(OF_THREAD(build), light, ambient, scene, colour);
    CheckFloats(colour, brightest, 3);
}

TEST(SceneLightIsTheLeast) {
    ForEachBuild(Lights);
    /* If either side is a NaN the SSE build keeps the scene's value, and the x87 builds keep the
     * sum. */
    float nan[3], scene[3] = {1, 1, 1}, zeros[3] = {0, 0, 0}, colour[3];
    for (int i = 0; i < 3; i++)
        Float_Put(&nan[i], 0x7FC00007);
    RpLight_Combine(OF_THREAD(RP_BUILD_SSE), nan, zeros, scene, colour);
    CheckFloats(colour, scene, 3);
    for (int build = 0; build < X87_BUILDS; build++) {
        RpLight_Combine(OF_THREAD((RpBuild)build), nan, zeros, scene, colour);
        CheckBits(colour, 0x7FC00007, 3);
        RpLight_Combine(OF_THREAD((RpBuild)build), scene, zeros, nan, colour);
        CheckFloats(colour, scene, 3);
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

/* Slots 11 and 38, the cosine and the highlight, with the numbers of the tests above. */
TEST(NumbersInSt0AreTenBytes) {
    static const uint8_t expected[4][10] = {{[7] = 0x80, 0xFE, 0x3F},
                                            {[7] = 0xA0, 0x02, 0x40},
                                            {[7] = 0x80, 0x00, 0x40},
                                            {[7] = 0x90, 0x02, 0xC0}};
    static const float n[3] = {0, 0, 1}, travel[3] = {0, 0, -1}, down[3] = {0, 0, -2};
    static const float eye[3] = {5, 6, -3}, unit[3] = {0.8f, 0, -0.6f};
    const RpArithmetic *arithmetic = OF_THREAD(RP_BUILD_GENERIC);
    float v[3] = {8, 0, -6};
    uint8_t st0[4][10];
    RpScalar_ReciprocalSquareRootSt0(arithmetic, 4, st0[0]);
    RpVector_NormaliseSt0(arithmetic, v, st0[1]);
    RpLight_DirectionalCosineSt0(arithmetic, n, down, st0[2]);
    RpLight_HighlightSt0(arithmetic, n, travel, 2, eye, 1, st0[3]);
    assert_memory_equal(st0, expected, sizeof st0);
    CheckFloats(v, unit, 3);
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
    CheckFloats(colour, one, 3);
    RpLight_Directional(OF_THREAD(RP_BUILD_GENERIC), lights, 2, up, diffuse, colour);
    CheckFloats(colour, both, 3);
    RpLight_Directional(OF_THREAD(RP_BUILD_GENERIC), lights, 0, up, diffuse, colour);
    CheckBits(colour, 0, 3);
}

/* ---- exports --------------------------------------------------------------------------------- */

/* Asks about a counter-clockwise unit square, seen along the dropped axis. */
static int IsInSquare(const float normal[4], float x, float y, float z) {
    static const float corners[4][3] = {{0, 0, 5}, {1, 0, 5}, {1, 1, 5}, {0, 1, 5}};
    const float *const vertices[4] = {corners[0], corners[1], corners[2], corners[3]};
    const float point[3] = {x, y, z};
    return RpPolygon_Contains(OF_THREAD(RP_BUILD_GENERIC), normal, vertices, 4, point);
}

TEST(APolygonContainsItsEdges) {
    static const float up[4] = {0, 0, 1, 0}, down[4] = {0, 0, -1, 0};
    assert_int_equal(IsInSquare(up, 0.5f, 0.5f, 0), 1); /* the height has no influence */
    assert_int_equal(IsInSquare(up, 1, 0.5f, 0), 1);
    assert_int_equal(IsInSquare(up, 0, 0, 0), 1);
    assert_int_equal(IsInSquare(up, 1.5f, 0.5f, 0), 0);
    assert_int_equal(IsInSquare(up, 0.5f, -0.1f, 0), 0);
    assert_int_equal(IsInSquare(down, 0.5f, 0.5f, 0), 0); /* the wrong way round */
    assert_int_equal(RpPolygon_Contains(OF_THREAD(RP_BUILD_GENERIC), up, NULL, 0, up), 1);
}

/* Returns whether the polygon test drops z. The point (5, 5, 0) is outside a square of the x-y
 * plane. Seen along another axis that square is a line, on which every point is inside. */
static bool DropsZ(float nx, float ny, float nz) {
    static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const float *const vertices[4] = {corners[0], corners[1], corners[2], corners[3]};
    const float normal[4] = {nx, ny, nz, 0}, point[3] = {5, 5, 0};
    return !RpPolygon_Contains(OF_THREAD(RP_BUILD_GENERIC), normal, vertices, 4, point);
}

TEST(TheDroppedAxisIsChosenByTwoComparisons) {
    assert_false(DropsZ(3, 2, 1));  /* x */
    assert_false(DropsZ(-2, 2, 2)); /* x, because equal components do not count as greater */
    assert_false(DropsZ(1, -3, 2)); /* y */
    assert_true(DropsZ(1, 2, 3));
    assert_true(DropsZ(3, 1, 2)); /* z, although x is greatest */
}

TEST(SineComesFirst) {
    float sine, cosine, huge;
    RpScalar_SineCosine(OF_THREAD(RP_BUILD_GENERIC), 0, &sine, &cosine);
    assert_true(sine == 0 && cosine == 1);
    Float_Put(&huge, 0x5F000000); /* 2^63 */
    RpScalar_SineCosine(OF_THREAD(RP_BUILD_GENERIC), huge, &sine, &cosine);
    assert_true(sine == huge && cosine == huge);
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

AROUND_ALL(Save, Restore)
