/* Makes streams of a description (facts/formats.md C.1, C.12). Boxes, spheres, normals and
 * neighbours are zero at first; then they are updated as an editor would update them. */
#include "animesh/records.h"
#include "core/bytes.h"
#include "formats/msh/make/description_check.h"
#include "ngi32/processor/modes.h"

#include <inttypes.h>

typedef struct Making {
    const RpMshDescription *model;
    RpNResArchive *archive;
    TrackWriter tracks;
    uint16_t (*places)[2]; /* for each node: where its map begins, and its fallback */
    uint32_t *starts;      /* first index of each batch, and of the end */
    RpError *error;
} Making;

/* ---- streams --------------------------------------------------------------------------------- */

static RpStatus AddStream(Making *making, uint32_t type, const RpBuffer *bytes, uint32_t attr1,
                          uint32_t attr2, uint32_t attr3) {
    if (bytes->failed || bytes->size > UINT32_MAX)
        return RpMemory_Refused(making->error, "a stream");
    RpNResMember member = {.type = type,
                           .attr1 = attr1,
                           .attr2 = attr2,
                           .attr3 = attr3,
                           .data = bytes->bytes,
                           .size = (uint32_t)bytes->size};
    memcpy(member.name, making->model->name, sizeof member.name);
    return RpNResArchive_Add(making->archive, making->archive->count, &member, making->error);
}

/* Adds a stream of records whose attributes are count, 0 and stride. */
static RpStatus AddRecords(Making *making, uint32_t type, const RpBuffer *bytes, uint32_t count,
                           uint32_t stride) {
    return AddStream(making, type, bytes, count, 0, stride);
}

static RpBuffer Begin(const Making *making) {
    RpBuffer bytes;
    RpBuffer_Init(&bytes, making->archive->allocator);
    return bytes;
}

static RpStatus AddNodes(Making *making) {
    RpBuffer bytes = Begin(making);
    for (uint32_t n = 0; n < making->model->node_count; n++) {
        const RpMshNodeDescription *from = &making->model->nodes[n];
        RpMshNode node = {.flags = from->flags,
                          .parent = from->parent,
                          .map_start = making->places[n][0],
                          .fallback = making->places[n][1]};
        memcpy(node.slots, from->slots, sizeof node.slots);
        uint8_t *record = RpBuffer_Extend(&bytes, RP_MSH_NODE_BYTES);
        if (record)
            RpMshNode_Write(&node, record);
    }
    RpStatus status = AddStream(making, RP_MSH_NODES, &bytes, making->model->node_count,
                                making->model->nodes_attr2, RP_MSH_NODE_BYTES);
    RpBuffer_Free(&bytes);
    return status;
}

static RpStatus AddSlots(Making *making) {
    RpBuffer bytes = Begin(making);
    RpBuffer_Extend(&bytes, RP_MSH_HEADER_BYTES);
    for (uint32_t s = 0; s < making->model->slot_count; s++) {
        RpMshSlot slot = {0};
        const RpMshSlotDescription *from = &making->model->slots[s];
        uint32_t first = making->starts[from->first_batch];
        uint32_t end = making->starts[from->first_batch + from->batch_count];
        slot.first_triangle = (uint16_t)(first / 3);
        slot.triangle_count = (uint16_t)((end - first) / 3);
        slot.first_batch = (uint16_t)from->first_batch;
        slot.batch_count = (uint16_t)from->batch_count;
        memcpy(slot.opaque, from->opaque, sizeof slot.opaque);
        uint8_t *record = RpBuffer_Extend(&bytes, RP_MSH_SLOT_BYTES);
        if (record)
            RpMshSlot_Write(&slot, record);
    }
    RpStatus status =
        AddRecords(making, RP_MSH_SLOTS, &bytes, making->model->slot_count, RP_MSH_SLOT_BYTES);
    RpBuffer_Free(&bytes);
    return status;
}

/* Adds records that are bytes already; null stands for zeros. */
static RpStatus AddBytes(Making *making, uint32_t type, const void *records, uint32_t count,
                         uint32_t stride) {
    RpBuffer bytes = Begin(making);
    if (records)
        RpBuffer_Append(&bytes, records, (size_t)count * stride);
    else
        RpBuffer_Extend(&bytes, (size_t)count * stride);
    RpStatus status = AddRecords(making, type, &bytes, count, stride);
    RpBuffer_Free(&bytes);
    return status;
}

static RpStatus AddUv(Making *making, uint32_t type, const uint16_t (*uv)[2]) {
    RpBuffer bytes = Begin(making);
    for (uint32_t v = 0; v < making->model->vertex_count; v++) {
        RpBuffer_AppendU16(&bytes, uv[v][0]);
        RpBuffer_AppendU16(&bytes, uv[v][1]);
    }
    RpStatus status = AddRecords(making, type, &bytes, making->model->vertex_count, UV_BYTES);
    RpBuffer_Free(&bytes);
    return status;
}

static RpStatus AddBatches(Making *making) {
    RpBuffer bytes = Begin(making);
    for (uint32_t b = 0; b < making->model->batch_count; b++) {
        const RpMshBatchDescription *from = &making->model->batches[b];
        uint16_t vertex_count = 0;
        for (uint32_t i = 0; i < from->index_count; i++)
            if (from->indices[i] >= vertex_count)
                vertex_count = (uint16_t)(from->indices[i] + 1);
        const RpMshBatch batch = {.flags = from->flags,
                                  .material = from->material,
                                  .row = from->row,
                                  .lightmap = from->lightmap,
                                  .portal = from->portal,
                                  .index_count = (uint16_t)from->index_count,
                                  .first_index = making->starts[b],
                                  .vertex_count = vertex_count,
                                  .base_vertex = from->base_vertex};
        uint8_t *record = RpBuffer_Extend(&bytes, RP_MSH_BATCH_BYTES);
        if (record)
            RpMshBatch_Write(&batch, record);
    }
    RpStatus status =
        AddRecords(making, RP_MSH_BATCHES, &bytes, making->model->batch_count, RP_MSH_BATCH_BYTES);
    RpBuffer_Free(&bytes);
    return status;
}

static RpStatus AddTriangles(Making *making) {
    RpBuffer bytes = Begin(making);
    for (uint32_t b = 0; b < making->model->batch_count; b++) {
        const RpMshBatchDescription *batch = &making->model->batches[b];
        for (uint32_t t = 0; t < batch->index_count / 3; t++) {
            uint8_t *record = RpBuffer_Extend(&bytes, RP_MSH_TRIANGLE_BYTES);
            if (record && batch->triangle_flags)
                Bytes_PutU16(record, batch->triangle_flags[t]);
        }
    }
    RpStatus status =
        AddRecords(making, RP_MSH_TRIANGLES, &bytes, making->starts[making->model->batch_count] / 3,
                   RP_MSH_TRIANGLE_BYTES);
    RpBuffer_Free(&bytes);
    return status;
}

/* Adds the stream of that type. If the model has none, returns RP_OK without adding one. */
static RpStatus AddType(Making *making, uint32_t type) {
    const RpMshDescription *model = making->model;
    RpBuffer bytes = Begin(making);
    RpStatus status = RP_OK;
    switch (type) {
    case RP_MSH_NODES:
        return AddNodes(making);
    case RP_MSH_SLOTS:
        return AddSlots(making);
    case RP_MSH_POSITIONS:
        for (uint32_t v = 0; v < model->vertex_count; v++)
            for (int i = 0; i < 3; i++)
                Make_AppendFloat(&bytes, model->positions[v][i]);
        status = AddRecords(making, type, &bytes, model->vertex_count, POSITION_BYTES);
        break;
    case RP_MSH_NORMALS:
        return AddBytes(making, type, model->normals, model->vertex_count, NORMAL_BYTES);
    case RP_MSH_UV0:
        return AddUv(making, type, model->uv0);
    case RP_MSH_UV1:
        return model->uv1 ? AddUv(making, type, model->uv1) : RP_OK;
    case RP_MSH_RES15:
        return AddBytes(making, type, model->res15, model->vertex_count, RES_15_BYTES);
    case RP_MSH_RES16:
        return model->res16
                   ? AddBytes(making, type, model->res16, model->vertex_count, RES_16_BYTES)
                   : RP_OK;
    case RP_MSH_BATCHES:
        return AddBatches(making);
    case RP_MSH_INDICES:
        for (uint32_t b = 0; b < model->batch_count; b++)
            for (uint32_t i = 0; i < model->batches[b].index_count; i++)
                RpBuffer_AppendU16(&bytes, model->batches[b].indices[i]);
        status = AddRecords(making, type, &bytes, making->starts[model->batch_count], INDEX_BYTES);
        break;
    case RP_MSH_TRIANGLES:
        return AddTriangles(making);
    case RP_MSH_KEYS: /* 4 is not the stride: seed 000 section 2.1 */
        return AddStream(making, type, &making->tracks.keys, making->tracks.key_count, 0, 4);
    case RP_MSH_FRAME_MAP:
        return AddStream(making, type, &making->tracks.map, (uint32_t)(making->tracks.map.size / 2),
                         making->tracks.frame_count, MAP_WORD_BYTES);
    case RP_MSH_NAMES:
        for (uint32_t n = 0; n < model->node_count; n++)
            RpBuffer_Append(&bytes, model->nodes[n].name, RP_MSH_NAME_BYTES);
        status = AddRecords(making, type, &bytes, model->node_count, RP_MSH_NAME_BYTES);
        break;
    case RP_MSH_LABELS:
        for (uint32_t n = 0; n < model->node_count; n++)
            Make_AppendLabel(&bytes, model->nodes[n].label);
        status = AddStream(making, type, &bytes, model->node_count, 0, 0);
        break;
    case RP_MSH_PATHS:
        RpBuffer_Append(&bytes, model->paths,
                        (size_t)model->path_vertices * RP_MSH_PATH_VERTEX_BYTES +
                            (size_t)model->path_links * RP_MSH_PATH_LINK_BYTES);
        /* No attr3 was published. It is set to the stride of the records that attr1 counts. */
        status = AddStream(making, type, &bytes, model->path_vertices, model->path_links,
                           RP_MSH_PATH_VERTEX_BYTES);
        break;
    default:
        if (!model->uv1 && model->probe_count == 0)
            return RP_OK;
        for (uint32_t p = 0; p < model->probe_count; p++) {
            uint8_t *record = RpBuffer_Extend(&bytes, RP_MSH_PROBE_BYTES);
            if (record)
                RpMshProbe_Write(&model->probes[p], record);
        }
        status = AddRecords(making, RP_MSH_PROBES, &bytes, model->probe_count, RP_MSH_PROBE_BYTES);
        break;
    }
    RpBuffer_Free(&bytes);
    return status;
}

/* ---- before and after ------------------------------------------------------------------------ */

static RpStatus Prepare(Making *making) {
    const RpMshDescription *model = making->model;
    const RpAllocator *allocator = making->archive->allocator;
    making->places = Make_Array(allocator, model->node_count, sizeof *making->places);
    making->starts = Make_Array(allocator, (size_t)model->batch_count + 1, sizeof *making->starts);
    if (!making->places || !making->starts)
        return RpMemory_Refused(making->error, "a model");
    for (uint32_t b = 0; b < model->batch_count; b++)
        making->starts[b + 1] = making->starts[b] + model->batches[b].index_count;

    /* The model has as many frames as it says, or as its longest track needs. */
    RpStatus status = RP_OK;
    uint32_t needed = 1;
    for (uint32_t n = 0; n < model->node_count; n++) {
        uint32_t frames;
        status = Track_Frames(n, model->nodes[n].keys, model->nodes[n].key_count, &frames,
                              making->error);
        if (status != RP_OK)
            return status;
        needed = frames > needed ? frames : needed;
    }
    const uint32_t frame_count = model->frame_count > 0 ? model->frame_count : needed;
    if (frame_count < needed || frame_count > MAKE_MAX_FRAMES)
        return Make_Refuse(making->error, RP_INVALID, "M26: bad frame count", "description of",
                           model->node_count, "more than the last key time, at most 16777216",
                           "%" PRIu32 ", where %" PRIu32 " are needed", frame_count, needed);

    /* Nodes get the places of their tracks. */
    TrackWriter_Init(&making->tracks, frame_count, allocator);
    for (uint32_t n = 0; status == RP_OK && n < model->node_count; n++) {
        const RpMshNodeDescription *node = &model->nodes[n];
        status = TrackWriter_Add(&making->tracks, n, node->keys, node->key_count,
                                 &making->places[n][0], &making->places[n][1], making->error);
    }
    return status;
}

/* Replaces computed values by those that the description gives. */
static RpStatus Override(Making *making) {
    uint32_t index = (uint32_t)RpNResArchive_FindType(making->archive, RP_MSH_SLOTS);
    const RpNResMember *member = &making->archive->members[index];
    RpBuffer bytes = Begin(making);
    RpBuffer_Append(&bytes, member->data, member->size);
    if (bytes.failed) {
        RpBuffer_Free(&bytes);
        return RpMemory_Refused(making->error, "slots");
    }
    for (uint32_t s = 0; s < making->model->slot_count; s++) {
        const RpMshSlotDescription *from = &making->model->slots[s];
        uint8_t *record = bytes.bytes + RP_MSH_HEADER_BYTES + (size_t)s * RP_MSH_SLOT_BYTES;
        RpMshSlot slot;
        RpMshSlot_Read(&slot, record);
        if (from->has_sphere)
            memcpy(slot.sphere, from->sphere, sizeof slot.sphere);
        if (from->has_measures) {
            slot.area = from->area;
            slot.volume = from->volume;
        }
        RpMshSlot_Write(&slot, record);
    }
    if (making->model->has_header)
        RpMshHeader_Write(&making->model->header, bytes.bytes);
    RpStatus status =
        RpNResArchive_Replace(making->archive, index, bytes.bytes, bytes.size, making->error);
    RpBuffer_Free(&bytes);
    return status;
}

RpMshBatchDescription RpMshBatchDescription_Default(void) {
    return (RpMshBatchDescription){.portal = RP_MSH_NONE, .lightmap = 0xFF};
}

RpMshNodeDescription RpMshNodeDescription_Default(void) {
    RpMshNodeDescription node = {.parent = RP_MSH_NONE};
    for (int i = 0; i < RP_MSH_SLOT_WORDS; i++)
        node.slots[i] = RP_MSH_NONE;
    return node;
}

RpStatus RpMsh_Make(const RpMshDescription *model, RpNResArchive *archive, RpError *error) {
    MODES_OF_C();
    Making making = {.model = model, .archive = archive, .error = error};
    if (archive->count > 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the archive is not empty", "", "", "");
    RpStatus status = Description_Check(model, error);
    if (status == RP_OK)
        status = Prepare(&making);
    if (status == RP_OK) {
        /* The order is that of the 21 lit models. The other 414 have the same order without 18
         * and 20. No known model has 16. It goes behind 15, where the game's loader looks for it.
         */
        static const uint8_t order[] = {
            RP_MSH_NODES,     RP_MSH_SLOTS, RP_MSH_POSITIONS, RP_MSH_NORMALS, RP_MSH_UV0,
            RP_MSH_UV1,       RP_MSH_RES15, RP_MSH_RES16,     RP_MSH_BATCHES, RP_MSH_INDICES,
            RP_MSH_TRIANGLES, RP_MSH_KEYS,  RP_MSH_FRAME_MAP, RP_MSH_NAMES,   RP_MSH_LABELS,
            RP_MSH_PATHS,     RP_MSH_PROBES};
        for (size_t i = 0; status == RP_OK && i < sizeof order; i++)
            status = AddType(&making, order[i]);
        if (status == RP_OK)
            status = RpMsh_UpdateTriangles(making.archive, making.error);
        if (status == RP_OK)
            status = RpMsh_UpdateBounds(making.archive, &making.model->readings, making.error);
        if (status == RP_OK)
            status = Override(&making);
    }
    TrackWriter_Free(&making.tracks);
    RpMemory_Free(archive->allocator, making.places);
    RpMemory_Free(archive->allocator, making.starts);
    while (status != RP_OK && archive->count > 0)
        RpNResArchive_Remove(archive, archive->count - 1, NULL);
    return status;
}
