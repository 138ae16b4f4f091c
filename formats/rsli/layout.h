/* Payloads of a library in the order in which they lie, for what comes before, between, twice. */
#ifndef RETROPOSE_FORMATS_RSLI_LAYOUT_H
#define RETROPOSE_FORMATS_RSLI_LAYOUT_H

#include "retropose/rsli.h"

typedef struct RsLiRange {
    uint64_t start, end;
    uint32_t entry;
} RsLiRange;

/* Of every entry with a byte inside the file, by start, then by entry; returns how many. */
uint32_t RsLi_Ranges(const RpRsLi *rsli, RsLiRange *ranges);
/* The first byte behind the table, and the first one behind all payloads: the trailer's. */
/* What all entries up to one have added up to. */
typedef struct RsLiSizes {
    uint64_t packed, unpacked;
} RsLiSizes;
/* Counts one more entry; RP_UNSUPPORTED when it is too much: RpRsLi_CheckSizes. What does not
 * unpack, as more is declared than the method can hold, does not count as unpacked. */
RpStatus RsLiSizes_Add(RsLiSizes *sizes, const RpRsLi *rsli, uint32_t entry, RpError *error);
/* Whether it is worth trying to unpack an entry: the method is known, and its packed bytes, of
 * which *packed_size are there, can hold what it declares. */
bool RsLi_CanUnpack(const RpRsLi *rsli, uint32_t entry, size_t *packed_size);

uint64_t RsLi_DataStart(const RpRsLi *rsli);
uint64_t RsLi_DataEnd(const RpRsLi *rsli);

/* By start, then by entry. */
void RsLi_SortRanges(RsLiRange *ranges, uint32_t count);

#endif
