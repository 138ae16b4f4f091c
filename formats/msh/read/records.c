/* Records of a model's streams, between bytes and structs, every bit both ways (seed 001 section 5,
 * facts/formats.md C.2 to C.9). */
#include "retropose/msh.h"

#include "core/bytes.h"

#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static void PutU16(uint8_t *at, uint16_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static void PutU32(uint8_t *at, uint32_t value) {
    PutU16(at, (uint16_t)value);
    PutU16(at + 2, (uint16_t)(value >> 16));
}

static int16_t Signed(uint16_t value) {
    int16_t number;
    memcpy(&number, &value, sizeof number);
    return number;
}

/* Through memory only: a signalling NaN must keep its bits (docs/reference/arithmetic.md). */
static void GetFloats(float *values, const uint8_t *at, int count) {
    for (int i = 0; i < count; i++) {
        uint32_t bits = Bytes_U32(at + 4 * i);
        memcpy(&values[i], &bits, sizeof bits);
    }
}

static void PutFloats(uint8_t *at, const float *values, int count) {
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        PutU32(at + 4 * i, bits);
    }
}

/* ---- Res1 ------------------------------------------------------------------------------------ */

void RpMshNode_Read(RpMshNode *node, const uint8_t bytes[RP_MSH_NODE_BYTES]) {
    node->flags = Bytes_U16(bytes);
    node->parent = Bytes_U16(bytes + 2);
    node->map_start = Bytes_U16(bytes + 4);
    node->fallback = Bytes_U16(bytes + 6);
    for (int i = 0; i < RP_MSH_SLOT_WORDS; i++)
        node->slots[i] = Bytes_U16(bytes + 8 + 2 * i);
}

void RpMshNode_Write(const RpMshNode *node, uint8_t bytes[RP_MSH_NODE_BYTES]) {
    PutU16(bytes, node->flags);
    PutU16(bytes + 2, node->parent);
    PutU16(bytes + 4, node->map_start);
    PutU16(bytes + 6, node->fallback);
    for (int i = 0; i < RP_MSH_SLOT_WORDS; i++)
        PutU16(bytes + 8 + 2 * i, node->slots[i]);
}

/* ---- Res2 ------------------------------------------------------------------------------------ */

void RpMshHeader_Read(RpMshHeader *header, const uint8_t bytes[RP_MSH_HEADER_BYTES]) {
    for (int i = 0; i < 8; i++)
        GetFloats(header->corners[i], bytes + 12 * i, 3);
    GetFloats(header->sphere, bytes + 0x60, 4);
    GetFloats(header->axis_low, bytes + 0x70, 3);
    GetFloats(header->axis_high, bytes + 0x7C, 3);
    GetFloats(&header->axis_radius, bytes + 0x88, 1);
}

void RpMshHeader_Write(const RpMshHeader *header, uint8_t bytes[RP_MSH_HEADER_BYTES]) {
    for (int i = 0; i < 8; i++)
        PutFloats(bytes + 12 * i, header->corners[i], 3);
    PutFloats(bytes + 0x60, header->sphere, 4);
    PutFloats(bytes + 0x70, header->axis_low, 3);
    PutFloats(bytes + 0x7C, header->axis_high, 3);
    PutFloats(bytes + 0x88, &header->axis_radius, 1);
}

void RpMshSlot_Read(RpMshSlot *slot, const uint8_t bytes[RP_MSH_SLOT_BYTES]) {
    slot->first_triangle = Bytes_U16(bytes);
    slot->triangle_count = Bytes_U16(bytes + 2);
    slot->first_batch = Bytes_U16(bytes + 4);
    slot->batch_count = Bytes_U16(bytes + 6);
    GetFloats(slot->low, bytes + 8, 3);
    GetFloats(slot->high, bytes + 20, 3);
    GetFloats(slot->sphere, bytes + 32, 4);
    GetFloats(&slot->area, bytes + 48, 1);
    GetFloats(&slot->volume, bytes + 52, 1);
    for (int i = 0; i < 3; i++)
        slot->opaque[i] = Bytes_U32(bytes + 56 + 4 * i);
}

void RpMshSlot_Write(const RpMshSlot *slot, uint8_t bytes[RP_MSH_SLOT_BYTES]) {
    PutU16(bytes, slot->first_triangle);
    PutU16(bytes + 2, slot->triangle_count);
    PutU16(bytes + 4, slot->first_batch);
    PutU16(bytes + 6, slot->batch_count);
    PutFloats(bytes + 8, slot->low, 3);
    PutFloats(bytes + 20, slot->high, 3);
    PutFloats(bytes + 32, slot->sphere, 4);
    PutFloats(bytes + 48, &slot->area, 1);
    PutFloats(bytes + 52, &slot->volume, 1);
    for (int i = 0; i < 3; i++)
        PutU32(bytes + 56 + 4 * i, slot->opaque[i]);
}

/* ---- Res13 ----------------------------------------------------------------------------------- */

void RpMshBatch_Read(RpMshBatch *batch, const uint8_t bytes[RP_MSH_BATCH_BYTES]) {
    batch->flags = Bytes_U16(bytes);
    batch->material = Bytes_U16(bytes + 2);
    batch->row = bytes[4];
    batch->lightmap = bytes[5];
    batch->portal = Bytes_U16(bytes + 6);
    batch->index_count = Bytes_U16(bytes + 8);
    batch->first_index = Bytes_U32(bytes + 10);
    batch->vertex_count = Bytes_U16(bytes + 14);
    batch->base_vertex = Bytes_U32(bytes + 16);
}

void RpMshBatch_Write(const RpMshBatch *batch, uint8_t bytes[RP_MSH_BATCH_BYTES]) {
    PutU16(bytes, batch->flags);
    PutU16(bytes + 2, batch->material);
    bytes[4] = batch->row;
    bytes[5] = batch->lightmap;
    PutU16(bytes + 6, batch->portal);
    PutU16(bytes + 8, batch->index_count);
    PutU32(bytes + 10, batch->first_index);
    PutU16(bytes + 14, batch->vertex_count);
    PutU32(bytes + 16, batch->base_vertex);
}

/* ---- Res7 ------------------------------------------------------------------------------------ */

void RpMshTriangle_Read(RpMshTriangle *triangle, const uint8_t bytes[RP_MSH_TRIANGLE_BYTES]) {
    triangle->flags = Bytes_U16(bytes);
    for (int i = 0; i < 3; i++)
        triangle->neighbours[i] = Bytes_U16(bytes + 2 + 2 * i);
    for (int i = 0; i < 3; i++)
        triangle->normal[i] = Signed(Bytes_U16(bytes + 8 + 2 * i));
    triangle->edges = Bytes_U16(bytes + 14);
}

void RpMshTriangle_Write(const RpMshTriangle *triangle, uint8_t bytes[RP_MSH_TRIANGLE_BYTES]) {
    PutU16(bytes, triangle->flags);
    for (int i = 0; i < 3; i++)
        PutU16(bytes + 2 + 2 * i, triangle->neighbours[i]);
    for (int i = 0; i < 3; i++)
        PutU16(bytes + 8 + 2 * i, (uint16_t)triangle->normal[i]);
    PutU16(bytes + 14, triangle->edges);
}

/* ---- Res8 ------------------------------------------------------------------------------------ */

void RpMshKey_Read(RpMshKey *key, const uint8_t bytes[RP_MSH_KEY_BYTES]) {
    GetFloats(key->position, bytes, 3);
    GetFloats(&key->time, bytes + 12, 1);
    for (int i = 0; i < 4; i++)
        key->rotation[i] = Signed(Bytes_U16(bytes + 16 + 2 * i));
}

void RpMshKey_Write(const RpMshKey *key, uint8_t bytes[RP_MSH_KEY_BYTES]) {
    PutFloats(bytes, key->position, 3);
    PutFloats(bytes + 12, &key->time, 1);
    for (int i = 0; i < 4; i++)
        PutU16(bytes + 16 + 2 * i, (uint16_t)key->rotation[i]);
}

/* ---- Res20 ----------------------------------------------------------------------------------- */

void RpMshProbe_Read(RpMshProbe *probe, const uint8_t bytes[RP_MSH_PROBE_BYTES]) {
    uint32_t node = Bytes_U32(bytes);
    memcpy(&probe->node, &node, sizeof node);
    GetFloats(probe->position, bytes + 4, 3);
    GetFloats(probe->direction, bytes + 16, 3);
    GetFloats(probe->colour, bytes + 28, 4);
    GetFloats(&probe->intensity, bytes + 44, 1);
}

void RpMshProbe_Write(const RpMshProbe *probe, uint8_t bytes[RP_MSH_PROBE_BYTES]) {
    PutU32(bytes, (uint32_t)probe->node);
    PutFloats(bytes + 4, probe->position, 3);
    PutFloats(bytes + 16, probe->direction, 3);
    PutFloats(bytes + 28, probe->colour, 4);
    PutFloats(bytes + 44, &probe->intensity, 1);
}

/* ---- accessors ------------------------------------------------------------------------------- */

/* The element's bytes; null past the stream. */
static const uint8_t *ElementAt(const RpMsh *msh, uint32_t type, uint32_t index) {
    const RpMshStream *stream = &msh->streams[type];
    if (index >= stream->count)
        return NULL;
    size_t header = type == RP_MSH_SLOTS ? RP_MSH_HEADER_BYTES : 0;
    return stream->data + header + (size_t)index * RpMsh_Stride(msh, type);
}

bool RpMsh_Node(const RpMsh *msh, uint32_t index, RpMshNode *node) {
    const uint8_t *bytes = ElementAt(msh, RP_MSH_NODES, index);
    memset(node, 0, sizeof *node);
    if (!bytes || msh->node_stride != RP_MSH_NODE_BYTES)
        return false;
    RpMshNode_Read(node, bytes);
    return true;
}

bool RpMsh_Header(const RpMsh *msh, RpMshHeader *header) {
    const RpMshStream *stream = &msh->streams[RP_MSH_SLOTS];
    memset(header, 0, sizeof *header);
    if (!stream->data || stream->size < RP_MSH_HEADER_BYTES)
        return false;
    RpMshHeader_Read(header, stream->data);
    return true;
}

bool RpMsh_Slot(const RpMsh *msh, uint32_t index, RpMshSlot *slot) {
    const uint8_t *bytes = ElementAt(msh, RP_MSH_SLOTS, index);
    memset(slot, 0, sizeof *slot);
    if (bytes)
        RpMshSlot_Read(slot, bytes);
    return bytes != NULL;
}

bool RpMsh_Batch(const RpMsh *msh, uint32_t index, RpMshBatch *batch) {
    const uint8_t *bytes = ElementAt(msh, RP_MSH_BATCHES, index);
    memset(batch, 0, sizeof *batch);
    if (bytes)
        RpMshBatch_Read(batch, bytes);
    return bytes != NULL;
}

bool RpMsh_Triangle(const RpMsh *msh, uint32_t index, RpMshTriangle *triangle) {
    const uint8_t *bytes = ElementAt(msh, RP_MSH_TRIANGLES, index);
    memset(triangle, 0, sizeof *triangle);
    if (bytes)
        RpMshTriangle_Read(triangle, bytes);
    return bytes != NULL;
}

bool RpMsh_Key(const RpMsh *msh, uint32_t index, RpMshKey *key) {
    const uint8_t *bytes = ElementAt(msh, RP_MSH_KEYS, index);
    memset(key, 0, sizeof *key);
    if (bytes)
        RpMshKey_Read(key, bytes);
    return bytes != NULL;
}

bool RpMsh_Probe(const RpMsh *msh, uint32_t index, RpMshProbe *probe) {
    const uint8_t *bytes = ElementAt(msh, RP_MSH_PROBES, index);
    memset(probe, 0, sizeof *probe);
    if (bytes)
        RpMshProbe_Read(probe, bytes);
    return bytes != NULL;
}

bool RpMsh_Position(const RpMsh *msh, uint32_t vertex, float position[3]) {
    const uint8_t *bytes = ElementAt(msh, RP_MSH_POSITIONS, vertex);
    memset(position, 0, 3 * sizeof *position);
    if (bytes)
        GetFloats(position, bytes, 3);
    return bytes != NULL;
}

bool RpMsh_Normal(const RpMsh *msh, uint32_t vertex, int8_t normal[4]) {
    const uint8_t *bytes = ElementAt(msh, RP_MSH_NORMALS, vertex);
    memset(normal, 0, 4);
    if (bytes)
        memcpy(normal, bytes, 4);
    return bytes != NULL;
}

bool RpMsh_Uv(const RpMsh *msh, uint32_t type, uint32_t vertex, uint16_t uv[2]) {
    bool known = type == RP_MSH_UV0 || type == RP_MSH_UV1;
    const uint8_t *bytes = known ? ElementAt(msh, type, vertex) : NULL;
    uv[0] = bytes ? Bytes_U16(bytes) : 0;
    uv[1] = bytes ? Bytes_U16(bytes + 2) : 0;
    return bytes != NULL;
}

static bool WordAt(const RpMsh *msh, uint32_t type, uint32_t index, uint16_t *word) {
    const uint8_t *bytes = ElementAt(msh, type, index);
    *word = bytes ? Bytes_U16(bytes) : 0;
    return bytes != NULL;
}

bool RpMsh_Index(const RpMsh *msh, uint32_t index, uint16_t *value) {
    return WordAt(msh, RP_MSH_INDICES, index, value);
}

bool RpMsh_MapWord(const RpMsh *msh, uint32_t index, uint16_t *word) {
    return WordAt(msh, RP_MSH_FRAME_MAP, index, word);
}
