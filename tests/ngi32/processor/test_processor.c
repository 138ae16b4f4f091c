/* Tests of the processor classes and of the control word. */
#include "retropose/fastproc.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

TEST(ForceCpuValuesMeanWhatIsDocumented) {
    static const struct {
        int32_t value;
        RpProcessor processor;
        RpBuild build;
    } cases[] = {
        {2, {.sse = 1, .amd3dnow = 0, .fxch = 0, .mmx = 0}, RP_BUILD_SSE},
        {3, {.sse = 0, .amd3dnow = 1, .fxch = 0, .mmx = 0}, RP_BUILD_GENERIC},
        {4, {.sse = 1, .amd3dnow = 1, .fxch = 0, .mmx = 0}, RP_BUILD_SSE},
        {5, {.sse = 1, .amd3dnow = 1, .fxch = 1, .mmx = 1}, RP_BUILD_SSE},
        {6, {.sse = 1, .amd3dnow = 1, .fxch = 1, .mmx = 0}, RP_BUILD_SSE},
        {7, {.sse = 0, .amd3dnow = 0, .fxch = 0, .mmx = 1}, RP_BUILD_GENERIC},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RpProcessor processor;
        memset(&processor, 0xFF, sizeof processor);
        RpProcessor_FromForceCpu(cases[i].value, &processor);
        assert_memory_equal(&processor, &cases[i].processor, sizeof processor);
        assert_int_equal(RpProcessor_Build(&processor), cases[i].build);
    }
}

TEST(OtherForceCpuValuesDetect) {
    static const int32_t values[] = {-1, 0, 1, 8, INT32_MIN, INT32_MAX};
    RpProcessor detected, processor;
    RpProcessor_Detect(&detected);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        memset(&processor, 0xFF, sizeof processor);
        RpProcessor_FromForceCpu(values[i], &processor);
        assert_memory_equal(&processor, &detected, sizeof processor);
    }
}

/* Every x86-64 processor has both, so this one has them, too. */
TEST(ThisProcessorHasSseAndMmx) {
    RpProcessor processor;
    RpProcessor_Detect(&processor);
    assert_int_equal(processor.sse, 1);
    assert_int_equal(processor.mmx, 1);
}

TEST(TheFxchBuildsAreForP6WithoutSseOr3DNow) {
    for (int bits = 0; bits < 16; bits++) {
        RpProcessor processor = {.sse = bits & 1,
                                 .amd3dnow = bits >> 1 & 1,
                                 .fxch = bits >> 2 & 1,
                                 .mmx = bits >> 3 & 1};
        RpBuild expected = RP_BUILD_GENERIC;
        if (processor.sse)
            expected = RP_BUILD_SSE;
        else if (processor.fxch && !processor.amd3dnow)
            expected = RP_BUILD_FXCH;
        assert_int_equal(RpProcessor_Build(&processor), expected);
    }
}

TEST(BuildsHaveNames) {
    assert_string_equal(RpBuild_Name(RP_BUILD_GENERIC), "generic");
    assert_string_equal(RpBuild_Name(RP_BUILD_FXCH), "fxch");
    assert_string_equal(RpBuild_Name(RP_BUILD_SSE), "sse");
    assert_string_equal(RpBuild_Name(RP_BUILD_COUNT), "unknown");
}

TEST(TheControlWordIsSetAndRestored) {
    static const uint16_t words[][2] = {
        {0x027F, 0x007F}, {0x037F, 0x007F}, {0x0F7F, 0x007F}, {0x007F, 0x007F}, {0x137F, 0x107F}};
    uint16_t before = RpFpu_ControlWord();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        RpFpu_Restore(words[i][0]);
        assert_int_equal(RpFpu_SetControlWord(), words[i][0]);
        assert_int_equal(RpFpu_ControlWord(), words[i][1]);
    }
    RpFpu_Restore(before);
    assert_int_equal(RpFpu_ControlWord(), before);
}
