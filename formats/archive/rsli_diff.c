#include "formats/archive/rsli_diff.h"

#include "core/json/json_text.h"
#include "core/member_order.h"
#include "formats/archive/rsli_names.h"
#include "formats/rsli/layout.h"
#include "formats/rsli/rules.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Side {
    const RpRsLi *library;
    RpRsLiRecord *sorted; /* with the map that the names give */
    int32_t *match;       /* by entry: that of the other side, or RP_NO_INDEX */
} Side;

typedef struct Diff {
    Side a, b;
    LibraryDiffTake take;
    void *context;
    void *work;
    bool any;
} Diff;

static void Take(Diff *diff, LibraryDifference difference) {
    diff->any = true;
    diff->take(diff->context, &difference);
}

/* ---- matching -------------------------------------------------------------------------------- */

static bool OpenSide(Side *side, const RpRsLi *library) {
    size_t room = (size_t)library->count + 1;
    side->library = library;
    side->sorted = calloc(room, sizeof *side->sorted);
    side->match = calloc(room, sizeof *side->match);
    if (!side->sorted || !side->match)
        return false;
    for (uint32_t i = 0; i < library->count; i++) {
        side->sorted[i] = library->records[i];
        side->match[i] = RP_NO_INDEX;
    }
    RsLi_SortMap(side->sorted, library->count);
    return true;
}

static void CloseSide(Side *side) {
    free(side->sorted);
    free(side->match);
}

/* Both in the order of their names, side by side. */
static void Match(Diff *diff) {
    uint32_t i = 0, k = 0;
    while (i < diff->a.library->count && k < diff->b.library->count) {
        uint32_t a = diff->a.sorted[i].sort, b = diff->b.sorted[k].sort;
        int order = RsLi_CompareNames(diff->a.sorted[a].name, diff->b.sorted[b].name);
        if (order == 0) {
            diff->a.match[a] = (int32_t)b;
            diff->b.match[b] = (int32_t)a;
        }
        i += order <= 0;
        k += order >= 0;
    }
}

/* ---- entries --------------------------------------------------------------------------------- */

static uint64_t FirstDifference(const uint8_t *a, const uint8_t *b, uint64_t size) {
    uint64_t at = 0;
    while (at < size && a[at] == b[at])
        at++;
    return at;
}

/* Null when the entry does not unpack, or for want of memory. */
static uint8_t *Unpacked(const Diff *diff, const RpRsLi *library, uint32_t i) {
    size_t packed_size;
    if (!RsLi_CanUnpack(library, i, &packed_size))
        return NULL;
    uint8_t *output = malloc((size_t)library->records[i].unpacked_size + 1);
    if (output && RpRsLi_Load(library, i, output, diff->work, NULL, NULL) == RP_OK)
        return output;
    free(output);
    return NULL;
}

static bool SameMethod(const RpRsLiRecord *a, const RpRsLiRecord *b) {
    return ((a->flags ^ b->flags) & RP_RSLI_METHOD_MASK) == 0;
}

/* Payloads under two keys differ in every byte and say nothing. */
static void ComparePacked(Diff *diff, uint32_t i, uint32_t k) {
    const RpRsLiRecord *left = &diff->a.library->records[i], *right = &diff->b.library->records[k];
    size_t left_size, right_size;
    const uint8_t *a = RpRsLi_Packed(diff->a.library, i, &left_size);
    const uint8_t *b = RpRsLi_Packed(diff->b.library, k, &right_size);
    uint64_t least = left_size < right_size ? left_size : right_size;
    bool keyed = RpRsLiMethod_HasKey(left->flags) && left->sort != right->sort;
    if (keyed && left_size == right_size)
        return;
    uint64_t at = a && b && !keyed ? FirstDifference(a, b, least) : 0;
    if (left_size != right_size || at < least)
        Take(diff, (LibraryDifference){.change = LIBRARY_PACKED,
                                       .a = (int32_t)i,
                                       .b = (int32_t)k,
                                       .from = (uint32_t)left_size,
                                       .to = (uint32_t)right_size,
                                       .at = at});
}

static void CompareContents(Diff *diff, uint32_t i, uint32_t k) {
    const RpRsLiRecord *left = &diff->a.library->records[i], *right = &diff->b.library->records[k];
    uint32_t least =
        left->unpacked_size < right->unpacked_size ? left->unpacked_size : right->unpacked_size;
    uint8_t *a = Unpacked(diff, diff->a.library, i), *b = Unpacked(diff, diff->b.library, k);
    uint64_t at = a && b ? FirstDifference(a, b, least) : 0;
    bool same = a && b && at == least && left->unpacked_size == right->unpacked_size;
    if (!same && (a || b || left->unpacked_size != right->unpacked_size))
        Take(diff, (LibraryDifference){.change = LIBRARY_CONTENTS,
                                       .a = (int32_t)i,
                                       .b = (int32_t)k,
                                       .from = left->unpacked_size,
                                       .to = right->unpacked_size,
                                       .at = at});
    else if (SameMethod(left, right))
        ComparePacked(diff, i, k);
    free(a);
    free(b);
}

static void CompareEntries(Diff *diff, uint32_t i, uint32_t k) {
    const RpRsLiRecord *left = &diff->a.library->records[i], *right = &diff->b.library->records[k];
    if (left->flags != right->flags)
        Take(diff, (LibraryDifference){.change = LIBRARY_METHOD,
                                       .a = (int32_t)i,
                                       .b = (int32_t)k,
                                       .from = left->flags,
                                       .to = right->flags});
    if (memcmp(left->service, right->service, sizeof left->service) != 0)
        Take(diff,
             (LibraryDifference){.change = LIBRARY_SERVICE, .a = (int32_t)i, .b = (int32_t)k});
    CompareContents(diff, i, k);
}

static void CompareAll(Diff *diff) {
    for (uint32_t i = 0; i < diff->a.library->count; i++) {
        if (diff->a.match[i] != RP_NO_INDEX)
            CompareEntries(diff, i, (uint32_t)diff->a.match[i]);
        else
            Take(diff,
                 (LibraryDifference){.change = LIBRARY_REMOVED, .a = (int32_t)i, .b = RP_NO_INDEX});
    }
    for (uint32_t i = 0; i < diff->b.library->count; i++)
        if (diff->b.match[i] == RP_NO_INDEX)
            Take(diff,
                 (LibraryDifference){.change = LIBRARY_ADDED, .a = RP_NO_INDEX, .b = (int32_t)i});
}

/* ---- order ----------------------------------------------------------------------------------- */

static void ReportMoved(Diff *diff, const bool *stays) {
    for (uint32_t i = 0; i < diff->a.library->count; i++)
        if (diff->a.match[i] != RP_NO_INDEX && !stays[i])
            Take(diff, (LibraryDifference){.change = LIBRARY_MOVED,
                                           .a = (int32_t)i,
                                           .b = diff->a.match[i],
                                           .from = i,
                                           .to = (uint32_t)diff->a.match[i]});
}

static bool CompareOrder(Diff *diff) {
    bool *stays = MemberOrder_Staying(diff->a.match, diff->a.library->count);
    if (stays)
        ReportMoved(diff, stays);
    const bool good = stays != NULL;
    free(stays);
    return good;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Counts and the sum follow from the entries. */
static void CompareHeaders(Diff *diff) {
    const uint8_t *a = diff->a.library->image, *b = diff->b.library->image;
    for (uint32_t at = 8; at < RP_RSLI_HEADER_BYTES; at++)
        if (a[at] != b[at] && (at < RSLI_AT_SUM || at >= RSLI_AT_SUM + 4)) {
            Take(diff, (LibraryDifference){.change = LIBRARY_HEADER,
                                           .a = RP_NO_INDEX,
                                           .b = RP_NO_INDEX,
                                           .from = a[at],
                                           .to = b[at],
                                           .at = at});
            return;
        }
}

static void CompareImages(Diff *diff) {
    const RpRsLi *a = diff->a.library, *b = diff->b.library;
    uint64_t least = a->size < b->size ? a->size : b->size;
    uint64_t at = diff->any ? 0 : FirstDifference(a->image, b->image, least);
    if (!diff->any && (at < least || a->size != b->size))
        Take(diff, (LibraryDifference){.change = LIBRARY_LAYOUT,
                                       .a = RP_NO_INDEX,
                                       .b = RP_NO_INDEX,
                                       .from = (uint32_t)a->size,
                                       .to = (uint32_t)b->size,
                                       .at = at});
}

RpStatus LibraryDiff_Compare(const RpRsLi *a, const RpRsLi *b, LibraryDiffTake take, void *context,
                             RpError *error) {
    Diff diff = {.take = take, .context = context};
    RpStatus status = RpRsLi_CheckSizes(a, error);
    if (status == RP_OK)
        status = RpRsLi_CheckSizes(b, error);
    if (status != RP_OK)
        return status;
    diff.work = malloc(RP_RSLI_WORK_BYTES);
    bool good = OpenSide(&diff.a, a) && OpenSide(&diff.b, b) && diff.work;
    if (good) {
        Match(&diff);
        CompareAll(&diff);
        good = CompareOrder(&diff);
    }
    if (good) {
        CompareHeaders(&diff);
        CompareImages(&diff);
    }
    CloseSide(&diff.a);
    CloseSide(&diff.b);
    free(diff.work);
    return good ? RP_OK : RpMemory_Refused(error, "the comparison of two libraries");
}

/* ---- text ------------------------------------------------------------------------------------ */

typedef struct Report {
    const RpRsLi *a, *b;
    RpBuffer *text;
    cJSON *list; /* of the JSON report */
    uint64_t count;
    bool failed;
} Report;

static const RpRsLiRecord *RecordOf(const Report *report, const LibraryDifference *difference) {
    return difference->a != RP_NO_INDEX ? &report->a->records[difference->a]
                                        : &report->b->records[difference->b];
}

static const char *MethodOf(uint32_t flags) {
    const char *name = RpRsLiMethod_Name(flags);
    return name ? name : "unknown";
}

static void PrintBytes(Report *report, const char *what, const LibraryDifference *difference) {
    if (difference->from != difference->to)
        RpBuffer_Print(report->text, ": %s %" PRIu32 " -> %" PRIu32 " bytes,", what,
                       difference->from, difference->to);
    else
        RpBuffer_Print(report->text, ": %s %" PRIu32 " bytes,", what, difference->from);
    RpBuffer_Print(report->text, " first difference at byte %" PRIu64 "\n", difference->at);
}

static void PrintEntry(Report *report, const LibraryDifference *difference) {
    const RpRsLiRecord *record = RecordOf(report, difference);
    char name[LIBRARY_SHOWN_BYTES];
    char sign = difference->change == LIBRARY_REMOVED ? '-'
                : difference->change == LIBRARY_ADDED ? '+'
                                                      : '~';
    LibraryName_Show(record->name, name);
    RpBuffer_Print(report->text, "%c entry %" PRId32 " \"%s\"", sign,
                   difference->a != RP_NO_INDEX ? difference->a : difference->b, name);
    switch (difference->change) {
    case LIBRARY_MOVED:
        RpBuffer_Print(report->text, ": position %" PRIu32 " -> %" PRIu32 "\n", difference->from,
                       difference->to);
        break;
    case LIBRARY_METHOD:
        RpBuffer_Print(report->text, ": %s (flags 0x%" PRIX32 ") -> %s (0x%" PRIX32 ")\n",
                       MethodOf(difference->from), difference->from, MethodOf(difference->to),
                       difference->to);
        break;
    case LIBRARY_SERVICE:
        RpBuffer_Print(report->text, ": service bytes\n");
        break;
    case LIBRARY_CONTENTS:
        PrintBytes(report, "contents of", difference);
        break;
    case LIBRARY_PACKED:
        PrintBytes(report, "the same contents, packed into", difference);
        break;
    default:
        RpBuffer_Print(report->text, " %s, %" PRIu32 " bytes\n", MethodOf(record->flags),
                       record->unpacked_size);
    }
}

static void PrintDifference(void *context, const LibraryDifference *difference) {
    Report *report = context;
    report->count++;
    if (difference->change == LIBRARY_HEADER)
        RpBuffer_Print(report->text,
                       "~ header: byte %" PRIu64 ", 0x%02" PRIX32 " -> 0x%02" PRIX32 "\n",
                       difference->at, difference->from, difference->to);
    else if (difference->change == LIBRARY_LAYOUT)
        RpBuffer_Print(report->text,
                       "~ layout: the same entries in %" PRIu32 " -> %" PRIu32
                       " bytes, first difference at byte 0x%" PRIX64 "\n",
                       difference->from, difference->to, difference->at);
    else
        PrintEntry(report, difference);
}

RpStatus LibraryDiff_Text(const RpRsLi *a, const RpRsLi *b, RpBuffer *text, bool *different,
                          RpError *error) {
    Report report = {.a = a, .b = b, .text = text};
    RpStatus status = LibraryDiff_Compare(a, b, PrintDifference, &report, error);
    if (different)
        *different = report.count > 0;
    return status == RP_OK && text->failed
               ? RpMemory_Refused(error, "the comparison of two libraries")
               : status;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void AddIndex(Report *report, cJSON *object, const char *name, int32_t index) {
    if (index != RP_NO_INDEX)
        report->failed |= !cJSON_AddNumberToObject(object, name, index);
}

static void AddName(Report *report, cJSON *object, const LibraryDifference *difference) {
    char name[LIBRARY_NAME_BYTES];
    if (difference->change >= LIBRARY_HEADER)
        return;
    LibraryName_ToUtf8(RecordOf(report, difference)->name, name);
    report->failed |= !cJSON_AddStringToObject(object, "name", name);
}

static void AddDifference(void *context, const LibraryDifference *difference) {
    static const char *const changes[] = {"removed",  "added",  "moved",  "method", "service",
                                          "contents", "packed", "header", "layout"};
    Report *report = context;
    LibraryChange change = difference->change;
    cJSON *object = cJSON_CreateObject();
    report->count++;
    report->failed |= !object || !cJSON_AddItemToArray(report->list, object) ||
                      !cJSON_AddStringToObject(object, "change", changes[change]);
    AddIndex(report, object, "a", difference->a);
    AddIndex(report, object, "b", difference->b);
    AddName(report, object, difference);
    if (change >= LIBRARY_MOVED && change != LIBRARY_SERVICE)
        report->failed |= !cJSON_AddNumberToObject(object, "from", difference->from) ||
                          !cJSON_AddNumberToObject(object, "to", difference->to);
    if (change >= LIBRARY_CONTENTS)
        report->failed |=
            !cJSON_AddNumberToObject(object, "first_difference", (double)difference->at);
}

RpStatus LibraryDiff_Json(const RpRsLi *a, const RpRsLi *b, RpBuffer *json, bool *different,
                          RpError *error) {
    cJSON *root = cJSON_CreateObject();
    Report report = {.a = a, .b = b};
    report.list = cJSON_AddArrayToObject(root, "differences");
    RpStatus status = report.list ? LibraryDiff_Compare(a, b, AddDifference, &report, error)
                                  : RpMemory_Refused(error, "a report as JSON");
    const bool good = !report.failed && cJSON_AddBoolToObject(root, "identical", report.count == 0);
    if (different)
        *different = report.count > 0;
    if (status == RP_OK)
        return JsonText_End(root, good, "a report as JSON", json, error);
    cJSON_Delete(root);
    return status;
}
