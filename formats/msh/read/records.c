/* Converts records of a model's streams between bytes and structs, with every bit in both
 * directions. animesh/records.h says where the fields are. */
#include "retropose/msh.h"

#include "animesh/records.h"
#include "core/bytes.h"

#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

/* Reads `size` bytes of little-endian numbers of `width` bytes each. They go through memory
 * only, so that a signalling NaN keeps its bits (docs/reference/arithmetic.md). */
static inline void GetNumbers(void *numbers, const uint8_t *bytes, size_t size, size_t width) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    (void)width;
    memcpy(numbers, bytes, size); /* compilers may not see that the loop below does the same */
#else
    for (size_t at = 0; at < size; at += width) {
        const uint16_t half = width == 2 ? Bytes_U16(bytes + at) : 0;
        const uint32_t word = width == 4 ? Bytes_U32(bytes + at) : 0;
        const void *number = width == 4   ? (const void *)&word
                             : width == 2 ? (const void *)&half
                                          : (const void *)(bytes + at);
        memcpy((uint8_t *)numbers + at, number, width);
    }
#endif
}

static inline void PutNumbers(uint8_t *bytes, const void *numbers, size_t size, size_t width) {
    for (size_t at = 0; at < size; at += width) {
        const uint8_t *number = (const uint8_t *)numbers + at;
        uint32_t word = number[0];
        uint16_t half;
        if (width == 2) {
            memcpy(&half, number, sizeof half);
            word = half;
        } else if (width == 4) {
            memcpy(&word, number, sizeof word);
        }
        for (size_t i = 0; i < width; i++)
            bytes[at + i] = (uint8_t)(word >> 8 * i);
    }
}

/* ---- records --------------------------------------------------------------------------------- */

/* READ_FIELD reads a field of `bytes` into the member of `*record` with the same name, and
 * WRITE_FIELD writes it back. The arguments are a row of animesh/records.h. If the member has not
 * the size of the field, the code does not compile. */
#define READ_FIELD(offset, type, count, name)                                                      \
    _Static_assert(sizeof record->name == STORED_BYTES_##type * (count), #name);                   \
    GetNumbers(&record->name, bytes + (offset), sizeof record->name, STORED_BYTES_##type);
#define WRITE_FIELD(offset, type, count, name)                                                     \
    PutNumbers(bytes + (offset), &record->name, sizeof record->name, STORED_BYTES_##type);

void RpMshNode_Read(RpMshNode *record, const uint8_t bytes[RP_MSH_NODE_BYTES]) {
    STORED_NODE(READ_FIELD)
}

void RpMshNode_Write(const RpMshNode *record, uint8_t bytes[RP_MSH_NODE_BYTES]) {
    STORED_NODE(WRITE_FIELD)
}

void RpMshHeader_Read(RpMshHeader *record, const uint8_t bytes[RP_MSH_HEADER_BYTES]) {
    STORED_HEADER(READ_FIELD)
}

void RpMshHeader_Write(const RpMshHeader *record, uint8_t bytes[RP_MSH_HEADER_BYTES]) {
    STORED_HEADER(WRITE_FIELD)
}

void RpMshSlot_Read(RpMshSlot *record, const uint8_t bytes[RP_MSH_SLOT_BYTES]) {
    STORED_SLOT(READ_FIELD)
}

void RpMshSlot_Write(const RpMshSlot *record, uint8_t bytes[RP_MSH_SLOT_BYTES]) {
    STORED_SLOT(WRITE_FIELD)
}

void RpMshBatch_Read(RpMshBatch *record, const uint8_t bytes[RP_MSH_BATCH_BYTES]) {
    STORED_BATCH(READ_FIELD)
}

void RpMshBatch_Write(const RpMshBatch *record, uint8_t bytes[RP_MSH_BATCH_BYTES]) {
    STORED_BATCH(WRITE_FIELD)
}

void RpMshTriangle_Read(RpMshTriangle *record, const uint8_t bytes[RP_MSH_TRIANGLE_BYTES]) {
    STORED_TRIANGLE(READ_FIELD)
}

void RpMshTriangle_Write(const RpMshTriangle *record, uint8_t bytes[RP_MSH_TRIANGLE_BYTES]) {
    STORED_TRIANGLE(WRITE_FIELD)
}

void RpMshKey_Read(RpMshKey *record, const uint8_t bytes[RP_MSH_KEY_BYTES]) {
    STORED_KEY(READ_FIELD)
}

void RpMshKey_Write(const RpMshKey *record, uint8_t bytes[RP_MSH_KEY_BYTES]) {
    STORED_KEY(WRITE_FIELD)
}

void RpMshProbe_Read(RpMshProbe *record, const uint8_t bytes[RP_MSH_PROBE_BYTES]) {
    STORED_PROBE(READ_FIELD)
}

void RpMshProbe_Write(const RpMshProbe *record, uint8_t bytes[RP_MSH_PROBE_BYTES]) {
    STORED_PROBE(WRITE_FIELD)
}

/* The numbers in the public header must be those of the tables. */
_Static_assert(RP_MSH_NODE_BYTES == sizeof(StoredNode), "nodes");
_Static_assert(RP_MSH_LEGACY_NODE_BYTES == sizeof(StoredLegacyNode), "nodes of the legacy form");
_Static_assert(RP_MSH_HEADER_BYTES == sizeof(StoredHeader), "the header");
_Static_assert(RP_MSH_SLOT_BYTES == sizeof(StoredSlot), "slots");
_Static_assert(RP_MSH_TRIANGLE_BYTES == sizeof(StoredTriangle), "triangles");
_Static_assert(RP_MSH_KEY_BYTES == sizeof(StoredKey), "keys");
_Static_assert(RP_MSH_NAME_BYTES == sizeof(StoredName), "names");
_Static_assert(RP_MSH_BATCH_BYTES == sizeof(StoredBatch), "batches");
_Static_assert(RP_MSH_PROBE_BYTES == sizeof(StoredProbe), "probes");
_Static_assert(2 * RP_MSH_SLOT_WORDS == sizeof((StoredNode *)0)->slots, "slots of a node");

/* ---- accessors ------------------------------------------------------------------------------- */

/* Returns the element's bytes, or null past the end of the stream. */
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
    memset(position, 0, POSITION_BYTES);
    if (bytes)
        GetNumbers(position, bytes, POSITION_BYTES, STORED_BYTES_f32);
    return bytes != NULL;
}

bool RpMsh_Normal(const RpMsh *msh, uint32_t vertex, int8_t normal[4]) {
    const uint8_t *bytes = ElementAt(msh, RP_MSH_NORMALS, vertex);
    memset(normal, 0, NORMAL_BYTES);
    if (bytes)
        memcpy(normal, bytes, NORMAL_BYTES);
    return bytes != NULL;
}

bool RpMsh_Uv(const RpMsh *msh, uint32_t type, uint32_t vertex, uint16_t uv[2]) {
    bool known = type == RP_MSH_UV0 || type == RP_MSH_UV1;
    const uint8_t *bytes = known ? ElementAt(msh, type, vertex) : NULL;
    memset(uv, 0, UV_BYTES);
    if (bytes)
        GetNumbers(uv, bytes, UV_BYTES, STORED_BYTES_u16);
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

/* ---- keys of a node -------------------------------------------------------------------------- */

static uint16_t Fallback(const RpMsh *msh, uint32_t node) {
    const uint8_t *record = msh->streams[RP_MSH_NODES].data + (size_t)node * NODE_BYTES;
    return Bytes_U16(record + NODE_AT_fallback);
}

bool RpMsh_Track(const RpMsh *msh, uint32_t node, uint32_t *first, uint32_t *last) {
    *first = *last = 0;
    if (msh->node_stride != RP_MSH_NODE_BYTES || node >= RpMsh_Count(msh, RP_MSH_NODES))
        return false;
    uint32_t start = node > 0 ? (uint32_t)Fallback(msh, node - 1) + 1 : 0;
    uint32_t end = Fallback(msh, node);
    if (end < start || end >= RpMsh_Count(msh, RP_MSH_KEYS))
        return false;
    *first = start;
    *last = end;
    return true;
}

bool RpMsh_KeyAt(const RpMsh *msh, uint32_t index, uint32_t frame, uint32_t *key) {
    RpMshNode node;
    uint16_t word = 0;
    *key = 0;
    if (!RpMsh_Node(msh, index, &node) || node.fallback >= RpMsh_Count(msh, RP_MSH_KEYS))
        return false;
    *key = node.fallback;
    if (frame >= msh->frame_count || node.map_start == RP_MSH_NONE)
        return true;
    uint64_t at = (uint64_t)node.map_start + frame;
    if (at > UINT32_MAX || !RpMsh_MapWord(msh, (uint32_t)at, &word)) {
        *key = 0;
        return false;
    }
    if (word < node.fallback)
        *key = word;
    return true;
}
