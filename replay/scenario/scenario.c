#include "replay/scenario/scenario.h"

#include "replay/scenario/memories.h"
#include "replay/trace/select.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list -------------------------------------------------------------------------------- */

const Scenario scenarios[] = {
    {"slots", "every function of numbers, over inputs of all magnitudes and branches", 4000000,
     false},
    {"edges", "special values in every argument position", 2000000, false},
    {"words", "all precisions and roundings of the x87 control word and of MXCSR", 2000000, false},
    {"poses", "SampleNode over the corpus: forward, backward, between frames, far away", 1500000,
     false},
    {"blends", "BlendPoses over all branch conditions", 1000000, false},
    {"models", "LoadReader, FindSlot and NodeString over the corpus", 100000, false},
    {"classes", "what processor classes decide; one trace for each ForceCpu value", 100000, false},
    {"control", "SetFpuControlWord under every control word", 65536, false},
    {"stubs", "the documented empty exports and one line of debug output", 10000, false},
    {"ani", "LEGO Island's sampler over made-up animations; for the native provider", 100000, true},
    {"ties", "what tells apart readings that agree elsewhere: limits, poses at right angles",
     100000, false},
    {"ac", "Asheron's Call's sequencer over made-up resources; for the native provider", 100000,
     true},
    {"mesh", "the mesh object: merged models posed, measured, and changed in every way", 2500000,
     false},
    {"table", "which entry of g_FastProc niGetProcAddress returns", 6800, false},
    {"rows", "every slot of the table: ordinary inputs, special values, other control words",
     140000, false},
};
const size_t scenario_count = sizeof scenarios / sizeof *scenarios;

static ScenarioMaker *const makers[] = {
    Slots_Call,  Edges_Call,   Words_Call,        Poses_Call, Blends_Call,
    Models_Call, Classes_Call, ControlWords_Call, Stubs_Call, Ani_Call,
    Ties_Call,   Ac_Call,      Mesh_Call,         Table_Call, Rows_Call,
};
_Static_assert(sizeof makers / sizeof *makers == sizeof scenarios / sizeof *scenarios,
               "a maker for every scenario");

const Scenario *Scenario_Find(const char *name) {
    for (size_t i = 0; i < scenario_count; i++)
        if (strcmp(scenarios[i].name, name) == 0)
            return &scenarios[i];
    return NULL;
}

typedef struct Output {
    Signature *signatures; /* by row of the ABI tables; parsed where `function` is set */
    ScenarioContext context;
    ScenarioMemories memories;
} Output;

/* ---- the trace ------------------------------------------------------------------------------- */

static RpStatus GetSignature(Output *output, const AbiFunction *function,
                             const Signature **signature) {
    Signature *own = &output->signatures[function - abi_functions];
    *signature = own;
    return own->function ? RP_OK : Signature_Parse(function, own, output->context.error);
}

static RpStatus WriteCall(Output *output, const ScenarioCall *made, uint64_t sequence) {
    TraceCall call = {.function = made->function,
                      .sequence = sequence,
                      .control_in = made->control,
                      .control_out = made->control,
                      .mxcsr_in = made->mxcsr,
                      .mxcsr_out = made->mxcsr,
                      .outcome = TRACE_NOT_RUN,
                      .inputs = made->inputs,
                      .input_size = made->input_size};
    RpStatus status = GetSignature(output, made->function, &call.signature);
    for (uint32_t i = 0; status == RP_OK && i < made->memory_count; i++)
        status = ScenarioMemories_Write(&output->memories, made->memories[i]);
    return status ? status
                  : TraceWriter_Call(output->memories.writer, &call, output->context.error);
}

static RpStatus WriteCalls(Output *output, ScenarioMaker *make, const ScenarioOptions *options,
                           uint64_t *written) {
    ScenarioContext *context = &output->context;
    ScenarioCall call;
    *written = 0;
    for (uint64_t i = options->first; i - options->first < options->count; i++) {
        make(context, i, &call);
        if (context->status != RP_OK)
            return context->status;
        if (options->selection && !Selection_HasCall(options->selection, call.function, i))
            continue;
        RpStatus status = WriteCall(output, &call, i);
        if (status != RP_OK)
            return status;
        ++*written;
    }
    return RP_OK;
}

static RpStatus FillHeader(const Scenario *scenario, const ScenarioOptions *options,
                           TraceHeader *header, RpError *error) {
    char digest[24], seed[24], force_cpu[16];
    snprintf(digest, sizeof digest, "%016" PRIx64, Abi_Digest());
    snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    snprintf(force_cpu, sizeof force_cpu, "%d", options->force_cpu);
    const struct {
        const char *key, *value;
    } lines[] = {
        {"producer", "retropose gen"},
        {"abi", digest},
        {"scenario", scenario->name},
        {"seed", seed},
        {"provider", "none"},
        {"force-cpu", options->force_cpu >= 0 ? force_cpu : ""},
        {"slot-build", options->slot_build ? options->slot_build : ""},
        {"hypotheses", options->hypotheses ? options->hypotheses : ""},
    };
    RpStatus status = RP_OK;
    TraceHeader_Init(header);
    for (size_t i = 0; status == RP_OK && i < sizeof lines / sizeof *lines; i++)
        if (lines[i].value[0])
            status = TraceHeader_Set(header, lines[i].key, lines[i].value, error);
    return status;
}

static RpStatus CheckOptions(const Scenario *scenario, const ScenarioOptions *options,
                             RpError *error) {
    if (options->count == 0 || options->first > UINT64_MAX - options->count)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "no such calls", scenario->name,
                           "at least one call, and none past 2^64", "");
    const char *build = options->slot_build;
    if (build && strcmp(build, "generic") != 0 && strcmp(build, "fxch") != 0 &&
        strcmp(build, "sse") != 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "unknown slot build", scenario->name,
                           "generic, fxch or sse", build);
    return RP_OK;
}

static RpStatus WriteTrace(Output *output, const Scenario *scenario, const ScenarioOptions *options,
                           RpError *error) {
    uint64_t written;
    RpStatus status = WriteCalls(output, makers[scenario - scenarios], options, &written);
    if (status == RP_OK && written == 0)
        status = RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the selection has no call",
                             scenario->name, "a function or sequence number of this scenario", "");
    if (status == RP_OK)
        return TraceWriter_Close(output->memories.writer, error);
    TraceWriter_Abandon(output->memories.writer);
    return status;
}

RpStatus Scenario_Write(const Scenario *scenario, const ScenarioOptions *options, const char *path,
                        RpError *error) {
    TraceHeader header;
    RpStatus status = CheckOptions(scenario, options, error);
    if (status == RP_OK)
        status = FillHeader(scenario, options, &header, error);
    if (status != RP_OK)
        return status;
    Output *output = calloc(1, sizeof *output);
    Signature *signatures = calloc(abi_function_count, sizeof *signatures);
    if (!output || !signatures) {
        free(output);
        free(signatures);
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a scenario", "", "", "");
    }
    output->signatures = signatures;
    output->context.name = scenario->name;
    output->context.seed = options->seed;
    output->context.error = error;
    output->memories.context = &output->context;
    status = TraceWriter_Create(path, &header, options->compress, &output->memories.writer, error);
    if (status == RP_OK)
        status = WriteTrace(output, scenario, options, error);
    Scenario_FreeModels(&output->context);
    free(signatures);
    free(output);
    return status;
}
