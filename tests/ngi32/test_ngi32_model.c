/* Compares every function of fastproc.h with the model, bit for bit: all builds, all
 * readings, three precisions, four roundings, ordinary and special inputs, overlapping outputs. It
 * is built with both kinds of the model's numbers (tests/model/number.h).
 *
 * NGI32_CASES in the environment changes the number of cases per function. */
#include "functions.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_CASES = 60000 };

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

/* Returns whether the function wrote something, or answered yes. */
static bool CheckCase(const Function *function, const Variant *variant, const Memory *inputs,
                      int out) {
    Memory ours = *inputs, expected = *inputs;
    Result our_result, expected_result;
    bool kept = Function_RunOurs(function, variant, &ours, out, &our_result);
    RunModel(function, variant, &expected, out, &expected_result);
    if (kept && memcmp(&ours, &expected, sizeof ours) == 0 &&
        memcmp(&our_result, &expected_result, sizeof our_result) == 0)
        return memcmp(&ours, inputs, sizeof ours) != 0 || our_result.integer;
    Report(function, variant, inputs, out);
    PrintNumbers("ours", &ours, sizeof ours);
    PrintNumbers("model", &expected, sizeof expected);
    PrintNumbers("our result", &our_result, sizeof our_result);
    PrintNumbers("the model's", &expected_result, sizeof expected_result);
    fail_msg("%s", kept ? "different bits" : "the control state was changed");
    return false;
}

static int CaseCount(void) {
    const char *text = getenv("NGI32_CASES");
    return text ? atoi(text) : DEFAULT_CASES;
}

TEST(EveryFunctionEqualsTheModel) {
    /* These may do nothing, or say no, and have to do so in one case of fifty, and not in another.
     */
    static const char *const choosy[] = {"Normalise", "SegmentPlane", "PointLight",
                                         "PolygonContains"};
    Random random = {.state = 20010815};
    int acts[FUNCTION_COUNT] = {0};
    for (int f = 0; f < FUNCTION_COUNT; f++)
        for (int i = 0; i < CaseCount(); i++) {
            Variant variant;
            Memory inputs;
            Variant_Draw(&random, &variant);
            Function_Draw(&random, &functions[f], &inputs);
            if (Random_Below(&random, 64) == 0)
                Nans_Draw(&random, inputs.at);
            bool overlap = Random_Below(&random, 4) == 0;
            int out =
                overlap ? (int)Random_Below(&random, (uint32_t)functions[f].inputs) : MAX_INPUTS;
            acts[f] += CheckCase(&functions[f], &variant, &inputs, out);
        }
    for (size_t i = 0; i < sizeof choosy / sizeof *choosy; i++)
        assert_in_range(acts[Function_Find(choosy[i]) - functions], CaseCount() / 50,
                        CaseCount() - CaseCount() / 50);
}
