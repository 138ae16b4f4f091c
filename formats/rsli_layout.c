#include "rsli_layout.h"

#include "rsli_rules.h"

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

uint32_t RsLi_Ranges(const RpRsLi *library, RsLiRange *ranges) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < library->count; i++) {
        size_t size;
        uint64_t start = RsLi_Place(library, &library->records[i]);
        RpRsLi_Packed(library, i, &size);
        if (size > 0)
            ranges[count++] = (RsLiRange){start, start + size, i};
    }
    RsLi_SortRanges(ranges, count);
    return count;
}

uint64_t RsLi_DataStart(const RpRsLi *library) {
    return RP_RSLI_HEADER_BYTES + (uint64_t)library->count * RP_RSLI_RECORD_BYTES;
}

uint64_t RsLi_DataEnd(const RpRsLi *library) {
    return library->size - (library->has_trailer ? RP_RSLI_TRAILER_BYTES : 0U);
}
