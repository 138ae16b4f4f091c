/* Tests of lengths, reciprocal roots, sine and cosine, on numbers that every precision and build
 * computes exactly. */
#include "each_build.h"
#include "exports/reading_table.h"
#include "retropose/fastproc.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <stddef.h>

TEST_OF_EACH_BUILD(NormalisingReturnsTheFormerLength) {
    float v[3] = {8, 0, -6}, zeros[3] = {0.0f, -0.0f, 0.0f};
    static const float unit[3] = {0.8f, 0, -0.6f}, same_zeros[3] = {0.0f, -0.0f, 0.0f};
    RpReadings quotient = EachBuild_With(READING_NORMALISE);
    assert_true(RpVector_Normalise(OF_THREAD_WITH(build, &quotient), v) == 10);
    EachBuild_CheckFloats(v, unit, 3);
    assert_true(RpVector_Normalise(OF_THREAD(build), zeros) == 0);
    EachBuild_CheckFloats(zeros, same_zeros, 3);
    assert_true(RpScalar_ReciprocalSquareRoot(OF_THREAD(build), 4) == 0.5L);
    assert_true(RpScalar_ReciprocalSquareRoot(OF_THREAD(build), 0) == (long double)__builtin_inf());
}

TEST(SineComesFirst) {
    float sine, cosine, huge;
    RpScalar_SineCosine(OF_THREAD(RP_BUILD_GENERIC), 0, &sine, &cosine);
    assert_true(sine == 0 && cosine == 1);
    Float_Put(&huge, 0x5F000000); /* 2^63 */
    RpScalar_SineCosine(OF_THREAD(RP_BUILD_GENERIC), huge, &sine, &cosine);
    assert_true(sine == huge && cosine == huge);
}

AROUND_ALL(EachBuild_Save, EachBuild_Restore)
