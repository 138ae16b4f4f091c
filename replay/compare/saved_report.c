#include "replay/compare/saved_report.h"

#include "core/json/json_read.h"
#include "core/text/visible.h"
#include "replay/compare/members_json.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FUNCTIONS 4096

typedef struct Reading {
    JsonRead read;
    SavedReport *saved;
} Reading;

static const cJSON *Member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* Reads a text as one line that is fit to be shown. A text that is too long is cut, and an optional
 * one may be absent. */
static bool ReadText(Reading *reading, const cJSON *object, const char *name, bool optional,
                     char *text, size_t size) {
    const cJSON *item = Member(object, name);
    text[0] = 0;
    if (!item && optional)
        return true;
    if (!cJSON_IsString(item)) {
        JsonRead_Enter(&reading->read, name);
        return JsonRead_Refuse(&reading->read, "this is no text", "a text", item);
    }
    RpBuffer line;
    RpBuffer_Init(&line, NULL);
    Visible_AppendLine(&line, item->valuestring, strlen(item->valuestring));
    RpBuffer_Append(&line, "", 1);
    const bool good = !line.failed;
    if (good)
        snprintf(text, size, "%s", (const char *)line.bytes);
    RpBuffer_Free(&line);
    return good;
}

/* Enters a member that has to be an object. */
static const cJSON *EnterObject(Reading *reading, const cJSON *root, const char *name,
                                size_t *length) {
    const cJSON *object = Member(root, name);
    *length = JsonRead_Enter(&reading->read, name);
    if (cJSON_IsObject(object))
        return object;
    JsonRead_Refuse(&reading->read, "this is no object", "an object", object);
    return NULL;
}

static bool ReadSide(Reading *reading, const cJSON *root, const char *name, ReportSide *side) {
    size_t length;
    const cJSON *object = EnterObject(reading, root, name, &length);
    if (!object || !ReadText(reading, object, "kind", true, side->kind, sizeof side->kind) ||
        !ReadText(reading, object, "description", false, side->description,
                  sizeof side->description) ||
        !ReadText(reading, object, "ngi32.sha256", true, side->sha256[0], sizeof side->sha256[0]) ||
        !ReadText(reading, object, "animesh.sha256", true, side->sha256[1], sizeof side->sha256[1]))
        return false;
    side->modified = cJSON_IsTrue(Member(object, "modified"));
    JsonRead_Leave(&reading->read, length);
    return true;
}

static bool TakeFunction(void *context, const cJSON *item) {
    Reading *reading = context;
    SavedReport *saved = reading->saved;
    SavedFunction function = {.key = ""};
    if (!cJSON_IsObject(item))
        return JsonRead_Refuse(&reading->read, "this is no function", "an object", item);
    if (!ReadText(reading, item, "key", false, function.key, sizeof function.key) ||
        !ReadText(reading, item, "name", false, function.name, sizeof function.name) ||
        !MembersJson_ReadCounts(&reading->read, item, &function.counts))
        return false;
    for (size_t i = 0; i < saved->function_count; i++)
        if (strcmp(saved->functions[i].key, function.key) == 0)
            return JsonRead_Refuse(&reading->read, "the function occurs twice",
                                   "each function once", Member(item, "key"));
    saved->functions[saved->function_count++] = function;
    return true;
}

static bool ReadAll(Reading *reading, const cJSON *root) {
    SavedReport *saved = reading->saved;
    const cJSON *format = Member(root, "format");
    double code = 0;
    if (!cJSON_IsString(format) || strcmp(format->valuestring, REPORT_FORMAT) != 0) {
        JsonRead_Enter(&reading->read, "format");
        return JsonRead_Refuse(&reading->read, "this is no report of replay or compare",
                               REPORT_FORMAT, format);
    }
    if (!ReadSide(reading, root, "a", &saved->a) || !ReadSide(reading, root, "b", &saved->b) ||
        !ReadText(reading, root, "stopped", true, saved->stopped, sizeof saved->stopped) ||
        !JsonRead_IntegerMember(&reading->read, root, "exit_code", 0, 4, &code))
        return false;
    saved->exit_code = (int)code;

    size_t length;
    const cJSON *totals = EnterObject(reading, root, "totals", &length);
    if (!totals || !MembersJson_ReadCounts(&reading->read, totals, &saved->totals.counts) ||
        !MembersJson_ReadCount(&reading->read, totals, "stale", &saved->totals.stale))
        return false;
    JsonRead_Leave(&reading->read, length);

    const cJSON *functions = Member(root, "functions");
    const int count = cJSON_GetArraySize(functions);
    if (count > MOST_FUNCTIONS) {
        JsonRead_Enter(&reading->read, "functions");
        return JsonRead_Refuse(&reading->read, "the list is too long", "4096 functions at most",
                               functions);
    }
    saved->functions = calloc((size_t)count + 1, sizeof *saved->functions);
    return saved->functions &&
           JsonRead_List(&reading->read, root, "functions", TakeFunction, reading);
}

RpStatus SavedReport_Read(SavedReport *saved, const char *text, size_t size, RpError *error) {
    RpError own;
    Reading reading = {.read = {.error = error ? error : &own, .whole = "the report"},
                       .saved = saved};
    memset(saved, 0, sizeof *saved);
    reading.read.error->status = RP_OK;
    cJSON *root = JsonRead_Document(text, size, "the report that --json writes", error);
    if (!root)
        return RP_CORRUPT;
    const bool good = ReadAll(&reading, root);
    cJSON_Delete(root);
    if (good)
        return RP_OK;
    SavedReport_Free(saved);
    return reading.read.error->status ? reading.read.error->status
                                      : RpMemory_Refused(error, "a report");
}

void SavedReport_Free(SavedReport *saved) {
    free(saved->functions);
    memset(saved, 0, sizeof *saved);
}
