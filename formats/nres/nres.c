/* Reading NRes images in place (facts/formats.md A). */
#include "retropose/nres.h"

#include "formats/nres/name.h"
#include "formats/nres/nres_rules.h"
#include "formats/nres/record.h"

#include <string.h>

/* ---- opening --------------------------------------------------------------------------------- */

static void TakeFirst(void *context, const RpFinding *finding) {
    RpFinding *first = context;
    *first = *finding;
}

RpStatus RpNRes_Open(const void *image, size_t size, RpReadMode mode, RpNRes *archive,
                     RpError *error) {
    RpNRes opened;
    RpFinding first;
    const RpFindingSink sink = {.take = TakeFirst, .context = &first};
    NResInspection inspection = {.archive = &opened, .sink = &sink, .first_alone = true};
    if (NResRules_Header(image, size, &opened, &inspection) && mode == RP_STRICT)
        NResRules_Sound(&inspection);
    if (inspection.stopped) {
        /* An image is truncated if its header promises more than there is. Every other violation of
         * a rule is corruption. */
        const RpFindingCounter counter = {.first_error = first};
        RpFindingCounter_Verdict(&counter, error);
        const bool is_cut = size < RP_NRES_HEADER_BYTES ||
                            (first.offset == NRES_AT_TOTAL &&
                             Bytes_U32((const uint8_t *)image + NRES_AT_TOTAL) > size);
        if (is_cut && error)
            error->status = RP_TRUNCATED;
        return is_cut ? RP_TRUNCATED : RP_CORRUPT;
    }
    *archive = opened;
    return RP_OK;
}

/* ---- entries --------------------------------------------------------------------------------- */

RpNResEntry RpNRes_Entry(const RpNRes *archive, uint32_t index) {
    const uint8_t *record = NRes_Record(archive, index);
    RpNResEntry entry = {
        .index = index,
        .type = Bytes_U32(record + NRES_AT_TYPE),
        .attr1 = Bytes_U32(record + NRES_AT_ATTR1),
        .attr2 = Bytes_U32(record + NRES_AT_ATTR2),
        .attr3 = Bytes_U32(record + NRES_AT_ATTR3),
        .name = (const char *)record + NRES_AT_NAME,
        .name_length = NResName_Length(record + NRES_AT_NAME),
        .size = Bytes_U32(record + NRES_AT_SIZE),
        .data_offset = Bytes_U32(record + NRES_AT_DATA_OFFSET),
        .sort_index = Bytes_U32(record + NRES_AT_SORT_INDEX),
        .record_offset = (uint32_t)(record - archive->image),
    };
    if (NRes_IsInside(archive, entry.data_offset, entry.size))
        entry.data = archive->image + entry.data_offset;
    return entry;
}

int RpNRes_CompareName(const char field[RP_NRES_NAME_BYTES], const char *name) {
    NResKey key;
    const bool fits = NResKey_OfText(name, &key);
    const int order = -NResKey_CompareField(&key, (const uint8_t *)field);
    return order == 0 && !fits ? -1 : order;
}

/* ---- lookups --------------------------------------------------------------------------------- */

int32_t RpNRes_Find(const RpNRes *archive, const char *name) {
    NResKey key;
    if (!NResKey_OfText(name, &key))
        return -1;
    if (!archive->sorted) {
        for (uint32_t i = 0; i < archive->count; i++)
            if (NResKey_CompareField(&key, NRes_NameField(archive, i)) == 0)
                return (int32_t)i;
        return -1;
    }
    /* Finds the permutation's first element whose name does not come before the key's. Of equal
     * names this is the first one in directory order, because the permutation of a sorted archive
     * has them in that order. */
    uint32_t at = 0, left = archive->count;
    while (left > 0) {
        const uint32_t half = left / 2;
        const uint32_t entry = NRes_SortIndex(archive, at + half);
        if (NResKey_CompareField(&key, NRes_NameField(archive, entry)) > 0) {
            at += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    if (at == archive->count)
        return -1;
    const uint32_t entry = NRes_SortIndex(archive, at);
    return NResKey_CompareField(&key, NRes_NameField(archive, entry)) == 0 ? (int32_t)entry : -1;
}

int32_t RpNRes_FindAsGame(const RpNRes *archive, const char *name) {
    NResKey key;
    if (!NResKey_OfText(name, &key))
        return -1;
    uint32_t low = 0, high = archive->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const uint32_t entry = NRes_SortIndex(archive, middle);
        if (entry >= archive->count) /* the game would read outside the directory */
            return -1;
        const int order = NResKey_CompareField(&key, NRes_NameField(archive, entry));
        if (order == 0)
            return (int32_t)entry;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

int32_t RpNRes_FindType(const RpNRes *archive, uint32_t type, uint32_t from) {
    for (uint32_t i = from; i < archive->count; i++)
        if (Bytes_U32(NRes_Record(archive, i) + NRES_AT_TYPE) == type)
            return (int32_t)i;
    return -1;
}
