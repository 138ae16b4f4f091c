#include "game/probe/cases.h"

#include "exports/reading_table.h"
#include "replay/host/host_runner.h"
#include "replay/provider/native.h"
#include "replay/scenario/scenario.h"
#include "retropose/readings.h"
#include "tracefile/select.h"
#include "tracefile/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE      0x1p-9  /* relative to the largest number of an output */
#define STEADY         0x1p-13 /* the tolerance within which all builds agree on a case */
#define LARGEST_INPUT  0x1p30
#define LARGEST_OUTPUT 0x1p40
/* An output that is smaller than the inputs by this factor consists of rounding errors. */
#define CANCELLATION 0x1p-12
#define FEW_CASES    8u

typedef struct Source {
    const char *glob, *scenario;
    uint32_t stride; /* about how many positions of the stream give one call */
} Source;

static const Source sources[] = {
    {"animesh.SampleNode", "poses", 1},
    {"animesh.BlendPoses", "blends", 1},
    {"animesh.LoadReader", "models", 8},
    {"animesh.FindSlot", "models", 8},
    {"animesh.NodeString", "models", 8},
    {"ngi32.SetFpuControlWord", "control", 1},
    {"animesh.SetColumn", "slots", 26},
    {"animesh.GetColumn", "slots", 26},
    {"ngi32.slot*", "slots", 26},
    {"ngi32.DirectionalCosine", "slots", 26},
    {"ngi32.DirectionalLights", "slots", 26},
    {"ngi32.Highlight", "slots", 26},
    {"ngi32.PointLight", "slots", 26},
    {"ngi32.ngiGetSinCos", "slots", 26},
    {"ngi32.mrnPointInPoly", "slots", 26},
};

static const Source *FindSource(const AbiFunction *function) {
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (Selection_Glob(sources[i].glob, function->key))
            return &sources[i];
    return NULL;
}

bool ProbeCases_Known(const AbiFunction *function) {
    return FindSource(function) != NULL;
}

/* Returns whether the function answers yes or no. Which number stands for yes is not published. */
static bool IsPredicate(const AbiFunction *function) {
    return strcmp(function->key, "ngi32.slot45") == 0 ||
           strcmp(function->key, "ngi32.mrnPointInPoly") == 0;
}

/* ---- one output against another -------------------------------------------------------------- */

static double Number(const SignatureElement *element, const uint8_t *bytes) {
    float single;
    if (element->size == 12)
        return (double)Value_Number80(bytes + element->offset);
    memcpy(&single, bytes + element->offset, sizeof single);
    return single;
}

static double Scale(const Signature *signature, const TraceCall *inputs, const uint8_t *bytes) {
    SignatureElement element;
    double scale = 0;
    SignatureCursor cursor =
        Signature_OutputElements(signature, inputs->inputs, inputs->input_size);
    while (Signature_NextElement(&cursor, &element))
        if (element.type == SIGNATURE_F32 && fabs(Number(&element, bytes)) > scale)
            scale = fabs(Number(&element, bytes));
    return scale;
}

static uint32_t Word(const uint8_t *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static ProbeOutcome OutcomeOf(const TraceCall *call) {
    return (ProbeOutcome){call->outputs, call->output_size, call->control_out};
}

static bool OutcomesAgree(const Signature *signature, const TraceCall *inputs,
                          const ProbeOutcome *found, const ProbeOutcome *expected, double tolerance,
                          bool *exact) {
    SignatureElement element;
    *exact = true;
    if (found->size != expected->size || found->control != expected->control)
        return false;
    tolerance *= Scale(signature, inputs, expected->bytes);
    bool predicate = IsPredicate(signature->function);
    if (predicate && (Word(found->bytes) != 0) != (Word(expected->bytes) != 0))
        return false;
    if (predicate && Word(expected->bytes) == 0)
        return true; /* it is not published what the outputs contain after a "no" */
    SignatureCursor cursor =
        Signature_OutputElements(signature, inputs->inputs, inputs->input_size);
    for (uint32_t i = 0; Signature_NextElement(&cursor, &element); i++) {
        if (!element.compared || (predicate && i == 0))
            continue;
        const bool same = memcmp(found->bytes + element.offset, expected->bytes + element.offset,
                                 element.size) == 0;
        bool agrees = same;
        if (element.type == SIGNATURE_F32) {
            double one = Number(&element, found->bytes), other = Number(&element, expected->bytes);
            agrees = isnan(one) || isnan(other) ? isnan(one) && isnan(other)
                                                : one == other || fabs(one - other) <= tolerance;
        }
        if (!agrees)
            return false;
        *exact &= same;
    }
    return true;
}

bool ProbeCases_Agrees(const ProbeCases *cases, uint32_t reading, uint32_t index,
                       const TraceCall *call, bool *exact) {
    const ProbeOutcome found = OutcomeOf(call);
    *exact = false;
    return call->outcome == TRACE_RETURNED && call->violations == 0 &&
           OutcomesAgree(cases->signature, &cases->calls[index], &found,
                         &cases->expected[reading][index], TOLERANCE, exact);
}

/* ---- running the formula --------------------------------------------------------------------- */

/* All calls of one run, in the order of the trace. */
typedef struct Results {
    uint32_t count;
    TraceCall *calls; /* with their own copies of inputs and outputs */
} Results;

static void FreeBytes(const uint8_t *bytes) {
    free((void *)(uintptr_t)bytes);
}

static void FreeResults(Results *results) {
    for (uint32_t i = 0; i < results->count; i++) {
        FreeBytes(results->calls[i].inputs);
        FreeBytes(results->calls[i].outputs);
    }
    free(results->calls);
    *results = (Results){0};
}

static uint8_t *Duplicate(const uint8_t *bytes, uint32_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (copy)
        memcpy(copy, bytes, size);
    return copy;
}

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for cases of a formula", "", "",
                       "");
}

/* Keeps a call, with copies of what it points to. */
static RpStatus KeepCall(Results *results, const Signature *signature, const TraceCall *call,
                         RpError *error) {
    TraceCall *grown = realloc(results->calls, (results->count + 1) * sizeof *grown);
    if (!grown)
        return NoMemory(error);
    results->calls = grown;
    TraceCall *kept = &grown[results->count++];
    *kept = *call;
    kept->signature = signature;
    kept->inputs = Duplicate(call->inputs, call->input_size);
    kept->outputs = Duplicate(call->outputs, call->output_size);
    return kept->inputs && kept->outputs ? RP_OK : NoMemory(error);
}

/* Runs the inputs through the library of this process. A line of the trace's header, `key` and
 * `value`, says in which build or under which reading. */
static RpStatus RunUnder(const ProbeCases *cases, const char *key, const char *value,
                         Results *results, RpError *error) {
    TraceHeader header = *TraceReader_Header(cases->reader);
    Native *native = Native_Create();
    RpStatus status = native ? TraceHeader_Set(&header, key, value, error) : NoMemory(error);
    if (!status)
        status = Native_ReadSettings(native, &header, error);
    if (!status) {
        Native_SetMemory(native, cases->reader);
        TraceReader_Rewind(cases->reader);
    }
    for (bool found = true; !status && found;) {
        TraceCall call;
        status = TraceReader_Next(cases->reader, &call, &found, error);
        if (!status && found)
            status = Native_Call(native, &call, error);
        if (!status && found)
            status = KeepCall(results, cases->signature, &call, error);
    }
    Native_Destroy(native);
    return status;
}

/* Runs the inputs through the library, or where it does not have the function, through the
 * reference. */
static RpStatus RunFormula(const ProbeCases *cases, const HostOptions *reference, Results *results,
                           RpError *error) {
    RpStatus status = RunUnder(cases, "hypotheses", "", results, error);
    if (status || results->count == 0 || results->calls[0].outcome != TRACE_UNSUPPORTED ||
        !reference)
        return status;
    FreeResults(results);
    HostRunner *runner = calloc(1, sizeof *runner);
    if (!runner)
        return NoMemory(error);
    TraceReader_Rewind(cases->reader);
    *runner = (HostRunner){
        .options = reference, .calls.reader = cases->reader, .most_endings = UINT32_MAX};
    status = HostRunner_Open(runner, error);
    for (bool found = true; !status && found;) {
        TraceCall call;
        status = HostRunner_Next(runner, &call, &found, error);
        if (!status && found)
            status = KeepCall(results, cases->signature, &call, error);
    }
    HostRunner_Close(runner);
    free(runner);
    return status;
}

/* ---- which calls tell something -------------------------------------------------------------- */

static bool IsTelling(const Signature *signature, const TraceCall *call, bool strict) {
    SignatureElement element;
    double in = 0; /* the largest number of the inputs */
    SignatureCursor cursor = Signature_InputElements(signature, call->inputs, call->input_size);
    while (Signature_NextElement(&cursor, &element))
        if (element.type == SIGNATURE_F32) {
            double number = fabs(Number(&element, call->inputs));
            if (!(number <= in))
                in = number;
        }

    double out = Scale(signature, call, call->outputs);
    bool has_floats = false;
    cursor = Signature_OutputElements(signature, call->inputs, call->input_size);
    while (Signature_NextElement(&cursor, &element)) {
        bool is_float = element.type == SIGNATURE_F32;
        has_floats |= is_float;
        if (is_float && !isfinite(Number(&element, call->outputs)))
            return false;
    }
    if (!(in <= LARGEST_INPUT) || !(out <= LARGEST_OUTPUT))
        return false;
    return !strict || !has_floats || IsPredicate(signature->function) ||
           (out > 0 && out >= in * CANCELLATION);
}

static void ChooseCases(const Signature *signature, const Results *plain, const Results *builds,
                        uint32_t build_count, uint32_t wanted, bool strict, uint32_t *chosen,
                        uint32_t *count) {
    *count = 0;
    for (uint32_t i = 0; i < plain->count && *count < wanted; i++) {
        const TraceCall *call = &plain->calls[i];
        if (call->outcome != TRACE_RETURNED || !IsTelling(signature, call, strict))
            continue;

        /* All builds must agree on the case. */
        const ProbeOutcome expected = OutcomeOf(call);
        bool steady = true, exact;
        for (uint32_t build = 0; steady && build < build_count; build++) {
            if (i >= builds[build].count)
                continue;
            const ProbeOutcome found = OutcomeOf(&builds[build].calls[i]);
            steady = OutcomesAgree(signature, call, &found, &expected, STEADY, &exact);
        }
        if (steady)
            chosen[(*count)++] = i;
    }
}

/* ---- readings -------------------------------------------------------------------------------- */

/* Keeps the results of a reading, unless another reading gives the same results. */
static RpStatus AddReading(ProbeCases *cases, const char *name, const Results *results,
                           const uint32_t *chosen, RpError *error) {
    uint32_t reading = cases->reading_count++;
    snprintf(cases->readings[reading], sizeof cases->readings[reading], "%s", name);
    for (uint32_t i = 0; i < cases->count; i++) {
        ProbeOutcome *kept = &cases->expected[reading][i];
        *kept = OutcomeOf(&results->calls[chosen[i]]);
        kept->bytes = Duplicate(kept->bytes, kept->size);
        if (!kept->bytes)
            return NoMemory(error);
    }
    bool known = false;
    for (uint32_t other = 0; !known && other < reading; other++) {
        known = true;
        for (uint32_t i = 0; known && i < cases->count; i++) {
            const ProbeOutcome *one = &cases->expected[other][i];
            const ProbeOutcome *two = &cases->expected[reading][i];
            known = one->size == two->size && memcmp(one->bytes, two->bytes, one->size) == 0;
        }
    }
    if (known) {
        cases->reading_count--;
        for (uint32_t i = 0; i < cases->count; i++) {
            FreeBytes(cases->expected[reading][i].bytes);
            cases->expected[reading][i].bytes = NULL;
        }
    }
    return RP_OK;
}

static RpStatus AddReadings(ProbeCases *cases, const uint32_t *chosen, RpError *error) {
    RpStatus status = RP_OK;
    for (int h = 0; !status && h < READING_RUNTIME_COUNT; h++) {
        const char *choice = strchr(RpReadings_Choices(h), '|');
        for (; !status && choice && cases->reading_count < PROBE_MAX_READINGS;
             choice = strchr(choice + 1, '|')) {
            char name[64];
            snprintf(name, sizeof name, "%s=%.*s", RpReadings_Name(h),
                     (int)strcspn(choice + 1, "|"), choice + 1);

            Results results = {0};
            status = RunUnder(cases, "hypotheses", name, &results, error);
            if (!status && cases->count > 0 && results.count > chosen[cases->count - 1] &&
                results.calls[chosen[0]].outcome == TRACE_RETURNED)
                status = AddReading(cases, name, &results, chosen, error);
            FreeResults(&results);
        }
    }
    return status;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static bool ReadingsAgree(const ProbeCases *cases, uint32_t reading, uint32_t index) {
    bool exact;
    return OutcomesAgree(cases->signature, &cases->calls[index], &cases->expected[reading][index],
                         &cases->expected[0][index], TOLERANCE, &exact);
}

/* A reading that changes most results is another formula. One that changes few results, but by
 * much, changes on which side of an edge a case lies (a sign, a tie), and such a case identifies
 * nothing. */
static void DropEdges(ProbeCases *cases) {
    for (uint32_t reading = 1; reading < cases->reading_count; reading++) {
        uint32_t changed = 0;
        for (uint32_t i = 0; i < cases->count; i++)
            changed += !ReadingsAgree(cases, reading, i);
        for (uint32_t i = cases->count; changed * 4 <= cases->count && i-- > 0;) {
            if (ReadingsAgree(cases, reading, i))
                continue;

            /* The last case takes the place of this one. */
            uint32_t last = --cases->count;
            FreeBytes(cases->calls[i].inputs);
            cases->calls[i] = cases->calls[last];
            for (uint32_t k = 0; k < cases->reading_count; k++) {
                FreeBytes(cases->expected[k][i].bytes);
                cases->expected[k][i] = cases->expected[k][last];
                cases->expected[k][last].bytes = NULL;
            }
        }
    }
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Writes calls of the function, from the scenario that has them, into the trace of the cases. */
static RpStatus WriteInputs(ProbeCases *cases, const Source *source, uint64_t seed, uint32_t wanted,
                            RpError *error) {
    Selection *selection = Selection_OfFunction(cases->signature->function);
    const ScenarioOptions options = {.seed = seed,
                                     .count = (uint64_t)wanted * 4 * source->stride,
                                     .force_cpu = -1,
                                     .selection = selection};
    TraceReader *calls = NULL;
    TraceWriter *writer = NULL;
    RpStatus status = selection
                          ? Scenario_Open(Scenario_Find(source->scenario), &options, &calls, error)
                          : NoMemory(error);
    if (!status)
        status = TraceWriter_CreateBuffer(&cases->trace, TraceReader_Header(calls), &writer, error);
    if (!status)
        status = TraceWriter_Calls(writer, calls, error);
    if (status)
        TraceWriter_Abandon(writer);
    else
        status = TraceWriter_Close(writer, error);
    TraceReader_Close(calls);
    Selection_Free(selection);
    return status ? status
                  : TraceReader_OpenBuffer(cases->trace.bytes, cases->trace.size, "the cases",
                                           &cases->reader, error);
}

RpStatus ProbeCases_Make(const Signature *signature, uint64_t seed, uint32_t wanted,
                         const HostOptions *reference, ProbeCases **cases, RpError *error) {
    const Source *source = FindSource(signature->function);
    *cases = NULL;
    if (!source)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "no formula is known",
                           signature->function->key, "a function of known mathematics", "");
    ProbeCases *made = calloc(1, sizeof *made);
    if (!made)
        return NoMemory(error);
    made->signature = signature;
    RpBuffer_Init(&made->trace, NULL);
    wanted = wanted < PROBE_MAX_CASES ? wanted : PROBE_MAX_CASES;
    RpStatus status = WriteInputs(made, source, seed, wanted, error);
    if (!status) {
        static const char *const build_lines[][2] = {{"slot-build", "generic"},
                                                     {"slot-build", "fxch"},
                                                     {"slot-build", "sse"},
                                                     {"force-cpu", "7"},  /* generic */
                                                     {"force-cpu", "2"}}; /* SSE */
        enum { BUILDS = sizeof build_lines / sizeof *build_lines };
        Results plain = {0}, builds[BUILDS] = {{0}};
        uint32_t chosen[PROBE_MAX_CASES], count = 0;
        status = RunFormula(made, reference, &plain, error);
        for (int i = 0; !status && i < BUILDS; i++)
            status = RunUnder(made, build_lines[i][0], build_lines[i][1], &builds[i], error);
        /* what only our DLLs have is not distinguished by builds */
        for (int i = 0; !status && i < BUILDS; i++)
            if (builds[i].count > 0 && builds[i].calls[0].outcome != TRACE_RETURNED)
                FreeResults(&builds[i]);
        if (!status)
            ChooseCases(made->signature, &plain, builds, BUILDS, wanted, true, chosen, &count);
        if (!status && count < FEW_CASES)
            ChooseCases(made->signature, &plain, builds, BUILDS, wanted, false, chosen, &count);
        if (!status && count == 0)
            status =
                RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "no case tells anything",
                            made->signature->function->key, "a result that the inputs decide", "");
        for (uint32_t i = 0; !status && i < count; i++) {
            TraceCall *kept = &made->calls[made->count++];
            *kept = plain.calls[chosen[i]];
            kept->outputs = NULL;
            kept->inputs = Duplicate(kept->inputs, kept->input_size);
            if (!kept->inputs)
                status = NoMemory(error);
        }
        if (!status)
            status = AddReading(made, "", &plain, chosen, error);
        if (!status)
            status = AddReadings(made, chosen, error);
        if (!status)
            DropEdges(made);
        FreeResults(&plain);
        for (int i = 0; i < BUILDS; i++)
            FreeResults(&builds[i]);
    }

    if (status) {
        ProbeCases_Free(made);
        return status;
    }
    *cases = made;
    return RP_OK;
}

void ProbeCases_Free(ProbeCases *cases) {
    if (!cases)
        return;
    TraceReader_Close(cases->reader);
    RpBuffer_Free(&cases->trace);
    for (uint32_t i = 0; i < cases->count; i++)
        FreeBytes(cases->calls[i].inputs);
    for (uint32_t reading = 0; reading < cases->reading_count; reading++)
        for (uint32_t i = 0; i < cases->count; i++)
            FreeBytes(cases->expected[reading][i].bytes);
    free(cases);
}
