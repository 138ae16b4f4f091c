#include "formats/synthetic/synthetic_streams.h"

#include "animesh/records.h"
#include "core/bytes.h"

#include <string.h>

/* ---- all streams of a model ------------------------------------------------------------------ */

/* The bytes of a record. Labels have none, for each has a length of its own. */
static const uint8_t strides[RP_MSH_TYPE_LIMIT] = {[RP_MSH_NODES] = NODE_BYTES,
                                                   [RP_MSH_SLOTS] = SLOT_BYTES,
                                                   [RP_MSH_POSITIONS] = POSITION_BYTES,
                                                   [RP_MSH_NORMALS] = NORMAL_BYTES,
                                                   [RP_MSH_UV0] = UV_BYTES,
                                                   [RP_MSH_INDICES] = INDEX_BYTES,
                                                   [RP_MSH_TRIANGLES] = TRIANGLE_BYTES,
                                                   [RP_MSH_KEYS] = KEY_BYTES,
                                                   [RP_MSH_NAMES] = NAME_BYTES_OF_RES9,
                                                   [RP_MSH_BATCHES] = BATCH_BYTES,
                                                   [RP_MSH_RES15] = RES_15_BYTES,
                                                   [RP_MSH_RES16] = RES_16_BYTES,
                                                   [RP_MSH_UV1] = UV_BYTES,
                                                   [RP_MSH_FRAME_MAP] = MAP_WORD_BYTES,
                                                   [RP_MSH_PROBES] = PROBE_BYTES};
enum { STRIDE_IN_ENTRY_OF_KEYS = 4 }; /* in the game's files, although a key has 24 bytes */

void SyntheticStreams_Init(SyntheticStreams *streams, uint32_t frame_count) {
    for (uint32_t type = 0; type < RP_MSH_TYPE_LIMIT; type++)
        RpBuffer_Init(&streams->bytes[type], NULL);
    streams->frame_count = frame_count;
}

void SyntheticStreams_Free(SyntheticStreams *streams) {
    for (uint32_t type = 0; type < RP_MSH_TYPE_LIMIT; type++)
        RpBuffer_Free(&streams->bytes[type]);
}

void SyntheticStreams_Add(SyntheticStreams *streams, uint32_t type, const void *record) {
    RpBuffer_Append(&streams->bytes[type], record, strides[type]);
}

void SyntheticStreams_AddNode(SyntheticStreams *streams, const RpMshNode *node) {
    uint8_t bytes[RP_MSH_NODE_BYTES];
    RpMshNode_Write(node, bytes);
    SyntheticStreams_Add(streams, RP_MSH_NODES, bytes);
}

void SyntheticStreams_AddKey(SyntheticStreams *streams, const RpMshKey *key) {
    uint8_t bytes[RP_MSH_KEY_BYTES];
    RpMshKey_Write(key, bytes);
    SyntheticStreams_Add(streams, RP_MSH_KEYS, bytes);
}

void SyntheticStreams_AddSlot(SyntheticStreams *streams, const RpMshSlot *slot) {
    uint8_t bytes[RP_MSH_SLOT_BYTES];
    RpMshSlot_Write(slot, bytes);
    SyntheticStreams_Add(streams, RP_MSH_SLOTS, bytes);
}

void SyntheticStreams_AddBatch(SyntheticStreams *streams, const RpMshBatch *batch) {
    uint8_t bytes[RP_MSH_BATCH_BYTES];
    RpMshBatch_Write(batch, bytes);
    SyntheticStreams_Add(streams, RP_MSH_BATCHES, bytes);
}

void SyntheticStreams_AddTriangle(SyntheticStreams *streams, const RpMshTriangle *triangle) {
    uint8_t bytes[RP_MSH_TRIANGLE_BYTES];
    RpMshTriangle_Write(triangle, bytes);
    SyntheticStreams_Add(streams, RP_MSH_TRIANGLES, bytes);
}

uint32_t SyntheticStreams_Count(const SyntheticStreams *streams, uint32_t type) {
    if (type == RP_MSH_LABELS)
        type = RP_MSH_NODES;
    size_t size = streams->bytes[type].size;
    if (type == RP_MSH_SLOTS && size >= HEADER_BYTES_OF_RES2)
        size -= HEADER_BYTES_OF_RES2;
    return strides[type] ? (uint32_t)(size / strides[type]) : 0;
}

RpStatus SyntheticStreams_Write(const SyntheticStreams *streams,
                                const char name[RP_NRES_NAME_BYTES], const uint8_t *types,
                                uint32_t count, RpBuffer *image, RpError *error) {
    RpNResArchive archive;
    RpStatus status = RP_OK;
    RpNResArchive_Init(&archive, NULL);
    for (uint32_t i = 0; i < count && status == RP_OK; i++) {
        const uint32_t type = types[i];
        const RpBuffer *bytes = &streams->bytes[type];
        RpNResMember member = {.type = type,
                               .attr1 = SyntheticStreams_Count(streams, type),
                               .attr2 = type == RP_MSH_FRAME_MAP ? streams->frame_count : 0,
                               .attr3 =
                                   type == RP_MSH_KEYS ? STRIDE_IN_ENTRY_OF_KEYS : strides[type],
                               .data = bytes->bytes,
                               .size = (uint32_t)bytes->size};
        memcpy(member.name, name, sizeof member.name);
        status = bytes->failed ? RpMemory_Refused(error, "a stream of a model")
                               : RpNResArchive_Add(&archive, archive.count, &member, error);
    }
    if (status == RP_OK)
        status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, image, error);
    RpNResArchive_Free(&archive);
    return status;
}

/* ---- what a pose reads ----------------------------------------------------------------------- */

/* Returns the place for one more record at the end of a stream. The array is the caller's, who may
 * write to it. */
static uint8_t *Extend(const uint8_t *stream, uint32_t *size, uint32_t stride) {
    uint8_t *at = (uint8_t *)(uintptr_t)stream + *size;
    *size += stride;
    return at;
}

uint32_t SyntheticSkeleton_AddNode(RpSkeleton *skeleton, uint32_t flags, uint32_t parent,
                                   uint32_t map_start, uint32_t fallback) {
    uint8_t *node = Extend(skeleton->nodes, &skeleton->node_bytes, NODE_BYTES);
    Bytes_PutU16(node + NODE_AT_flags, flags);
    Bytes_PutU16(node + NODE_AT_parent, parent);
    Bytes_PutU16(node + NODE_AT_map_start, map_start);
    Bytes_PutU16(node + NODE_AT_fallback, fallback);
    return skeleton->node_bytes / NODE_BYTES - 1;
}

uint32_t SyntheticSkeleton_AddKey(RpSkeleton *skeleton, const RpMshKey *key) {
    RpMshKey_Write(key, Extend(skeleton->keys, &skeleton->key_bytes, KEY_BYTES));
    return skeleton->key_bytes / KEY_BYTES - 1;
}

uint32_t SyntheticSkeleton_AddWord(RpSkeleton *skeleton, uint32_t key) {
    Bytes_PutU16(Extend(skeleton->frame_map, &skeleton->frame_map_bytes, MAP_WORD_BYTES), key);
    return skeleton->frame_map_bytes / MAP_WORD_BYTES - 1;
}

uint32_t SyntheticSkeleton_KeyOfFrame(const RpSkeleton *skeleton, uint32_t first, uint32_t last,
                                      uint32_t frame) {
    for (uint32_t key = first; key < last; key++) {
        float next;
        memcpy(&next, skeleton->keys + (size_t)(key + 1) * KEY_BYTES + KEY_AT_time, sizeof next);
        if (!(next <= (float)frame))
            return key;
    }
    return last;
}

uint32_t SyntheticSkeleton_AddFrames(RpSkeleton *skeleton, uint32_t first, uint32_t last) {
    const uint32_t start = skeleton->frame_map_bytes / MAP_WORD_BYTES;
    for (uint32_t frame = 0; frame < skeleton->frame_count; frame++)
        SyntheticSkeleton_AddWord(skeleton,
                                  SyntheticSkeleton_KeyOfFrame(skeleton, first, last, frame));
    return start;
}
