#include "each_build.h"

#include "tests/test.h"

#include <stddef.h>
#include <string.h>

static Rounding saved;

void EachBuild_Run(void (*body)(RpBuild build)) {
    static const uint16_t words[] = {0x007F, 0x027F, 0x037F};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (int build = 0; build < RP_BUILD_COUNT; build++) {
            Rounding_Set((Rounding){.control_word = words[i], .mxcsr = 0x1F80});
            body((RpBuild)build);
        }
    Rounding_Set(saved);
}

int EachBuild_Save(void **state) {
    (void)state;
    saved = Rounding_Get();
    return 0;
}

int EachBuild_Restore(void **state) {
    (void)state;
    Rounding_Set(saved);
    return 0;
}

void EachBuild_CheckFloats(const float *actual, const float *expected, int count) {
    for (int i = 0; i < count; i++)
        if (Float_Bits(&actual[i]) != Float_Bits(&expected[i]))
            fail_msg("element %d: %08X, not %08X", i, (unsigned)Float_Bits(&actual[i]),
                     (unsigned)Float_Bits(&expected[i]));
}

void EachBuild_CheckBits(const float *actual, uint32_t bits, int count) {
    for (int i = 0; i < count; i++)
        assert_int_equal(Float_Bits(&actual[i]), bits);
}

void EachBuild_FillUntouched(float *values, int count) {
    for (int i = 0; i < count; i++)
        Float_Put(&values[i], UNTOUCHED);
}

RpReadings EachBuild_With(int reading) {
    RpReadings readings;
    memset(&readings, 0, sizeof readings);
    readings.choice[reading] = 1;
    return readings;
}
