/* The offsets of everything in an NRes image (facts/formats.md A.1 and A.2). */
#ifndef RETROPOSE_FORMATS_NRES_RECORD_H
#define RETROPOSE_FORMATS_NRES_RECORD_H

#include "core/bytes.h"
#include "retropose/nres.h"

/* Offsets of the fields of the header. */
enum { NRES_AT_VERSION = 4, NRES_AT_COUNT = 8, NRES_AT_TOTAL = 12 };

/* Offsets of the fields of a record. */
enum {
    NRES_AT_TYPE = 0x00,
    NRES_AT_ATTR1 = 0x04,
    NRES_AT_ATTR2 = 0x08,
    NRES_AT_SIZE = 0x0C,
    NRES_AT_ATTR3 = 0x10,
    NRES_AT_NAME = 0x14,
    NRES_AT_DATA_OFFSET = 0x38,
    NRES_AT_SORT_INDEX = 0x3C
};

static inline const uint8_t *NRes_Record(const RpNRes *archive, uint32_t index) {
    return archive->image + archive->directory_offset + (size_t)index * RP_NRES_RECORD_BYTES;
}

static inline const uint8_t *NRes_NameField(const RpNRes *archive, uint32_t index) {
    return NRes_Record(archive, index) + NRES_AT_NAME;
}

static inline uint32_t NRes_SortIndex(const RpNRes *archive, uint32_t index) {
    return Bytes_U32(NRes_Record(archive, index) + NRES_AT_SORT_INDEX);
}

/* Whether a payload lies within the data region. */
static inline bool NRes_IsInside(const RpNRes *archive, uint32_t offset, uint32_t size) {
    return offset >= RP_NRES_HEADER_BYTES && offset <= archive->directory_offset &&
           size <= archive->directory_offset - offset;
}

static inline uint64_t NRes_Align(uint64_t offset) {
    return (offset + (RP_NRES_ALIGNMENT - 1)) & ~(uint64_t)(RP_NRES_ALIGNMENT - 1);
}

#endif
