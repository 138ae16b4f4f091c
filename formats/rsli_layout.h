/* Payloads of a library in the order in which they lie, for what comes before, between, twice. */
#ifndef RETROPOSE_FORMATS_RSLI_LAYOUT_H
#define RETROPOSE_FORMATS_RSLI_LAYOUT_H

#include "retropose/rsli.h"

typedef struct RsLiRange {
    uint64_t start, end;
    uint32_t entry;
} RsLiRange;

/* Of every entry with a byte inside the file, by start, then by entry; returns how many. */
uint32_t RsLi_Ranges(const RpRsLi *library, RsLiRange *ranges);
/* The first byte behind the table, and the first one behind all payloads: the trailer's. */
uint64_t RsLi_DataStart(const RpRsLi *library);
uint64_t RsLi_DataEnd(const RpRsLi *library);

/* By start, then by entry. */
void RsLi_SortRanges(RsLiRange *ranges, uint32_t count);

#endif
