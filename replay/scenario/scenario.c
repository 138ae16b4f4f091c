#include "replay/scenario/scenario.h"

#include "replay/scenario/memories.h"
#include "tracefile/select.h"

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
    {"hard", "results beside the middle between two numbers of 24 bits, found by solving", 100000,
     false},
    {"rows", "every slot of the table: ordinary inputs, special values, other control words",
     140000, false},
};
const size_t scenario_count = sizeof scenarios / sizeof *scenarios;

static ScenarioMaker *const makers[] = {
    Slots_Call,   Edges_Call,        Words_Call, Poses_Call, Blends_Call, Models_Call,
    Classes_Call, ControlWords_Call, Stubs_Call, Ani_Call,   Ties_Call,   Ac_Call,
    Mesh_Call,    Table_Call,        Hard_Call,  Rows_Call,
};
_Static_assert(sizeof makers / sizeof *makers == sizeof scenarios / sizeof *scenarios,
               "a maker for every scenario");

const Scenario *Scenario_Find(const char *name) {
    for (size_t i = 0; i < scenario_count; i++)
        if (strcmp(scenarios[i].name, name) == 0)
            return &scenarios[i];
    return NULL;
}

struct ScenarioStream {
    ScenarioContext context;
    ScenarioMaker *make;
    uint64_t next, last; /* positions in the stream; the call at `last` is made, too */
    bool ended;
    const Selection *selection;
    TraceHeader header;
    ScenarioCall made;
};

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
        {"hypotheses", options->readings ? options->readings : ""},
    };
    RpStatus status = RP_OK;
    TraceHeader_Init(header);
    for (size_t i = 0; status == RP_OK && i < sizeof lines / sizeof *lines; i++)
        if (lines[i].value[0])
            status = TraceHeader_Set(header, lines[i].key, lines[i].value, error);
    return status;
}

/* ---- the calls ------------------------------------------------------------------------------- */

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a scenario", "", "", "");
}

RpStatus ScenarioStream_Open(const Scenario *scenario, const ScenarioOptions *options,
                             ScenarioStream **result, RpError *error) {
    const char *build = options->slot_build;
    *result = NULL;
    if (options->count == 0 || options->first > UINT64_MAX - options->count)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "no such calls", scenario->name,
                           "at least one call, and none past 2^64", "");
    if (build && strcmp(build, "generic") != 0 && strcmp(build, "fxch") != 0 &&
        strcmp(build, "sse") != 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "unknown slot build", scenario->name,
                           "generic, fxch or sse", build);

    ScenarioStream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return NoMemory(error);
    stream->context.name = scenario->name;
    stream->context.seed = options->seed;
    stream->make = makers[scenario - scenarios];
    stream->next = options->first;
    stream->last = options->first + (options->count - 1);
    stream->selection = options->selection;
    const RpStatus status = FillHeader(scenario, options, &stream->header, error);
    if (status)
        ScenarioStream_Close(stream);
    else
        *result = stream;
    return status;
}

const TraceHeader *ScenarioStream_Header(const ScenarioStream *stream) {
    return &stream->header;
}

struct ScenarioContext *ScenarioStream_Context(ScenarioStream *stream) {
    return &stream->context;
}

void ScenarioStream_Close(ScenarioStream *stream) {
    if (!stream)
        return;
    Scenario_Free(&stream->context);
    free(stream);
}

RpStatus ScenarioStream_Next(ScenarioStream *stream, TraceCall *call, const uint32_t **memories,
                             uint32_t *memory_count, bool *found, RpError *error) {
    const ScenarioCall *made = &stream->made;
    uint64_t at = 0;
    stream->context.error = error;

    /* Makes calls up to the next selected one. */
    *found = false;
    while (!*found && !stream->ended) {
        at = stream->next;
        stream->make(&stream->context, at, &stream->made);
        if (stream->context.status)
            return stream->context.status;
        stream->ended = stream->next++ == stream->last;
        *found = !stream->selection || Selection_HasCall(stream->selection, made->function, at);
    }
    if (!*found)
        return RP_OK;
    *call = ScenarioCall_ToRun(made, made->function, at);
    *memories = made->memories;
    *memory_count = made->memory_count;
    call->signature = Scenario_Signature(&stream->context, made->function);
    return stream->context.status;
}

/* ---- the trace ------------------------------------------------------------------------------- */

static RpStatus WriteTrace(ScenarioStream *stream, TraceWriter *writer, RpError *error) {
    uint64_t written = 0;
    ScenarioMemories *memories = calloc(1, sizeof *memories);
    if (!memories)
        return NoMemory(error);
    memories->context = &stream->context;
    memories->sink = ScenarioSink_OfTrace(writer);
    RpStatus status = RP_OK;
    for (bool found = true; !status && found; written += found) {
        TraceCall call;
        const uint32_t *named;
        uint32_t named_count;
        status = ScenarioStream_Next(stream, &call, &named, &named_count, &found, error);
        if (status || !found)
            break;
        for (uint32_t i = 0; !status && i < named_count; i++)
            status = ScenarioMemories_Write(memories, named[i]);
        if (!status)
            status = TraceWriter_Call(writer, &call, error);
    }
    free(memories);
    if (!status && written == 0)
        status =
            RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the selection has no call",
                        stream->context.name, "a function or sequence number of this scenario", "");
    return status;
}

RpStatus Scenario_Write(const Scenario *scenario, const ScenarioOptions *options, const char *path,
                        RpError *error) {
    ScenarioStream *stream;
    TraceWriter *writer = NULL;
    RpStatus status = ScenarioStream_Open(scenario, options, &stream, error);
    if (status)
        return status;
    status = TraceWriter_Create(path, &stream->header, options->compress, &writer, error);
    if (!status)
        status = WriteTrace(stream, writer, error);
    if (status)
        TraceWriter_Abandon(writer);
    else
        status = TraceWriter_Close(writer, error);
    ScenarioStream_Close(stream);
    return status;
}
