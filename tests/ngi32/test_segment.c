/* Tests of where a segment crosses a plane (slot 45), and the boundaries of each comparison. */
#include "each_build.h"
#include "exports/reading_table.h"
#include "retropose/fastproc.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <stddef.h>

static const float floor_plane[4] = {0, 0, 1, -1}; /* z = 1 */

static int Cross(RpBuild build, const RpReadings *readings, float from_z, float to_z,
                 float hit[3]) {
    const float start[3] = {1, 2, from_z}, end[3] = {5, 10, to_z};
    EachBuild_FillUntouched(hit, 3);
    int crosses =
        (int)RpSegment_Plane(OF_THREAD_WITH(build, readings), start, end, floor_plane, hit);
    if (!crosses)
        EachBuild_CheckBits(hit, UNTOUCHED, 3);
    return crosses;
}

TEST_OF_EACH_BUILD(ASegmentCrossesFromTheFrontOnly) {
    RpReadings inclusive = EachBuild_With(READING_PLANE_FAR);
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
    EachBuild_CheckFloats(hit, start, 3);
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

AROUND_ALL(EachBuild_Save, EachBuild_Restore)
