#include "formats/archive/rsli_diff.h"

#include "formats/archive/member_diff.h"
#include "formats/archive/rsli_names.h"
#include "formats/rsli/rsli_ranges.h"
#include "formats/rsli/rsli_rules.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Side {
    const RpRsLi *rsli;
    RpRsLiRecord *sorted; /* the records with the sort map that follows from the names */
} Side;

typedef struct Diff {
    Side a, b;
    MemberDiff members;
    void *work;
} Diff;

/* ---- matching -------------------------------------------------------------------------------- */

static bool OpenSide(Side *side, const RpRsLi *rsli) {
    side->rsli = rsli;
    side->sorted = calloc((size_t)rsli->count + 1, sizeof *side->sorted);
    if (!side->sorted)
        return false;
    for (uint32_t i = 0; i < rsli->count; i++)
        side->sorted[i] = rsli->records[i];
    RsLi_SortMap(side->sorted, rsli->count);
    return true;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Returns null when the entry does not unpack, or when memory is refused. */
static uint8_t *Unpacked(const Diff *diff, const RpRsLi *rsli, uint32_t i) {
    size_t packed_size;
    if (!RsLi_CanUnpack(rsli, i, &packed_size))
        return NULL;
    uint8_t *output = malloc((size_t)rsli->records[i].unpacked_size + 1);
    if (output && RpRsLi_Load(rsli, i, output, diff->work, NULL, NULL) == RP_OK)
        return output;
    free(output);
    return NULL;
}

static void CompareEntries(void *comparing, uint32_t i, uint32_t k) {
    Diff *diff = comparing;
    const RpRsLiRecord *left = &diff->a.rsli->records[i], *right = &diff->b.rsli->records[k];
    if (left->flags != right->flags)
        MemberDiff_Report(&diff->members, (MemberDifference){.change = MEMBER_METHOD,
                                                             .a = (int32_t)i,
                                                             .b = (int32_t)k,
                                                             .from = left->flags,
                                                             .to = right->flags});
    if (memcmp(left->service, right->service, sizeof left->service) != 0)
        MemberDiff_Report(
            &diff->members,
            (MemberDifference){.change = MEMBER_SERVICE, .a = (int32_t)i, .b = (int32_t)k});
    uint32_t least =
        left->unpacked_size < right->unpacked_size ? left->unpacked_size : right->unpacked_size;
    uint8_t *a = Unpacked(diff, diff->a.rsli, i), *b = Unpacked(diff, diff->b.rsli, k);
    uint64_t at = a && b ? MemberDiff_FirstByte(a, b, least) : 0;
    bool same = a && b && at == least && left->unpacked_size == right->unpacked_size;
    bool differs = !same && (a || b || left->unpacked_size != right->unpacked_size);
    if (differs)
        MemberDiff_Report(&diff->members, (MemberDifference){.change = MEMBER_CONTENTS,
                                                             .a = (int32_t)i,
                                                             .b = (int32_t)k,
                                                             .from = left->unpacked_size,
                                                             .to = right->unpacked_size,
                                                             .at = at});
    free(a);
    free(b);
    if (differs || ((left->flags ^ right->flags) & RP_RSLI_METHOD_MASK) != 0)
        return;

    /* The bytes of payloads that are encrypted with different keys are not compared, because all of
     * them differ. */
    size_t left_size, right_size;
    const uint8_t *packed_a = RpRsLi_Packed(diff->a.rsli, i, &left_size);
    const uint8_t *packed_b = RpRsLi_Packed(diff->b.rsli, k, &right_size);
    uint64_t shorter = left_size < right_size ? left_size : right_size;
    bool keyed = RpRsLiMethod_HasKey(left->flags) && left->sort != right->sort;
    if (keyed && left_size == right_size)
        return;
    at = packed_a && packed_b && !keyed ? MemberDiff_FirstByte(packed_a, packed_b, shorter) : 0;
    if (left_size != right_size || at < shorter)
        MemberDiff_Report(&diff->members, (MemberDifference){.change = MEMBER_PACKED,
                                                             .a = (int32_t)i,
                                                             .b = (int32_t)k,
                                                             .from = (uint32_t)left_size,
                                                             .to = (uint32_t)right_size,
                                                             .at = at});
}

/* ---- all ------------------------------------------------------------------------------------- */

static RpStatus Compare(const void *a, const void *b, MemberDiffTake take, void *context,
                        RpError *error) {
    const RpRsLi *left = a, *right = b;
    Diff diff = {.members = {.take = take, .context = context}};
    RpStatus status = RpRsLi_CheckSizes(left, error);
    if (status == RP_OK)
        status = RpRsLi_CheckSizes(right, error);
    if (status != RP_OK)
        return status;
    diff.work = malloc(RP_RSLI_WORK_BYTES);
    bool good = OpenSide(&diff.a, left) && OpenSide(&diff.b, right) && diff.work &&
                MemberDiff_Begin(&diff.members, left->count, right->count);
    if (good) {
        /* Both libraries are gone through in the order of their names, side by side. */
        uint32_t i = 0, k = 0;
        while (i < diff.a.rsli->count && k < diff.b.rsli->count) {
            uint32_t in_a = diff.a.sorted[i].sort, in_b = diff.b.sorted[k].sort;
            int order = RsLi_CompareNames(diff.a.sorted[in_a].name, diff.b.sorted[in_b].name);
            if (order == 0)
                MemberDiff_Match(&diff.members, in_a, in_b);
            i += order <= 0;
            k += order >= 0;
        }

        good = MemberDiff_Members(&diff.members, CompareEntries, &diff);
    }
    if (good) {
        /* Headers are compared except for counts and sum, which follow from the entries. */
        for (uint32_t byte = 8; byte < RP_RSLI_HEADER_BYTES; byte++)
            if (left->image[byte] != right->image[byte] &&
                (byte < RSLI_AT_SUM || byte >= RSLI_AT_SUM + 4)) {
                MemberDiff_Report(&diff.members, (MemberDifference){.change = MEMBER_HEADER,
                                                                    .a = RP_NO_INDEX,
                                                                    .b = RP_NO_INDEX,
                                                                    .from = left->image[byte],
                                                                    .to = right->image[byte],
                                                                    .at = byte});
                break;
            }
        MemberDiff_Images(&diff.members, left->image, left->size, right->image, right->size);
    }
    MemberDiff_End(&diff.members);
    free(diff.a.sorted);
    free(diff.b.sorted);
    free(diff.work);
    return good ? RP_OK : RpMemory_Refused(error, "the comparison of two libraries");
}

/* ---- reports --------------------------------------------------------------------------------- */

static const RpRsLiRecord *RecordOf(const void *rsli, uint32_t entry) {
    return &((const RpRsLi *)rsli)->records[entry];
}

static const char *MethodOf(uint32_t flags) {
    const char *name = RpRsLiMethod_Name(flags);
    return name ? name : "unknown";
}

static void PrintName(RpBuffer *text, const void *rsli, uint32_t entry) {
    char name[LIBRARY_SHOWN_BYTES];
    RsLiName_Show(RecordOf(rsli, entry)->name, name);
    RpBuffer_Print(text, "\"%s\"", name);
}

static void PrintChange(RpBuffer *text, const void *rsli, uint32_t entry,
                        const MemberDifference *difference) {
    const RpRsLiRecord *record = RecordOf(rsli, entry);
    if (difference->change == MEMBER_METHOD)
        RpBuffer_Print(text, ": %s (flags 0x%" PRIX32 ") -> %s (0x%" PRIX32 ")\n",
                       MethodOf(difference->from), difference->from, MethodOf(difference->to),
                       difference->to);
    else
        RpBuffer_Print(text, " %s, %" PRIu32 " bytes\n", MethodOf(record->flags),
                       record->unpacked_size);
}

static bool AddName(cJSON *object, const void *rsli, uint32_t entry) {
    char name[LIBRARY_NAME_BYTES];
    RsLiName_ToUtf8(RecordOf(rsli, entry)->name, name);
    return cJSON_AddStringToObject(object, "name", name) != NULL;
}

static const MemberDiffKind kind = {.comparison = "the comparison of two libraries",
                                    .members = "entries",
                                    .compare = Compare,
                                    .print_name = PrintName,
                                    .print_change = PrintChange,
                                    .add_name = AddName};

RpStatus RsLiDiff_Text(const RpRsLi *a, const RpRsLi *b, RpBuffer *text, bool *different,
                       RpError *error) {
    return MemberDiff_Text(&kind, a, b, text, different, error);
}

RpStatus RsLiDiff_Json(const RpRsLi *a, const RpRsLi *b, RpBuffer *json, bool *different,
                       RpError *error) {
    return MemberDiff_Json(&kind, a, b, json, different, error);
}
