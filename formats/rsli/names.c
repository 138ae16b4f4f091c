/* Names of RsLi entries: how the game folds, compares and sorts them (facts/formats.md B.3). */
#include "formats/rsli/rsli_rules.h"

#include <string.h>

size_t RsLi_NameLength(const uint8_t name[RP_RSLI_NAME_BYTES]) {
    size_t length = 0;
    while (length < RP_RSLI_NAME_BYTES && name[length])
        length++;
    return length;
}

int RsLi_CompareNames(const uint8_t a[RP_RSLI_NAME_BYTES], const uint8_t b[RP_RSLI_NAME_BYTES]) {
    for (size_t i = 0; i < RP_RSLI_NAME_BYTES; i++)
        if (a[i] != b[i] || a[i] == 0)
            return a[i] - b[i];
    return 0;
}

void RsLi_FoldQuery(const char *name, uint8_t query[RSLI_QUERY_BYTES]) {
    memset(query, 0, RSLI_QUERY_BYTES);
    for (size_t i = 0; i < RSLI_QUERY_BYTES - 1 && name[i]; i++) {
        uint8_t c = (uint8_t)name[i];
        query[i] = c >= 'a' && c <= 'z' ? (uint8_t)(c - 'a' + 'A') : c;
    }
}

int RsLi_CompareQuery(const uint8_t query[RSLI_QUERY_BYTES],
                      const uint8_t name[RP_RSLI_NAME_BYTES]) {
    for (size_t i = 0; i < RP_RSLI_NAME_BYTES; i++)
        if (query[i] != name[i] || query[i] == 0)
            return query[i] - name[i];
    return query[RP_RSLI_NAME_BYTES]; /* against the NUL that the game puts behind the 12 bytes */
}

void RsLi_AppendName(Text *text, const uint8_t name[RP_RSLI_NAME_BYTES]) {
    for (size_t i = 0; i < RsLi_NameLength(name); i++)
        Text_AppendChar(text, name[i] >= 0x20 && name[i] < 0x7F ? (char)name[i] : '?');
}

/* ---- sort map --------------------------------------------------------------------------------
 *
 * The game sorts by bubbles, which is stable. An order by name, then index gives the same map, and
 * a heap over the fields themselves needs neither memory nor quadratic time. */

static bool Before(const RpRsLiRecord *records, uint16_t a, uint16_t b) {
    int order = RsLi_CompareNames(records[a].name, records[b].name);
    return order < 0 || (order == 0 && a < b);
}

static void Sink(RpRsLiRecord *records, uint32_t top, uint32_t count) {
    uint16_t sunk = records[top].sort;
    uint32_t child;
    while ((child = 2 * top + 1) < count) {
        if (child + 1 < count && Before(records, records[child].sort, records[child + 1].sort))
            child++;
        if (!Before(records, sunk, records[child].sort))
            break;
        records[top].sort = records[child].sort;
        top = child;
    }
    records[top].sort = sunk;
}

void RsLi_SortMap(RpRsLiRecord *records, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        records[i].sort = (uint16_t)i;
    for (uint32_t top = count / 2; top > 0; top--)
        Sink(records, top - 1, count);
    for (uint32_t end = count; end > 1; end--) {
        uint16_t last = records[0].sort;
        records[0].sort = records[end - 1].sort;
        records[end - 1].sort = last;
        Sink(records, 0, end - 1);
    }
}
