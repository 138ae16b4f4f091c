#include "formats/rsli/rsli_ranges.h"

#include "core/bounds.h"
#include "formats/rsli/rsli_rules.h"

static bool RangeBefore(const RsLiRange *a, const RsLiRange *b) {
    return a->start < b->start || (a->start == b->start && a->entry < b->entry);
}

static void Sink(RsLiRange *ranges, uint32_t top, uint32_t count) {
    RsLiRange sunk = ranges[top];
    uint32_t child;
    while ((child = 2 * top + 1) < count) {
        if (child + 1 < count && RangeBefore(&ranges[child], &ranges[child + 1]))
            child++;
        if (!RangeBefore(&sunk, &ranges[child]))
            break;
        ranges[top] = ranges[child];
        top = child;
    }
    ranges[top] = sunk;
}

void RsLi_SortRanges(RsLiRange *ranges, uint32_t count) {
    for (uint32_t top = count / 2; top > 0; top--)
        Sink(ranges, top - 1, count);
    for (uint32_t end = count; end > 1; end--) {
        RsLiRange last = ranges[0];
        ranges[0] = ranges[end - 1];
        ranges[end - 1] = last;
        Sink(ranges, 0, end - 1);
    }
}

uint32_t RsLi_Ranges(const RpRsLi *rsli, RsLiRange *ranges) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < rsli->count; i++) {
        size_t size;
        uint64_t start = RsLi_Place(rsli, &rsli->records[i]);
        RpRsLi_Packed(rsli, i, &size);
        if (size > 0)
            ranges[count++] = (RsLiRange){start, start + size, i};
    }
    RsLi_SortRanges(ranges, count);
    return count;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

bool RsLi_CanUnpack(const RpRsLi *rsli, uint32_t entry, size_t *packed_size) {
    const RpRsLiRecord *record = &rsli->records[entry];
    return RpRsLi_Packed(rsli, entry, packed_size) && RpRsLiMethod_Name(record->flags) &&
           record->unpacked_size <= RpRsLiMethod_MostUnpacked(record->flags, *packed_size);
}

RpStatus RsLiSizes_Add(RsLiSizes *sizes, const RpRsLi *rsli, uint32_t entry, RpError *error) {
    size_t packed_size = 0;
    if (RsLi_CanUnpack(rsli, entry, &packed_size))
        sizes->unpacked += rsli->records[entry].unpacked_size;
    sizes->packed += packed_size;
    RpStatus status =
        Bounds_Check(sizes->packed, rsli->size, BOUNDS_COPIES,
                     "payloads share so many bytes that all together are too much", error);
    if (status == RP_OK)
        status = Bounds_Check(sizes->unpacked, rsli->size, BOUNDS_UNPACKED,
                              "the entries unpack to too much", error);
    return status;
}

RpStatus RpRsLi_CheckSizes(const RpRsLi *rsli, RpError *error) {
    RsLiSizes sizes = {0, 0};
    RpStatus status = RP_OK;
    for (uint32_t i = 0; i < rsli->count && status == RP_OK; i++) {
        status = RsLiSizes_Add(&sizes, rsli, i, error);
        if (status != RP_OK && error) {
            Text text = Text_Begin(error->where, sizeof error->where);
            Text_Append(&text, "entry ");
            Text_AppendDecimal(&text, i);
        }
    }
    return status;
}

/* ---- data ------------------------------------------------------------------------------------ */

uint64_t RsLi_DataStart(const RpRsLi *rsli) {
    return RP_RSLI_HEADER_BYTES + (uint64_t)rsli->count * RP_RSLI_RECORD_BYTES;
}

uint64_t RsLi_DataEnd(const RpRsLi *rsli) {
    return rsli->size - (rsli->has_trailer ? RP_RSLI_TRAILER_BYTES : 0U);
}
