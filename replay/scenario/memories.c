#include "replay/scenario/memories.h"

#include "core/bytes.h"
#include "replay/scenario/scenario_meshes.h"

#include <stdlib.h>

const ModelImage *Scenario_Model(ScenarioContext *context, uint32_t model) {
    ModelImage *image = &context->models[model];
    ModelSpec spec;
    if (!image->bytes) {
        Corpus_Spec(context->seed, model, &spec);
        context->status = ModelImage_Make(&spec, image, context->error);
        if (image->bytes && model == CORPUS_TIES_MODEL)
            Corpus_PutRightAngles(context->seed, image);
    }
    return image->bytes ? image : NULL;
}

static RpStatus PutMemory(ScenarioMemories *memories, uint32_t id, const uint8_t *bytes,
                          uint32_t size, const TraceRelocation *relocations, uint32_t count) {
    TraceMemory memory = {id, size, bytes, count, relocations};
    return memories->sink.put(memories->sink.context, &memory, memories->context->error);
}

static RpStatus PutIntoTrace(void *writer, const TraceMemory *memory, RpError *error) {
    return TraceWriter_Memory(writer, memory, error);
}

ScenarioSink ScenarioSink_OfTrace(TraceWriter *writer) {
    return (ScenarioSink){PutIntoTrace, writer};
}

static RpStatus WriteFor(void *memories, uint32_t id) {
    return ScenarioMemories_Write(memories, id);
}

RpStatus ScenarioMemories_Write(ScenarioMemories *memories, uint32_t id) {
    if (memories->written[id])
        return RP_OK;
    memories->written[id] = true;
    if (id >= MEMORY_MESH)
        return Meshes_Memory(memories->context, id, &memories->sink, WriteFor, memories);
    if (id >= MEMORY_LOADER) {
        ModelSpec spec;
        ModelImage image;
        Corpus_LoaderSpec(memories->context->seed, id - MEMORY_LOADER, &spec);
        RpStatus status = ModelImage_Make(&spec, &image, memories->context->error);
        if (status == RP_OK)
            status = PutMemory(memories, id, image.bytes, image.size, NULL, 0);
        ModelImage_Free(&image);
        return status;
    }
    if (id >= MEMORY_IMAGE) {
        const uint32_t kind = (id - MEMORY_IMAGE) % 4;
        const ModelImage *image = Scenario_Model(memories->context, (id - MEMORY_IMAGE) / 4);
        if (!image)
            return memories->context->status;
        if (kind == 0)
            return PutMemory(memories, id, image->bytes, image->size, NULL, 0);

        /* A reader points into its image, and the pieces point to their reader. */
        RpStatus status = RP_OK;
        if (kind == 1) {
            uint8_t reader[MODEL_READER_SIZE];
            TraceRelocation relocations[MODEL_READER_RELOCATIONS];
            const uint32_t image_id = id - MEMORY_READER + MEMORY_IMAGE;
            const uint32_t count = ModelImage_Reader(image, image_id, reader, relocations);
            status = ScenarioMemories_Write(memories, image_id);
            return status ? status
                          : PutMemory(memories, id, reader, sizeof reader, relocations, count);
        }
        const uint32_t nodes = image->node_count, reader_id = id - MEMORY_PIECES + MEMORY_READER;
        uint8_t *pieces = malloc((nodes + 1) * MODEL_PIECE_SIZE);
        TraceRelocation *relocations = malloc(nodes * sizeof *relocations);
        if (pieces && relocations) {
            ModelImage_Pieces(image, reader_id, pieces, relocations);
            status = ScenarioMemories_Write(memories, reader_id);
            if (!status)
                status = PutMemory(memories, id, pieces, (nodes + 1) * MODEL_PIECE_SIZE,
                                   relocations, nodes);
        } else {
            status = RpError_Set(memories->context->error, RP_NO_MEMORY, RP_NOWHERE,
                                 "no memory for pieces", "", "", "");
        }
        free(pieces);
        free(relocations);
        return status;
    }

    uint8_t bytes[POLYGON_POOL_BYTES] = {0};
    Polygon polygon;
    for (uint32_t i = 0; i < POLYGONS_OF_POOL; i++) {
        Polygon_Make(memories->context->seed, id - MEMORY_POLYGONS, i, &polygon);
        for (uint32_t k = 0; k < POLYGON_MAX_VERTICES * 3; k++)
            Bytes_PutU32(bytes + (i * POLYGON_MAX_VERTICES * 3 + k) * 4,
                         polygon.vertices[k / 3][k % 3]);
    }
    return PutMemory(memories, id, bytes, sizeof bytes, NULL, 0);
}

void Scenario_Free(ScenarioContext *context) {
    free(context->signatures);
    context->signatures = NULL;
    for (uint32_t i = 0; i < CORPUS_ALL_MODELS; i++)
        ModelImage_Free(&context->models[i]);
    Meshes_Free(context);
}

RpStatus Scenario_WriteMemories(ScenarioContext *context, TraceWriter *writer) {
    ScenarioMemories memories = {.context = context, .sink = ScenarioSink_OfTrace(writer)};
    RpStatus status = RP_OK;
    for (uint32_t i = 0; !status && i < POLYGON_POOLS; i++)
        status = ScenarioMemories_Write(&memories, MEMORY_POLYGONS + i);
    for (uint32_t i = 0; !status && i < CORPUS_ALL_MODELS; i++)
        status = ScenarioMemories_Write(&memories, MEMORY_PIECES + 4 * i);
    return status ? status : ScenarioMemories_Write(&memories, MEMORY_MESH + MESH_STILL_OBJECT);
}
