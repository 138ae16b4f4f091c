#include "digest.h"
#include "sections.h"
#include "tests/of_thread.h"

#include "exports/abi.h"
#include "replay/provider/provider.h"
#include "replay/scenario/scenario.h"
#include "retropose/fastproc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS         20000 /* of each scenario */
#define MAX_FUNCTIONS 512
/* This scenario repeats calls of others. It counts only for slots that none of them calls. */
#define ROWS "rows"

/* The values of ForceCpu that give the classes, see docs/reference/arithmetic.md, "Processor
 * classes". No value gives the FXCH builds. That class differs from the generic one in slot 45
 * only, which FxchCall computes. */
static const struct Class {
    const char *name;
    int force_cpu;
    bool sse;
} classes[] = {{"x87", 7, false}, {"sse", 2, true}};

static void Fail(const char *what, const RpError *error) {
    char text[1024];
    RpError_Format(error, text, sizeof text);
    fprintf(stderr, "digests: %s: %s\n", what, text);
    exit(2);
}

/* ---- digesting ------------------------------------------------------------------------------- */

/* Adds what a comparison looks at: the outcome, the machine state and every compared element. */
static void AddCall(Digest *digest, const TraceCall *call) {
    const uint16_t control = call->control_out;
    const uint32_t mxcsr = call->mxcsr_out & ~0x3Fu; /* without the sticky flags */
    Digest_Add(digest, &call->outcome, 1);
    Digest_Add(digest, &call->violations, 1);
    Digest_Add(digest, &control, 2);
    Digest_Add(digest, &mxcsr, 4);
    digest->calls++;
    /* such a call has hundreds of dwords, and all of them are compared */
    if (Signature_StateParam(call->signature) >= 0) {
        Digest_Add(digest, call->outputs, call->output_size);
        return;
    }
    SignatureElement element;
    SignatureCursor cursor =
        Signature_OutputElements(call->signature, call->inputs, call->input_size);
    while (Signature_NextElement(&cursor, &element))
        if (element.compared)
            Digest_Add(digest, call->outputs + element.offset, element.size);
}

/* Calls slot 45 again, in its FXCH build. */
static void FxchCall(Digest *digest, const TraceCall *call) {
    float in[10], hit[3];
    memset(hit, 0xA5, sizeof hit);
    memcpy(in, call->inputs, sizeof in); /* start, end, plane */
    const uint16_t before = RpFpu_ControlWord();
    RpFpu_Restore(call->control_in);
    const uint32_t crosses = RpSegment_Plane(OF_THREAD(RP_BUILD_FXCH), in, in + 3, in + 6, hit);
    RpFpu_Restore(before);
    Digest_Add(digest, &crosses, sizeof crosses);
    Digest_Add(digest, hit, sizeof hit);
    digest->calls++;
}

static void AddTrace(Digest *digests, const bool *known, Digest *fxch, const char *path) {
    RpError error;
    TraceReader *reader;
    if (TraceReader_Open(path, &reader, &error) != RP_OK)
        Fail(path, &error);
    for (;;) {
        TraceCall call;
        bool found;
        if (TraceReader_Next(reader, &call, &found, &error) != RP_OK)
            Fail(path, &error);
        if (!found)
            break;
        if (call.outcome != TRACE_RETURNED || known[call.function - abi_functions])
            continue;
        AddCall(&digests[call.function - abi_functions], &call);
        if (strcmp(call.function->key, "ngi32.slot45") == 0)
            FxchCall(fxch, &call);
    }
    TraceReader_Close(reader);
}

/* ---- running --------------------------------------------------------------------------------- */

static void RunScenario(const Scenario *scenario, int force_cpu, Digest *digests, Digest *fxch) {
    RpError error;
    char input[64], output[64];
    bool known[MAX_FUNCTIONS] = {false};
    for (size_t f = 0; f < abi_function_count; f++)
        known[f] = strcmp(scenario->name, ROWS) == 0 && digests[f].calls > 0;
    snprintf(input, sizeof input, "golden-%s-%d.in", scenario->name, force_cpu);
    snprintf(output, sizeof output, "golden-%s-%d.out", scenario->name, force_cpu);
    const ScenarioOptions options = {.seed = 1, .count = CALLS, .force_cpu = force_cpu};
    if (Scenario_Write(scenario, &options, input, &error) != RP_OK)
        Fail(scenario->name, &error);
    Provider native;
    if (Provider_Open("native", &native, &error) != RP_OK ||
        Provider_Run(&native, input, output, &(ProviderOptions){.estimates = RP_ESTIMATES_INTEL},
                     &error) != RP_OK)
        Fail(scenario->name, &error);
    AddTrace(digests, known, fxch, output);
    remove(input);
    remove(output);
}

static const char *Dependence(const char *key) {
    static const char *const transcendental[] = {
        "ngi32.slot17",          "ngi32.slot22",         "ngi32.ngiGetSinCos",
        "animesh.SampleNode",    "animesh.BlendPoses",   "animesh.PoseWalk",
        "animesh.MeshBounds",    "animesh.IAnimation.4", "animesh.IAnimation.31",
        "animesh.IAnimation.32", "animesh.IMesh2.15"};
    for (size_t i = 0; i < sizeof transcendental / sizeof *transcendental; i++)
        if (strcmp(key, transcendental[i]) == 0)
            return "transcendental";
    return "exact";
}

/* Returns whether the scenario has digests. `table` computes nothing, and `hard` is about results
 * that makers of processors may round differently. */
static bool HasDigests(const Scenario *scenario) {
    return strcmp(scenario->name, "table") != 0 && strcmp(scenario->name, "hard") != 0;
}

static void RunClass(const char *section, const struct Class *class) {
    static Digest digests[MAX_FUNCTIONS];
    Digest fxch = {0, HASH_FNV64_BEGIN};
    for (size_t f = 0; f < abi_function_count; f++)
        digests[f] = (Digest){0, HASH_FNV64_BEGIN};
    for (size_t s = 0; s < scenario_count; s++)
        if (HasDigests(&scenarios[s]))
            RunScenario(&scenarios[s], class->force_cpu, digests, &fxch);
    for (size_t f = 0; f < abi_function_count; f++)
        if (digests[f].calls)
            Digest_Print(section, class->name, abi_functions[f].key,
                         Dependence(abi_functions[f].key), &digests[f]);
    if (!class->sse)
        Digest_Print(section, "fxch", "ngi32.slot45", "exact", &fxch);
}

void Scenarios_Print(const char *section) {
    char processor[128];
    if (abi_function_count > MAX_FUNCTIONS) {
        fprintf(stderr, "digests: more functions than %d\n", MAX_FUNCTIONS);
        exit(2);
    }
    Provider_Processor(processor, sizeof processor);
    printf("processor %s\n", processor);
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++)
        RunClass(section, &classes[c]);
}
