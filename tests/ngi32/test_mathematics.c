/* Every function of fastproc.h against the reference, bit for bit: all builds, all hypotheses,
 * three precisions, four roundings, ordinary and special inputs, overlapping outputs.
 *
 * NGI32_CASES in the environment changes the number of cases per function. */
#include "exports/hypotheses.h"
#include "functions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 60000, SEARCH_CASES = 20000 };

/* ---- inputs ---------------------------------------------------------------------------------- */

static void ScaleToLength1(float q[4]) {
    double squares = 0;
    for (int i = 0; i < 4; i++)
        squares += (double)q[i] * q[i];
    for (int i = 0; squares > 0 && i < 4; i++)
        q[i] = (float)(q[i] / sqrt(squares));
}

/* Quaternions of length 1 whose dot is near -1 or 1 (on both sides of 1 - 1e-5) or anywhere, and t,
 * mostly within 0..1. */
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

/* -2 to 2: points that lie exactly on planes and edges. */
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

static void DrawHypotheses(Random *random, RpHypotheses *hypotheses) {
    memset(hypotheses, 0, sizeof *hypotheses);
    if (Random_Below(random, 2))
        for (int i = 0; i < HYPOTHESIS_COUNT; i++)
            hypotheses->choice[i] = (uint8_t)Random_Below(random, 2);
}

/* ---- one case -------------------------------------------------------------------------------- */

/* The inputs, then room for outputs that do not overlap them. */
typedef struct Memory {
    float at[MAX_INPUTS + MAX_OUTPUTS];
} Memory;

/* Empty, so that the next caller can push eight numbers. */
static bool IsX87StackEmpty(void) {
    struct {
        uint16_t words[14];
    } environment;
    enum { TAGS = 4 };
    __asm__ volatile("fnstenv %0\n\tfldenv %0" : "=m"(environment));
    return environment.words[TAGS] == 0xFFFF;
}

/* The rounding must come back as it was; the exception flags of MXCSR are sticky. */
static bool IsRoundingKept(Rounding wanted) {
    Rounding now = Rounding_Get();
    return now.control_word == wanted.control_word && (now.mxcsr & ~0x3Fu) == wanted.mxcsr;
}

static bool RunOurs(const Function *function, const Reference *variant, Memory *memory, int out,
                    Result *result) {
    Rounding before = Rounding_Get();
    memset(result, 0, sizeof *result);
    Rounding_Set(variant->rounding);
    function->ours(variant, memory->at, memory->at + out, result);
    bool kept = IsRoundingKept(variant->rounding) && IsX87StackEmpty();
    Rounding_Set(before);
    return kept;
}

/* Into outputs apart from the inputs; then these are put where they belong. */
static void RunReference(const Function *function, const Reference *variant, Memory *memory,
                         int out, Result *result) {
    Rounding before = Rounding_Get();
    float outputs[MAX_OUTPUTS];
    size_t size = (size_t)function->outputs * sizeof *outputs;
    memcpy(outputs, memory->at + out, sizeof outputs);
    memset(result, 0, sizeof *result);
    Rounding_Set(variant->rounding);
    function->reference(variant, memory->at, outputs, result);
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

static void Report(const Function *function, const Reference *variant, const Memory *inputs,
                   int out) {
    char hypotheses[256];
    RpHypotheses_Format(&variant->hypotheses, hypotheses, sizeof hypotheses);
    print_error("%s, %s build, control word %04X, MXCSR %04X, hypotheses \"%s\", outputs at %d\n",
                function->name, RpBuild_Name(variant->build), variant->rounding.control_word,
                (unsigned)variant->rounding.mxcsr, hypotheses, out);
    PrintNumbers("inputs", inputs, sizeof *inputs);
}

static void CheckCase(const Function *function, const Reference *variant, const Memory *inputs,
                      int out) {
    Memory ours = *inputs, expected = *inputs;
    Result our_result, expected_result;
    bool kept = RunOurs(function, variant, &ours, out, &our_result);
    RunReference(function, variant, &expected, out, &expected_result);
    if (kept && memcmp(&ours, &expected, sizeof ours) == 0 &&
        memcmp(&our_result, &expected_result, sizeof our_result) == 0)
        return;
    Report(function, variant, inputs, out);
    PrintNumbers("ours", &ours, sizeof ours);
    PrintNumbers("reference", &expected, sizeof expected);
    PrintNumbers("our result", &our_result, sizeof our_result);
    PrintNumbers("its result", &expected_result, sizeof expected_result);
    fail_msg("%s", kept ? "different bits" : "the control state was changed");
}

static int CaseCount(void) {
    const char *text = getenv("NGI32_CASES");
    return text ? atoi(text) : DEFAULT_CASES;
}

static void EveryFunctionEqualsItsReference(void **state) {
    (void)state;
    Random random = {.state = 20010815};
    for (int f = 0; f < FUNCTION_COUNT; f++)
        for (int i = 0; i < CaseCount(); i++) {
            Reference variant = {.build = (RpBuild)Random_Below(&random, RP_BUILD_COUNT),
                                 .rounding = DrawRounding(&random)};
            Memory inputs;
            DrawHypotheses(&random, &variant.hypotheses);
            PutInputs(&random, &functions[f], inputs.at);
            bool overlap = Random_Below(&random, 4) == 0;
            int out =
                overlap ? (int)Random_Below(&random, (uint32_t)functions[f].inputs) : MAX_INPUTS;
            CheckCase(&functions[f], &variant, &inputs, out);
        }
}

/* ---- hypotheses ------------------------------------------------------------------------------ */

/* Which builds of a function a hypothesis of this library changes. */
typedef struct Influence {
    int hypothesis;
    const char *function;
    bool changes[RP_BUILD_COUNT]; /* generic, FXCH, SSE */
} Influence;

static const Influence influences[] = {
    {HYPOTHESIS_DOT4, "Interpolate", {true, true, false}},
    {HYPOTHESIS_DOT4_SSE, "Interpolate", {false, false, true}},
    {HYPOTHESIS_SLERP_SINE, "Interpolate", {true, true, true}},
    {HYPOTHESIS_SLERP_ACOS, "Interpolate", {true, true, true}},
    {HYPOTHESIS_SLERP_TRIG_SSE, "Interpolate", {false, false, true}},
    {HYPOTHESIS_PLANE_FAR, "SegmentPlane", {true, true, false}},
    {HYPOTHESIS_PLANE_NEWTON, "SegmentPlane", {false, false, true}},
    {HYPOTHESIS_ROTATE_VECTOR, "Rotate", {true, true, true}},
    {HYPOTHESIS_RSQRT_SSE, "ReciprocalSquareRoot", {false, false, true}},
    {HYPOTHESIS_NORMALISE, "Normalise", {true, true, true}},
    {HYPOTHESIS_MIRROR_SHAPE, "ToMirroredMatrix", {true, true, true}},
};

static bool ChangesAnyBit(const Influence *influence, RpBuild build) {
    const Function *function = Function_Find(influence->function);
    Reference by_default = {.build = build, .rounding = {0x007F, 0x1F80}};
    Reference alternative = by_default;
    Random random = {.state = 1};
    alternative.hypotheses.choice[influence->hypothesis] = 1;
    bool changes = false;
    for (int i = 0; i < SEARCH_CASES && !changes; i++) {
        Memory inputs;
        PutInputs(&random, function, inputs.at);
        Memory a = inputs, b = inputs;
        Result a_result, b_result;
        RunOurs(function, &by_default, &a, MAX_INPUTS, &a_result);
        RunOurs(function, &alternative, &b, MAX_INPUTS, &b_result);
        changes = memcmp(&a, &b, sizeof a) != 0 || memcmp(&a_result, &b_result, sizeof a_result);
    }
    return changes;
}

static void AHypothesisChangesTheBuildsItIsAboutAndNoOther(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof influences / sizeof *influences; i++)
        for (int build = 0; build < RP_BUILD_COUNT; build++)
            if (ChangesAnyBit(&influences[i], (RpBuild)build) != influences[i].changes[build])
                fail_msg("%s, %s build", RpHypotheses_Name(influences[i].hypothesis),
                         RpBuild_Name((RpBuild)build));
}

static void NullHypothesesAreTheDefaults(void **state) {
    (void)state;
    RpHypotheses defaults;
    float q0[4] = {0.5f, 0.5f, 0.5f, 0.5f}, q1[4] = {0.0f, 0.6f, 0.8f, 0.1f}, a[4], b[4];
    memset(&defaults, 0, sizeof defaults);
    for (int build = 0; build < RP_BUILD_COUNT; build++) {
        RpQuaternion_Interpolate((RpBuild)build, NULL, q0, q1, 0.25f, a);
        RpQuaternion_Interpolate((RpBuild)build, &defaults, q0, q1, 0.25f, b);
        assert_memory_equal(a, b, sizeof a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryFunctionEqualsItsReference),
        cmocka_unit_test(AHypothesisChangesTheBuildsItIsAboutAndNoOther),
        cmocka_unit_test(NullHypothesesAreTheDefaults),
    };
    return cmocka_run_group_tests_name("ngi32 mathematics", tests, NULL, NULL);
}
