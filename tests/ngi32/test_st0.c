/* Tests that numbers that a function leaves in ST(0) are handed out as ten bytes. */
#include "each_build.h"
#include "retropose/fastproc.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <stddef.h>

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
    EachBuild_CheckFloats(v, unit, 3);
}

AROUND_ALL(EachBuild_Save, EachBuild_Restore)
