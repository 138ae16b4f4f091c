#include "cli/corpus/census_report.h"

#include "cli/files.h"
#include "core/json/json_text.h"
#include "core/text.h"
#include "replay/provider/provider.h"
#include "revision.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static const char *const verdicts[] = {"ok", "DIFFERS", "not checked"};

void CensusRun_Begin(CensusRun *run) {
    run->files = 0;
    snprintf(run->version, sizeof run->version, "%s (%s)", RETROPOSE_VERSION, RETROPOSE_REVISION);
    Provider_Processor(run->processor, sizeof run->processor);
}

void CensusReport_Text(const Census *census, const CensusRun *run, RpBuffer *text) {
    size_t counts[3] = {0};
    for (size_t i = 0; i < Census_RowCount(); i++) {
        CensusRow row;
        Census_Row(census, i, &row);
        counts[row.verdict]++;
        RpBuffer_Print(text, "%-11s  %-5s %s\n", verdicts[row.verdict], row.id, row.what);
        if (row.verdict == CENSUS_OK)
            RpBuffer_Print(text, "%-19s%s", "", row.found);
        else if (row.verdict == CENSUS_DIFFERS)
            RpBuffer_Print(text, "%-19sfound %s, expected %s", "", row.found, row.expected);
        else
            RpBuffer_Print(text, "%-19s%s; expected %s", "", row.why, row.expected);
        RpBuffer_Print(text, "%s%s%s\n", row.source[0] ? "  [" : "", row.source,
                       row.source[0] ? "]" : "");
    }
    RpBuffer_Print(text, "posed by the runtime of retropose %s, on %s\n", run->version,
                   run->processor);
    RpBuffer_Print(text,
                   "part %u, %llu file%s: %zu of %zu numbers as published, %zu not, %zu not "
                   "checked\n",
                   (unsigned)Census_Part(census), (unsigned long long)run->files,
                   Text_Plural(run->files), counts[CENSUS_OK], Census_RowCount(),
                   counts[CENSUS_DIFFERS], counts[CENSUS_NOT_CHECKED]);
}

RpStatus CensusReport_Json(const Census *census, const CensusRun *run, RpBuffer *text,
                           RpError *error) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "retropose corpus check 1");
    cJSON_AddStringToObject(root, "version", run->version);
    cJSON_AddStringToObject(root, "processor", run->processor);
    cJSON_AddNumberToObject(root, "part", Census_Part(census));
    cJSON_AddNumberToObject(root, "files", (double)run->files);
    cJSON *list = cJSON_AddArrayToObject(root, "rows");
    for (size_t i = 0; i < Census_RowCount(); i++) {
        CensusRow row;
        Census_Row(census, i, &row);
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "id", row.id);
        cJSON_AddStringToObject(object, "what", row.what);
        cJSON_AddStringToObject(object, "source", row.source);
        cJSON_AddStringToObject(object, "expected", row.expected);
        cJSON_AddStringToObject(object, "found", row.found);
        cJSON_AddStringToObject(object, "verdict", verdicts[row.verdict]);
        if (row.why[0])
            cJSON_AddStringToObject(object, "why", row.why);
        cJSON_AddItemToArray(list, object);
    }
    return JsonText_End(root, true, "a census", text, error);
}

bool CensusReport_Differs(const Census *census) {
    bool any = false;
    for (size_t i = 0; i < Census_RowCount(); i++) {
        CensusRow row;
        Census_Row(census, i, &row);
        any |= row.verdict == CENSUS_DIFFERS;
    }
    return any;
}
