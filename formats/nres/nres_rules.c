#include "formats/nres/nres_rules.h"

#include "core/text.h"
#include "formats/nres/name.h"
#include "formats/nres/order.h"
#include "formats/nres/record.h"
#include "formats/nres/sweep.h"

#include <string.h>

/* ---- saying it ------------------------------------------------------------------------------- */

static void Report(NResInspection *inspection, const RpFinding *finding) {
    if (inspection->stopped)
        return;
    RpFindingSink_Report(inspection->sink, finding);
    inspection->stopped = inspection->first_alone;
}

static RpFinding Say(const char *rule, RpSeverity severity, const char *what) {
    RpFinding finding = RpFinding_New(rule, severity);
    Text text = Text_Begin(finding.what, sizeof finding.what);
    Text_Append(&text, what);
    return finding;
}

static Text Expected(RpFinding *finding) {
    return Text_Begin(finding->expected, sizeof finding->expected);
}

static Text Found(RpFinding *finding) {
    return Text_Begin(finding->found, sizeof finding->found);
}

/* Appends a name in quotation marks, in which everything but printable ASCII becomes \xNN. */
static void AppendName(Text *text, const RpNRes *archive, uint32_t entry) {
    const uint8_t *field = NRes_NameField(archive, entry);
    const uint32_t length = NResName_Length(field);
    Text_AppendChar(text, '"');
    for (uint32_t i = 0; i < length; i++) {
        if (field[i] >= 0x20 && field[i] < 0x7F) {
            Text_AppendChar(text, (char)field[i]);
        } else {
            Text_Append(text, "\\x");
            Text_AppendHex(text, field[i], 2);
        }
    }
    Text_AppendChar(text, '"');
}

static void AppendEntry(Text *text, const RpNRes *archive, uint32_t entry) {
    Text_Append(text, "entry ");
    Text_AppendDecimal(text, entry);
    Text_AppendChar(text, ' ');
    AppendName(text, archive, entry);
}

/* Appends "A to B". */
static void AppendRange(Text *text, uint64_t start, uint64_t end) {
    Text_AppendDecimal(text, start);
    Text_Append(text, " to ");
    Text_AppendDecimal(text, end);
}

static RpFinding SayOfEntry(const NResInspection *inspection, const char *rule, RpSeverity severity,
                            const char *what, uint32_t entry, uint32_t field) {
    RpFinding finding = Say(rule, severity, what);
    finding.entry = (int32_t)entry;
    finding.offset =
        inspection->archive->directory_offset + (uint64_t)entry * RP_NRES_RECORD_BYTES + field;
    return finding;
}

/* ---- the permutation as a whole -------------------------------------------------------------- */

/* In the order of their names, entries are anywhere in memory. So the names in a large directory
 * are prefetched early. */
enum { AHEAD = 16 };

/* Returns whether every element of the permutation is the number of an entry and the names ascend
 * along it, with equal names in the order of the directory. This is the table of facts/formats.md
 * A.3. */
static bool IsSorted(const RpNRes *archive) {
    uint32_t previous = 0;
    for (uint32_t i = 0; i < archive->count; i++) {
        const uint32_t entry = NRes_SortIndex(archive, i);
        if (entry >= archive->count)
            return false;
        const uint32_t ahead =
            i + AHEAD < archive->count ? NRes_SortIndex(archive, i + AHEAD) : archive->count;
        if (ahead < archive->count) {
            __builtin_prefetch(NRes_NameField(archive, ahead));
            __builtin_prefetch(NRes_NameField(archive, ahead) + RP_NRES_NAME_BYTES - 1);
        }
        const int order =
            i ? NResName_Compare(NRes_NameField(archive, previous), NRes_NameField(archive, entry))
              : -1;
        if (order > 0 || (order == 0 && previous >= entry))
            return false;
        previous = entry;
    }
    return true; /* the elements ascend, so no two are equal, so this is a permutation */
}

/* ---- N01 to N05: the header ------------------------------------------------------------------ */

static void ReportNumber(NResInspection *inspection, RpFinding finding, uint64_t offset,
                         uint64_t found) {
    Text text = Found(&finding);
    finding.offset = offset;
    Text_AppendDecimal(&text, found);
    Report(inspection, &finding);
}

bool RpNRes_Is(const void *bytes, size_t size) {
    return size >= 4 && memcmp(bytes, "NRes", 4) == 0;
}

bool NResRules_Header(const void *bytes, size_t size, RpNRes *archive, NResInspection *inspection) {
    const uint8_t *image = bytes;
    if (size < RP_NRES_HEADER_BYTES) {
        RpFinding finding = Say("N01", RP_SEVERITY_ERROR, "the image ends in its header");
        Text text = Expected(&finding);
        Text_Append(&text, "16 bytes");
        ReportNumber(inspection, finding, size, size);
        return false;
    }
    if (!RpNRes_Is(image, size)) {
        RpFinding finding = Say("N02", RP_SEVERITY_ERROR, "this is not an NRes image");
        Text text = Expected(&finding);
        finding.offset = 0;
        Text_Append(&text, "4E 52 65 73");
        text = Found(&finding);
        for (int i = 0; i < 4; i++) {
            Text_Append(&text, i ? " " : "");
            Text_AppendHex(&text, image[i], 2);
        }
        if (image[0] == 'N' && image[1] == 'L' && image[2] == 0 && image[3] == 1)
            Text_Append(&text, ", an RsLi library: see `retropose rsli`");
        Report(inspection, &finding);
        return false;
    }
    const uint32_t version = Bytes_U32(image + NRES_AT_VERSION);
    const uint32_t total = Bytes_U32(image + NRES_AT_TOTAL);
    const uint32_t count = Bytes_U32(image + NRES_AT_COUNT);
    const bool fits =
        count <= INT32_MAX && count <= (size - RP_NRES_HEADER_BYTES) / RP_NRES_RECORD_BYTES;
    if (version != RP_NRES_VERSION) {
        RpFinding finding = Say("N03", RP_SEVERITY_ERROR, "the version is unknown");
        Text text = Expected(&finding);
        Text_AppendDecimal(&text, RP_NRES_VERSION);
        ReportNumber(inspection, finding, NRES_AT_VERSION, version);
    }
    if (total != size) {
        /* The game compares the stated size with the length of the file and refuses the archive. */
        RpFinding finding = Say("N04", RP_SEVERITY_ERROR, "the stated size is not the image's");
        Text text = Expected(&finding);
        Text_AppendDecimal(&text, size);
        ReportNumber(inspection, finding, NRES_AT_TOTAL, total);
    }
    if (!fits) {
        RpFinding finding = Say("N05", RP_SEVERITY_ERROR,
                                count > INT32_MAX ? "the entry count is negative"
                                                  : "the directory does not fit into the image");
        Text text = Expected(&finding);
        Text_Append(&text, "at most ");
        Text_AppendDecimal(&text, (size - RP_NRES_HEADER_BYTES) / RP_NRES_RECORD_BYTES);
        Text_Append(&text, " entries");
        ReportNumber(inspection, finding, NRES_AT_COUNT, count);
    }
    if (!(version == RP_NRES_VERSION && total == size && fits))
        return false;
    *archive = (RpNRes){.image = image,
                        .size = (uint32_t)size,
                        .count = count,
                        .directory_offset = (uint32_t)size - count * RP_NRES_RECORD_BYTES};
    archive->sorted = IsSorted(archive);
    return true;
}

/* ---- N06, N07, N08, N12: records by themselves ----------------------------------------------- */

static void CheckRecords(NResInspection *inspection) {
    const RpNRes *archive = inspection->archive;
    for (uint32_t i = 0; i < archive->count && !inspection->stopped; i++) {
        const uint8_t *record = NRes_Record(archive, i);
        const uint32_t offset = Bytes_U32(record + NRES_AT_DATA_OFFSET);
        const uint32_t size = Bytes_U32(record + NRES_AT_SIZE);
        const uint8_t *name = record + NRES_AT_NAME;
        if (!NRes_IsInside(archive, offset, size)) {
            RpFinding finding =
                SayOfEntry(inspection, "N06", RP_SEVERITY_ERROR,
                           "a payload lies outside the image's data", i, NRES_AT_DATA_OFFSET);
            Text text = Expected(&finding);
            Text_Append(&text, "bytes within ");
            AppendRange(&text, RP_NRES_HEADER_BYTES, inspection->archive->directory_offset);
            text = Found(&finding);
            AppendRange(&text, offset, (uint64_t)offset + size);
            Report(inspection, &finding);
        }
        if (!*name || !NResName_IsTerminated(name)) {
            const bool is_empty = !*NRes_NameField(inspection->archive, i);
            RpFinding finding =
                is_empty ? SayOfEntry(inspection, "N08", RP_SEVERITY_WARNING, "a name is empty", i,
                                      NRES_AT_NAME)
                         : SayOfEntry(inspection, "N07", RP_SEVERITY_ERROR,
                                      "a name fills its field without a NUL", i, NRES_AT_NAME);
            Text text = Expected(&finding);
            Text_Append(&text, "1 to 35 characters and a NUL");
            text = Found(&finding);
            AppendName(&text, inspection->archive, i);
            Report(inspection, &finding);
        }
        if (offset % RP_NRES_ALIGNMENT) {
            RpFinding finding =
                SayOfEntry(inspection, "N12", RP_SEVERITY_WARNING,
                           "a payload's offset is not aligned", i, NRES_AT_DATA_OFFSET);
            Text text = Expected(&finding);
            Text_Append(&text, "a multiple of 8");
            text = Found(&finding);
            Text_AppendDecimal(&text, offset);
            Report(inspection, &finding);
        }
    }
}

/* ---- N09, N13, N14: payloads and what lies between them -------------------------------------- */

static bool IsZero(const uint8_t *bytes, uint64_t size) {
    for (uint64_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

/* Reports what lies between the furthest end so far and the next start. */
static void CheckGap(NResInspection *inspection, const NResRange *furthest, uint64_t next) {
    const uint64_t gap = next - furthest->end;
    const int32_t entry = furthest->start ? (int32_t)furthest->entry : RP_NO_INDEX;
    if (gap == 0)
        return;
    const uint64_t padded = gap < RP_NRES_ALIGNMENT ? next : NRes_Align(furthest->end);

    /* `entry` is the entry in front of the padding, or RP_NO_INDEX. */
    uint64_t start = furthest->end;
    const uint8_t *image = inspection->archive->image;
    if (!IsZero(image + start, padded - start)) {
        while (!image[start])
            start++;
        RpFinding finding =
            Say("N13", RP_SEVERITY_WARNING, "the padding behind a payload is not zero");
        finding.offset = start;
        finding.entry = entry;
        Text text = Expected(&finding);
        Text_Append(&text, "00");
        text = Found(&finding);
        Text_AppendHex(&text, image[start], 2);
        Report(inspection, &finding);
    }
    if (gap >= RP_NRES_ALIGNMENT) {
        RpFinding finding =
            Say("N14", RP_SEVERITY_WARNING, "no entry points to a region of the data");
        finding.offset = padded;
        Text text = Expected(&finding);
        Text_Append(&text, "payloads, and less than 8 bytes of padding between them");
        text = Found(&finding);
        Text_AppendDecimal(&text, next - padded);
        Text_Append(&text, IsZero(inspection->archive->image + padded, next - padded)
                               ? " bytes, all zero"
                               : " bytes, not all zero");
        Report(inspection, &finding);
    }
}

static void CheckRanges(NResInspection *inspection) {
    const RpNRes *archive = inspection->archive;
    NResRange furthest = {.end = RP_NRES_HEADER_BYTES}, range;
    NResSweep sweep;
    NResSweep_Begin(&sweep, archive, inspection->work);
    while (!inspection->stopped && NResSweep_Next(&sweep, &range)) {
        if (range.start < furthest.end) {
            RpFinding finding =
                SayOfEntry(inspection, "N09", RP_SEVERITY_ERROR, "two payloads overlap",
                           range.entry, NRES_AT_DATA_OFFSET);
            Text text = Expected(&finding);
            Text_Append(&text, "an offset of at least ");
            Text_AppendDecimal(&text, furthest.end);
            Text_Append(&text, ", behind ");
            AppendEntry(&text, inspection->archive, furthest.entry);
            text = Found(&finding);
            AppendRange(&text, range.start, range.end);
            Report(inspection, &finding);
        } else {
            CheckGap(inspection, &furthest, range.start);
        }
        if (range.end > furthest.end)
            furthest = range;
    }
    CheckGap(inspection, &furthest, archive->directory_offset);
}

/* ---- N06 to N09 and N12 to N14 at once ------------------------------------------------------- */

/* Whether a payload is aligned and, unless it is empty, begins less than 8 bytes behind `end`, with
 * zeros between. As it is aligned, they are in the word before it. */
static bool FollowsPlainly(const RpNRes *archive, uint32_t offset, uint32_t size, uint64_t end) {
    const uint64_t gap = offset - end; /* large where the payload begins before `end` */
    if (offset % RP_NRES_ALIGNMENT)
        return false;
    if (size == 0 || gap == 0)
        return true;
    if (gap >= RP_NRES_ALIGNMENT)
        return false;
    const uint64_t padding = Bytes_BigU64(archive->image + offset - RP_NRES_ALIGNMENT);
    return padding << (64 - 8 * gap) == 0;
}

/* Returns whether all records are as the game writes them. This takes one pass, and for most
 * archives it makes the rules unnecessary. It accepts nothing about which a rule would report
 * something. */
static bool IsPlain(const RpNRes *archive) {
    uint64_t end = RP_NRES_HEADER_BYTES;
    for (uint32_t i = 0; i < archive->count; i++) {
        const uint8_t *record = NRes_Record(archive, i), *name = record + NRES_AT_NAME;
        const uint32_t offset = Bytes_U32(record + NRES_AT_DATA_OFFSET);
        const uint32_t size = Bytes_U32(record + NRES_AT_SIZE);
        if (!NRes_IsInside(archive, offset, size) || !name[0] || name[RP_NRES_NAME_BYTES - 1] ||
            !FollowsPlainly(archive, offset, size, end))
            return false;
        end = size > 0 ? (uint64_t)offset + size : end;
    }
    const uint64_t gap = archive->directory_offset - end;
    return gap < RP_NRES_ALIGNMENT && IsZero(archive->image + end, gap);
}

/* ---- N10, N11, N15: the permutation, element by element -------------------------------------- */

static void ReportIndex(NResInspection *inspection, uint32_t at, const char *what) {
    RpFinding finding =
        SayOfEntry(inspection, "N10", RP_SEVERITY_ERROR, what, at, NRES_AT_SORT_INDEX);
    Text text = Expected(&finding);
    Text_Append(&text, "each number below ");
    Text_AppendDecimal(&text, inspection->archive->count);
    Text_Append(&text, " once");
    text = Found(&finding);
    Text_AppendDecimal(&text, NRes_SortIndex(inspection->archive, at));
    Report(inspection, &finding);
}

/* Reports entries that occur more than once. Only entries with numbers from `first` on are
 * examined, `covered` of them. `seen` is zeroed and has a bit for each of them. */
static void CheckRepeatsFrom(NResInspection *inspection, uint32_t first, uint32_t covered,
                             uint8_t *seen) {
    for (uint32_t i = 0; i < inspection->archive->count && !inspection->stopped; i++) {
        const uint32_t index = NRes_SortIndex(inspection->archive, i), bit = index - first;
        if (bit >= covered || index >= inspection->archive->count)
            continue;
        if (seen[bit / 8] >> bit % 8 & 1)
            ReportIndex(inspection, i, "the sort table repeats an entry");
        seen[bit / 8] |= (uint8_t)(1u << bit % 8);
    }
}

/* How many numbers one pass covers where the caller gave no memory. Their bits are 1 kB, which the
 * stack of a DLL can hold. */
enum { COVERED = 8192 };

/* Compares the names of the elements at - 1 and at. The result is 0 when one of them does not
 * exist. */
static int CompareNeighbours(const RpNRes *archive, uint32_t at) {
    const uint32_t left = NRes_SortIndex(archive, at - 1), right = NRes_SortIndex(archive, at);
    if (left >= archive->count || right >= archive->count)
        return 0;
    return NResName_Compare(NRes_NameField(archive, left), NRes_NameField(archive, right));
}

/* ---- N16 to N18: the canonical layout -------------------------------------------------------- */

static void ReportPlace(NResInspection *inspection, RpFinding finding, uint64_t expected,
                        uint32_t found) {
    Text text = Expected(&finding);
    Text_AppendDecimal(&text, expected);
    text = Found(&finding);
    Text_AppendDecimal(&text, found);
    Report(inspection, &finding);
}

/* The entries about which N16 reports. In a sorted directory these are nearly all entries, so there
 * is one finding for all of them. */
typedef struct Misplaced {
    uint32_t count, entry, offset; /* entry and offset are those of the first */
    uint64_t expected;
} Misplaced;

/* In the canonical layout, payloads lie in the order of the directory. An empty one lies where the
 * next payload would begin. */
static void CheckPlaces(NResInspection *inspection) {
    const RpNRes *archive = inspection->archive;
    Misplaced misplaced = {.count = 0};
    uint64_t cursor = RP_NRES_HEADER_BYTES;
    uint32_t previous = 0;
    for (uint32_t i = 0; i < archive->count && !inspection->stopped; i++) {
        const uint8_t *record = NRes_Record(archive, i);
        const uint32_t offset = Bytes_U32(record + NRES_AT_DATA_OFFSET);
        const uint32_t size = Bytes_U32(record + NRES_AT_SIZE);
        if (!NRes_IsInside(archive, offset, size))
            continue;
        if (size == 0 && offset != cursor)
            ReportPlace(inspection,
                        SayOfEntry(inspection, "N18", RP_SEVERITY_CANONICAL,
                                   "an empty payload is not where the next one would begin", i,
                                   NRES_AT_DATA_OFFSET),
                        cursor, offset);
        if (size == 0)
            continue;
        if (offset < previous && misplaced.count++ == 0) {
            misplaced.entry = i;
            misplaced.offset = offset;
            misplaced.expected = cursor;
        }
        previous = offset;
        cursor = NRes_Align((uint64_t)offset + size);
    }
    if (misplaced.count == 0)
        return;
    RpFinding finding = SayOfEntry(inspection, "N16", RP_SEVERITY_CANONICAL,
                                   "a payload lies before that of the entry before it",
                                   misplaced.entry, NRES_AT_DATA_OFFSET);
    Text text = Expected(&finding);
    Text_AppendDecimal(&text, misplaced.expected);
    text = Found(&finding);
    Text_AppendDecimal(&text, misplaced.offset);
    if (misplaced.count > 1) {
        Text_Append(&text, "; so it is with ");
        Text_AppendDecimal(&text, misplaced.count);
        Text_Append(&text, " entries");
    }
    Report(inspection, &finding);
}

/* ---- N19 to N21: remarks --------------------------------------------------------------------- */

static bool NameIsBefore(const void *archive, uint32_t b, uint32_t a) {
    return NResName_Compare(NRes_NameField(archive, b), NRes_NameField(archive, a)) < 0;
}

/* ---- all of them ----------------------------------------------------------------------------- */

void NResRules_Sound(NResInspection *inspection) {
    if (!IsPlain(inspection->archive)) {
        CheckRecords(inspection);
        if (!inspection->stopped)
            CheckRanges(inspection);
    }
    const RpNRes *archive = inspection->archive;
    if (inspection->stopped || archive->sorted)
        return;
    for (uint32_t i = 0; i < archive->count && !inspection->stopped; i++)
        if (NRes_SortIndex(archive, i) >= archive->count)
            ReportIndex(inspection, i, "the sort table names an entry that does not exist");

    /* With the caller's memory one pass is enough. Without it there is one for every 8192
     * entries. */
    if (inspection->work) {
        uint8_t *seen = (uint8_t *)inspection->work; /* one of 64 bits for each entry is used */
        memset(seen, 0, archive->count / 8 + 1);
        CheckRepeatsFrom(inspection, 0, archive->count, seen);
    } else {
        for (uint32_t first = 0; first < archive->count && !inspection->stopped; first += COVERED) {
            uint8_t seen[COVERED / 8] = {0};
            CheckRepeatsFrom(inspection, first, COVERED, seen);
        }
    }
    for (uint32_t i = 1; i < archive->count && !inspection->stopped; i++)
        if (CompareNeighbours(archive, i) > 0) {
            RpFinding finding =
                SayOfEntry(inspection, "N11", RP_SEVERITY_ERROR,
                           "the sort table does not follow the names", i, NRES_AT_SORT_INDEX);
            Text text = Expected(&finding);
            Text_Append(&text, "a name not before that of ");
            AppendEntry(&text, archive, NRes_SortIndex(archive, i - 1));
            text = Found(&finding);
            AppendEntry(&text, archive, NRes_SortIndex(archive, i));
            Report(inspection, &finding);
        }
}

void NResRules_Canonical(NResInspection *inspection) {
    const RpNRes *archive = inspection->archive;
    for (uint32_t i = 1; !archive->sorted && i < archive->count && !inspection->stopped; i++) {
        const uint32_t left = NRes_SortIndex(archive, i - 1), right = NRes_SortIndex(archive, i);
        if (left < archive->count && right < left && CompareNeighbours(archive, i) == 0) {
            RpFinding finding =
                SayOfEntry(inspection, "N15", RP_SEVERITY_CANONICAL,
                           "the sort table has equal names in another order than the directory", i,
                           NRES_AT_SORT_INDEX);
            Text text = Expected(&finding);
            Text_Append(&text, "an entry after ");
            Text_AppendDecimal(&text, left);
            text = Found(&finding);
            AppendEntry(&text, archive, right);
            Report(inspection, &finding);
        }
    }
    CheckPlaces(inspection);

    /* Check whether there is as much padding in front of the directory as there should be. N13 and
     * N14 check what lies between payloads. */
    if (archive->directory_offset % RP_NRES_ALIGNMENT == 0)
        return;
    RpFinding finding =
        Say("N17", RP_SEVERITY_CANONICAL, "the directory does not begin at a multiple of 8");
    finding.offset = archive->directory_offset;
    ReportPlace(inspection, finding, NRes_Align(archive->directory_offset),
                archive->directory_offset);
}

void NResRules_Remarks(NResInspection *inspection) {
    for (uint32_t i = 0; i < inspection->archive->count; i++) {
        const uint8_t *field = NRes_NameField(inspection->archive, i);
        const uint32_t length = NResName_Length(field);
        if (!IsZero(field + length, RP_NRES_NAME_BYTES - length)) {
            const RpFinding finding =
                SayOfEntry(inspection, "N19", RP_SEVERITY_INFO,
                           "there are bytes behind a name's NUL", i, NRES_AT_NAME + length);
            Report(inspection, &finding);
        }
        bool is_ascii = true;
        for (uint32_t k = 0; k < length; k++)
            is_ascii &= field[k] >= 0x20 && field[k] < 0x7F;
        if (!is_ascii) {
            RpFinding finding = SayOfEntry(inspection, "N20", RP_SEVERITY_INFO,
                                           "a name is not printable ASCII", i, NRES_AT_NAME);
            Text text = Found(&finding);
            AppendName(&text, inspection->archive, i);
            Report(inspection, &finding);
        }
    }

    /* Equal names can be found only in an order of the names. The stored order is used if it is
     * one. Otherwise the order is made, if there is memory for it. */
    const RpNRes *archive = inspection->archive;
    uint32_t example = 0;
    if (!archive->sorted && !inspection->work)
        return;
    if (!archive->sorted)
        NResOrder_Sort(inspection->work, inspection->work + archive->count, archive->count,
                       NameIsBefore, archive);

    /* Entries whose name an earlier entry has. The last of them in the order of the names is named
     * as an example. */
    const uint32_t *order = archive->sorted ? NULL : inspection->work;
    uint32_t count = 0;
    for (uint32_t i = 1; i < archive->count; i++) {
        const uint32_t left = order ? order[i - 1] : NRes_SortIndex(archive, i - 1);
        const uint32_t right = order ? order[i] : NRes_SortIndex(archive, i);
        if (!NameIsBefore(archive, left, right)) {
            example = right;
            count++;
        }
    }

    if (count == 0)
        return;
    RpFinding finding = SayOfEntry(inspection, "N21", RP_SEVERITY_INFO,
                                   "entries have the name of an earlier one: lookups by name do "
                                   "not reach them",
                                   example, NRES_AT_NAME);
    Text text = Found(&finding);
    Text_AppendDecimal(&text, count);
    Text_Append(&text, count == 1 ? " entry: " : " entries, one of them ");
    AppendName(&text, archive, example);
    Report(inspection, &finding);
}
