/* The payloads of a library in the order in which they lie. This tells which bytes lie before and
 * between them, and which are used twice. */
#ifndef RETROPOSE_FORMATS_RSLI_LAYOUT_H
#define RETROPOSE_FORMATS_RSLI_LAYOUT_H

#include "retropose/rsli.h"

typedef struct RsLiRange {
    uint64_t start, end;
    uint32_t entry;
} RsLiRange;

/* Fills in the range of every entry that has a byte inside the file, by start, then by entry, and
 * returns how many there are. */
uint32_t RsLi_Ranges(const RpRsLi *rsli, RsLiRange *ranges);
/* Return the first byte behind the table, and the first one behind all payloads, which is that of
 * the trailer. */
/* The sums over all entries so far. */
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

/* Compares ranges by start, then by entry. */
void RsLi_SortRanges(RsLiRange *ranges, uint32_t count);

#endif
