#include "formats/msh/text/finding_text.h"
#include "core/json/json_text.h"
#include "core/text/visible.h"

#include "retropose/msh.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <string.h>

/* ---- lines ----------------------------------------------------------------------------------- */

static void AppendIndex(RpBuffer *text, const char **separator, const char *name, int32_t index) {
    if (index < 0)
        return;
    RpBuffer_Print(text, "%s%s%" PRId32, *separator, name, index);
    *separator = ", ";
}

void FindingText_Line(RpBuffer *text, const char *file, const char *entry_name,
                      const RpFinding *finding) {
    RpBuffer line;
    RpBuffer_Init(&line, text->allocator);
    const char *separator = " at ";
    RpBuffer_Print(&line, "%s: %s %s: %s", file, finding->rule, RpSeverity_Name(finding->severity),
                   finding->what);
    AppendIndex(&line, &separator, "entry ", finding->entry);
    if (finding->entry >= 0 && entry_name)
        RpBuffer_Print(&line, " \"%s\"", entry_name);

    /* Appends "Res1 nodes[3]". */
    if (finding->stream < 0) {
        AppendIndex(&line, &separator, "element ", finding->element);
    } else {
        const char *name = RpMsh_StreamName((uint32_t)finding->stream);
        AppendIndex(&line, &separator, "Res", finding->stream);
        RpBuffer_Print(&line, "%s%s", name ? " " : "", name ? name : "");
        if (finding->element >= 0)
            RpBuffer_Print(&line, "[%" PRId32 "]", finding->element);
    }
    if (finding->stream != RP_MSH_NODES || finding->element < 0)
        AppendIndex(&line, &separator, "node ", finding->node);
    if (finding->offset != RP_NOWHERE)
        RpBuffer_Print(&line, " (byte 0x%" PRIX64 ")", finding->offset);
    if (finding->expected[0])
        RpBuffer_Print(&line, ": expected %s", finding->expected);
    if (finding->found[0])
        RpBuffer_Print(&line, "%s found %s", finding->expected[0] ? "," : ":", finding->found);
    Visible_AppendLine(text, (const char *)line.bytes, line.size);
    RpBuffer_AppendText(text, "\n");
    text->failed |= line.failed;
    RpBuffer_Free(&line);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static const char *const totals[RP_SEVERITY_COUNT] = {"errors", "warnings", "canonical", "infos"};

static void AddTotals(FindingJson *json, cJSON *object, const uint64_t *count) {
    for (int i = 0; i < RP_SEVERITY_COUNT; i++)
        json->failed |= !cJSON_AddNumberToObject(object, totals[i], (double)count[i]);
}

void FindingJson_Init(FindingJson *json) {
    memset(json, 0, sizeof *json);
    json->root = cJSON_CreateObject();
    json->files = cJSON_AddArrayToObject(json->root, "files");
    json->failed = !json->files;
}

static void EndFile(FindingJson *json) {
    if (json->file)
        AddTotals(json, json->file, json->file_count);
    json->file = NULL;
    memset(json->file_count, 0, sizeof json->file_count);
}

void FindingJson_BeginFile(FindingJson *json, const char *file) {
    EndFile(json);
    json->file = cJSON_CreateObject();
    json->failed |= !json->file || !cJSON_AddItemToArray(json->files, json->file) ||
                    !cJSON_AddStringToObject(json->file, "file", file);
    json->findings = cJSON_AddArrayToObject(json->file, "findings");
    json->failed |= !json->findings;
}

static void AddText(FindingJson *json, cJSON *object, const char *name, const char *value) {
    if (value && value[0])
        json->failed |= !cJSON_AddStringToObject(object, name, value);
}

static void AddIndex(FindingJson *json, cJSON *object, const char *name, int32_t index) {
    if (index >= 0)
        json->failed |= !cJSON_AddNumberToObject(object, name, index);
}

void FindingJson_Count(FindingJson *json, RpSeverity severity) {
    json->file_count[severity]++;
    json->count[severity]++;
}

void FindingJson_Add(FindingJson *json, const char *entry_name, const RpFinding *finding) {
    cJSON *object = cJSON_CreateObject();
    json->failed |= !object || !cJSON_AddItemToArray(json->findings, object);
    AddText(json, object, "rule", finding->rule);
    AddText(json, object, "severity", RpSeverity_Name(finding->severity));
    AddText(json, object, "what", finding->what);
    if (finding->offset != RP_NOWHERE)
        json->failed |= !cJSON_AddNumberToObject(object, "offset", (double)finding->offset);
    AddIndex(json, object, "entry", finding->entry);
    if (finding->entry >= 0)
        AddText(json, object, "name", entry_name);
    AddIndex(json, object, "stream", finding->stream);
    AddIndex(json, object, "node", finding->node);
    AddIndex(json, object, "element", finding->element);
    AddText(json, object, "expected", finding->expected);
    AddText(json, object, "found", finding->found);
}

RpStatus FindingJson_End(FindingJson *json, RpBuffer *text, RpError *error) {
    EndFile(json);
    AddTotals(json, json->root, json->count);
    return JsonText_End(json->root, !json->failed, "a report as JSON", text, error);
}
