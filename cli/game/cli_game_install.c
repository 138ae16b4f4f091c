/* The verbs install and uninstall. */
#include "cli/config.h"
#include "cli/files.h"
#include "cli/game/next_line.h"
#include "cli/place.h"
#include "core/json/json_text.h"
#include "game/install/install.h"
#include "revision.h"

#include <cjson/cJSON.h>
#include <stdio.h>

typedef struct InstallReport {
    const Cli *cli;
    const InstallOptions *options;
    cJSON *actions; /* null without --json */
} InstallReport;

static void PrintAction(void *context, InstallVerb verb, const char *name, const char *detail) {
    static const char *const would[] = {"found",         "would rename", "would write",
                                        "would restore", "would remove", "would keep",
                                        "would undo",    "nothing"};
    _Static_assert(sizeof would / sizeof *would == INSTALL_VERB_COUNT, "a word for each verb");
    const InstallReport *report = context;
    const bool dry_run = report->options->dry_run;
    if (report->cli->verbosity < 0)
        return;
    Visible_Print(stdout, "%-*s %s%s%s\n", dry_run ? 13 : 9,
                  dry_run ? would[verb] : InstallVerb_Name(verb), name,
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

/* Installs or uninstalls, and prints what was done as lines or as one JSON object. */
typedef RpStatus InstallRun(const InstallOptions *options, bool *pending, RpError *error);
static int RunReported(const Cli *cli, InstallRun *run, InstallOptions *options) {
    RpError error;
    bool pending;
    InstallReport report = {cli, options, Cli_Has(cli, "json") ? cJSON_CreateArray() : NULL};
    options->action = report.actions ? AddAction : PrintAction;
    options->context = &report;
    if (run(options, &pending, &error)) {
        cJSON_Delete(report.actions);
        Cli_Fail(&error);
        if (pending)
            Cli_Complain("%s was stopped on the way: run `retropose uninstall` or `retropose "
                         "install` again to clear up",
                         options->folder);
        return CLI_TROUBLE;
    }
    if (!report.actions)
        return CLI_EQUAL;

    RpBuffer json;
    cJSON *root = cJSON_CreateObject();
    RpBuffer_Init(&json, NULL);
    const bool good = root && cJSON_AddStringToObject(root, "folder", options->folder) &&
                      cJSON_AddBoolToObject(root, "dry_run", options->dry_run) &&
                      cJSON_AddItemToObject(root, "actions", report.actions);
    const RpStatus status = JsonText_End(root, good, "the report", &json, &error);
    return CliFile_Print(&json, status, &error);
}

/* ---- install --------------------------------------------------------------------------------- */

static int RunInstall(Cli *cli) {
    char place[PLACE_BYTES], own[PLACE_BYTES];
    const char *dlls = Cli_Value(cli, "dlls", NULL);
    if (cli->argument_count == 0)
        Config_TakeGame(cli);
    if (cli->argument_count != 1)
        return Cli_Complain("install needs the folder of the game");
    if (!dlls && Place_Find("replacement", place, sizeof place))
        dlls = place;
    if (!dlls)
        return Cli_Complain("our DLLs are not beside this program or in RETROPOSE_HOME: name their "
                            "folder with --dlls");
    InstallOptions options = {.folder = cli->arguments[0],
                              .dlls = dlls,
                              .own = Place_FindOwn("replacement", own, sizeof own) ? own : NULL,
                              .tool = RETROPOSE_BUILT,
                              .dry_run = Cli_Has(cli, "dry-run")};
    const int code = RunReported(cli, Install_Run, &options);
    if (!code && !options.dry_run)
        Next_OfFolder(cli, options.folder);
    return code;
}

const CliVerb cli_game_install = {
    "install",
    "put our DLLs into a game's folder, beside the originals",
    "GAME_DIR",
    "retropose install --dry-run \"C:\\Games\\Parkan\"\n"
    "retropose install \"C:\\Games\\Parkan\"\n",
    {{"dlls", "DIR", "our Ngi32.dll and AniMesh.dll (default: beside this program)", 0},
     {"dry-run", NULL, "say what would be done, change nothing", 'n'},
     CLI_JSON},
    RunInstall};

/* ---- uninstall ------------------------------------------------------------------------------- */

static int RunUninstall(Cli *cli) {
    if (cli->argument_count == 0)
        Config_TakeGame(cli);
    if (cli->argument_count != 1)
        return Cli_Complain("uninstall needs the folder of the game");
    InstallOptions options = {.folder = cli->arguments[0],
                              .dry_run = Cli_Has(cli, "dry-run"),
                              .purge = Cli_Has(cli, "purge")};
    return RunReported(cli, Uninstall_Run, &options);
}

const CliVerb cli_game_uninstall = {
    "uninstall",
    "give a game's folder its originals back, byte for byte",
    "GAME_DIR",
    "retropose uninstall \"C:\\Games\\Parkan\"\n",
    {{"dry-run", NULL, "say what would be done, change nothing", 'n'},
     {"purge", NULL, "remove changed settings, overlay, logs, traces and unfinished files, too", 0},
     CLI_JSON},
    RunUninstall};
