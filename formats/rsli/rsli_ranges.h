/* The payloads of a library in the order in which they lie. This tells which bytes lie before and
 * between them, and which are used twice. */
#ifndef RETROPOSE_FORMATS_RSLI_RSLI_RANGES_H
#define RETROPOSE_FORMATS_RSLI_RSLI_RANGES_H

#include "retropose/rsli.h"

typedef struct RsLiRange {
    uint64_t start, end;
    uint32_t entry;
} RsLiRange;

/* Writes the range of every entry that has a byte in the file, ordered by start and then by entry.
 * Returns their number. */
uint32_t RsLi_Ranges(const RpRsLi *rsli, RsLiRange *ranges);
/* The sums over all entries so far. */
typedef struct RsLiSizes {
    uint64_t packed, unpacked;
} RsLiSizes;
/* Adds one more entry. Returns RP_UNSUPPORTED if the sum becomes too large: see RpRsLi_CheckSizes.
 * An entry that declares more than its method can hold does not unpack, so its unpacked size is not
 * added. */
RpStatus RsLiSizes_Add(RsLiSizes *sizes, const RpRsLi *rsli, uint32_t entry, RpError *error);
/* Returns whether it is worth trying to unpack an entry: its method is known, and the packed bytes,
 * *packed_size of which exist, can hold the size that it declares. */
bool RsLi_CanUnpack(const RpRsLi *rsli, uint32_t entry, size_t *packed_size);

/* RsLi_DataStart returns the offset of the first byte behind the table, RsLi_DataEnd that of the
 * first byte behind all payloads, where the trailer is. */
uint64_t RsLi_DataStart(const RpRsLi *rsli);
uint64_t RsLi_DataEnd(const RpRsLi *rsli);

/* Compares ranges by start, then by entry. */
void RsLi_SortRanges(RsLiRange *ranges, uint32_t count);

#endif
