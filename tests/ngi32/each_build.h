/* What the tests of the documented steps share: a test for each build under each precision, and
 * comparisons of bits, because -0 is not 0 here. */
#ifndef RETROPOSE_TESTS_NGI32_EACH_BUILD_H
#define RETROPOSE_TESTS_NGI32_EACH_BUILD_H

#include "retropose/fastproc.h"
#include "tests/ngi32/floats.h"

#define UNTOUCHED 0x7FDEAD55u

/* Calls `body` for each build under each precision. */
void EachBuild_Run(void (*body)(RpBuild build));

/* A test that runs for each build under each precision. */
#define TEST_OF_EACH_BUILD(name)                                                                   \
    static void name##In(RpBuild build);                                                           \
    TEST(name) {                                                                                   \
        EachBuild_Run(name##In);                                                                   \
    }                                                                                              \
    static void name##In(RpBuild build)

/* For AROUND_ALL. EachBuild_Restore gives the thread the rounding back that it had at the start. */
int EachBuild_Save(void **state);
int EachBuild_Restore(void **state);

void EachBuild_CheckFloats(const float *actual, const float *expected, int count);
void EachBuild_CheckBits(const float *actual, uint32_t bits, int count);
void EachBuild_FillUntouched(float *values, int count);

/* The defaults, but for the second choice of one reading. */
RpReadings EachBuild_With(int reading);

#endif
