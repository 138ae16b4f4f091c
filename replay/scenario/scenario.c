#include "replay/scenario/scenario.h"

#include "replay/scenario/calls.h"
#include "replay/scenario/meshes.h"
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

/* ---- memories -------------------------------------------------------------------------------- */

const ModelImage *Scenario_Model(ScenarioContext *context, uint32_t model) {
    ModelImage *image = &context->models[model];
    ModelSpec spec;
    if (!image->bytes) {
        Corpus_Spec(context->seed, model, &spec);
        context->status = ModelImage_Build(&spec, image, context->error);
        if (image->bytes && model == CORPUS_TIES_MODEL)
            Ties_PutRightAngles(context->seed, image);
    }
    return image->bytes ? image : NULL;
}

typedef struct Output {
    TraceWriter *writer;
    bool written[MEMORY_IDS];
    Signature *signatures; /* by row of the ABI tables; parsed when `function` is set */
    ScenarioContext context;
} Output;

static RpStatus WriteMemory(Output *output, uint32_t id);

static RpStatus PutMemory(Output *output, uint32_t id, const uint8_t *bytes, uint32_t size,
                          const TraceRelocation *relocations, uint32_t count) {
    TraceMemory memory = {id, size, bytes, count, relocations};
    return TraceWriter_Memory(output->writer, &memory, output->context.error);
}

static RpStatus WriteLoaderImage(Output *output, uint32_t id) {
    ModelSpec spec;
    ModelImage image;
    Corpus_LoaderSpec(output->context.seed, id - MEMORY_LOADER, &spec);
    RpStatus status = ModelImage_Build(&spec, &image, output->context.error);
    if (status == RP_OK)
        status = PutMemory(output, id, image.bytes, image.size, NULL, 0);
    ModelImage_Free(&image);
    return status;
}

static RpStatus WriteReader(Output *output, uint32_t id, const ModelImage *image) {
    uint8_t reader[MODEL_READER_SIZE];
    TraceRelocation relocations[MODEL_READER_RELOCATIONS];
    uint32_t image_id = id - MEMORY_READER + MEMORY_IMAGE;
    uint32_t count = ModelImage_Reader(image, image_id, reader, relocations);
    RpStatus status = WriteMemory(output, image_id);
    return status ? status : PutMemory(output, id, reader, sizeof reader, relocations, count);
}

static RpStatus WritePieces(Output *output, uint32_t id, const ModelImage *image) {
    uint32_t nodes = image->node_count, reader_id = id - MEMORY_PIECES + MEMORY_READER;
    uint8_t *pieces = malloc((nodes + 1) * MODEL_PIECE_SIZE);
    TraceRelocation *relocations = malloc(nodes * sizeof *relocations);
    RpStatus status = RP_NO_MEMORY;
    if (pieces && relocations) {
        ModelImage_Pieces(image, reader_id, pieces, relocations);
        status = WriteMemory(output, reader_id);
        if (status == RP_OK)
            status =
                PutMemory(output, id, pieces, (nodes + 1) * MODEL_PIECE_SIZE, relocations, nodes);
    } else {
        RpError_Set(output->context.error, status, RP_NOWHERE, "no memory for pieces", "", "", "");
    }
    free(pieces);
    free(relocations);
    return status;
}

static RpStatus WritePolygons(Output *output, uint32_t id) {
    uint8_t bytes[POLYGON_POOL_BYTES] = {0};
    Polygon polygon;
    for (uint32_t i = 0; i < POLYGONS_OF_POOL; i++) {
        Polygon_Make(output->context.seed, id - MEMORY_POLYGONS, i, &polygon);
        for (uint32_t k = 0; k < POLYGON_MAX_VERTICES * 3; k++)
            for (uint32_t b = 0; b < 4; b++)
                bytes[(i * POLYGON_MAX_VERTICES * 3 + k) * 4 + b] =
                    (uint8_t)(polygon.vertices[k / 3][k % 3] >> 8 * b);
    }
    return PutMemory(output, id, bytes, sizeof bytes, NULL, 0);
}

static RpStatus WriteModelMemory(Output *output, uint32_t id) {
    const ModelImage *image = Scenario_Model(&output->context, (id - MEMORY_IMAGE) / 4);
    if (!image)
        return output->context.status;
    switch ((id - MEMORY_IMAGE) % 4) {
    case 0:
        return PutMemory(output, id, image->bytes, image->size, NULL, 0);
    case 1:
        return WriteReader(output, id, image);
    default:
        return WritePieces(output, id, image);
    }
}

/* The files of the siblings. */
static RpStatus WriteFile(Output *output, uint32_t id) {
    const uint64_t seed = output->context.seed;
    RpError *error = output->context.error;
    RpBuffer image;
    RpBuffer_Init(&image, NULL);
    RpStatus status = id >= MEMORY_AC ? Ac_Build(seed, id - MEMORY_AC, &image, error)
                                      : Ani_Build(seed, id - MEMORY_ANI, &image, error);
    if (!status)
        status = PutMemory(output, id, image.bytes, (uint32_t)image.size, NULL, 0);
    RpBuffer_Free(&image);
    return status;
}

static RpStatus WriteFor(void *output, uint32_t id) {
    return WriteMemory(output, id);
}

/* Writes a memory once, after those that it points to. */
static RpStatus WriteMemory(Output *output, uint32_t id) {
    if (output->written[id])
        return RP_OK;
    output->written[id] = true;
    if (id >= MEMORY_MESH)
        return Meshes_Memory(&output->context, id, output->writer, WriteFor, output);
    if (id >= MEMORY_ANI)
        return WriteFile(output, id);
    if (id >= MEMORY_LOADER)
        return WriteLoaderImage(output, id);
    if (id >= MEMORY_IMAGE)
        return WriteModelMemory(output, id);
    return WritePolygons(output, id);
}

void Scenario_FreeModels(ScenarioContext *context) {
    for (uint32_t i = 0; i < CORPUS_ALL_MODELS; i++)
        ModelImage_Free(&context->models[i]);
    for (uint32_t i = 0; i < CORPUS_ANIS; i++)
        RpAni_Free(&context->anis[i]);
    Meshes_Free(context);
}

RpStatus Scenario_WriteMemories(ScenarioContext *context, TraceWriter *writer) {
    Output *output = calloc(1, sizeof *output);
    RpStatus status = RP_OK;
    if (!output)
        return RpError_Set(context->error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a scenario", "",
                           "", "");
    output->writer = writer;
    output->context = *context;
    for (uint32_t i = 0; !status && i < POLYGON_POOLS; i++)
        status = WriteMemory(output, MEMORY_POLYGONS + i);
    for (uint32_t i = 0; !status && i < CORPUS_ALL_MODELS; i++)
        status = WriteMemory(output, MEMORY_PIECES + 4 * i);
    if (!status)
        status = WriteMemory(output, MEMORY_MESH + MESH_STILL_OBJECT);
    *context = output->context;
    free(output);
    return status;
}

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
        status = WriteMemory(output, made->memories[i]);
    return status ? status : TraceWriter_Call(output->writer, &call, output->context.error);
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
        return TraceWriter_Close(output->writer, error);
    TraceWriter_Abandon(output->writer);
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
    status = TraceWriter_Create(path, &header, options->compress, &output->writer, error);
    if (status == RP_OK)
        status = WriteTrace(output, scenario, options, error);
    Scenario_FreeModels(&output->context);
    free(signatures);
    free(output);
    return status;
}
