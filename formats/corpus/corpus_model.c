#include "formats/corpus/corpus_model.h"

#include "animesh/records.h"
#include "core/bytes.h"
#include "exports/reading_table.h"
#include "formats/corpus/corpus_parts.h"
#include "formats/corpus/integer.h"

#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

enum { ARRAYS = 15 };

static void ListArrays(CorpusMaking *making, RpBuffer *arrays[ARRAYS]) {
    RpBuffer *const all[ARRAYS] = {
        &making->places, &making->positions, &making->normals, &making->uv0,     &making->uv1,
        &making->res15,  &making->indices,   &making->marks,   &making->batches, &making->slots,
        &making->bounds, &making->nodes,     &making->keys,    &making->labels,  &making->probes};
    memcpy(arrays, all, sizeof all);
}

static bool IsWhole(CorpusMaking *making) {
    RpBuffer *arrays[ARRAYS];
    ListArrays(making, arrays);
    for (int i = 0; i < ARRAYS; i++)
        if (arrays[i]->failed)
            return false;
    return !making->paths.failed;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

uint32_t RpCorpus_SlotWord(const RpReadings *readings, uint32_t state, uint32_t level) {
    if (readings->choice[READING_SLOT_WORDS] == CORPUS_STATE_LOD)
        return state * CORPUS_LEVELS + level;
    if (level < 3)
        return level * CORPUS_LEVELS + state;
    if (level == 3)
        return (2 - state) * CORPUS_LEVELS + 3;
    return state == 0 ? 4 : RP_MSH_NONE;
}

/* ---- light and paths ------------------------------------------------------------------------- */

static uint32_t DrawModel(const CorpusMaking *making, uint32_t purpose, uint32_t index) {
    return Corpus_Draw(making->plan->seed, making->index, purpose, index);
}

static void AppendFloat(RpBuffer *buffer, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    RpBuffer_AppendU32(buffer, bits);
}

/* ---- faults ---------------------------------------------------------------------------------- */

RpStatus CorpusModel_Spoil(const CorpusMaking *making, RpNResArchive *archive, RpError *error) {
    const PlannedModel *model = making->model;
    RpBuffer bytes;
    uint32_t index;
    if (model->form == CORPUS_LEGACY) {
        /* The only node becomes a record of the legacy form: 4 words of header and 8 slot words
         * (facts/formats.md C.3). */
        uint8_t record[RP_MSH_LEGACY_NODE_BYTES];
        memset(record, 0xFF, sizeof record);
        Bytes_PutU16(record, 0); /* flags; then no parent and no block */
        Bytes_PutU16(record + 6, 0);
        Bytes_PutU16(record + 8, 0);
        index = (uint32_t)RpNResArchive_FindType(archive, RP_MSH_NODES);
        archive->members[index].attr3 = RP_MSH_LEGACY_NODE_BYTES;
        return RpNResArchive_Replace(archive, index, record, sizeof record, error);
    }
    if (!model->odd_neighbours && !model->odd_normals && !model->edge_tails)
        return RP_OK;

    /* A copy of the member's bytes is changed and takes their place. */
    const int32_t found = RpNResArchive_FindType(archive, RP_MSH_TRIANGLES);
    RpBuffer_Init(&bytes, archive->allocator);
    index = found < 0 ? 0 : (uint32_t)found;
    RpBuffer_Append(&bytes, archive->members[index].data, archive->members[index].size);
    RpStatus status = bytes.failed ? RpMemory_Refused(error, "a stream of the corpus") : RP_OK;
    if (!status) {
        /* Put in faults at regular distances, in triangles that have a neighbour across edge 0:
         * the neighbour becomes one far away in the same slot's list, the normal is reversed, or
         * bits above the lowest six of the edge word are set. */
        uint32_t count = (uint32_t)(bytes.size / RP_MSH_TRIANGLE_BYTES);
        uint32_t neighbours = model->odd_neighbours, normals = model->odd_normals;
        for (uint32_t t = 3; t < count && (neighbours || normals); t += 7) {
            uint8_t *record = bytes.bytes + (size_t)t * RP_MSH_TRIANGLE_BYTES;
            if (Bytes_U16(record + TRIANGLE_AT_neighbours) == RP_MSH_NONE)
                continue;
            if (neighbours) {
                Bytes_PutU16(record + TRIANGLE_AT_neighbours, (uint16_t)((t + count / 2) % count));
                neighbours--;
            } else {
                for (int i = 0; i < 3; i++)
                    Bytes_PutU16(record + TRIANGLE_AT_normal + 2 * i,
                                 (uint16_t)-Bytes_U16(record + TRIANGLE_AT_normal + 2 * i));
                normals--;
            }
        }
        for (uint32_t i = 0; i < model->edge_tails; i++) {
            const uint32_t t = (uint32_t)((uint64_t)i * count / model->edge_tails);
            uint8_t *edges = bytes.bytes + (size_t)t * RP_MSH_TRIANGLE_BYTES + TRIANGLE_AT_edges;
            const uint32_t tail = (DrawModel(making, CORPUS_DRAW_ODD, i) % 1023 + 1) << 6;
            Bytes_PutU16(edges, (uint16_t)(Bytes_U16(edges) | tail));
        }
        status = RpNResArchive_Replace(archive, index, bytes.bytes, bytes.size, error);
    }
    RpBuffer_Free(&bytes);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool MakeParts(CorpusMaking *making) {
    if (!CorpusMaking_Geometry(making))
        return false;
    if (making->model->form == CORPUS_LEGACY) {
        /* The legacy model has one record. After the model is built, its 24 bytes
         * replace the 38 of this record. */
        static const RpMshKey key = {.rotation = {0, 0, 0, 32767}};
        static const RpMshKey key_w_first = {.rotation = {32767, 0, 0, 0}};
        const bool w_first = making->readings.choice[READING_KEY_ORDER] == CORPUS_KEYS_ORDER_WXYZ;
        RpMshNodeDescription built = {.name = "MTCHECK", .parent = RP_MSH_NONE, .key_count = 1};
        const char label[CORPUS_LABEL_BYTES] = "";
        for (int i = 1; i < RP_MSH_SLOT_WORDS; i++)
            built.slots[i] = RP_MSH_NONE;
        RpBuffer_Append(&making->nodes, &built, sizeof built);
        RpBuffer_Append(&making->labels, label, sizeof label);
        RpBuffer_Append(&making->keys, w_first ? &key_w_first : &key, sizeof key);
    }
    for (uint32_t n = 0; n < making->model->node_count; n++) {
        /* Pointers to keys and labels are set later, because their arrays may still move. */
        const CorpusNode *plan = &making->plan->nodes[making->model->first_node + n];
        RpMshNodeDescription built = {.flags = CorpusMaking_NodeFlags(making, n),
                                      .parent = plan->parent,
                                      .key_count = plan->keys};
        char label[CORPUS_LABEL_BYTES] = "";
        CorpusMaking_NameNode(making, n, built.name, label);
        for (int i = 0; i < RP_MSH_SLOT_WORDS; i++)
            built.slots[i] = RP_MSH_NONE;
        for (uint32_t state = 0; state < CORPUS_STATES; state++)
            for (uint32_t level = 0; level < CORPUS_LEVELS; level++)
                if (plan->shown[state][level])
                    built.slots[RpCorpus_SlotWord(&making->readings, state, level)] =
                        (uint16_t)(plan->slots[state][level] - making->model->first_slot);
        RpBuffer_Append(&making->nodes, &built, sizeof built);
        RpBuffer_Append(&making->labels, label, sizeof label);
    }

    if (making->model->node_count > 0 && !CorpusMaking_Keys(making))
        return false;
    if (making->model->lit) {
        const uint32_t count = 4 + DrawModel(making, CORPUS_DRAW_PROBE, 0) % 13;
        for (uint32_t p = 0; p < count; p++) {
            const uint32_t draw = DrawModel(making, CORPUS_DRAW_PROBE, p + 1);
            int32_t cosine, sine;
            Corpus_Circle(draw, &cosine, &sine);
            const RpMshProbe probe = {
                .node = (int32_t)(draw % making->model->node_count),
                .position = {(float)(draw % 4096) / 512.0F, (float)(draw / 4096 % 4096) / 512.0F,
                             2.0F},
                .direction = {(float)cosine / 16384.0F, (float)sine / 16384.0F, 0.0F},
                .colour = {1.0F, (float)(draw % 5) / 4.0F, (float)(draw / 8 % 5) / 4.0F, 1.0F},
                .intensity = (float)(draw / 64 % 17) / 16.0F};
            RpBuffer_Append(&making->probes, &probe, sizeof probe);
        }
    }
    return IsWhole(making);
}

static RpStatus MakeArchive(CorpusMaking *making, RpNResArchive *archive, RpError *error) {
    const uint32_t path_vertices =
        making->model->paths ? 4 + DrawModel(making, CORPUS_DRAW_PATH, UINT32_MAX) % 37 : 0;
    const uint32_t path_links = path_vertices + path_vertices / 3;

    /* Only the sizes of the records are known (facts/formats.md C.1). What is in them here: of a
     * vertex its place, a node and a radius; of a link two vertices, its width and seven zeros. */
    for (uint32_t v = 0; v < path_vertices; v++) {
        const uint32_t draw = DrawModel(making, CORPUS_DRAW_PATH, v);
        AppendFloat(&making->paths, (float)(draw % 8192) / 512.0F);
        AppendFloat(&making->paths, (float)(draw / 8192 % 8192) / 512.0F);
        AppendFloat(&making->paths, 0.0F);
        RpBuffer_AppendU32(&making->paths, draw % making->model->node_count);
        AppendFloat(&making->paths, 1.5F);
    }
    for (uint32_t i = 0; i < (path_vertices ? path_links : 0); i++) {
        RpBuffer_AppendU32(&making->paths, i % path_vertices);
        RpBuffer_AppendU32(&making->paths, (i + 1 + i / path_vertices) % path_vertices);
        AppendFloat(&making->paths, 2.0F);
        RpBuffer_Extend(&making->paths, RP_MSH_PATH_LINK_BYTES - 12);
    }
    if (!IsWhole(making))
        return RpMemory_Refused(error, "a model of the corpus");

    /* Sets pointers between the arrays, which are complete and do not move any more. */
    RpMshBatchDescription *batches = (RpMshBatchDescription *)(void *)making->batches.bytes;
    RpMshNodeDescription *nodes = (RpMshNodeDescription *)(void *)making->nodes.bytes;
    const uint16_t *indices = (const uint16_t *)(const void *)making->indices.bytes;
    const uint16_t *marks = (const uint16_t *)(const void *)making->marks.bytes;
    const RpMshKey *keys = (const RpMshKey *)(const void *)making->keys.bytes;
    for (uint32_t b = 0; b < making->batches.size / sizeof *batches; b++) {
        batches[b].indices = indices;
        batches[b].triangle_flags = marks;
        indices += batches[b].index_count;
        marks += batches[b].index_count / 3;
    }
    for (uint32_t n = 0; n < making->nodes.size / sizeof *nodes; n++) {
        nodes[n].keys = keys;
        nodes[n].label = (const char *)making->labels.bytes + (size_t)n * CORPUS_LABEL_BYTES;
        keys += nodes[n].key_count;
    }
    RpMshDescription model = {
        .nodes = (const RpMshNodeDescription *)(const void *)making->nodes.bytes,
        .node_count = (uint32_t)(making->nodes.size / sizeof(RpMshNodeDescription)),
        .slots = (const RpMshSlotDescription *)(const void *)making->slots.bytes,
        .slot_count = making->model->slot_count,
        .batches = (const RpMshBatchDescription *)(const void *)making->batches.bytes,
        .batch_count = making->model->batch_count,
        .vertex_count = (uint32_t)(making->places.size / sizeof(int32_t[3])),
        .positions = (const float(*)[3])(const void *)making->positions.bytes,
        .normals = (const int8_t(*)[4])(const void *)making->normals.bytes,
        .uv0 = (const uint16_t(*)[2])(const void *)making->uv0.bytes,
        .uv1 = (const uint16_t(*)[2])(const void *)making->uv1.bytes,
        .res15 = (const uint8_t(*)[8])(const void *)making->res15.bytes,
        .probes = (const RpMshProbe *)(const void *)making->probes.bytes,
        .probe_count = (uint32_t)(making->probes.size / sizeof(RpMshProbe)),
        .paths = making->paths.bytes,
        .path_vertices = path_vertices,
        .path_links = path_vertices ? path_links : 0,
        .frame_count = making->model->frames,
        .has_header = true,
        .readings = making->readings};
    memcpy(model.name, making->model->name, sizeof model.name);
    if (!CorpusMaking_Header(making, &model.header))
        return RpMemory_Refused(error, "a header of the corpus");
    return RpMsh_Make(&model, archive, error);
}

RpStatus CorpusModel_Make(const CorpusPlan *plan, uint32_t index, const RpReadings *readings,
                          RpNResArchive *archive, RpError *error) {
    CorpusMaking making = {
        .plan = plan, .model = &plan->models[index], .index = index, .readings = *readings};

    /* All arrays begin empty. */
    const RpAllocator *allocator = archive->allocator;
    RpBuffer *arrays[ARRAYS];
    ListArrays(&making, arrays);
    making.allocator = allocator;
    for (int i = 0; i < ARRAYS; i++)
        RpBuffer_Init(arrays[i], allocator);
    RpBuffer_Init(&making.paths, allocator);
    CorpusShape_Init(&making.shape, allocator);
    RpStatus status = MakeParts(&making) ? MakeArchive(&making, archive, error)
                                         : RpMemory_Refused(error, "a model of the corpus");
    if (!status)
        status = CorpusModel_Spoil(&making, archive, error);
    for (int i = 0; i < ARRAYS; i++)
        RpBuffer_Free(arrays[i]);
    RpBuffer_Free(&making.paths);
    CorpusShape_Free(&making.shape);
    return status;
}
