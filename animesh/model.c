/* The three streams of a model that poses need, out of its NRes image (facts/formats.md A). */
#include "retropose/pose.h"

#include "animesh/bytes.h"
#include "animesh/streams.h"
#include "retropose/nres.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Of the fields of a directory record. */
enum { AT_SIZE = 0x0C, AT_ATTR3 = 0x10, AT_DATA_OFFSET = 0x38 };

static RpStatus Fail(RpError *error, RpStatus status, uint64_t offset, const char *what,
                     const char *where, const char *expected, uint64_t found) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, found);
    return RpError_Set(error, status, offset, what, where, expected, text);
}

static RpStatus CheckEntry(const RpNRes *archive, uint32_t index, RpError *error) {
    const RpNResEntry entry = RpNRes_Entry(archive, index);
    if (entry.data)
        return RP_OK;
    char where[40], expected[64], found[64];
    snprintf(where, sizeof where, "NRes entry %" PRIu32, index);
    snprintf(expected, sizeof expected, "bytes within 16 to %" PRIu32, archive->directory_offset);
    snprintf(found, sizeof found, "%" PRIu32 " to %" PRIu64, entry.data_offset,
             (uint64_t)entry.data_offset + entry.size);
    return RpError_Set(error, RP_CORRUPT, (uint64_t)entry.record_offset + AT_DATA_OFFSET,
                       "a payload lies outside the image's data", where, expected, found);
}

static RpStatus CheckEntries(const RpNRes *archive, RpError *error) {
    for (uint32_t i = 0; i < archive->count; i++) {
        RpStatus status = CheckEntry(archive, i, error);
        if (status != RP_OK)
            return status;
    }
    return RP_OK;
}

/* The first entry of a type, as the game's own look-up gives. */
static RpStatus FindType(const RpNRes *archive, uint32_t type, const char *name, RpNResEntry *entry,
                         RpError *error) {
    int32_t index = RpNRes_FindType(archive, type, 0);
    if (index >= 0) {
        *entry = RpNRes_Entry(archive, (uint32_t)index);
        return RP_OK;
    }
    char expected[40];
    snprintf(expected, sizeof expected, "an entry of type %" PRIu32, type);
    return RpError_Set(error, RP_NOT_FOUND, archive->directory_offset, "a stream is missing", name,
                       expected, "none");
}

static RpStatus CheckStride(const RpNResEntry *entry, uint32_t stride, const char *name,
                            RpError *error) {
    if (entry->size % stride == 0)
        return RP_OK;
    char expected[40];
    snprintf(expected, sizeof expected, "a multiple of %" PRIu32, stride);
    return Fail(error, RP_CORRUPT, (uint64_t)entry->record_offset + AT_SIZE,
                "a stream has a part of an element", name, expected, entry->size);
}

static RpStatus FindStream(const RpNRes *archive, uint32_t type, uint32_t stride, const char *name,
                           RpNResEntry *entry, RpError *error) {
    RpStatus status = FindType(archive, type, name, entry, error);
    return status == RP_OK ? CheckStride(entry, stride, name, error) : status;
}

static RpStatus FindNodes(const RpNRes *archive, RpNResEntry *nodes, RpError *error) {
    static const char name[] = "Res1, nodes";
    RpStatus status = FindType(archive, RES_NODES, name, nodes, error);
    if (status != RP_OK)
        return status;
    if (nodes->attr3 != NODE_BYTES)
        return Fail(error, nodes->attr3 == NODE_BYTES_LEGACY ? RP_UNSUPPORTED : RP_CORRUPT,
                    (uint64_t)nodes->record_offset + AT_ATTR3, "the nodes have another stride",
                    name, "38", nodes->attr3);
    return CheckStride(nodes, NODE_BYTES, name, error);
}

static RpStatus OpenImage(const void *image, size_t size, RpNRes *archive, RpError *error) {
    static const char where[] = "NRes header"; /* all that a tolerant reader insists on */
    RpStatus status = RpNRes_Open(image, size, RP_TOLERANT, archive, error);
    if (status != RP_OK && error && !error->where[0])
        memcpy(error->where, where, sizeof where);
    return status;
}

RpStatus RpModel_FromNRes(const void *image, size_t size, RpModel *model, RpError *error) {
    RpNRes archive = {0};
    RpNResEntry nodes = {0}, keys = {0}, frame_map = {0};
    RpStatus status = OpenImage(image, size, &archive, error);
    if (status == RP_OK)
        status = CheckEntries(&archive, error);
    if (status == RP_OK)
        status = FindNodes(&archive, &nodes, error);
    if (status == RP_OK)
        status = FindStream(&archive, RES_KEYS, KEY_BYTES, "Res8, keys", &keys, error);
    if (status == RP_OK)
        status = FindStream(&archive, RES_FRAME_MAP, MAP_WORD_BYTES, "Res19, frame map", &frame_map,
                            error);
    if (status != RP_OK)
        return status;
    *model = (RpModel){.nodes = nodes.data,
                       .node_bytes = nodes.size,
                       .keys = keys.data,
                       .key_bytes = keys.size,
                       .frame_map = frame_map.data,
                       .frame_map_bytes = frame_map.size,
                       .frame_count = frame_map.attr2};
    return RP_OK;
}

uint32_t RpModel_NodeCount(const RpModel *model) {
    return model->node_bytes / NODE_BYTES;
}

int32_t RpModel_Parent(const RpModel *model, uint32_t node) {
    if (node >= RpModel_NodeCount(model))
        return -1;
    uint16_t parent = Bytes_U16(model->nodes + (size_t)node * NODE_BYTES + NODE_AT_PARENT);
    return parent == NO_INDEX ? -1 : parent;
}
