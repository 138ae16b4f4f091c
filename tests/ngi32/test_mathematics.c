/* Compares every function of fastproc.h with the model, bit for bit: all builds, all
 * readings, three precisions, four roundings, ordinary and special inputs, overlapping outputs.
 *
 * NGI32_CASES in the environment changes the number of cases per function. */
#include "exports/reading_table.h"
#include "functions.h"
#include "tests/of_thread.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_CASES = 60000, SEARCH_CASES = 20000, LEAK_CASES = 400 };

/* ---- inputs ---------------------------------------------------------------------------------- */

static void ScaleToLength1(float q[4]) {
    double squares = 0;
    for (int i = 0; i < 4; i++)
        squares += (double)q[i] * q[i];
    for (int i = 0; squares > 0 && i < 4; i++)
        q[i] = (float)(q[i] / sqrt(squares));
}

/* Puts quaternions of length 1 whose dot product is near -1 or 1 (on both sides of 1 - 1e-5) or
 * anywhere, and t, mostly from 0 to 1. */
static void PutQuaternions(Random *random, float in[9]) {
    static const float towards[4] = {1.0f, -1.0f, 0.0f, 0.5f};
    float toward = towards[Random_Below(random, 4)];
    float step = Random_Below(random, 2) ? 0.004f : 1.0f;
    Random_Fill(random, INPUT_ORDINARY, in, 9);
    ScaleToLength1(in);
    for (int i = 0; i < 4; i++)
        in[4 + i] = toward * in[i] + step * in[4 + i];
    ScaleToLength1(in + 4);
    if (Random_Below(random, 4))
        in[8] = (float)fabs(in[8]) * 0.5f;
}

/* Puts whole numbers from -2 to 2, so that points lie exactly on planes and edges. */
static void PutIntegers(Random *random, float *in, int count) {
    for (int i = 0; i < count; i++)
        in[i] = (float)Random_Below(random, 5) - 2.0f;
}

static void PutInputs(Random *random, const Function *function, float *in) {
    InputKind kind = (InputKind)Random_Below(random, INPUT_KIND_COUNT);
    Random_Fill(random, kind, in, MAX_INPUTS + MAX_OUTPUTS);
    if (Random_Below(random, 2))
        return;
    if (strcmp(function->name, "Interpolate") == 0)
        PutQuaternions(random, in);
    else if (kind == INPUT_ORDINARY)
        PutIntegers(random, in, function->inputs);
}

/* Makes quiet and signalling NaNs of different payloads, among ordinary numbers. */
static void PutNans(Random *random, float *in) {
    for (int i = 0; i < MAX_INPUTS; i++) {
        const uint32_t quiet = Random_Below(random, 2) << 22, sign = Random_Below(random, 2) << 31;
        const uint32_t nan = sign | 0x7F800000 | quiet | (1 + Random_Below(random, 0x3FFFFE));
        if (Random_Below(random, 2))
            memcpy(&in[i], &nan, sizeof nan);
    }
}

static Rounding DrawRounding(Random *random) {
    static const uint16_t words[3] = {0x007F, 0x027F, 0x037F};
    Rounding rounding = {.control_word = 0x007F, .mxcsr = 0x1F80};
    if (Random_Below(random, 2)) {
        rounding.control_word =
            (uint16_t)(words[Random_Below(random, 3)] | Random_Below(random, 4) << 10);
        rounding.mxcsr |= Random_Below(random, 4) << 13;
    }
    return rounding;
}

static uint32_t ChoiceCount(int reading) {
    uint32_t count = 1;
    for (const char *c = RpReadings_Choices(reading); *c; c++)
        count += *c == '|';
    return count;
}

/* Chooses no alternative, one, or any at random. */
static void DrawReadings(Random *random, RpReadings *readings) {
    memset(readings, 0, sizeof *readings);
    uint32_t kind = Random_Below(random, 4);
    int only = (int)Random_Below(random, READING_RUNTIME_COUNT);
    for (int i = 0; i < READING_RUNTIME_COUNT; i++)
        if (kind > 1 || (kind == 1 && i == only))
            readings->choice[i] = (uint8_t)Random_Below(random, ChoiceCount(i));
}

/* ---- one case -------------------------------------------------------------------------------- */

/* The inputs, followed by room for outputs that do not overlap them. */
typedef struct Memory {
    float at[MAX_INPUTS + MAX_OUTPUTS];
} Memory;

/* Returns whether the x87 stack is empty, as it has to be, so that the next caller can push eight
 * numbers. */
static bool IsX87StackEmpty(void) {
    struct {
        uint16_t words[14];
    } environment;
    enum { TAGS = 4 };
    __asm__ volatile("fnstenv %0\n\tfldenv %0" : "=m"(environment));
    return environment.words[TAGS] == 0xFFFF;
}

/* Returns whether the rounding is what it was before. The exception flags of MXCSR may stay set. */
static bool IsRoundingKept(Rounding wanted) {
    Rounding now = Rounding_Get();
    return now.control_word == wanted.control_word && (now.mxcsr & ~0x3Fu) == wanted.mxcsr;
}

static bool RunOurs(const Function *function, const Variant *variant, Memory *memory, int out,
                    Result *result) {
    Rounding before = Rounding_Get();
    memset(result, 0, sizeof *result);
    Rounding_Set(variant->rounding);
    function->ours(variant, memory->at, memory->at + out, result);
    bool kept = IsRoundingKept(variant->rounding) && IsX87StackEmpty();
    Rounding_Set(before);
    return kept;
}

/* The model writes apart from the inputs. Its outputs are then copied to where they belong. */
static void RunModel(const Function *function, const Variant *variant, Memory *memory, int out,
                     Result *result) {
    Rounding before = Rounding_Get();
    float outputs[MAX_OUTPUTS];
    size_t size = (size_t)function->outputs * sizeof *outputs;
    memcpy(outputs, memory->at + out, sizeof outputs);
    memset(result, 0, sizeof *result);
    Rounding_Set(variant->rounding);
    function->model(variant, memory->at, outputs, result);
    Rounding_Set(before);
    memcpy(memory->at + out, outputs, size);
}

static void PrintNumbers(const char *name, const void *from, size_t size) {
    uint32_t bits;
    print_error("  %s:", name);
    for (size_t i = 0; i + sizeof bits <= size; i += sizeof bits) {
        memcpy(&bits, (const char *)from + i, sizeof bits);
        print_error(" %08X", (unsigned)bits);
    }
    print_error("\n");
}

static void Report(const Function *function, const Variant *variant, const Memory *inputs,
                   int out) {
    char readings[1024];
    RpReadings_Format(&variant->readings, RP_READS_RUNTIME, readings, sizeof readings);
    print_error("%s, %s build, control word %04X, MXCSR %04X, readings \"%s\", outputs at %d\n",
                function->name, RpBuild_Name(variant->build), variant->rounding.control_word,
                (unsigned)variant->rounding.mxcsr, readings, out);
    PrintNumbers("inputs", inputs, sizeof *inputs);
}

static void CheckCase(const Function *function, const Variant *variant, const Memory *inputs,
                      int out) {
    Memory ours = *inputs, expected = *inputs;
    Result our_result, expected_result;
    bool kept = RunOurs(function, variant, &ours, out, &our_result);
    RunModel(function, variant, &expected, out, &expected_result);
    if (kept && memcmp(&ours, &expected, sizeof ours) == 0 &&
        memcmp(&our_result, &expected_result, sizeof our_result) == 0)
        return;
    Report(function, variant, inputs, out);
    PrintNumbers("ours", &ours, sizeof ours);
    PrintNumbers("model", &expected, sizeof expected);
    PrintNumbers("our result", &our_result, sizeof our_result);
    PrintNumbers("the model's", &expected_result, sizeof expected_result);
    fail_msg("%s", kept ? "different bits" : "the control state was changed");
}

static int CaseCount(void) {
    const char *text = getenv("NGI32_CASES");
    return text ? atoi(text) : DEFAULT_CASES;
}

TEST(EveryFunctionEqualsTheModel) {
    Random random = {.state = 20010815};
    for (int f = 0; f < FUNCTION_COUNT; f++)
        for (int i = 0; i < CaseCount(); i++) {
            Variant variant = {.build = (RpBuild)Random_Below(&random, RP_BUILD_COUNT),
                               .rounding = DrawRounding(&random)};
            Memory inputs;
            DrawReadings(&random, &variant.readings);
            PutInputs(&random, &functions[f], inputs.at);
            if (Random_Below(&random, 64) == 0)
                PutNans(&random, inputs.at);
            bool overlap = Random_Below(&random, 4) == 0;
            int out =
                overlap ? (int)Random_Below(&random, (uint32_t)functions[f].inputs) : MAX_INPUTS;
            CheckCase(&functions[f], &variant, &inputs, out);
        }
}

/* ---- readings -------------------------------------------------------------------------------- */

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
    RunOurs(function, by_default, &a, MAX_INPUTS, &a_result);
    RunOurs(function, alternative, &b, MAX_INPUTS, &b_result);
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
        PutInputs(&random, function, inputs.at);
        if (influence->reading == READING_SLERP_LIMIT && i % 2)
            PutThresholdPair(&random, inputs.at);
        if (influence->reading == READING_OPERANDS && i % 2)
            PutNans(&random, inputs.at);
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
                    PutInputs(&random, function, inputs.at);
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
