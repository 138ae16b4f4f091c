/* The report of exports as JSON. */
#include "game/exports/exports_report.h"

#include "core/json/json_text.h"

#include <cjson/cJSON.h>

static bool AddNumber(cJSON *object, const char *name, size_t value) {
    return cJSON_AddNumberToObject(object, name, (double)value) != NULL;
}

static bool AddText(cJSON *object, const char *name, const char *value) {
    return cJSON_AddStringToObject(object, name, value) != NULL;
}

static bool AddVerdict(cJSON *object, const char *name, ExportsVerdict verdict) {
    static const char *const words[] = {"unpublished", "agrees", "differs"};
    return AddText(object, name, words[verdict]);
}

RpStatus ExportsReport_Json(const ExportsReport *report, RpBuffer *json, RpError *error) {
    const OverlayModule *file = &report->overlay->modules[report->module];
    cJSON *root = cJSON_CreateObject();
    bool good = root && AddText(root, "module", AbiModule_Name(report->module)) &&
                AddNumber(root, "size", file->size) && AddText(root, "sha256", file->sha256) &&
                AddText(root, "build",
                        report->modified                   ? "modified stand-in"
                        : report->kind == PROVIDER_STANDIN ? "stand-in"
                        : report->published                ? "published"
                                                           : "unknown");

    cJSON *counts = good ? cJSON_AddObjectToObject(root, "counts") : NULL;
    good = counts && AddNumber(counts, "exports", report->exports) &&
           AddNumber(counts, "names", report->names) &&
           AddNumber(counts, "nameless", report->nameless) &&
           AddNumber(counts, "code", report->code) && AddNumber(counts, "stubs", report->stubs) &&
           AddNumber(counts, "stub_addresses", report->stub_addresses) &&
           AddNumber(counts, "data", report->data) &&
           AddNumber(counts, "forwarders", report->forwarders);

    const ExportsPublished known = ExportsReport_Published(report->module);
    cJSON *published = good ? cJSON_AddObjectToObject(root, "published") : NULL;
    good = published && AddNumber(published, "exports", known.exports) &&
           (!known.stubs || (AddNumber(published, "stubs", known.stubs) &&
                             AddNumber(published, "stub_addresses", known.stub_addresses))) &&
           AddNumber(published, "names", known.names);

    good = good && AddNumber(root, "differences", report->differences);

    cJSON *checks = good ? cJSON_AddArrayToObject(root, "known") : NULL;
    good = checks != NULL;
    for (size_t i = 0; good && i < report->check_count; i++) {
        const ExportsCheck *check = &report->checks[i];
        cJSON *row = cJSON_CreateObject();
        good = cJSON_AddItemToArray(checks, row);
        if (!good) {
            cJSON_Delete(row);
            break;
        }
        good = AddText(row, "function", check->function->key) &&
               cJSON_AddBoolToObject(row, "found", check->found != NULL);
        if (check->found)
            good = good && AddVerdict(row, "ordinal", check->ordinal) &&
                   AddVerdict(row, "address", check->rva) && AddVerdict(row, "stub", check->stub);
    }

    cJSON *exports = good ? cJSON_AddArrayToObject(root, "exports") : NULL;
    good = exports != NULL;
    for (size_t i = 0; good && i < report->overlay->export_count; i++) {
        const OverlayExport *row = &report->overlay->exports[i];
        if (row->module != report->module)
            continue;
        cJSON *object = cJSON_CreateObject();
        good = cJSON_AddItemToArray(exports, object);
        if (!good) {
            cJSON_Delete(object);
            break;
        }
        good = AddNumber(object, "ordinal", row->ordinal) &&
               (!row->name[0] || AddText(object, "name", row->name)) &&
               AddNumber(object, "rva", row->rva) &&
               AddText(object, "kind", OverlayExportKind_Name(row->kind));
        if (row->kind == OVERLAY_STUB)
            good = good && AddNumber(object, "pops", row->pops) &&
                   cJSON_AddBoolToObject(object, "clears", row->clears);
        if (row->kind == OVERLAY_FORWARDER)
            good = good && AddText(object, "forwarder", row->forwarder);
    }
    return JsonText_End(root, good, "a report of exports", json, error);
}
