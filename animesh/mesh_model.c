/* Reads the records of a loaded model from its streams (facts/animesh.md D.3, E.2, E.3). */
#include "animesh/mesh.h"
#include "animesh/streams.h"
#include "core/bytes.h"

#include <string.h>

/* MeshModel_Header copies the header as a whole, so its members have to lie as in the file. */
_Static_assert(offsetof(MeshHeader, corners) == HEADER_AT_corners &&
                   offsetof(MeshHeader, sphere) == HEADER_AT_sphere &&
                   offsetof(MeshHeader, capsule) == HEADER_AT_axis_low &&
                   sizeof(MeshHeader) == HEADER_BYTES_OF_RES2,
               "the header of Res2");

/* ---- from a reader --------------------------------------------------------------------------- */

static uint32_t UnknownSize(const uint8_t *data) {
    return data ? UINT32_MAX : 0;
}

static MeshStream UnknownStream(const uint8_t *data) {
    return (MeshStream){data, UnknownSize(data)};
}

void MeshModel_FromReader(const Reader *reader, MeshModel *model) {
    /* The loader adds the header's size even to the null pointer of a missing Res2. */
    const bool has_slots = (uintptr_t)reader->slots != HEADER_BYTES_OF_RES2;
    *model = (MeshModel){.pose = {.nodes = reader->nodes,
                                  .node_bytes = UnknownSize(reader->nodes),
                                  .keys = reader->keys,
                                  .key_bytes = UnknownSize(reader->keys),
                                  .frame_map = reader->frame_map,
                                  .frame_map_bytes = UnknownSize(reader->frame_map),
                                  .frame_count = reader->frame_count},
                         .bounded = false,
                         .header = reader->header,
                         .slots = UnknownStream(has_slots ? reader->slots : NULL),
                         .positions = UnknownStream(reader->positions),
                         .normals = UnknownStream(reader->normals),
                         .uv0 = UnknownStream(reader->uv0),
                         .uv1 = UnknownStream(reader->uv1_stream),
                         .indices = UnknownStream(reader->indices),
                         .triangles = UnknownStream(reader->triangles),
                         .batches = UnknownStream(reader->batches),
                         .probes = {reader->res20, reader->res20 ? reader->res20_count : 0},
                         .strings = reader->strings,
                         .string_bytes = UnknownSize(reader->strings)};
}

/* ---- nodes ----------------------------------------------------------------------------------- */

uint32_t MeshModel_NodeCount(const MeshModel *model) {
    return model->bounded ? model->pose.node_bytes / NODE_BYTES : UnknownSize(model->pose.nodes);
}

static const uint8_t *NodeAt(const MeshModel *model, uint32_t node) {
    return node < MeshModel_NodeCount(model) ? model->pose.nodes + (size_t)node * NODE_BYTES : NULL;
}

bool MeshModel_NodeFlags(const MeshModel *model, uint32_t node, uint16_t *flags) {
    const uint8_t *record = NodeAt(model, node);
    *flags = record ? Bytes_U16(record + NODE_AT_flags) : 0;
    return record;
}

bool MeshModel_Parent(const MeshModel *model, uint32_t node, int32_t *parent) {
    const uint8_t *record = NodeAt(model, node);
    uint16_t word = record ? Bytes_U16(record + NODE_AT_parent) : NO_INDEX;
    *parent = word == NO_INDEX ? -1 : word;
    return record;
}

/* The offset is computed in 32 bits, as by the original: a variant that does not exist leads into
 * the nodes that follow. */
bool MeshModel_SlotWord(const MeshModel *model, uint32_t node, uint32_t level, uint32_t variant,
                        uint16_t *slot) {
    const RpSkeleton *pose = &model->pose;
    uint32_t offset = node * NODE_BYTES + NODE_AT_slots + (variant * NODE_LEVELS + level) * 2;
    bool inside = pose->nodes && (!model->bounded ||
                                  (offset <= pose->node_bytes && pose->node_bytes - offset >= 2));
    *slot = inside ? Bytes_U16(pose->nodes + offset) : NO_INDEX;
    return inside;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static bool HasText(const MeshModel *model, uint64_t offset, uint64_t size) {
    return model->strings && (!model->bounded || (offset <= model->string_bytes &&
                                                  size <= model->string_bytes - offset));
}

const char *MeshModel_Text(const MeshModel *model, uint32_t node, uint32_t *length) {
    uint64_t offset = 0;
    *length = 0;
    for (uint32_t i = 0; HasText(model, offset, 4); i++) {
        uint32_t bytes = Bytes_U32(model->strings + (size_t)offset);
        /* The size includes the closing NUL. */
        uint64_t record = 4 + (bytes ? (uint64_t)bytes + 1 : 0);
        if (!HasText(model, offset, record))
            break;
        if (i == node && bytes) {
            const char *text = (const char *)model->strings + (size_t)offset + 4;
            while (*length < bytes && text[*length])
                (*length)++;
            return text;
        }
        if (i == node)
            break;
        offset += record;
    }
    return NULL;
}

/* ---- geometry -------------------------------------------------------------------------------- */

static const uint8_t *ElementAt(MeshStream stream, uint32_t index, uint32_t stride) {
    return index < stream.count ? stream.data + (size_t)index * stride : NULL;
}

bool MeshModel_Header(const MeshModel *model, MeshHeader *header) {
    memset(header, 0, sizeof *header);
    if (model->header)
        memcpy(header, model->header, sizeof *header);
    return model->header;
}

bool MeshModel_Slot(const MeshModel *model, uint32_t index, MeshSlot *slot) {
    const uint8_t *record = ElementAt(model->slots, index, SLOT_BYTES);
    memset(slot, 0, sizeof *slot);
    if (!record)
        return false;
    slot->index = index;
    slot->first_triangle = Bytes_U16(record + SLOT_AT_first_triangle);
    slot->triangle_count = Bytes_U16(record + SLOT_AT_triangle_count);
    slot->first_batch = Bytes_U16(record + SLOT_AT_first_batch);
    slot->batch_count = Bytes_U16(record + SLOT_AT_batch_count);
    memcpy(slot->low, record + SLOT_AT_low, sizeof slot->low);
    memcpy(slot->high, record + SLOT_AT_high, sizeof slot->high);
    memcpy(slot->sphere, record + SLOT_AT_sphere, sizeof slot->sphere);
    memcpy(&slot->area, record + SLOT_AT_area, sizeof slot->area);
    memcpy(&slot->volume, record + SLOT_AT_volume, sizeof slot->volume);
    return true;
}

bool MeshModel_Batch(const MeshModel *model, uint32_t index, MeshBatch *batch) {
    const uint8_t *record = ElementAt(model->batches, index, BATCH_BYTES);
    memset(batch, 0, sizeof *batch);
    if (!record)
        return false;
    /* The high half is `material` of the batch table. */
    batch->flags = Bytes_U32(record + BATCH_AT_flags);
    batch->material = record[BATCH_AT_row];
    batch->lightmap = record[BATCH_AT_lightmap];
    batch->portal = Bytes_U16(record + BATCH_AT_portal);
    batch->index_count = Bytes_U16(record + BATCH_AT_index_count);
    batch->first_index = Bytes_U32(record + BATCH_AT_first_index);
    batch->vertex_count = Bytes_U16(record + BATCH_AT_vertex_count);
    batch->base_vertex = Bytes_U32(record + BATCH_AT_base_vertex);
    return true;
}

bool MeshModel_Triangle(const MeshModel *model, uint32_t index, MeshTriangle *triangle) {
    const uint8_t *record = ElementAt(model->triangles, index, TRIANGLE_BYTES);
    memset(triangle, 0, sizeof *triangle);
    if (!record)
        return false;
    triangle->flags = Bytes_U16(record + TRIANGLE_AT_flags);
    for (int i = 0; i < 3; i++) {
        triangle->neighbours[i] = Bytes_U16(record + TRIANGLE_AT_neighbours + 2 * i);
        triangle->normal[i] = (int16_t)Bytes_U16(record + TRIANGLE_AT_normal + 2 * i);
    }
    triangle->edges = Bytes_U16(record + TRIANGLE_AT_edges);
    return true;
}

bool MeshModel_Vertex(const MeshModel *model, uint32_t index, float position[3]) {
    const uint8_t *record = ElementAt(model->positions, index, POSITION_BYTES);
    memset(position, 0, POSITION_BYTES);
    if (record)
        memcpy(position, record, POSITION_BYTES);
    return record;
}

bool MeshModel_Index(const MeshModel *model, uint32_t index, uint16_t *value) {
    const uint8_t *record = ElementAt(model->indices, index, INDEX_BYTES);
    *value = record ? Bytes_U16(record) : 0;
    return record;
}

bool MeshModel_Corner(const MeshModel *model, const MeshBatch *batch, uint32_t corner,
                      float position[3]) {
    uint16_t index;
    if (corner > UINT32_MAX - batch->first_index ||
        !MeshModel_Index(model, batch->first_index + corner, &index))
        return false;
    return index <= UINT32_MAX - batch->base_vertex &&
           MeshModel_Vertex(model, batch->base_vertex + index, position);
}

bool MeshModel_Uv(const MeshModel *model, uint32_t vertex, int16_t uv[2]) {
    const uint8_t *record = ElementAt(model->uv0, vertex, UV_BYTES);
    for (int i = 0; i < 2; i++)
        uv[i] = record ? (int16_t)Bytes_U16(record + 2 * i) : 0;
    return record;
}
