#include "formats/archive/rsli_list.h"

#include "core/bytes.h"
#include "core/json/json_text.h"
#include "formats/archive/rsli_names.h"
#include "formats/rsli/rsli_rules.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>

static const char *MethodOf(const RpRsLiRecord *record) {
    const char *name = RpRsLiMethod_Name(record->flags);
    return name ? name : "unknown";
}

/* ---- entries --------------------------------------------------------------------------------- */

RpStatus RsLiList_Text(const RpRsLi *rsli, RpBuffer *text, RpError *error) {
    RpBuffer_AppendText(text,
                        "index  method         unpacked     packed  offset      sort  name\n");
    for (uint32_t i = 0; i < rsli->count; i++) {
        const RpRsLiRecord *record = &rsli->records[i];
        char name[LIBRARY_SHOWN_BYTES];
        size_t size;
        RsLiName_Show(record->name, name);
        RpBuffer_Print(
            text, "%5" PRIu32 "  %-11s %11" PRIu32 " %10" PRIu32 "  0x%08" PRIX32 " %5u  %s%s\n", i,
            MethodOf(record), record->unpacked_size, record->packed_size, record->offset,
            (unsigned)record->sort, name,
            RpRsLi_Packed(rsli, i, &size) ? "" : "  (outside the file)");
    }
    return text->failed ? RpMemory_Refused(error, "a list") : RP_OK;
}

RpStatus RsLiList_Json(const RpRsLi *rsli, RpBuffer *json, RpError *error) {
    cJSON *root = cJSON_CreateObject();
    cJSON *list = cJSON_AddArrayToObject(root, "entries");
    bool good = list != NULL;
    for (uint32_t i = 0; good && i < rsli->count; i++) {
        const RpRsLiRecord *record = &rsli->records[i];
        char name[LIBRARY_NAME_BYTES];
        size_t size;
        cJSON *object = cJSON_CreateObject();
        RsLiName_ToUtf8(record->name, name);
        good = cJSON_AddItemToArray(list, object) && cJSON_AddNumberToObject(object, "index", i) &&
               cJSON_AddStringToObject(object, "name", name) &&
               cJSON_AddStringToObject(object, "method", MethodOf(record)) &&
               cJSON_AddNumberToObject(object, "flags", record->flags) &&
               cJSON_AddNumberToObject(object, "sort", record->sort) &&
               cJSON_AddNumberToObject(object, "unpacked_size", record->unpacked_size) &&
               cJSON_AddNumberToObject(object, "packed_size", record->packed_size) &&
               cJSON_AddNumberToObject(object, "offset", record->offset) &&
               cJSON_AddBoolToObject(object, "inside", RpRsLi_Packed(rsli, i, &size) != NULL);
    }
    return JsonText_End(root, good, "a list as JSON", json, error);
}

/* ---- sums ------------------------------------------------------------------------------------ */

typedef struct Sum {
    uint32_t entries;
    uint64_t unpacked, packed;
} Sum;

/* Adds up the entries for each of the sixteen values of the method's bits. */
static void SumUp(const RpRsLi *rsli, Sum sums[16]) {
    for (uint32_t i = 0; i < rsli->count; i++) {
        const RpRsLiRecord *record = &rsli->records[i];
        Sum *sum = &sums[(record->flags & RP_RSLI_METHOD_MASK) >> 5];
        sum->entries++;
        sum->unpacked += record->unpacked_size;
        sum->packed += record->packed_size;
    }
}

static RpStatus CountFindings(const RpRsLi *rsli, RpFindingCounter *counter, RpError *error) {
    RpError first;
    *counter = (RpFindingCounter){.next = NULL};
    RpFindingSink sink = RpFindingCounter_Sink(counter);
    RpStatus status =
        RpRsLi_Check(rsli->image, rsli->size, rsli->has_trailer ? 2 : 0, NULL, &sink, &first);
    return status == RP_NO_MEMORY ? RpMemory_Refused(error, "checking a library") : RP_OK;
}

RpStatus RsLiInfo_Text(const RpRsLi *rsli, RpBuffer *text, RpError *error) {
    RpFindingCounter counter;
    RpStatus status = CountFindings(rsli, &counter, error);
    if (status)
        return status;
    RpBuffer_Print(text, "size         %zu bytes\nentries      %" PRIu32 "\n", rsli->size,
                   rsli->count);
    Sum sums[16] = {{0, 0, 0}};
    SumUp(rsli, sums);
    for (uint32_t i = 0; i < 16; i++) {
        const char *name = RpRsLiMethod_Name(i << 5);
        if (sums[i].entries > 0)
            RpBuffer_Print(text, "%-12s %" PRIu32 " entries, %" PRIu64 " bytes in %" PRIu64 "\n",
                           name ? name : "unknown", sums[i].entries, sums[i].unpacked,
                           sums[i].packed);
    }
    RpBuffer_Print(text, "sort map     %s\n",
                   rsli->presorted ? "in the file" : "not marked as valid: the game makes it anew");
    RpBuffer_Print(text, "table seed   0x%08" PRIX32 "\n", rsli->seed);
    RpBuffer_Print(text, "sum          %" PRIu32 "\n", Bytes_U32(rsli->image + RSLI_AT_SUM));
    if (rsli->has_trailer)
        RpBuffer_Print(text, "overlay      0x%08" PRIX32 "\n", rsli->overlay);
    RpBuffer_Print(text, "findings    ");
    for (int i = 0; i < RP_SEVERITY_COUNT; i++)
        RpBuffer_Print(text, " %" PRIu64 " %s%s", counter.count[i], RpSeverity_Name((RpSeverity)i),
                       i + 1 < RP_SEVERITY_COUNT ? "," : "\n");
    return text->failed ? RpMemory_Refused(error, "a summary") : RP_OK;
}

RpStatus RsLiInfo_Json(const RpRsLi *rsli, const char *file, RpBuffer *json, RpError *error) {
    RpFindingCounter counter;
    RpStatus status = CountFindings(rsli, &counter, error);
    if (status)
        return status;
    cJSON *root = cJSON_CreateObject();
    bool good = (!file || cJSON_AddStringToObject(root, "file", file)) &&
                cJSON_AddNumberToObject(root, "size", (double)rsli->size) &&
                cJSON_AddNumberToObject(root, "count", rsli->count);

    cJSON *methods = good ? cJSON_AddObjectToObject(root, "methods") : NULL;
    Sum sums[16] = {{0, 0, 0}};
    good = methods != NULL;
    SumUp(rsli, sums);
    for (uint32_t i = 0; good && i < 16; i++) {
        const char *name = RpRsLiMethod_Name(i << 5);
        if (sums[i].entries == 0)
            continue;
        char unknown[24];
        RpRsLiRecord record = {.flags = (uint16_t)(i << 5)};
        Text text = Text_Begin(unknown, sizeof unknown);
        Text_Append(&text, MethodOf(&record));
        Text_Append(&text, " ");
        Text_AppendDecimal(&text, record.flags);
        cJSON *sum = cJSON_AddObjectToObject(methods, name ? name : unknown);
        good = sum && cJSON_AddNumberToObject(sum, "entries", sums[i].entries) &&
               cJSON_AddNumberToObject(sum, "unpacked", (double)sums[i].unpacked) &&
               cJSON_AddNumberToObject(sum, "packed", (double)sums[i].packed);
    }

    good = good && cJSON_AddBoolToObject(root, "presorted", rsli->presorted) &&
           cJSON_AddNumberToObject(root, "seed", rsli->seed) &&
           cJSON_AddNumberToObject(root, "sum", Bytes_U32(rsli->image + RSLI_AT_SUM)) &&
           (!rsli->has_trailer || cJSON_AddNumberToObject(root, "overlay", rsli->overlay)) &&
           MemberList_AddFindings(root, &counter);
    return JsonText_End(root, good, "a list as JSON", json, error);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void NameOf(const void *rsli, uint32_t index, char text[MEMBER_NAME_BYTES]) {
    RsLiName_ToUtf8(((const RpRsLi *)rsli)->records[index].name, text);
}

RpStatus RsLiFiles_Json(const RpRsLi *rsli, const MemberFilesGiven *given, RpBuffer *json,
                        RpError *error) {
    return MemberFiles_Json(given, RsLiFile_Names(rsli), rsli->count, NameOf, rsli, json, error);
}
