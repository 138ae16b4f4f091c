#include "formats/archive/nres_diff.h"

#include "core/json/json_text.h"
#include "core/member_order.h"
#include "formats/archive/nres_names.h"
#include "formats/nres/name.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Keyed {
    NResKey name;
    uint32_t type, entry;
} Keyed;

typedef struct Diff {
    const RpNRes *a, *b;
    int32_t *match_of_a, *match_of_b; /* entry of the other archive, or RP_NO_INDEX */
    ArchiveDiffTake take;
    void *context;
    bool any;
} Diff;

static void Take(Diff *diff, ArchiveDifference difference) {
    diff->any = true;
    diff->take(diff->context, &difference);
}

/* ---- which member is which ------------------------------------------------------------------- */

static int CompareNumbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int CompareEntries(const void *a, const void *b) {
    const Keyed *left = a, *right = b;
    int order = NResKey_Compare(&left->name, &right->name);
    if (order == 0)
        order = CompareNumbers(left->type, right->type);
    return order ? order : CompareNumbers(left->entry, right->entry);
}

static int CompareNames(const void *a, const void *b) {
    const Keyed *left = a, *right = b;
    const int order = NResKey_Compare(&left->name, &right->name);
    return order ? order : CompareNumbers(left->entry, right->entry);
}

/* Those of the archive that have no match yet. */
static uint32_t ListUnmatched(const RpNRes *archive, const int32_t *matches, Keyed *list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        if (matches[i] != RP_NO_INDEX)
            continue;
        NResKey_OfField((const uint8_t *)entry.name, &list[count].name);
        list[count].type = entry.type;
        list[count++].entry = i;
    }
    return count;
}

static void MatchLists(Diff *diff, const Keyed *a, uint32_t a_count, const Keyed *b,
                       uint32_t b_count, bool with_type) {
    uint32_t i = 0, j = 0;
    while (i < a_count && j < b_count) {
        int order = NResKey_Compare(&a[i].name, &b[j].name);
        if (order == 0 && with_type)
            order = CompareNumbers(a[i].type, b[j].type);
        if (order == 0) {
            diff->match_of_a[a[i].entry] = (int32_t)b[j].entry;
            diff->match_of_b[b[j].entry] = (int32_t)a[i].entry;
        }
        i += order <= 0;
        j += order >= 0;
    }
}

static void MatchOnce(Diff *diff, Keyed *a, Keyed *b, bool with_type) {
    const uint32_t a_count = ListUnmatched(diff->a, diff->match_of_a, a);
    const uint32_t b_count = ListUnmatched(diff->b, diff->match_of_b, b);
    qsort(a, a_count, sizeof *a, with_type ? CompareEntries : CompareNames);
    qsort(b, b_count, sizeof *b, with_type ? CompareEntries : CompareNames);
    MatchLists(diff, a, a_count, b, b_count, with_type);
}

static bool Match(Diff *diff) {
    Keyed *a = calloc((size_t)diff->a->count + 1, sizeof *a);
    Keyed *b = calloc((size_t)diff->b->count + 1, sizeof *b);
    for (uint32_t i = 0; i < diff->a->count; i++)
        diff->match_of_a[i] = RP_NO_INDEX;
    for (uint32_t i = 0; i < diff->b->count; i++)
        diff->match_of_b[i] = RP_NO_INDEX;
    if (a && b) {
        MatchOnce(diff, a, b, true);
        MatchOnce(diff, a, b, false);
    }
    const bool good = a && b;
    free(a);
    free(b);
    return good;
}

/* ---- members --------------------------------------------------------------------------------- */

static void CompareField(Diff *diff, uint32_t a, uint32_t b, const char *field, uint32_t from,
                         uint32_t to) {
    if (from != to)
        Take(diff, (ArchiveDifference){.change = ARCHIVE_FIELD,
                                       .a = (int32_t)a,
                                       .b = (int32_t)b,
                                       .field = field,
                                       .from = from,
                                       .to = to});
}

/* `size` when there is none. */
static uint32_t FirstDifference(const void *a, const void *b, uint32_t size) {
    const uint8_t *left = a, *right = b;
    uint32_t at = 0;
    while (at < size && left[at] == right[at])
        at++;
    return at;
}

static void CompareNameFields(Diff *diff, const RpNResEntry *a, const RpNResEntry *b) {
    const uint32_t at = FirstDifference(a->name, b->name, RP_NRES_NAME_BYTES);
    if (at < RP_NRES_NAME_BYTES)
        Take(diff,
             (ArchiveDifference){
                 .change = ARCHIVE_NAME, .a = (int32_t)a->index, .b = (int32_t)b->index, .at = at});
}

/* Of two payloads outside their images there is nothing but the sizes to compare. */
static void ComparePayloads(Diff *diff, const RpNResEntry *a, const RpNResEntry *b) {
    const uint32_t least = a->size < b->size ? a->size : b->size;
    uint32_t at = a->data || b->data ? 0 : least;
    if (a->data && b->data)
        at = FirstDifference(a->data, b->data, least);
    if (at < least || a->size != b->size)
        Take(diff, (ArchiveDifference){.change = ARCHIVE_PAYLOAD,
                                       .a = (int32_t)a->index,
                                       .b = (int32_t)b->index,
                                       .from = a->size,
                                       .to = b->size,
                                       .at = at});
}

static void CompareMembers(Diff *diff, uint32_t a, uint32_t b) {
    const RpNResEntry left = RpNRes_Entry(diff->a, a), right = RpNRes_Entry(diff->b, b);
    CompareNameFields(diff, &left, &right);
    CompareField(diff, a, b, "type", left.type, right.type);
    CompareField(diff, a, b, "attr1", left.attr1, right.attr1);
    CompareField(diff, a, b, "attr2", left.attr2, right.attr2);
    CompareField(diff, a, b, "attr3", left.attr3, right.attr3);
    ComparePayloads(diff, &left, &right);
}

/* ---- order ----------------------------------------------------------------------------------- */

static void ReportMoved(Diff *diff, const bool *stays) {
    for (uint32_t i = 0; i < diff->a->count; i++)
        if (diff->match_of_a[i] != RP_NO_INDEX && !stays[i])
            Take(diff, (ArchiveDifference){.change = ARCHIVE_MOVED,
                                           .a = (int32_t)i,
                                           .b = diff->match_of_a[i],
                                           .from = i,
                                           .to = (uint32_t)diff->match_of_a[i]});
}

static bool CompareOrder(Diff *diff) {
    bool *stays = MemberOrder_Staying(diff->match_of_a, diff->a->count);
    if (stays)
        ReportMoved(diff, stays);
    const bool good = stays != NULL;
    free(stays);
    return good;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void CompareAll(Diff *diff) {
    for (uint32_t i = 0; i < diff->a->count; i++) {
        if (diff->match_of_a[i] != RP_NO_INDEX)
            CompareMembers(diff, i, (uint32_t)diff->match_of_a[i]);
        else
            Take(diff,
                 (ArchiveDifference){.change = ARCHIVE_REMOVED, .a = (int32_t)i, .b = RP_NO_INDEX});
    }
    for (uint32_t i = 0; i < diff->b->count; i++)
        if (diff->match_of_b[i] == RP_NO_INDEX)
            Take(diff,
                 (ArchiveDifference){.change = ARCHIVE_ADDED, .a = RP_NO_INDEX, .b = (int32_t)i});
}

static void CompareImages(Diff *diff) {
    const uint32_t least = diff->a->size < diff->b->size ? diff->a->size : diff->b->size;
    const uint32_t at = FirstDifference(diff->a->image, diff->b->image, least);
    if (!diff->any && (at < least || diff->a->size != diff->b->size))
        Take(diff, (ArchiveDifference){.change = ARCHIVE_LAYOUT,
                                       .a = RP_NO_INDEX,
                                       .b = RP_NO_INDEX,
                                       .from = diff->a->size,
                                       .to = diff->b->size,
                                       .at = at});
}

RpStatus ArchiveDiff_Compare(const RpNRes *a, const RpNRes *b, ArchiveDiffTake take, void *context,
                             RpError *error) {
    Diff diff = {.a = a, .b = b, .take = take, .context = context};
    RpStatus status = RpNRes_CheckCopies(a, error);
    if (status == RP_OK)
        status = RpNRes_CheckCopies(b, error);
    if (status != RP_OK)
        return status;
    diff.match_of_a = calloc((size_t)a->count + 1, sizeof *diff.match_of_a);
    diff.match_of_b = calloc((size_t)b->count + 1, sizeof *diff.match_of_b);
    bool good = diff.match_of_a && diff.match_of_b && Match(&diff);
    if (good) {
        CompareAll(&diff);
        good = CompareOrder(&diff);
    }
    if (good)
        CompareImages(&diff);
    free(diff.match_of_a);
    free(diff.match_of_b);
    return good ? RP_OK : RpMemory_Refused(error, "the comparison of two archives");
}

/* ---- text ------------------------------------------------------------------------------------ */

typedef struct Report {
    const RpNRes *a, *b;
    RpBuffer *text;
    cJSON *list; /* of the JSON report */
    uint64_t count;
    bool failed;
} Report;

static RpNResEntry EntryOf(const Report *report, const ArchiveDifference *difference) {
    if (difference->a != RP_NO_INDEX)
        return RpNRes_Entry(report->a, (uint32_t)difference->a);
    return RpNRes_Entry(report->b, (uint32_t)difference->b);
}

static void PrintMember(Report *report, char sign, uint32_t entry, const RpNResEntry *member) {
    char name[ARCHIVE_SHOWN_BYTES], type[ARCHIVE_TYPE_BYTES];
    ArchiveName_Show(member->name, name);
    ArchiveType_Show(member->type, type);
    RpBuffer_Print(report->text, "%c entry %" PRIu32 " \"%s\" %s", sign, entry, name, type);
}

static void PrintField(Report *report, const ArchiveDifference *difference) {
    char from[ARCHIVE_TYPE_BYTES], to[ARCHIVE_TYPE_BYTES];
    if (strcmp(difference->field, "type") == 0) {
        ArchiveType_Show(difference->from, from);
        ArchiveType_Show(difference->to, to);
        RpBuffer_Print(report->text, ": type %s -> %s\n", from, to);
        return;
    }
    RpBuffer_Print(report->text, ": %s %" PRIu32 " -> %" PRIu32 "\n", difference->field,
                   difference->from, difference->to);
}

static void PrintPayload(Report *report, const ArchiveDifference *difference) {
    if (difference->from != difference->to)
        RpBuffer_Print(report->text, ": payload of %" PRIu32 " -> %" PRIu32 " bytes,",
                       difference->from, difference->to);
    else
        RpBuffer_Print(report->text, ": payload of %" PRIu32 " bytes,", difference->from);
    RpBuffer_Print(report->text, " first difference at byte %" PRIu32 "\n", difference->at);
}

static void PrintDifference(void *context, const ArchiveDifference *difference) {
    Report *report = context;
    report->count++;
    if (difference->change == ARCHIVE_LAYOUT) {
        RpBuffer_Print(report->text,
                       "~ layout: the same members in %" PRIu32 " -> %" PRIu32
                       " bytes, first difference at byte 0x%" PRIX32 "\n",
                       difference->from, difference->to, difference->at);
        return;
    }
    const RpNResEntry entry = EntryOf(report, difference);
    const char sign = difference->change == ARCHIVE_REMOVED ? '-'
                      : difference->change == ARCHIVE_ADDED ? '+'
                                                            : '~';
    PrintMember(report, sign, entry.index, &entry);
    if (difference->change == ARCHIVE_MOVED)
        RpBuffer_Print(report->text, ": position %" PRIu32 " -> %" PRIu32 "\n", difference->from,
                       difference->to);
    else if (difference->change == ARCHIVE_FIELD)
        PrintField(report, difference);
    else if (difference->change == ARCHIVE_NAME)
        RpBuffer_Print(report->text, ": name field, first difference at byte %" PRIu32 "\n",
                       difference->at);
    else if (difference->change == ARCHIVE_PAYLOAD)
        PrintPayload(report, difference);
    else
        RpBuffer_Print(report->text, ", %" PRIu32 " bytes\n", entry.size);
}

RpStatus ArchiveDiff_Text(const RpNRes *a, const RpNRes *b, RpBuffer *text, bool *different,
                          RpError *error) {
    Report report = {.a = a, .b = b, .text = text};
    const RpStatus status = ArchiveDiff_Compare(a, b, PrintDifference, &report, error);
    if (different)
        *different = report.count > 0;
    if (status == RP_OK && text->failed)
        return RpMemory_Refused(error, "the comparison of two archives");
    return status;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void AddIndex(Report *report, cJSON *object, const char *name, int32_t index) {
    if (index != RP_NO_INDEX)
        report->failed |= !cJSON_AddNumberToObject(object, name, index);
}

static void AddMemberNames(Report *report, cJSON *object, const ArchiveDifference *difference) {
    char name[ARCHIVE_NAME_BYTES], type[ARCHIVE_TYPE_BYTES];
    if (difference->change == ARCHIVE_LAYOUT)
        return;
    const RpNResEntry entry = EntryOf(report, difference);
    ArchiveName_ToUtf8(entry.name, name);
    ArchiveType_Show(entry.type, type);
    report->failed |= !cJSON_AddStringToObject(object, "name", name) ||
                      !cJSON_AddStringToObject(object, "type", type);
}

static void AddDifference(void *context, const ArchiveDifference *difference) {
    static const char *const changes[] = {"removed", "added",   "moved", "field",
                                          "name",    "payload", "layout"};
    Report *report = context;
    const ArchiveChange change = difference->change;
    cJSON *object = cJSON_CreateObject();
    report->count++;
    report->failed |= !object || !cJSON_AddItemToArray(report->list, object) ||
                      !cJSON_AddStringToObject(object, "change", changes[change]);
    AddIndex(report, object, "a", difference->a);
    AddIndex(report, object, "b", difference->b);
    AddMemberNames(report, object, difference);
    if (difference->field)
        report->failed |= !cJSON_AddStringToObject(object, "field", difference->field);
    if (change >= ARCHIVE_MOVED && change != ARCHIVE_NAME)
        report->failed |= !cJSON_AddNumberToObject(object, "from", difference->from) ||
                          !cJSON_AddNumberToObject(object, "to", difference->to);
    if (change >= ARCHIVE_NAME)
        report->failed |= !cJSON_AddNumberToObject(object, "first_difference", difference->at);
}

RpStatus ArchiveDiff_Json(const RpNRes *a, const RpNRes *b, RpBuffer *json, bool *different,
                          RpError *error) {
    cJSON *root = cJSON_CreateObject();
    Report report = {.a = a, .b = b};
    report.list = cJSON_AddArrayToObject(root, "differences");
    RpStatus status = report.list ? ArchiveDiff_Compare(a, b, AddDifference, &report, error)
                                  : RpMemory_Refused(error, "a report as JSON");
    const bool good = !report.failed && cJSON_AddBoolToObject(root, "identical", report.count == 0);
    if (different)
        *different = report.count > 0;
    if (status == RP_OK)
        return JsonText_End(root, good, "a report as JSON", json, error);
    cJSON_Delete(root);
    return status;
}
