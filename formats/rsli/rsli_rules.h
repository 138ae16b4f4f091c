/* The rules of RsLi for which no memory is needed (docs/formats/rsli.md). They do not use a C
 * library. */
#ifndef RETROPOSE_FORMATS_RSLI_RSLI_RULES_H
#define RETROPOSE_FORMATS_RSLI_RSLI_RULES_H

#include "core/text.h"
#include "retropose/rsli.h"

/* Offsets in the header (facts/formats.md B.1). */
enum {
    RSLI_AT_COUNT = 4,
    RSLI_AT_COUNT_AGAIN = 6,
    RSLI_AT_SORTED = 14,
    RSLI_AT_SUM = 16,
    RSLI_AT_SEED = 20,
    RSLI_AT_RESERVED = 24
};
/* Offsets in a record (facts/formats.md B.3). */
enum {
    RSLI_AT_SERVICE = 12,
    RSLI_AT_FLAGS = 16,
    RSLI_AT_SORT = 18,
    RSLI_AT_UNPACKED_SIZE = 20,
    RSLI_AT_OFFSET = 24,
    RSLI_AT_PACKED_SIZE = 28
};

/* Returns the length of a name up to its first NUL, at most 12. */
size_t RsLi_NameLength(const uint8_t name[RP_RSLI_NAME_BYTES]);
/* Compares two names byte by byte as strcmp does. */
int RsLi_CompareNames(const uint8_t a[RP_RSLI_NAME_BYTES], const uint8_t b[RP_RSLI_NAME_BYTES]);
/* Writes the sort map of the names into the `sort` fields. Equal names keep the order of their
 * entries. */
void RsLi_SortMap(RpRsLiRecord *records, uint32_t count);
/* Returns the first byte of the payload in the file, with the overlay added. */
uint64_t RsLi_Place(const RpRsLi *rsli, const RpRsLiRecord *record);
/* Whether the declared range ends one byte past the file, as in sprites.lib (facts/formats.md B.7).
 */
bool RsLi_EndsOnePast(const RpRsLi *rsli, const RpRsLiRecord *record);

/* What rsFind searches for: at most 15 characters in upper case, with zeros behind them. */
enum { RSLI_QUERY_BYTES = 16 };
void RsLi_FoldQuery(const char *name, uint8_t query[RSLI_QUERY_BYTES]);
/* Compares byte by byte as strcmp does, as if a NUL stood behind the 12 bytes of the field. */
int RsLi_CompareQuery(const uint8_t query[RSLI_QUERY_BYTES],
                      const uint8_t name[RP_RSLI_NAME_BYTES]);

/* Checks the rules R01 to R04, without which nothing can be read. The result is false after a
 * finding. The sink may be null. */
bool RsLi_ReportHeader(const uint8_t *image, size_t size, const RpFindingSink *sink);
/* Checks the rules from R05 on, as far as they need neither memory nor unpacking. */
void RsLi_ReportStructure(const RpRsLi *rsli, const RpFindingSink *sink);
void RsLi_AppendName(Text *text, const uint8_t name[RP_RSLI_NAME_BYTES]);

#endif
