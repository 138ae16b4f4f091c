#include "formats/msh/read/model_archive.h"

#include "animesh/streams.h"
#include "formats/nres/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

RpStatus ModelArchive_Open(const void *image, size_t size, RpNRes *archive, RpError *error) {
    static const char where[] = "NRes header"; /* a tolerant reader only demands the header */
    RpStatus status = RpNRes_Open(image, size, RP_TOLERANT, archive, error);
    if (status != RP_OK && error && !error->where[0])
        memcpy(error->where, where, sizeof where);
    for (uint32_t i = 0; status == RP_OK && i < archive->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        if (entry.data)
            continue;
        char place[40], expected[64], found[64];
        snprintf(place, sizeof place, "NRes entry %" PRIu32, i);
        snprintf(expected, sizeof expected, "bytes within 16 to %" PRIu32,
                 archive->directory_offset);
        snprintf(found, sizeof found, "%" PRIu32 " to %" PRIu64, entry.data_offset,
                 (uint64_t)entry.data_offset + entry.size);
        status = RpError_Set(error, RP_CORRUPT, (uint64_t)entry.record_offset + NRES_AT_DATA_OFFSET,
                             "a payload lies outside the image's data", place, expected, found);
    }
    return status;
}

RpStatus ModelArchive_Find(const RpNRes *archive, uint32_t type, const char *name,
                           RpNResEntry *entry, RpError *error) {
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

RpStatus ModelArchive_CheckSize(const RpNResEntry *entry, uint32_t header, uint32_t stride,
                                const char *name, RpError *error) {
    const uint64_t at = (uint64_t)entry->record_offset + NRES_AT_SIZE;
    char expected[64], found[24];
    snprintf(found, sizeof found, "%" PRIu32, entry->size);
    if (entry->size < header) {
        snprintf(expected, sizeof expected, "at least %" PRIu32, header);
        return RpError_Set(error, RP_TRUNCATED, at, "a stream ends in its header", name, expected,
                           found);
    }
    if ((entry->size - header) % stride == 0)
        return RP_OK;
    if (header)
        snprintf(expected, sizeof expected, "%" PRIu32 " and a multiple of %" PRIu32, header,
                 stride);
    else
        snprintf(expected, sizeof expected, "a multiple of %" PRIu32, stride);
    return RpError_Set(error, RP_CORRUPT, at, "a stream has a part of an element", name, expected,
                       found);
}

static RpStatus WrongAttr3(const RpNResEntry *entry, RpStatus status, const char *what,
                           const char *name, uint32_t attr3, RpError *error) {
    char expected[24], found[24];
    snprintf(expected, sizeof expected, "%" PRIu32, attr3);
    snprintf(found, sizeof found, "%" PRIu32, entry->attr3);
    return RpError_Set(error, status, (uint64_t)entry->record_offset + NRES_AT_ATTR3, what, name,
                       expected, found);
}

RpStatus ModelArchive_CheckAttr3(const RpNResEntry *entry, uint32_t attr3, const char *name,
                                 RpError *error) {
    if (entry->attr3 == attr3)
        return RP_OK;
    return WrongAttr3(entry, RP_CORRUPT, "attr3 is not what streams of this type have", name, attr3,
                      error);
}

RpStatus ModelArchive_FindNodes(const RpNRes *archive, RpNResEntry *nodes, RpError *error) {
    static const char name[] = "Res1, nodes";
    RpStatus status = ModelArchive_Find(archive, RES_NODES, name, nodes, error);
    if (status != RP_OK)
        return status;
    if (nodes->attr3 != NODE_BYTES)
        return WrongAttr3(nodes, nodes->attr3 == NODE_BYTES_LEGACY ? RP_UNSUPPORTED : RP_CORRUPT,
                          "the nodes have another stride", name, NODE_BYTES, error);
    return ModelArchive_CheckSize(nodes, 0, NODE_BYTES, name, error);
}
