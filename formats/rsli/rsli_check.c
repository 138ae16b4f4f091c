/* Checks a library with the help of memory: how payloads lie, and whether they unpack. */
#include "formats/rsli/rsli_ranges.h"
#include "formats/rsli/rsli_rules.h"

#include <string.h>

typedef struct Check {
    const RpRsLi *rsli;
    const RpFindingSink *sink;
    const RpAllocator *allocator;
    void *work;
} Check;

/* ---- layout ---------------------------------------------------------------------------------- */

static RpFinding New(const char *rule, RpSeverity severity, uint64_t offset, const char *what) {
    RpFinding finding = RpFinding_New(rule, severity);
    Text text = Text_Begin(finding.what, sizeof finding.what);
    finding.offset = offset;
    Text_Append(&text, what);
    return finding;
}

static void SetNumber(char *to, size_t size, const char *words, uint64_t number, const char *unit) {
    Text text = Text_Begin(to, size);
    Text_Append(&text, words);
    Text_AppendDecimal(&text, number);
    Text_Append(&text, unit);
}

static void ReportGap(const Check *check, uint64_t start, uint64_t end) {
    if (start >= end)
        return;
    RpFinding finding = New("R24", RP_SEVERITY_CANONICAL, start, "bytes that no entry points to");
    SetNumber(finding.found, sizeof finding.found, "", end - start, " bytes");
    RpFindingSink_Report(check->sink, &finding);
}

static void CheckLayout(const Check *check, RsLiRange *ranges) {
    uint32_t count = RsLi_Ranges(check->rsli, ranges);
    uint64_t end = RsLi_DataStart(check->rsli);
    const RsLiRange *farthest = NULL;
    for (uint32_t i = 0; i < count; i++) {
        ReportGap(check, end, ranges[i].start);
        if (farthest && ranges[i].start < farthest->end) {
            const RsLiRange *range = &ranges[i];
            bool same = farthest->start == range->start && farthest->end == range->end;
            RpFinding finding = New(
                same ? "R22" : "R23", same ? RP_SEVERITY_INFO : RP_SEVERITY_WARNING, range->start,
                same ? "the payload is another entry's, too" : "the payload overlaps another one");
            finding.entry = (int32_t)range->entry;
            SetNumber(finding.found, sizeof finding.found, "that of entry ", farthest->entry, "");
            RpFindingSink_Report(check->sink, &finding);
        }
        if (!farthest || ranges[i].end > farthest->end)
            farthest = &ranges[i];
        end = farthest->end > end ? farthest->end : end;
    }
    ReportGap(check, end, RsLi_DataEnd(check->rsli));

    /* R25 is reported once, for the first payload out of order. */
    for (uint32_t i = 1; i < count; i++)
        if (ranges[i].entry < ranges[i - 1].entry) {
            RpFinding finding = New("R25", RP_SEVERITY_CANONICAL, ranges[i].start,
                                    "payloads do not lie in the order of the table");
            finding.entry = (int32_t)ranges[i].entry;
            SetNumber(finding.found, sizeof finding.found, "behind that of entry ",
                      ranges[i - 1].entry, "");
            RpFindingSink_Report(check->sink, &finding);
            return;
        }
}

/* ---- payloads -------------------------------------------------------------------------------- */

/* Does not report again what the rules without memory have reported. */
static RpStatus CheckPayload(const Check *check, uint32_t i, RpError *error) {
    uint32_t size = check->rsli->records[i].unpacked_size;
    size_t packed_size;
    RpRsLiNotes notes;
    RpError refused;
    if (!RsLi_CanUnpack(check->rsli, i, &packed_size))
        return RP_OK;
    uint8_t *output = RpMemory_Resize(check->allocator, NULL, (size_t)size + (size == 0));
    if (!output)
        return RpMemory_Refused(error, "unpacked data");
    if (RpRsLi_Load(check->rsli, i, output, check->work, &notes, &refused) == RP_OK) {
        const RpRsLi *rsli = check->rsli;
        uint64_t place = RsLi_Place(rsli, &rsli->records[i]);
        RpRsLi_Packed(rsli, i, &packed_size);
        if (notes.consumed < packed_size) {
            RpFinding finding = New("R27", RP_SEVERITY_WARNING, place + notes.consumed,
                                    "packed bytes that unpacking does not need");
            finding.entry = (int32_t)i;
            SetNumber(finding.found, sizeof finding.found, "", packed_size - notes.consumed,
                      " bytes");
            RpFindingSink_Report(check->sink, &finding);
        }
        if (notes.unwritten_window > 0) {
            RpFinding finding =
                New("R28", RP_SEVERITY_WARNING, place,
                    "takes bytes from the part of the LZSS window that the game does not fill");
            finding.entry = (int32_t)i;
            SetNumber(finding.found, sizeof finding.found, "", notes.unwritten_window, " bytes");
            RpFindingSink_Report(check->sink, &finding);
        }
    } else {
        RpFinding finding = New("R26", RP_SEVERITY_ERROR, refused.offset, refused.what);
        Text expected = Text_Begin(finding.expected, sizeof finding.expected);
        Text found = Text_Begin(finding.found, sizeof finding.found);
        Text_Append(&expected, refused.expected);
        Text_Append(&found, refused.found);
        finding.entry = (int32_t)i;
        RpFindingSink_Report(check->sink, &finding);
    }
    RpMemory_Free(check->allocator, output);
    return RP_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

RpStatus RpRsLi_Check(const void *image, size_t size, uint32_t flags, const RpAllocator *allocator,
                      const RpFindingSink *sink, RpError *error) {
    RpFindingCounter counter = {.next = sink};
    RpFindingSink counting = RpFindingCounter_Sink(&counter);
    if (!RsLi_ReportHeader(image, size, &counting))
        return RpFindingCounter_Verdict(&counter, error);
    uint32_t count = RpRsLi_Count(image, size);
    size_t each = sizeof(RpRsLiRecord) + sizeof(RsLiRange);
    uint8_t *memory = RpMemory_Resize(allocator, NULL, RP_RSLI_WORK_BYTES + count * each);
    if (!memory)
        return RpMemory_Refused(error, "the table of a library");
    RsLiRange *ranges = (RsLiRange *)(void *)(memory + RP_RSLI_WORK_BYTES);
    RpRsLiRecord *records = (RpRsLiRecord *)(void *)(ranges + count);
    RpRsLi rsli;
    RpStatus status = RpRsLi_Open(image, size, flags, RP_TOLERANT, records, count, &rsli, error);
    const Check check = {&rsli, &counting, allocator, memory};
    if (status == RP_OK) {
        RsLiSizes sizes = {0, 0};
        RpError refused;
        RsLi_ReportStructure(check.rsli, check.sink);
        CheckLayout(&check, ranges);
        for (uint32_t i = 0; i < check.rsli->count && status == RP_OK; i++) {
            if (RsLiSizes_Add(&sizes, check.rsli, i, &refused) != RP_OK) {
                /* Report that the remaining entries were not unpacked. Otherwise the library would
                 * be called sound although nobody has looked at them. */
                RpFinding finding = New("R29", RP_SEVERITY_ERROR, RP_NOWHERE, refused.what);
                Text expected = Text_Begin(finding.expected, sizeof finding.expected);
                Text found = Text_Begin(finding.found, sizeof finding.found);
                Text_Append(&expected, refused.expected);
                Text_Append(&found, refused.found);
                Text_Append(&found, ": this entry and what follows is not unpacked");
                finding.entry = (int32_t)i;
                RpFindingSink_Report(check.sink, &finding);
                break;
            }
            status = CheckPayload(&check, i, error);
        }
    }
    RpMemory_Free(allocator, memory);
    return status ? status : RpFindingCounter_Verdict(&counter, error);
}
