/* Tests of which points a polygon contains, and along which axis it is seen. */
#include "each_build.h"
#include "retropose/fastproc.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <stddef.h>

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

AROUND_ALL(EachBuild_Save, EachBuild_Restore)
