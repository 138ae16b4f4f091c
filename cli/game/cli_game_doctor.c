#include "game/doctor.h"

#include "cli/config.h"
#include "cli/files.h"
#include "cli/original_pair.h"
#include "cli/place.h"
#include "cli/screen.h"
#include "core/json/json_text.h"
#include "core/text.h"
#include "replay/process/wine.h"
#include "replay/session/requirements.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 26, WIDTH = 100 }; /* columns for names; width of a screen whose width is unknown */

/* Where rows go: to the screen or, with --json, into a list of objects. */
typedef struct Rows {
    const Cli *cli;
    cJSON *checks; /* null without --json */
} Rows;

static void TellRow(void *context, const CheckRow *row) {
    static const char *const words[] = {"ok", "note", "problem"};
    static const char *const colours[] = {visible_green, visible_yellow, visible_red};
    const Rows *rows = context;
    const Cli *cli = rows->cli;
    const char *names = row->names + strspn(row->names, " ");
    if (rows->checks) {
        cJSON *check = cJSON_CreateObject();
        cJSON_AddStringToObject(check, "level", words[row->level]);
        cJSON_AddStringToObject(check, "name", row->name + strspn(row->name, " "));
        cJSON_AddStringToObject(check, "found", row->found);
        if (names[0])
            cJSON_AddStringToObject(check, "names", names);
        if (row->advice[0])
            cJSON_AddStringToObject(check, "advice", row->advice);
        cJSON_AddItemToArray(rows->checks, check);
        return;
    }
    if (cli->verbosity < 0 && row->level != CHECK_PROBLEM)
        return;
    Visible_Print(stdout, "%s%-8s%s %-16s %s\n", cli->colour_out ? colours[row->level] : "",
                  words[row->level], cli->colour_out ? visible_plain : "", row->name, row->found);
    if (names[0]) {
        Visible_Print(stdout, "%*s", INDENT, "");
        Screen_PrintWords(stdout, row->names, INDENT, Screen_Columns(stdout, WIDTH));
    }
    if (row->advice[0])
        Visible_Print(stdout, "%-8s %-16s -> %s\n", "", "", row->advice);
    fflush(stdout);
}

/* ---- settings -------------------------------------------------------------------------------- */

/* Prints a setting, unless only problems are asked for. */
static void PrintSetting(const Cli *cli, const char *verb, const char *name, const char *value,
                         const char *origin, const char *unused) {
    if (cli->verbosity >= 0)
        Visible_Print(stdout, "%s%-8s%s %-16s %s%s%s = %s (%s%s)\n",
                      cli->colour_out ? visible_green : "", "ok",
                      cli->colour_out ? visible_plain : "", "setting", verb, verb[0] ? "." : "",
                      name, value, origin, unused);
}

/* Prints all settings of the command. With --json they go into `list`, which is otherwise null. */
static void TellSettings(const Cli *cli, cJSON *list) {
    const Config *config = cli->config;

    /* An option of the command line may stand for a setting. */
    for (size_t i = 0; Config_Key(i); i++) {
        const char *name = Config_Key(i)->name;
        const char *value = Cli_Value(cli, name, NULL);
        if (!value || Config_OriginOf(cli, name) != CONFIG_COMMAND_LINE)
            continue;
        if (!list) {
            PrintSetting(cli, "", name, value, "the command line", "");
            continue;
        }
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", name);
        cJSON_AddStringToObject(object, "value", value);
        cJSON_AddStringToObject(object, "origin", ConfigOrigin_Name(CONFIG_COMMAND_LINE));
        cJSON_AddBoolToObject(object, "counts", true);
        cJSON_AddItemToArray(list, object);
    }

    /* All others come from files and from the environment. */
    for (size_t i = 0; i < config->count; i++) {
        const ConfigSetting *setting = &config->settings[i];
        const ConfigSetting *best = Config_Find(config, cli->verb, setting->key->name);

        /* Why the value has no effect; empty where it has one, or is for another verb. */
        const char *unused = "";
        if (setting->verb[0] && strcmp(setting->verb, cli->verb->name) != 0)
            unused = "";
        else if (best != setting)
            unused = best ? "; a stronger one counts" : "; it is not of the original that counts";
        else if (Config_OriginOf(cli, setting->key->name) == CONFIG_COMMAND_LINE)
            unused = "; the command line says otherwise";
        if (list) {
            cJSON *object = Config_Json(config, setting);
            cJSON_AddBoolToObject(object, "counts", unused[0] == 0);
            cJSON_AddItemToArray(list, object);
        } else {
            char origin[CONFIG_PATH_BYTES + 64];
            Config_DescribeOrigin(config, setting, origin, sizeof origin);
            PrintSetting(cli, setting->verb, setting->key->name, setting->value, origin, unused);
        }
    }
}

/* Returns the folder that an option names, or else the one beside this program, or null. */
static const char *Choose(const Cli *cli, const char *option, const char *part, char *place) {
    RpError error;
    const char *given = Cli_Value(cli, option, NULL);
    if (given && strcmp(option, "original") == 0 && Original_Folder(given, &given, &error))
        Cli_Fail(&error);
    if (given)
        return given;
    return Place_Find(part, place, PLACE_BYTES) ? place : NULL;
}

static const char *GetVariable(void *context, const char *name, char *buffer, size_t size) {
    (void)context;
    const char *value = getenv(name);
    if (!value || !*value || strlen(value) >= size)
        return NULL;
    memcpy(buffer, value, strlen(value) + 1);
    return buffer;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int Run(Cli *cli) {
    ProviderEngine engine;
    const char *processor;
    if (cli->argument_count > 1)
        return Cli_Complain("doctor takes one folder of a game");
    if (!Original_Engine(cli, &engine, &processor))
        return CLI_TROUBLE;
    Rows rows = {cli, Cli_Has(cli, "json") ? cJSON_CreateArray() : NULL};
    Checks checks = {.row = TellRow, .context = &rows};
    if (!rows.checks)
        TellSettings(cli, NULL);
    if (cli->argument_count == 1) {
        char own[PLACE_BYTES], dlls[PLACE_BYTES];
        const GameDoctorOptions options = {
            .folder = cli->arguments[0],
            .own = Place_FindOwn("replacement", own, sizeof own) ? own : NULL,
            .dlls = Place_Find("replacement", dlls, sizeof dlls) ? dlls : NULL,
            .getter = GetVariable,
            .overrides = getenv("WINEDLLOVERRIDES"),
            .start_wine = Wine_Start,
            .brief = !rows.checks && cli->verbosity <= 0,
            .checks = &checks};
        GameDoctor_Run(&options);
    } else {
        char original[PLACE_BYTES], replacement[PLACE_BYTES], host[PLACE_BYTES],
            folder[PLACE_BYTES];
        const bool work = Place_MakeWork(Cli_Value(cli, "work", NULL), folder, sizeof folder);
        const RequirementsOptions options = {
            .engine = engine,
            .processor = processor,
            .directories = {Choose(cli, "original", "standin", original),
                            Choose(cli, "replacement", "replacement", replacement)},
            .host = Original_Host(cli, engine, host),
            .wine_prefix = Cli_Value(cli, "wine-prefix", NULL),
            .wine_progress = Original_WineProgress(cli),
            .work_directory = work ? folder : NULL,
            .checks = &checks};
        Requirements_Check(&options);
        if (work)
            Place_DropWork(folder);
    }

    /* Without --json, the number of problems is all that remains to be printed. */
    unsigned problems = checks.problems;
    const int code = problems ? CLI_TROUBLE : CLI_EQUAL;
    RpBuffer json;
    RpError error;
    if (!rows.checks) {
        Visible_Print(stdout, "%u problem%s\n", problems, Text_Plural(problems));
        return code;
    }
    cJSON *root = cJSON_CreateObject(), *settings = cJSON_AddArrayToObject(root, "settings");
    RpBuffer_Init(&json, NULL);
    TellSettings(rows.cli, settings);
    const bool good = settings && cJSON_AddItemToObject(root, "checks", rows.checks) &&
                      cJSON_AddNumberToObject(root, "problems", problems);
    const int printed =
        CliFile_Print(&json, JsonText_End(root, good, "the report", &json, &error), &error);
    return printed ? printed : code;
}

const CliVerb cli_game_doctor = {
    "doctor",
    "check that replay can work here, or what happens in a game's folder",
    "[GAME_DIR]",
    "retropose doctor\n"
    "retropose doctor \"C:\\Games\\Parkan\"\n",
    {CLI_PAIRS_THAT_RUN, CLI_JSON},
    Run};
