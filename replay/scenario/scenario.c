#include "replay/scenario/scenario.h"

#include "replay/scenario/memories.h"
#include "tracefile/reader.h"
#include "tracefile/select.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list -------------------------------------------------------------------------------- */

const Scenario scenarios[] = {
    {"slots", "every function of numbers, over inputs of all magnitudes and branches", 4000000},
    {"edges", "special values in every argument position", 2000000},
    {"words", "all precisions and roundings of the x87 control word and of MXCSR", 2000000},
    {"poses", "SampleNode over the corpus: forward, backward, between frames, far away", 1500000},
    {"blends", "BlendPoses over all branch conditions", 1000000},
    {"models", "LoadReader, FindSlot and NodeString over the corpus", 100000},
    {"classes", "what processor classes decide; one trace for each ForceCpu value", 100000},
    {"control", "SetFpuControlWord under every control word", 65536},
    {"stubs", "the documented empty exports and one line of debug output", 10000},
    {"ties", "what tells apart readings that agree elsewhere: limits, poses at right angles",
     100000},
    {"mesh", "the mesh object: merged models posed, measured, and changed in every way", 2500000},
    {"table", "which entry of g_FastProc niGetProcAddress returns", 6800},
    {"hard", "results beside the middle between two numbers of 24 bits, found by solving", 100000},
    {"rows", "every slot of the table: ordinary inputs, special values, other control words",
     140000},
};
const size_t scenario_count = sizeof scenarios / sizeof *scenarios;

static ScenarioMaker *const makers[] = {
    Slots_Call,        Edges_Call, Words_Call, Poses_Call, Blends_Call, Models_Call, Classes_Call,
    ControlWords_Call, Stubs_Call, Ties_Call,  Mesh_Call,  Table_Call,  Hard_Call,   Rows_Call,
};
_Static_assert(sizeof makers / sizeof *makers == sizeof scenarios / sizeof *scenarios,
               "a maker for every scenario");

const Scenario *Scenario_Find(const char *name) {
    for (size_t i = 0; i < scenario_count; i++)
        if (strcmp(scenarios[i].name, name) == 0)
            return &scenarios[i];
    return NULL;
}

/* What makes the calls of a reader. */
typedef struct Stream {
    ScenarioContext context;
    ScenarioMaker *make;
    uint64_t next, last; /* positions in the stream; the call at `last` is made, too */
    bool ended;
    bool found; /* a call was selected */
    const Selection *selection;
    ScenarioCall made;
    ScenarioMemories memories;
} Stream;

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

static RpStatus Define(void *reader, const TraceMemory *memory, RpError *error) {
    return TraceReader_Define(reader, memory, error);
}

static RpStatus NextCall(void *context, TraceReader *reader, TraceCall *call, bool *found,
                         RpError *error) {
    Stream *stream = context;
    const ScenarioCall *made = &stream->made;
    uint64_t at = 0;
    stream->context.error = error;
    stream->memories.sink = (ScenarioSink){Define, reader};

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
    stream->found |= *found;
    if (!stream->found)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "the selection has no call",
                           stream->context.name, "a function or sequence number of this scenario",
                           "");
    if (!*found)
        return RP_OK;
    *call = ScenarioCall_ToRun(made, made->function, at);
    call->signature = Scenario_Signature(&stream->context, made->function);
    RpStatus status = stream->context.status;
    for (uint32_t i = 0; !status && i < made->memory_count; i++)
        status = ScenarioMemories_Write(&stream->memories, made->memories[i]);
    return status;
}

static void Release(void *context) {
    Stream *stream = context;
    Scenario_Free(&stream->context);
    free(stream);
}

RpStatus Scenario_Open(const Scenario *scenario, const ScenarioOptions *options,
                       TraceReader **reader, RpError *error) {
    const char *build = options->slot_build;
    TraceHeader header;
    *reader = NULL;
    if (options->count == 0 || options->first > UINT64_MAX - options->count)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "no such calls", scenario->name,
                           "at least one call, and none past 2^64", "");
    if (build && strcmp(build, "generic") != 0 && strcmp(build, "fxch") != 0 &&
        strcmp(build, "sse") != 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "unknown slot build", scenario->name,
                           "generic, fxch or sse", build);

    const RpStatus status = FillHeader(scenario, options, &header, error);
    if (status)
        return status;
    Stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a scenario", "", "", "");
    stream->context.name = scenario->name;
    stream->context.seed = options->seed;
    stream->make = makers[scenario - scenarios];
    stream->next = options->first;
    stream->last = options->first + (options->count - 1);
    stream->selection = options->selection;
    stream->memories.context = &stream->context;
    const TraceMaker maker = {NextCall, Release, stream};
    return TraceReader_OpenMaker(&maker, &header, scenario->name, reader, error);
}

/* ---- the trace ------------------------------------------------------------------------------- */

RpStatus Scenario_Write(const Scenario *scenario, const ScenarioOptions *options, const char *path,
                        RpError *error) {
    TraceReader *reader;
    TraceWriter *writer = NULL;
    RpStatus status = Scenario_Open(scenario, options, &reader, error);
    if (!status)
        status =
            TraceWriter_Create(path, TraceReader_Header(reader), options->compress, &writer, error);
    if (!status)
        status = TraceWriter_Calls(writer, reader, error);
    if (status)
        TraceWriter_Abandon(writer);
    else
        status = TraceWriter_Close(writer, error);
    TraceReader_Close(reader);
    return status;
}
