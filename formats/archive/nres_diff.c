#include "formats/archive/nres_diff.h"

#include "formats/archive/member_diff.h"
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
    MemberDiff members;
} Diff;

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

/* Lists the members that have no match yet. */
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

static void MatchOnce(Diff *diff, Keyed *a, Keyed *b, bool with_type) {
    const uint32_t a_count = ListUnmatched(diff->a, diff->members.match_of_a, a);
    const uint32_t b_count = ListUnmatched(diff->b, diff->members.match_of_b, b);
    qsort(a, a_count, sizeof *a, with_type ? CompareEntries : CompareNames);
    qsort(b, b_count, sizeof *b, with_type ? CompareEntries : CompareNames);

    /* Both lists are sorted, so one walk through them finds the pairs. */
    uint32_t i = 0, j = 0;
    while (i < a_count && j < b_count) {
        int order = NResKey_Compare(&a[i].name, &b[j].name);
        if (order == 0 && with_type)
            order = CompareNumbers(a[i].type, b[j].type);
        if (order == 0)
            MemberDiff_Match(&diff->members, a[i].entry, b[j].entry);
        i += order <= 0;
        j += order >= 0;
    }
}

/* ---- members --------------------------------------------------------------------------------- */

static void CompareField(Diff *diff, uint32_t a, uint32_t b, const char *field, uint32_t from,
                         uint32_t to) {
    if (from != to)
        MemberDiff_Report(&diff->members, (MemberDifference){.change = MEMBER_FIELD,
                                                             .a = (int32_t)a,
                                                             .b = (int32_t)b,
                                                             .field = field,
                                                             .from = from,
                                                             .to = to});
}

static void CompareMembers(void *comparing, uint32_t a, uint32_t b) {
    Diff *diff = comparing;
    const RpNResEntry left = RpNRes_Entry(diff->a, a), right = RpNRes_Entry(diff->b, b);
    const uint64_t at = MemberDiff_FirstByte(left.name, right.name, RP_NRES_NAME_BYTES);
    if (at < RP_NRES_NAME_BYTES)
        MemberDiff_Report(&diff->members, (MemberDifference){.change = MEMBER_NAME,
                                                             .a = (int32_t)left.index,
                                                             .b = (int32_t)right.index,
                                                             .at = at});
    CompareField(diff, a, b, "type", left.type, right.type);
    CompareField(diff, a, b, "attr1", left.attr1, right.attr1);
    CompareField(diff, a, b, "attr2", left.attr2, right.attr2);
    CompareField(diff, a, b, "attr3", left.attr3, right.attr3);

    /* If both payloads lie outside their images, only their sizes can be compared. */
    const uint32_t least = left.size < right.size ? left.size : right.size;
    uint64_t first = left.data || right.data ? 0 : least;
    if (left.data && right.data)
        first = MemberDiff_FirstByte(left.data, right.data, least);
    if (first < least || left.size != right.size)
        MemberDiff_Report(&diff->members, (MemberDifference){.change = MEMBER_PAYLOAD,
                                                             .a = (int32_t)left.index,
                                                             .b = (int32_t)right.index,
                                                             .from = left.size,
                                                             .to = right.size,
                                                             .at = first});
}

static RpStatus Compare(const void *a, const void *b, MemberDiffTake take, void *context,
                        RpError *error) {
    Diff diff = {.a = a, .b = b, .members = {.take = take, .context = context}};
    RpStatus status = RpNRes_CheckCopies(a, error);
    if (status == RP_OK)
        status = RpNRes_CheckCopies(b, error);
    if (status != RP_OK)
        return status;
    Keyed *left = calloc((size_t)diff.a->count + 1, sizeof *left);
    Keyed *right = calloc((size_t)diff.b->count + 1, sizeof *right);
    bool good = left && right && MemberDiff_Begin(&diff.members, diff.a->count, diff.b->count);
    if (good) {
        MatchOnce(&diff, left, right, true);
        MatchOnce(&diff, left, right, false);
        good = MemberDiff_Members(&diff.members, CompareMembers, &diff);
    }
    if (good)
        MemberDiff_Images(&diff.members, diff.a->image, diff.a->size, diff.b->image, diff.b->size);
    MemberDiff_End(&diff.members);
    free(left);
    free(right);
    return good ? RP_OK : RpMemory_Refused(error, "the comparison of two archives");
}

/* ---- reports --------------------------------------------------------------------------------- */

static void PrintName(RpBuffer *text, const void *archive, uint32_t member) {
    const RpNResEntry entry = RpNRes_Entry(archive, member);
    char name[ARCHIVE_SHOWN_BYTES], type[ARCHIVE_TYPE_BYTES];
    ArchiveName_Show(entry.name, name);
    ArchiveType_Show(entry.type, type);
    RpBuffer_Print(text, "\"%s\" %s", name, type);
}

static void PrintChange(RpBuffer *text, const void *archive, uint32_t member,
                        const MemberDifference *difference) {
    char from[ARCHIVE_TYPE_BYTES], to[ARCHIVE_TYPE_BYTES];
    if (difference->change != MEMBER_FIELD) {
        RpBuffer_Print(text, ", %" PRIu32 " bytes\n", RpNRes_Entry(archive, member).size);
    } else if (strcmp(difference->field, "type") == 0) {
        ArchiveType_Show(difference->from, from);
        ArchiveType_Show(difference->to, to);
        RpBuffer_Print(text, ": type %s -> %s\n", from, to);
    } else {
        RpBuffer_Print(text, ": %s %" PRIu32 " -> %" PRIu32 "\n", difference->field,
                       difference->from, difference->to);
    }
}

static bool AddName(cJSON *object, const void *archive, uint32_t member) {
    const RpNResEntry entry = RpNRes_Entry(archive, member);
    char name[ARCHIVE_NAME_BYTES], type[ARCHIVE_TYPE_BYTES];
    ArchiveName_ToUtf8(entry.name, name);
    ArchiveType_Show(entry.type, type);
    return cJSON_AddStringToObject(object, "name", name) &&
           cJSON_AddStringToObject(object, "type", type);
}

static const MemberDiffKind kind = {.comparison = "the comparison of two archives",
                                    .members = "members",
                                    .compare = Compare,
                                    .print_name = PrintName,
                                    .print_change = PrintChange,
                                    .add_name = AddName};

RpStatus ArchiveDiff_Text(const RpNRes *a, const RpNRes *b, RpBuffer *text, bool *different,
                          RpError *error) {
    return MemberDiff_Text(&kind, a, b, text, different, error);
}

RpStatus ArchiveDiff_Json(const RpNRes *a, const RpNRes *b, RpBuffer *json, bool *different,
                          RpError *error) {
    return MemberDiff_Json(&kind, a, b, json, different, error);
}
