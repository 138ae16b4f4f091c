#include "formats/archive/member_diff.h"

#include "core/json/json_text.h"
#include "core/member_order.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>

/* ---- comparing ------------------------------------------------------------------------------- */

static int32_t *NoMatches(uint32_t count) {
    int32_t *matches = calloc((size_t)count + 1, sizeof *matches);
    for (uint32_t i = 0; matches && i < count; i++)
        matches[i] = RP_NO_INDEX;
    return matches;
}

bool MemberDiff_Begin(MemberDiff *diff, uint32_t a_count, uint32_t b_count) {
    diff->a_count = a_count;
    diff->b_count = b_count;
    diff->match_of_a = NoMatches(a_count);
    diff->match_of_b = NoMatches(b_count);
    return diff->match_of_a && diff->match_of_b;
}

void MemberDiff_End(MemberDiff *diff) {
    free(diff->match_of_a);
    free(diff->match_of_b);
}

void MemberDiff_Match(MemberDiff *diff, uint32_t a, uint32_t b) {
    diff->match_of_a[a] = (int32_t)b;
    diff->match_of_b[b] = (int32_t)a;
}

void MemberDiff_Report(MemberDiff *diff, MemberDifference difference) {
    diff->any = true;
    diff->take(diff->context, &difference);
}

bool MemberDiff_Members(MemberDiff *diff, void (*compare)(void *comparing, uint32_t a, uint32_t b),
                        void *comparing) {
    for (uint32_t i = 0; i < diff->a_count; i++) {
        if (diff->match_of_a[i] != RP_NO_INDEX)
            compare(comparing, i, (uint32_t)diff->match_of_a[i]);
        else
            MemberDiff_Report(
                diff,
                (MemberDifference){.change = MEMBER_REMOVED, .a = (int32_t)i, .b = RP_NO_INDEX});
    }
    for (uint32_t i = 0; i < diff->b_count; i++)
        if (diff->match_of_b[i] == RP_NO_INDEX)
            MemberDiff_Report(diff, (MemberDifference){
                                        .change = MEMBER_ADDED, .a = RP_NO_INDEX, .b = (int32_t)i});
    bool *stays = MemberOrder_Staying(diff->match_of_a, diff->a_count);
    if (stays)
        for (uint32_t i = 0; i < diff->a_count; i++)
            if (diff->match_of_a[i] != RP_NO_INDEX && !stays[i])
                MemberDiff_Report(diff, (MemberDifference){.change = MEMBER_MOVED,
                                                           .a = (int32_t)i,
                                                           .b = diff->match_of_a[i],
                                                           .from = i,
                                                           .to = (uint32_t)diff->match_of_a[i]});
    const bool good = stays != NULL;
    free(stays);
    return good;
}

uint64_t MemberDiff_FirstByte(const void *a, const void *b, uint64_t size) {
    const uint8_t *left = a, *right = b;
    uint64_t at = 0;
    while (at < size && left[at] == right[at])
        at++;
    return at;
}

void MemberDiff_Images(MemberDiff *diff, const uint8_t *a, uint64_t a_size, const uint8_t *b,
                       uint64_t b_size) {
    const uint64_t least = a_size < b_size ? a_size : b_size;
    const uint64_t at = diff->any ? 0 : MemberDiff_FirstByte(a, b, least);
    if (!diff->any && (at < least || a_size != b_size))
        MemberDiff_Report(diff, (MemberDifference){.change = MEMBER_LAYOUT,
                                                   .a = RP_NO_INDEX,
                                                   .b = RP_NO_INDEX,
                                                   .from = (uint32_t)a_size,
                                                   .to = (uint32_t)b_size,
                                                   .at = at});
}

/* ---- reporting ------------------------------------------------------------------------------- */

/* The words for each kind of change. */
static const struct {
    const char *name;  /* in JSON */
    const char *bytes; /* in a text, in front of "N -> N bytes", for changes of bytes */
    bool has_from_to, has_at;
} changes[] = {
    [MEMBER_REMOVED] = {"removed", NULL, false, false},
    [MEMBER_ADDED] = {"added", NULL, false, false},
    [MEMBER_MOVED] = {"moved", NULL, true, false},
    [MEMBER_FIELD] = {"field", NULL, true, false},
    [MEMBER_NAME] = {"name", NULL, false, true},
    [MEMBER_PAYLOAD] = {"payload", "payload of", true, true},
    [MEMBER_METHOD] = {"method", NULL, true, false},
    [MEMBER_SERVICE] = {"service", NULL, false, false},
    [MEMBER_CONTENTS] = {"contents", "contents of", true, true},
    [MEMBER_PACKED] = {"packed", "the same contents, packed into", true, true},
    [MEMBER_HEADER] = {"header", NULL, true, true},
    [MEMBER_LAYOUT] = {"layout", NULL, true, true},
};

typedef struct Report {
    const MemberDiffKind *kind;
    const void *a, *b;
    RpBuffer *text;
    cJSON *list; /* the list of the JSON report */
    uint64_t count;
    bool failed;
} Report;

static const void *ArchiveOf(const Report *report, const MemberDifference *difference) {
    return difference->a != RP_NO_INDEX ? report->a : report->b;
}

static uint32_t MemberOf(const MemberDifference *difference) {
    return (uint32_t)(difference->a != RP_NO_INDEX ? difference->a : difference->b);
}

static void PrintDifference(void *context, const MemberDifference *difference) {
    Report *report = context;
    report->count++;
    if (difference->change == MEMBER_HEADER) {
        RpBuffer_Print(report->text,
                       "~ header: byte %" PRIu64 ", 0x%02" PRIX32 " -> 0x%02" PRIX32 "\n",
                       difference->at, difference->from, difference->to);
    } else if (difference->change == MEMBER_LAYOUT) {
        RpBuffer_Print(report->text,
                       "~ layout: the same %s in %" PRIu32 " -> %" PRIu32
                       " bytes, first difference at byte 0x%" PRIX64 "\n",
                       report->kind->members, difference->from, difference->to, difference->at);
    } else {
        RpBuffer *text = report->text;
        const void *archive = ArchiveOf(report, difference);
        const uint32_t member = MemberOf(difference);
        const char sign = difference->change == MEMBER_REMOVED ? '-'
                          : difference->change == MEMBER_ADDED ? '+'
                                                               : '~';
        RpBuffer_Print(text, "%c entry %" PRIu32 " ", sign, member);
        report->kind->print_name(text, archive, member);
        if (difference->change == MEMBER_MOVED) {
            RpBuffer_Print(text, ": position %" PRIu32 " -> %" PRIu32 "\n", difference->from,
                           difference->to);
        } else if (difference->change == MEMBER_NAME) {
            RpBuffer_Print(text, ": name field, first difference at byte %" PRIu64 "\n",
                           difference->at);
        } else if (difference->change == MEMBER_SERVICE) {
            RpBuffer_AppendText(text, ": service bytes\n");
        } else if (changes[difference->change].bytes) {
            const char *what = changes[difference->change].bytes;
            if (difference->from != difference->to)
                RpBuffer_Print(text, ": %s %" PRIu32 " -> %" PRIu32 " bytes,", what,
                               difference->from, difference->to);
            else
                RpBuffer_Print(text, ": %s %" PRIu32 " bytes,", what, difference->from);
            RpBuffer_Print(text, " first difference at byte %" PRIu64 "\n", difference->at);
        } else {
            report->kind->print_change(text, archive, member, difference);
        }
    }
}

RpStatus MemberDiff_Text(const MemberDiffKind *kind, const void *a, const void *b, RpBuffer *text,
                         bool *different, RpError *error) {
    Report report = {.kind = kind, .a = a, .b = b, .text = text};
    const RpStatus status = kind->compare(a, b, PrintDifference, &report, error);
    if (different)
        *different = report.count > 0;
    return status == RP_OK && text->failed ? RpMemory_Refused(error, kind->comparison) : status;
}

static bool AddIndex(cJSON *object, const char *name, int32_t index) {
    return index == RP_NO_INDEX || cJSON_AddNumberToObject(object, name, index);
}

static void AddDifference(void *context, const MemberDifference *difference) {
    Report *report = context;
    cJSON *object = cJSON_CreateObject();
    const MemberChange change = difference->change;
    const bool added =
        object && cJSON_AddItemToArray(report->list, object) &&
        cJSON_AddStringToObject(object, "change", changes[change].name) &&
        AddIndex(object, "a", difference->a) && AddIndex(object, "b", difference->b) &&
        (change >= MEMBER_HEADER ||
         report->kind->add_name(object, ArchiveOf(report, difference), MemberOf(difference))) &&
        (!difference->field || cJSON_AddStringToObject(object, "field", difference->field)) &&
        (!changes[change].has_from_to ||
         (cJSON_AddNumberToObject(object, "from", difference->from) &&
          cJSON_AddNumberToObject(object, "to", difference->to))) &&
        (!changes[change].has_at ||
         cJSON_AddNumberToObject(object, "first_difference", (double)difference->at));
    report->count++;
    report->failed |= !added;
}

RpStatus MemberDiff_Json(const MemberDiffKind *kind, const void *a, const void *b, RpBuffer *json,
                         bool *different, RpError *error) {
    cJSON *root = cJSON_CreateObject();
    Report report = {.kind = kind, .a = a, .b = b};
    report.list = cJSON_AddArrayToObject(root, "differences");
    const RpStatus status = report.list ? kind->compare(a, b, AddDifference, &report, error)
                                        : RpMemory_Refused(error, "a report as JSON");
    const bool good = !report.failed && cJSON_AddBoolToObject(root, "identical", report.count == 0);
    if (different)
        *different = report.count > 0;
    if (status == RP_OK)
        return JsonText_End(root, good, "a report as JSON", json, error);
    cJSON_Delete(root);
    return status;
}
