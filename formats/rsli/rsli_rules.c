/* Checks the rules of RsLi for which no memory is needed (docs/formats/rsli.md). This file does not
 * use a C library. */
#include "formats/rsli/rsli_rules.h"

#include "core/bytes.h"

#include <string.h>

typedef struct Report {
    const RpRsLi *rsli;
    const RpFindingSink *sink;
} Report;

uint64_t RsLi_Place(const RpRsLi *rsli, const RpRsLiRecord *record) {
    return (uint64_t)record->offset + rsli->overlay;
}

bool RsLi_EndsOnePast(const RpRsLi *rsli, const RpRsLiRecord *record) {
    return (record->flags & RP_RSLI_METHOD_MASK) == RP_RSLI_DEFLATE &&
           RsLi_Place(rsli, record) + record->packed_size == (uint64_t)rsli->size + 1;
}

const uint8_t *RpRsLi_Packed(const RpRsLi *rsli, uint32_t index, size_t *size) {
    const RpRsLiRecord *record = &rsli->records[index];
    uint64_t place = RsLi_Place(rsli, record);
    *size = 0;
    if (place > rsli->size)
        return NULL;
    size_t left = rsli->size - (size_t)place;
    *size = record->packed_size < left ? record->packed_size : left;
    return rsli->image + place;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void SetText(char *to, size_t size, const char *words) {
    Text text = Text_Begin(to, size);
    Text_Append(&text, words);
}

static void SetNumber(char *to, size_t size, const char *words, uint64_t number) {
    Text text = Text_Begin(to, size);
    Text_Append(&text, words);
    Text_AppendDecimal(&text, number);
}

/* Appends a number such as "0x01FF". */
static void SetHex(char *to, size_t size, uint32_t number) {
    Text text = Text_Begin(to, size);
    Text_Append(&text, "0x");
    Text_AppendHex(&text, number, 4);
}

static RpFinding OfHeader(const char *rule, RpSeverity severity, uint64_t offset,
                          const char *what) {
    RpFinding finding = RpFinding_New(rule, severity);
    finding.offset = offset;
    SetText(finding.what, sizeof finding.what, what);
    return finding;
}

/* `at` is the place of the field in the record. The offset in the finding is that of the encrypted
 * byte. */
static RpFinding OfEntry(const char *rule, RpSeverity severity, uint32_t index, uint32_t at,
                         const char *what) {
    RpFinding finding = OfHeader(rule, severity, RP_NOWHERE, what);
    finding.offset = RP_RSLI_HEADER_BYTES + (uint64_t)index * RP_RSLI_RECORD_BYTES + at;
    finding.entry = (int32_t)index;
    return finding;
}

static void Send(const Report *report, RpFinding *finding, const char *expected,
                 uint64_t expected_number, uint64_t found) {
    SetNumber(finding->expected, sizeof finding->expected, expected, expected_number);
    SetNumber(finding->found, sizeof finding->found, "", found);
    RpFindingSink_Report(report->sink, finding);
}

static void SendWords(const Report *report, RpFinding *finding, const char *expected,
                      const char *found) {
    SetText(finding->expected, sizeof finding->expected, expected);
    SetText(finding->found, sizeof finding->found, found);
    RpFindingSink_Report(report->sink, finding);
}

/* ---- header ---------------------------------------------------------------------------------- */

bool RsLi_ReportHeader(const uint8_t *image, size_t size, const RpFindingSink *sink) {
    static const uint8_t magic[4] = {'N', 'L', 0, 1};
    if (size < RP_RSLI_HEADER_BYTES) {
        RpFinding finding = OfHeader("R01", RP_SEVERITY_ERROR, size, "shorter than a header");
        SetNumber(finding.expected, sizeof finding.expected, "at least ", RP_RSLI_HEADER_BYTES);
        SetNumber(finding.found, sizeof finding.found, "", size);
        RpFindingSink_Report(sink, &finding);
        return false;
    }
    if (memcmp(image, magic, sizeof magic) != 0) {
        RpFinding finding = OfHeader("R02", RP_SEVERITY_ERROR, 0, "no RsLi library");
        SetText(finding.expected, sizeof finding.expected, "NL, 0, 1");
        if (memcmp(image, "NRes", 4) == 0)
            SetText(finding.found, sizeof finding.found,
                    "an NRes archive: see `retropose nres`, and `retropose msh` for models");
        RpFindingSink_Report(sink, &finding);
        return false;
    }
    uint32_t count = Bytes_U16(image + RSLI_AT_COUNT);
    uint64_t most = (size - RP_RSLI_HEADER_BYTES) / RP_RSLI_RECORD_BYTES;
    if (count > INT16_MAX) {
        RpFinding finding =
            OfHeader("R03", RP_SEVERITY_ERROR, RSLI_AT_COUNT, "a negative number of entries");
        SetNumber(finding.found, sizeof finding.found, "-", UINT16_MAX + 1 - count);
        RpFindingSink_Report(sink, &finding);
        return false;
    }
    if (count > most) {
        RpFinding finding =
            OfHeader("R04", RP_SEVERITY_ERROR, RSLI_AT_COUNT, "the table is longer than the file");
        SetNumber(finding.expected, sizeof finding.expected, "entries, at most ", most);
        SetNumber(finding.found, sizeof finding.found, "", count);
        RpFindingSink_Report(sink, &finding);
        return false;
    }
    return true;
}

static void CheckMarks(const Report *report) {
    const RpRsLi *rsli = report->rsli;
    const uint8_t *reserved = rsli->image + RSLI_AT_RESERVED;
    static const uint8_t zeros[8];
    if (!rsli->presorted) {
        RpFinding finding = OfHeader("R07", RP_SEVERITY_INFO, RSLI_AT_SORTED,
                                     "not marked as sorted: the game makes the sort map anew");
        char found[8];
        SetHex(found, sizeof found, Bytes_U16(rsli->image + RSLI_AT_SORTED));
        SendWords(report, &finding, "0xABBA", found);
    }
    if (memcmp(reserved, zeros, sizeof zeros) != 0) {
        RpFinding finding = OfHeader("R08", RP_SEVERITY_CANONICAL, RSLI_AT_RESERVED,
                                     "the last eight bytes of the header are not zero");
        SendWords(report, &finding, "zero", "");
    }
    if (rsli->overlay > rsli->size) {
        RpFinding finding =
            OfHeader("R09", RP_SEVERITY_ERROR, rsli->size - RP_RSLI_TRAILER_BYTES + 2,
                     "the overlay begins past the end of the file");
        Send(report, &finding, "at most ", rsli->size, rsli->overlay);
    }
}

/* ---- sort map -------------------------------------------------------------------------------- */

static void CheckMapAt(const Report *report, uint32_t i) {
    const RpRsLi *rsli = report->rsli;
    uint32_t index = rsli->records[i].sort;
    uint32_t before = i > 0 ? rsli->records[i - 1].sort : rsli->count;
    int order = before < rsli->count && index < rsli->count
                    ? RsLi_CompareNames(rsli->records[before].name, rsli->records[index].name)
                    : 0;
    if (index >= rsli->count) {
        RpFinding finding = OfEntry("R10", RP_SEVERITY_ERROR, i, RSLI_AT_SORT,
                                    "the sort map leads out of the table");
        Send(report, &finding, "below ", rsli->count, index);
    } else if (before < rsli->count && (order > 0 || (order == 0 && before >= index))) {
        /* No other order can result from a stable sort. */
        RpFinding finding = OfEntry("R11", RP_SEVERITY_WARNING, i, RSLI_AT_SORT,
                                    "the sort map is not in the order of the names: lookups may "
                                    "need a linear scan");
        Send(report, &finding, "a name behind that of entry ", before, index);
    } else if (before < rsli->count && order == 0) {
        RpFinding finding =
            OfEntry("R12", RP_SEVERITY_WARNING, index, 0, "a second entry of the same name");
        SetNumber(finding.found, sizeof finding.found, "as entry ", before);
        RpFindingSink_Report(report->sink, &finding);
    }
}

/* ---- entries --------------------------------------------------------------------------------- */

static bool IsFolded(const uint8_t *name, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (name[i] >= 'a' && name[i] <= 'z')
            return false;
    return true;
}

static bool IsZero(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

static void CheckRange(const Report *report, uint32_t i) {
    const RpRsLi *rsli = report->rsli;
    const RpRsLiRecord *record = &rsli->records[i];
    uint64_t place = RsLi_Place(rsli, record), end = place + record->packed_size;
    uint64_t table_end = RP_RSLI_HEADER_BYTES + (uint64_t)rsli->count * RP_RSLI_RECORD_BYTES;
    if (RsLi_EndsOnePast(rsli, record)) {
        RpFinding finding = OfEntry("R18", RP_SEVERITY_WARNING, i, RSLI_AT_PACKED_SIZE,
                                    "the payload ends one byte past the file, as one of "
                                    "sprites.lib does");
        Send(report, &finding, "at most ", rsli->size, end);
    } else if (end > rsli->size) {
        RpFinding finding = OfEntry("R19", RP_SEVERITY_ERROR, i, RSLI_AT_OFFSET,
                                    "the payload is not inside the file");
        Send(report, &finding, "an end of at most ", rsli->size, end);
    }
    if (place < table_end && record->packed_size > 0) {
        RpFinding finding = OfEntry("R20", RP_SEVERITY_WARNING, i, RSLI_AT_OFFSET,
                                    "the payload begins inside the header or the table");
        Send(report, &finding, "at least ", table_end, place);
    }
}

void RsLi_ReportStructure(const RpRsLi *rsli, const RpFindingSink *sink) {
    const Report report = {rsli, sink};
    uint32_t again = Bytes_U16(rsli->image + RSLI_AT_COUNT_AGAIN);
    uint32_t stored = Bytes_U32(rsli->image + RSLI_AT_SUM), sum = 0;
    for (uint32_t i = 0; i < rsli->count; i++)
        sum += rsli->records[i].unpacked_size;
    if (again != rsli->count) {
        RpFinding finding = OfHeader("R05", RP_SEVERITY_WARNING, RSLI_AT_COUNT_AGAIN,
                                     "the second number of entries is not the first");
        Send(&report, &finding, "", rsli->count, again);
    }
    if (stored != sum) {
        RpFinding finding = OfHeader("R06", RP_SEVERITY_WARNING, RSLI_AT_SUM,
                                     "the sum of unpacked sizes does not hold");
        Send(&report, &finding, "", sum, stored);
    }
    CheckMarks(&report);
    for (uint32_t i = 0; i < rsli->count; i++) {
        CheckMapAt(&report, i);

        const RpRsLiRecord *record = &rsli->records[i];
        const uint8_t *name = record->name;
        size_t length = RsLi_NameLength(name);
        if (length == 0) {
            RpFinding finding =
                OfEntry("R13", RP_SEVERITY_WARNING, i, 0, "an entry without a name");
            RpFindingSink_Report(report.sink, &finding);
        }
        if (!IsFolded(name, length)) {
            RpFinding finding =
                OfEntry("R14", RP_SEVERITY_WARNING, i, 0,
                        "a name with small letters, which the game's lookup never finds");
            Text found = Text_Begin(finding.found, sizeof finding.found);
            RsLi_AppendName(&found, name);
            RpFindingSink_Report(report.sink, &finding);
        }
        if (!IsZero(name + length, RP_RSLI_NAME_BYTES - length)) {
            RpFinding finding = OfEntry("R15", RP_SEVERITY_CANONICAL, i, (uint32_t)length,
                                        "the name is followed by other bytes than zeros");
            RpFindingSink_Report(report.sink, &finding);
        }

        if (!RpRsLiMethod_Name(record->flags)) {
            RpFinding finding =
                OfEntry("R16", RP_SEVERITY_ERROR, i, RSLI_AT_FLAGS, "unknown packing method");
            SetHex(finding.found, sizeof finding.found, record->flags & RP_RSLI_METHOD_MASK);
            RpFindingSink_Report(report.sink, &finding);
        }
        if (record->flags & (uint32_t)~RP_RSLI_METHOD_MASK) {
            RpFinding finding = OfEntry("R17", RP_SEVERITY_INFO, i, RSLI_AT_FLAGS,
                                        "flags that have nothing to do with packing");
            SetHex(finding.found, sizeof finding.found, record->flags);
            RpFindingSink_Report(report.sink, &finding);
        }
        CheckRange(&report, i);

        size_t packed_size;
        bool inside = RpRsLi_Packed(rsli, i, &packed_size) != NULL;
        uint64_t most = RpRsLiMethod_MostUnpacked(record->flags, packed_size);
        if (inside && RpRsLiMethod_Name(record->flags) && record->unpacked_size > most) {
            RpFinding finding = OfEntry("R21", RP_SEVERITY_ERROR, i, RSLI_AT_UNPACKED_SIZE,
                                        "more bytes than the packed ones can hold");
            Send(&report, &finding, "at most ", most, record->unpacked_size);
        }
    }
}
