/* The three streams of a model that poses need, out of its NRes image (facts/formats.md A). */
#include "retropose/pose.h"

#include "animesh/bytes.h"
#include "animesh/streams.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    HEADER_BYTES = 16,
    RECORD_BYTES = 64, /* of the directory, at the end of the image */
    VERSION = 0x100
};

typedef struct Directory {
    const uint8_t *image;
    uint32_t offset;
    uint32_t count;
} Directory;

typedef struct Entry {
    uint32_t attr2, attr3;
    uint32_t size, data_offset;
    uint64_t at; /* byte offset of the record */
} Entry;

/* Of the fields of a record. */
enum { AT_TYPE = 0x00, AT_ATTR2 = 0x08, AT_SIZE = 0x0C, AT_ATTR3 = 0x10, AT_DATA_OFFSET = 0x38 };

static RpStatus Fail(RpError *error, RpStatus status, uint64_t offset, const char *what,
                     const char *where, const char *expected, uint64_t found) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, found);
    return RpError_Set(error, status, offset, what, where, expected, text);
}

static Entry Directory_Entry(const Directory *directory, uint32_t index) {
    uint64_t at = directory->offset + (uint64_t)index * RECORD_BYTES;
    const uint8_t *record = directory->image + at;
    return (Entry){.attr2 = Bytes_U32(record + AT_ATTR2),
                   .attr3 = Bytes_U32(record + AT_ATTR3),
                   .size = Bytes_U32(record + AT_SIZE),
                   .data_offset = Bytes_U32(record + AT_DATA_OFFSET),
                   .at = at};
}

static RpStatus CheckHeader(const uint8_t *image, size_t size, RpError *error) {
    if (size < HEADER_BYTES)
        return Fail(error, RP_TRUNCATED, size, "the image ends in its header", "NRes header",
                    "16 bytes", size);
    if (memcmp(image, "NRes", 4) != 0) {
        char found[16];
        snprintf(found, sizeof found, "%02X %02X %02X %02X", image[0], image[1], image[2],
                 image[3]);
        return RpError_Set(error, RP_CORRUPT, 0, "this is not an NRes image", "NRes header",
                           "4E 52 65 73", found);
    }
    if (Bytes_U32(image + 4) != VERSION)
        return Fail(error, RP_CORRUPT, 4, "the version is unknown", "NRes header", "256",
                    Bytes_U32(image + 4));
    uint32_t total = Bytes_U32(image + 12);
    if (total != size) {
        char expected[24];
        snprintf(expected, sizeof expected, "%zu", size);
        return Fail(error, total > size ? RP_TRUNCATED : RP_CORRUPT, 12,
                    "the stated size is not the image's", "NRes header", expected, total);
    }
    return RP_OK;
}

static RpStatus OpenDirectory(const uint8_t *image, size_t size, Directory *directory,
                              RpError *error) {
    RpStatus status = CheckHeader(image, size, error);
    if (status != RP_OK)
        return status;
    uint32_t count = Bytes_U32(image + 8), total = Bytes_U32(image + 12);
    if (count > (total - HEADER_BYTES) / RECORD_BYTES) {
        char expected[40];
        snprintf(expected, sizeof expected, "at most %" PRIu32 " entries",
                 (total - HEADER_BYTES) / RECORD_BYTES);
        return Fail(error, RP_CORRUPT, 8, "the directory does not fit", "NRes header", expected,
                    count);
    }
    *directory =
        (Directory){.image = image, .offset = total - count * RECORD_BYTES, .count = count};
    return RP_OK;
}

static RpStatus CheckEntry(const Directory *directory, uint32_t index, RpError *error) {
    Entry entry = Directory_Entry(directory, index);
    uint64_t end = (uint64_t)entry.data_offset + entry.size;
    if (entry.data_offset >= HEADER_BYTES && end <= directory->offset)
        return RP_OK;
    char where[40], expected[64], found[64];
    snprintf(where, sizeof where, "NRes entry %" PRIu32, index);
    snprintf(expected, sizeof expected, "bytes within 16 to %" PRIu32, directory->offset);
    snprintf(found, sizeof found, "%" PRIu32 " to %" PRIu64, entry.data_offset, end);
    return RpError_Set(error, RP_CORRUPT, entry.at + AT_DATA_OFFSET,
                       "a payload lies outside the image's data", where, expected, found);
}

/* The first entry of a type, as the game's own look-up gives. */
static RpStatus FindType(const Directory *directory, uint32_t type, const char *name, Entry *entry,
                         RpError *error) {
    for (uint32_t i = 0; i < directory->count; i++) {
        *entry = Directory_Entry(directory, i);
        if (Bytes_U32(directory->image + entry->at + AT_TYPE) == type)
            return RP_OK;
    }
    char expected[40];
    snprintf(expected, sizeof expected, "an entry of type %" PRIu32, type);
    return RpError_Set(error, RP_NOT_FOUND, directory->offset, "a stream is missing", name,
                       expected, "none");
}

static RpStatus CheckStride(const Entry *entry, uint32_t stride, const char *name, RpError *error) {
    if (entry->size % stride == 0)
        return RP_OK;
    char expected[40];
    snprintf(expected, sizeof expected, "a multiple of %" PRIu32, stride);
    return Fail(error, RP_CORRUPT, entry->at + AT_SIZE, "a stream has a part of an element", name,
                expected, entry->size);
}

static RpStatus FindStream(const Directory *directory, uint32_t type, uint32_t stride,
                           const char *name, Entry *entry, RpError *error) {
    RpStatus status = FindType(directory, type, name, entry, error);
    return status == RP_OK ? CheckStride(entry, stride, name, error) : status;
}

static RpStatus FindNodes(const Directory *directory, Entry *nodes, RpError *error) {
    static const char name[] = "Res1, nodes";
    RpStatus status = FindType(directory, RES_NODES, name, nodes, error);
    if (status != RP_OK)
        return status;
    if (nodes->attr3 != NODE_BYTES)
        return Fail(error, nodes->attr3 == NODE_BYTES_LEGACY ? RP_UNSUPPORTED : RP_CORRUPT,
                    nodes->at + AT_ATTR3, "the nodes have another stride", name, "38",
                    nodes->attr3);
    return CheckStride(nodes, NODE_BYTES, name, error);
}

static RpStatus CheckEntries(const Directory *directory, RpError *error) {
    for (uint32_t i = 0; i < directory->count; i++) {
        RpStatus status = CheckEntry(directory, i, error);
        if (status != RP_OK)
            return status;
    }
    return RP_OK;
}

RpStatus RpModel_FromNRes(const void *image, size_t size, RpModel *model, RpError *error) {
    Directory directory = {0};
    Entry nodes, keys, frame_map;
    RpStatus status = OpenDirectory(image, size, &directory, error);
    if (status == RP_OK)
        status = CheckEntries(&directory, error);
    if (status == RP_OK)
        status = FindNodes(&directory, &nodes, error);
    if (status == RP_OK)
        status = FindStream(&directory, RES_KEYS, KEY_BYTES, "Res8, keys", &keys, error);
    if (status == RP_OK)
        status = FindStream(&directory, RES_FRAME_MAP, MAP_WORD_BYTES, "Res19, frame map",
                            &frame_map, error);
    if (status != RP_OK)
        return status;
    const uint8_t *bytes = image;
    *model = (RpModel){.nodes = bytes + nodes.data_offset,
                       .node_bytes = nodes.size,
                       .keys = bytes + keys.data_offset,
                       .key_bytes = keys.size,
                       .frame_map = bytes + frame_map.data_offset,
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
