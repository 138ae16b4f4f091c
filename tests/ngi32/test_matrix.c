/* Tests of what the documented steps of products and rotations mean, on small integers. */
#include "each_build.h"
#include "exports/reading_table.h"
#include "retropose/fastproc.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <stddef.h>

TEST_OF_EACH_BUILD(AProductTakesRowsOfTheLeft) {
    static const float a[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static const float b[16] = {2, 0, 1, 3, 1, 1, 0, 2, 0, 3, 1, 1, 4, 1, 0, 1};
    static const float ab[16] = {20, 15, 4, 14, 48, 35, 12, 42, 76, 55, 20, 70, 104, 75, 28, 98};
    /* The bottom row of each matrix counts as 0, 0, 0, 1. */
    static const float ab34[12] = {4, 11, 4, 14, 16, 27, 12, 42, 28, 43, 20, 70};
    float result[16];
    RpMatrix_Product(OF_THREAD(build), a, b, result);
    EachBuild_CheckFloats(result, ab, 16);
    RpMatrix_Product34(OF_THREAD(build), a, b, result);
    EachBuild_CheckFloats(result, ab34, 12);
}

TEST_OF_EACH_BUILD(AVectorIsTurnedByRowsOrByColumns) {
    static const float m[16] = {1, 2, 3, 100, 4, 5, 6, 200, 7, 8, 9, 300, 0, 0, 0, 1};
    static const float v[3] = {1, 10, 100};
    static const float turned[3] = {321, 654, 987}, placed[3] = {421, 854, 1287};
    static const float turned_back[3] = {741, 852, 963};
    RpReadings affine = EachBuild_With(READING_ROTATE_VECTOR);
    float result[3];
    RpMatrix_Rotate(OF_THREAD(build), m, v, result);
    EachBuild_CheckFloats(result, turned, 3);
    RpMatrix_Rotate(OF_THREAD_WITH(build, &affine), m, v, result);
    EachBuild_CheckFloats(result, placed, 3);
    RpMatrix_RotateTransposed(OF_THREAD(build), m, v, result);
    EachBuild_CheckFloats(result, turned_back, 3);
}

TEST_OF_EACH_BUILD(APointIsMeasuredAlongTheAxesOfAFrame) {
    /* The frame's axes have lengths 2, 1 and 4 along y, -x and z. Its origin is (10, 20, 30). */
    static const float frame[16] = {0, -1, 0, 10, 2, 0, 0, 20, 0, 0, 4, 30, 0, 0, 0, 1};
    static const float point[3] = {13, 24, 38}, local[3] = {2, -3, 2};
    float result[3];
    RpMatrix_PointToFrame(OF_THREAD(build), frame, point, result);
    EachBuild_CheckFloats(result, local, 3);
}

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
    const RpReadings loaded = {{0}}, memory = EachBuild_With(READING_OPERANDS);
    assert_int_equal(ProductOfNans(build, &loaded), build == RP_BUILD_SSE ? QUIET : MADE_QUIET);
    assert_int_equal(ProductOfNans(build, &memory), QUIET);
}

AROUND_ALL(EachBuild_Save, EachBuild_Restore)
