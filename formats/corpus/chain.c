#include "formats/corpus/chain.h"

#include "exports/reading_table.h"
#include "formats/corpus/corpus_model.h"
#include "formats/corpus/integer.h"

#include <stdio.h>
#include <string.h>

enum { BOX_HALF = CORPUS_UNIT, BOX_TRIANGLES = 12, BOX_BATCHES = 2, BONE = 4 };

typedef struct Making {
    const CorpusChain *chain;
    const RpReadings *readings;
    CorpusShape box;
    RpBuffer positions, normals, uv0, res16, indices, batches, slots, nodes, keys;
} Making;

enum { ARRAYS = 9 };

static void ListArrays(Making *making, RpBuffer *arrays[ARRAYS]) {
    RpBuffer *const all[ARRAYS] = {&making->positions, &making->normals, &making->uv0,
                                   &making->res16,     &making->indices, &making->batches,
                                   &making->slots,     &making->nodes,   &making->keys};
    memcpy(arrays, all, sizeof all);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static void AppendVertices(Making *making) {
    for (uint32_t v = 0; v < CorpusShape_VertexCount(&making->box); v++) {
        const CorpusVertex *vertex = &CorpusShape_Vertices(&making->box)[v];
        const uint16_t uv[2] = {(uint16_t)vertex->uv[0], (uint16_t)vertex->uv[1]};
        const uint8_t frame[8] = {127, 0, 0, 0, 0, 127, 0, 0};
        float position[3];
        int8_t normal[4] = {0};
        for (int i = 0; i < 3; i++)
            position[i] = (float)vertex->at[i] / (float)CORPUS_UNIT;
        CorpusShape_Normal(&making->box, v, normal);
        RpBuffer_Append(&making->positions, position, sizeof position);
        RpBuffer_Append(&making->normals, normal, sizeof normal);
        RpBuffer_Append(&making->uv0, uv, sizeof uv);
        RpBuffer_Append(&making->res16, frame, sizeof frame);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool Fill(Making *making) {
    RpBuffer *arrays[ARRAYS];
    const CorpusShapeRequest request = {
        .kind = CORPUS_SOLID, .triangles = BOX_TRIANGLES, .half = {BOX_HALF, BOX_HALF, BOX_HALF}};
    if (!CorpusShape_Make(&making->box, &request))
        return false;
    for (uint32_t b = 0; b < making->chain->boxes; b++) {
        const uint32_t base = b * CorpusShape_VertexCount(&making->box);
        const RpMshSlotDescription slot = {.first_batch = b * BOX_BATCHES,
                                           .batch_count = BOX_BATCHES,
                                           .has_sphere = true,
                                           .sphere = {0, 0, 0, 1.75F}};
        AppendVertices(making);
        for (uint32_t t = 0; t < BOX_TRIANGLES; t++)
            for (int i = 0; i < 3; i++) {
                const uint16_t index = (uint16_t)CorpusShape_Triangles(&making->box)[t][i];
                RpBuffer_Append(&making->indices, &index, sizeof index);
            }
        for (uint32_t k = 0; k < BOX_BATCHES; k++) {
            const RpMshBatchDescription batch = {
                .row = (uint8_t)k,
                .material = (uint16_t)(making->readings->choice[READING_MATERIAL] == 0 ? k : 0),
                .lightmap = 0xFF,
                .portal = RP_MSH_NONE,
                .base_vertex = base,
                .index_count = BOX_TRIANGLES / BOX_BATCHES * 3};
            RpBuffer_Append(&making->batches, &batch, sizeof batch);
        }
        RpBuffer_Append(&making->slots, &slot, sizeof slot);
    }

    for (uint32_t n = 0; n < making->chain->nodes; n++) {
        RpMshNodeDescription built = {.label = n % 2 ? making->chain->label : NULL,
                                      .parent = (uint16_t)(n ? n - 1 : RP_MSH_NONE),
                                      .key_count = making->chain->keys};
        snprintf(built.name, sizeof built.name, "n%04u", (unsigned)n);
        for (int w = 0; w < RP_MSH_SLOT_WORDS; w++)
            built.slots[w] = RP_MSH_NONE;
        if (n < making->chain->boxes)
            built.slots[0] = (uint16_t)n;
        RpBuffer_Append(&making->nodes, &built, sizeof built);

        /* The keys at rest do not turn anything. So the header is exact, whatever the arithmetic.
         */
        for (uint32_t k = 0; k < making->chain->keys; k++) {
            RpMshKey key = {.time = (float)(k * making->chain->spacing),
                            .position = {0, 0, n ? (float)BONE : 0}};
            int32_t cosine, sine;
            Corpus_Circle((k % 5) * 0x0C00 + (k ? n % 7 * 0x80 : 0), &cosine, &sine);
            const int64_t q[4] = {cosine, 0, 0, sine};
            CorpusRotation_Encode(making->readings, q, key.rotation);
            RpBuffer_Append(&making->keys, &key, sizeof key);
        }
    }
    ListArrays(making, arrays);
    for (int i = 0; i < ARRAYS; i++)
        if (arrays[i]->failed)
            return false;
    return true;
}

RpStatus CorpusChain_Make(const CorpusChain *chain, const RpReadings *readings,
                          RpNResArchive *archive, RpError *error) {
    Making making = {.chain = chain, .readings = readings};
    RpBuffer *arrays[ARRAYS];
    ListArrays(&making, arrays);
    for (int i = 0; i < ARRAYS; i++)
        RpBuffer_Init(arrays[i], archive->allocator);
    CorpusShape_Init(&making.box, archive->allocator);
    RpStatus status = RP_OK;
    if (Fill(&making)) {
        /* Set pointers into arrays, which stay where they are from here on. */
        RpMshBatchDescription *batches = (RpMshBatchDescription *)(void *)making.batches.bytes;
        RpMshNodeDescription *nodes = (RpMshNodeDescription *)(void *)making.nodes.bytes;
        const uint16_t *indices = (const uint16_t *)(const void *)making.indices.bytes;
        const RpMshKey *keys = (const RpMshKey *)(const void *)making.keys.bytes;
        for (uint32_t b = 0; b < chain->boxes * BOX_BATCHES; b++) {
            batches[b].indices = indices;
            indices += batches[b].index_count;
        }
        for (uint32_t n = 0; n < chain->nodes; n++)
            nodes[n].keys = keys + (size_t)n * chain->keys;
        RpMshDescription model = {
            .nodes = nodes,
            .node_count = chain->nodes,
            .slots = (const RpMshSlotDescription *)(const void *)making.slots.bytes,
            .slot_count = chain->boxes,
            .batches = batches,
            .batch_count = chain->boxes * BOX_BATCHES,
            .vertex_count = chain->boxes * CorpusShape_VertexCount(&making.box),
            .positions = (const float(*)[3])(const void *)making.positions.bytes,
            .normals = (const int8_t(*)[4])(const void *)making.normals.bytes,
            .uv0 = (const uint16_t(*)[2])(const void *)making.uv0.bytes,
            .res16 = chain->res16 ? (const uint8_t(*)[8])(const void *)making.res16.bytes : NULL,
            .readings = *readings};
        snprintf(model.name, sizeof model.name, "%s", chain->name ? chain->name : "chain.msh");
        status = RpMsh_Make(&model, archive, error);
    } else {
        status = RpMemory_Refused(error, "a variant of the corpus");
    }
    for (int i = 0; i < ARRAYS; i++)
        RpBuffer_Free(arrays[i]);
    CorpusShape_Free(&making.box);
    return status;
}
