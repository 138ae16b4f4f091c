#include "cli/game/install_report.h"

#include "cli/files.h"
#include "core/json/json_text.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* What was done, or would be. */
static const char *Word(const InstallReport *report, InstallVerb verb) {
    static const char *const would[] = {"found",         "would rename", "would write",
                                        "would restore", "would remove", "would keep",
                                        "would undo",    "nothing"};
    _Static_assert(sizeof would / sizeof *would == INSTALL_VERB_COUNT, "a word for each verb");
    return report->options->dry_run ? would[verb] : InstallVerb_Name(verb);
}

static void PrintAction(void *context, InstallVerb verb, const char *name, const char *detail) {
    const InstallReport *report = context;
    if (report->cli->verbosity < 0)
        return;
    Visible_Print(stdout, "%-*s %s%s%s\n", report->options->dry_run ? 13 : 9, Word(report, verb),
                  name,
                  detail[0] && verb == INSTALL_RENAMED ? " -> "
                  : detail[0]                          ? ": "
                                                       : "",
                  detail);
}

static void AddAction(void *context, InstallVerb verb, const char *name, const char *detail) {
    const InstallReport *report = context;
    cJSON *action = cJSON_CreateObject();
    if (!action)
        return;
    cJSON_AddStringToObject(action, "action", InstallVerb_Name(verb));
    cJSON_AddStringToObject(action, "file", name);
    if (detail[0])
        cJSON_AddStringToObject(action, "detail", detail);
    cJSON_AddItemToArray(report->actions, action);
}

static int PrintJson(const InstallReport *report) {
    RpBuffer json;
    RpError error;
    cJSON *root = cJSON_CreateObject();
    RpBuffer_Init(&json, NULL);
    const bool good = root && cJSON_AddStringToObject(root, "folder", report->options->folder) &&
                      cJSON_AddBoolToObject(root, "dry_run", report->options->dry_run) &&
                      cJSON_AddItemToObject(root, "actions", report->actions);
    const RpStatus status = JsonText_End(root, good, "the report", &json, &error);
    return CliFile_Print(&json, status, &error);
}

static int Complain(const InstallReport *report, bool pending, const RpError *error) {
    cJSON_Delete(report->actions);
    Cli_Fail(error);
    if (pending)
        Cli_Complain("%s was stopped on the way: run `retropose uninstall` or `retropose install` "
                     "again to clear up",
                     report->options->folder);
    return CLI_TROUBLE;
}

int InstallReport_Run(const Cli *cli, InstallRun *run, InstallOptions *options) {
    RpError error;
    bool pending;
    InstallReport report = {cli, options, Cli_Has(cli, "json") ? cJSON_CreateArray() : NULL};
    options->action = report.actions ? AddAction : PrintAction;
    options->context = &report;
    if (run(options, &pending, &error))
        return Complain(&report, pending, &error);
    return report.actions ? PrintJson(&report) : CLI_EQUAL;
}
