/* The rules of RsLi that need no memory to be checked (docs/formats/rsli.md). Freestanding. */
#ifndef RETROPOSE_FORMATS_RSLI_RULES_H
#define RETROPOSE_FORMATS_RSLI_RULES_H

#include "core/text.h"
#include "retropose/rsli.h"

/* In the header (facts/formats.md B.1). */
enum {
    RSLI_AT_COUNT = 4,
    RSLI_AT_COUNT_AGAIN = 6,
    RSLI_AT_SORTED = 14,
    RSLI_AT_SUM = 16,
    RSLI_AT_SEED = 20,
    RSLI_AT_RESERVED = 24
};
/* In a record (facts/formats.md B.3). */
enum {
    RSLI_AT_SERVICE = 12,
    RSLI_AT_FLAGS = 16,
    RSLI_AT_SORT = 18,
    RSLI_AT_UNPACKED_SIZE = 20,
    RSLI_AT_OFFSET = 24,
    RSLI_AT_PACKED_SIZE = 28
};

/* Up to the first NUL, at most 12. */
size_t RsLi_NameLength(const uint8_t name[RP_RSLI_NAME_BYTES]);
/* Bytewise, as strcmp: < 0, 0, > 0. */
int RsLi_CompareNames(const uint8_t a[RP_RSLI_NAME_BYTES], const uint8_t b[RP_RSLI_NAME_BYTES]);
/* The sort map of the names into the `sort` fields, ties in order of the entries. */
void RsLi_SortMap(RpRsLiRecord *records, uint32_t count);
/* First byte of the payload, with the overlay. */
uint64_t RsLi_Place(const RpRsLi *rsli, const RpRsLiRecord *record);
/* As in sprites.lib (facts/formats.md B.7): the declared range ends one byte past the file. */
bool RsLi_EndsOnePast(const RpRsLi *rsli, const RpRsLiRecord *record);

/* What rsFind looks for: upper case, at most 15 characters; what follows them is zero. */
enum { RSLI_QUERY_BYTES = 16 };
void RsLi_FoldQuery(const char *name, uint8_t query[RSLI_QUERY_BYTES]);
/* Bytewise, as strcmp: a name field of 12 bytes has a NUL behind it. */
int RsLi_CompareQuery(const uint8_t query[RSLI_QUERY_BYTES],
                      const uint8_t name[RP_RSLI_NAME_BYTES]);

/* Rules R01 to R04, without which nothing can be read: false after a finding. The sink may be null.
 */
bool RsLi_ReportHeader(const uint8_t *image, size_t size, const RpFindingSink *sink);
/* Rules R05 and up, as far as they need neither memory nor unpacking. */
void RsLi_ReportStructure(const RpRsLi *rsli, const RpFindingSink *sink);
void RsLi_AppendName(Text *text, const uint8_t name[RP_RSLI_NAME_BYTES]);

#endif
