/* Reads RsLi libraries in place: header, table, lookup, loading (facts/formats.md B, facts/ngi32.md
 * E.7). Ngi32.dll links this file, so it does not use a C library. */
#include "core/bytes.h"
#include "formats/rsli/rsli_rules.h"

#include <string.h>

uint32_t RpRsLi_Count(const void *image, size_t size) {
    return RsLi_ReportHeader(image, size, NULL) ? Bytes_U16((const uint8_t *)image + RSLI_AT_COUNT)
                                                : 0;
}

/* ---- table ----------------------------------------------------------------------------------- */

RpStatus RpRsLi_Open(const void *image, size_t size, uint32_t flags, RpReadMode mode,
                     RpRsLiRecord *records, uint32_t record_capacity, RpRsLi *rsli,
                     RpError *error) {
    RpFindingCounter counter = {.next = NULL};
    RpFindingSink sink = RpFindingCounter_Sink(&counter);
    RsLi_ReportHeader(image, size, &sink);
    RpStatus status = RpFindingCounter_Verdict(&counter, error);
    if (status)
        return status;
    RpRsLi opened = {.image = image,
                     .size = size,
                     .count = RpRsLi_Count(image, size),
                     .seed = Bytes_U32((const uint8_t *)image + RSLI_AT_SEED),
                     .records = records};
    opened.presorted = Bytes_U16(opened.image + RSLI_AT_SORTED) == RP_RSLI_SORTED;
    if (opened.count > record_capacity)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "too few records handed in", "", "",
                           "");
    if (flags & 2 && size >= RP_RSLI_HEADER_BYTES + RP_RSLI_TRAILER_BYTES) {
        const uint8_t *trailer = opened.image + opened.size - RP_RSLI_TRAILER_BYTES;
        opened.has_trailer = trailer[0] == 'A' && trailer[1] == 'O';
        opened.overlay = opened.has_trailer ? Bytes_U32(trailer + 2) : 0;
    }

    /* The table is encrypted as a whole. */
    RpRsLiCipher cipher = RpRsLiCipher_Start(opened.seed);
    const uint8_t *at = opened.image + RP_RSLI_HEADER_BYTES;
    for (uint32_t i = 0; i < opened.count; i++, at += RP_RSLI_RECORD_BYTES) {
        uint8_t plain[RP_RSLI_RECORD_BYTES];
        RpRsLiCipher_Apply(&cipher, at, RP_RSLI_RECORD_BYTES, plain);
        RpRsLiRecord *record = &records[i];
        memcpy(record->name, plain, RP_RSLI_NAME_BYTES);
        memcpy(record->service, plain + RSLI_AT_SERVICE, sizeof record->service);
        record->flags = Bytes_U16(plain + RSLI_AT_FLAGS);
        record->stored_sort = Bytes_U16(plain + RSLI_AT_SORT);
        record->sort = record->stored_sort;
        record->unpacked_size = Bytes_U32(plain + RSLI_AT_UNPACKED_SIZE);
        record->offset = Bytes_U32(plain + RSLI_AT_OFFSET);
        record->packed_size = Bytes_U32(plain + RSLI_AT_PACKED_SIZE);
    }
    if (!opened.presorted)
        RsLi_SortMap(records, opened.count);
    if (mode == RP_STRICT) {
        RsLi_ReportStructure(&opened, &sink);
        status = RpFindingCounter_Verdict(&counter, error);
        if (status)
            return status;
    }
    *rsli = opened;
    return RP_OK;
}

/* ---- lookup ---------------------------------------------------------------------------------- */

int32_t RpRsLi_Find(const RpRsLi *rsli, const char *name) {
    uint8_t query[RSLI_QUERY_BYTES];
    RsLi_FoldQuery(name, query);

    /* If the map leads out of the table, the search ends. The game would read outside of its
     * memory. */
    int32_t found = -1;
    for (uint32_t first = 0, end = rsli->count; first < end && found < 0;) {
        uint32_t middle = first + (end - first) / 2;
        uint32_t index = rsli->records[middle].sort;
        if (index >= rsli->count)
            break;
        int order = RsLi_CompareQuery(query, rsli->records[index].name);
        if (order == 0)
            found = (int32_t)index;
        else if (order < 0)
            end = middle;
        else
            first = middle + 1;
    }
    for (uint32_t i = 0; i < rsli->count && found < 0; i++)
        if (RsLi_CompareQuery(query, rsli->records[i].name) == 0)
            found = (int32_t)i;
    return found;
}

/* ---- payloads -------------------------------------------------------------------------------- */

/* Converts the offset in an error from the packed data to the file. */
static RpStatus Locate(const RpRsLi *rsli, uint32_t index, RpStatus status, RpError *error) {
    if (status == RP_OK || !error)
        return status;
    Text where = Text_Begin(error->where, sizeof error->where);
    Text_Append(&where, "entry ");
    Text_AppendDecimal(&where, index);
    Text_Append(&where, " ");
    RsLi_AppendName(&where, rsli->records[index].name);
    if (error->offset != RP_NOWHERE)
        error->offset += RsLi_Place(rsli, &rsli->records[index]);
    return status;
}

RpStatus RpRsLi_Load(const RpRsLi *rsli, uint32_t index, void *output, void *work,
                     RpRsLiNotes *notes, RpError *error) {
    const RpRsLiRecord *record = &rsli->records[index];
    size_t packed_size;
    const uint8_t *packed = RpRsLi_Packed(rsli, index, &packed_size);
    if (!packed) {
        RpStatus status =
            RpError_Set(error, RP_CORRUPT, 0, "the payload lies outside of the file", "", "", "");
        return Locate(rsli, index, status, error);
    }
    RpStatus status = RpRsLi_Unpack(record->flags, record->sort, packed, packed_size, output,
                                    record->unpacked_size, work, notes, error);
    if (notes && status == RP_OK)
        notes->past_end = RsLi_EndsOnePast(rsli, record);
    return Locate(rsli, index, status, error);
}
