/* Tests which builds of which functions each reading changes. */
#include "exports/reading_table.h"
#include "functions.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <stddef.h>

enum { SEARCH_CASES = 20000, LEAK_CASES = 400 };

/* The builds of a function in which a reading changes results of this library under the game's
 * control word. `wide` means that it does so only under a word with more than 24 bits. */
typedef struct Influence {
    int reading;
    const char *function;
    bool changes[RP_BUILD_COUNT]; /* generic, FXCH, SSE */
    bool wide;
} Influence;

#define ALL_BUILDS                                                                                 \
    { true, true, true }
#define X87_BUILDS                                                                                 \
    { true, true, false }
#define SSE_BUILDS                                                                                 \
    { false, false, true }

static const Influence influences[] = {
    {READING_OPERANDS, "Interpolate", X87_BUILDS, false},
    {READING_OPERANDS, "ToMatrix", X87_BUILDS, false},
    {READING_OPERANDS, "ToMirroredMatrix", X87_BUILDS, false},
    {READING_OPERANDS, "Product", X87_BUILDS, false},
    {READING_OPERANDS, "PoseProduct", X87_BUILDS, false},
    {READING_OPERANDS, "Product34", X87_BUILDS, false},
    {READING_OPERANDS, "Rotate", X87_BUILDS, false},
    {READING_OPERANDS, "RotateTransposed", X87_BUILDS, false},
    {READING_DOT4, "Interpolate", X87_BUILDS, false},
    {READING_DOT4_SSE, "Interpolate", SSE_BUILDS, false},
    {READING_SLERP_LIMIT, "Interpolate", X87_BUILDS, true},
    {READING_SLERP_SINE, "Interpolate", ALL_BUILDS, false},
    {READING_SLERP_ACOS, "Interpolate", ALL_BUILDS, false},
    {READING_SLERP_THETA, "Interpolate", ALL_BUILDS, false},
    {READING_SLERP_TRIG, "Interpolate", ALL_BUILDS, false},
    {READING_SLERP_WEIGHTS, "Interpolate", ALL_BUILDS, true},
    {READING_SLERP_TRIG_SSE, "Interpolate", SSE_BUILDS, false},
    {READING_QUAT_DIAGONAL, "ToMatrix", X87_BUILDS, false},
    {READING_QUAT_DIAGONAL, "ToMirroredMatrix", X87_BUILDS, false},
    {READING_QUAT_DIAGONAL_SSE, "ToMatrix", SSE_BUILDS, false},
    {READING_QUAT_DIAGONAL_SSE, "ToMirroredMatrix", SSE_BUILDS, false},
    {READING_MIRROR_SIGN, "ToMirroredMatrix", ALL_BUILDS, false},
    {READING_MIRROR_SHAPE, "ToMirroredMatrix", ALL_BUILDS, false},
    {READING_MATRIX_SUM, "Product", X87_BUILDS, false},
    {READING_MATRIX_SUM, "PoseProduct", X87_BUILDS, false},
    {READING_MATRIX_SUM_SSE, "Product", SSE_BUILDS, false},
    {READING_MATRIX_SUM_SSE, "PoseProduct", SSE_BUILDS, false},
    {READING_MATRIX34_SUM, "Product34", ALL_BUILDS, false},
    {READING_ROTATE_VECTOR, "Rotate", ALL_BUILDS, false},
    {READING_ROTATE_SUM, "Rotate", ALL_BUILDS, false},
    {READING_TRANSPOSED_SUM, "RotateTransposed", ALL_BUILDS, false},
    {READING_FRAME_SUM, "PointToFrame", ALL_BUILDS, false},
    {READING_FRAME_DIVISION, "PointToFrame", ALL_BUILDS, false},
    {READING_RSQRT, "ReciprocalSquareRoot", X87_BUILDS, false},
    {READING_RSQRT_SSE, "ReciprocalSquareRoot", SSE_BUILDS, false},
    {READING_NORMALISE, "Normalise", ALL_BUILDS, false},
    {READING_NORMALISE_SUM, "Normalise", ALL_BUILDS, false},
    {READING_PLANE_FAR, "SegmentPlane", X87_BUILDS, false},
    {READING_PLANE_SUM, "SegmentPlane", X87_BUILDS, false},
    {READING_PLANE_SUM_SSE, "SegmentPlane", SSE_BUILDS, false},
    {READING_PLANE_DIVISION, "SegmentPlane", X87_BUILDS, false},
    {READING_PLANE_NEWTON, "SegmentPlane", SSE_BUILDS, false},
    {READING_SSE_SLOTS, "Product34", SSE_BUILDS, false},
    {READING_SSE_SLOTS, "Rotate", SSE_BUILDS, false},
    {READING_SSE_SLOTS, "ReciprocalSquareRoot", SSE_BUILDS, true},
    {READING_SSE_SLOTS, "ToMirroredMatrix", SSE_BUILDS, false},
    {READING_SSE_SLOTS, "PointToFrame", SSE_BUILDS, false},
    {READING_SSE_SLOTS, "PoseProduct", SSE_BUILDS, false},
    {READING_SSE_SLOTS, "Normalise", SSE_BUILDS, false},
};
enum { INFLUENCE_COUNT = sizeof influences / sizeof *influences };

/* Makes two quaternions whose dot product is 1 - 9.9999997e-6, to 53 bits. It lies between the two
 * numbers that slerp-limit knows: c = 1 * (1 - 2^-17) + y * z, and all of this is exact. */
static void PutThresholdPair(Random *random, float in[9]) {
    const double between = 1e-5 - 1e-13;
    float step = (float)(0x1p-12 * (1.0 + Random_Below(random, 4096) * 0x1p-12));
    memset(in, 0, 9 * sizeof *in);
    in[0] = 1.0f;
    in[4] = 1.0f - 0x1p-16f;
    in[1] = step;
    in[5] = (float)((0x1p-16 - between) / (double)step);
    in[8] = 0.3f;
}

static bool Differs(const Function *function, const Variant *by_default, const Variant *alternative,
                    const Memory *inputs) {
    Memory a = *inputs, b = *inputs;
    Result a_result, b_result;
    Function_RunOurs(function, by_default, &a, MAX_INPUTS, &a_result);
    Function_RunOurs(function, alternative, &b, MAX_INPUTS, &b_result);
    return memcmp(&a, &b, sizeof a) != 0 || memcmp(&a_result, &b_result, sizeof a_result) != 0;
}

static bool ChangesAnyBit(const Influence *influence, uint32_t choice, RpBuild build, int cases) {
    const Function *function = Function_Find(influence->function);
    Variant by_default = {.build = build, .rounding = {influence->wide ? 0x037F : 0x007F, 0x1F80}};
    Variant alternative = by_default;
    Random random = {.state = 1};
    alternative.readings.choice[influence->reading] = (uint8_t)choice;
    bool changes = false;
    for (int i = 0; i < cases && !changes; i++) {
        Memory inputs;
        Function_Draw(&random, function, &inputs);
        if (influence->reading == READING_SLERP_LIMIT && i % 2)
            PutThresholdPair(&random, inputs.at);
        if (influence->reading == READING_OPERANDS && i % 2)
            Nans_Draw(&random, inputs.at);
        changes = Differs(function, &by_default, &alternative, &inputs);
    }
    return changes;
}

TEST(AReadingChangesTheBuildsItIsAboutAndNoOther) {
    for (size_t i = 0; i < INFLUENCE_COUNT; i++) {
        const Influence *influence = &influences[i];
        for (uint32_t choice = 1; choice < ChoiceCount(influence->reading); choice++)
            for (int build = 0; build < RP_BUILD_COUNT; build++)
                if (ChangesAnyBit(influence, choice, (RpBuild)build, SEARCH_CASES) !=
                    influence->changes[build])
                    fail_msg("%s, choice %u, %s, %s build", RpReadings_Name(influence->reading),
                             (unsigned)choice, influence->function, RpBuild_Name((RpBuild)build));
    }
}

static bool IsInfluence(int reading, const char *function) {
    for (size_t i = 0; i < INFLUENCE_COUNT; i++)
        if (influences[i].reading == reading && strcmp(influences[i].function, function) == 0)
            return true;
    return false;
}

TEST(AReadingChangesNoOtherFunction) {
    for (int reading = 0; reading < READING_RUNTIME_COUNT; reading++)
        for (int f = 0; f < FUNCTION_COUNT; f++) {
            const Influence none = {reading, functions[f].name, {false, false, false}, true};
            for (int build = 0; build < RP_BUILD_COUNT; build++)
                if (!IsInfluence(reading, functions[f].name) &&
                    ChangesAnyBit(&none, 1, (RpBuild)build, LEAK_CASES))
                    fail_msg("%s changes %s", RpReadings_Name(reading), functions[f].name);
        }
}

/* Any two choices of a reading have to differ from each other, not only from the default. */
TEST(NoTwoChoicesAreTheSame) {
    for (size_t i = 0; i < INFLUENCE_COUNT; i++) {
        const Influence *influence = &influences[i];
        const Function *function = Function_Find(influence->function);
        const RpBuild build = influence->changes[0] ? RP_BUILD_GENERIC : RP_BUILD_SSE;
        uint32_t count = ChoiceCount(influence->reading);
        for (uint32_t one = 1; one < count; one++)
            for (uint32_t other = one + 1; other < count; other++) {
                Variant a = {.build = build, .rounding = {0x007F, 0x1F80}}, b = a;
                Random random = {.state = 1};
                a.readings.choice[influence->reading] = (uint8_t)one;
                b.readings.choice[influence->reading] = (uint8_t)other;
                bool differs = false;
                for (int k = 0; k < SEARCH_CASES && !differs; k++) {
                    Memory inputs;
                    Function_Draw(&random, function, &inputs);
                    differs = Differs(function, &a, &b, &inputs);
                }
                if (!differs)
                    fail_msg("%s, %s: choices %u and %u", RpReadings_Name(influence->reading),
                             influence->function, (unsigned)one, (unsigned)other);
            }
    }
}

TEST(NullReadingsAreTheDefaults) {
    RpReadings defaults;
    float q0[4] = {0.5f, 0.5f, 0.5f, 0.5f}, q1[4] = {0.0f, 0.6f, 0.8f, 0.1f}, a[4], b[4];
    memset(&defaults, 0, sizeof defaults);
    for (int build = 0; build < RP_BUILD_COUNT; build++) {
        RpQuaternion_Interpolate(OF_THREAD((RpBuild)build), q0, q1, 0.25f, a);
        RpQuaternion_Interpolate(OF_THREAD_WITH((RpBuild)build, &defaults), q0, q1, 0.25f, b);
        assert_memory_equal(a, b, sizeof a);
    }
}
