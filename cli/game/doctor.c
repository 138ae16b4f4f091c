#include "replay/session/doctor.h"

#include "cli/config.h"
#include "cli/files.h"
#include "cli/original.h"
#include "cli/place.h"
#include "cli/screen.h"
#include "core/json/json_text.h"
#include "core/text.h"
#include "game/doctor.h"
#include "replay/process/wine.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Folders {
    char original[PLACE_BYTES], replacement[PLACE_BYTES], host[PLACE_BYTES], work[PLACE_BYTES];
} Folders;

/* Who is told the rows: the screen, or with --json a list of objects. */
typedef struct Rows {
    const Cli *cli;
    cJSON *checks; /* null without --json */
} Rows;

static void AddCheck(const Rows *rows, const char *level, const char *name, const char *found,
                     const char *names, const char *advice) {
    cJSON *check = cJSON_CreateObject();
    cJSON_AddStringToObject(check, "level", level);
    cJSON_AddStringToObject(check, "name", name);
    cJSON_AddStringToObject(check, "found", found);
    if (names[strspn(names, " ")])
        cJSON_AddStringToObject(check, "names", names + strspn(names, " "));
    if (advice[0])
        cJSON_AddStringToObject(check, "advice", advice);
    cJSON_AddItemToArray(rows->checks, check);
}

static void PrintRow(void *context, const DoctorRow *row) {
    const Rows *rows = context;
    const bool colours = rows->cli->colour_out;
    const char *level = row->fine ? "ok" : "problem";
    if (rows->checks) {
        AddCheck(rows, level, row->name + strspn(row->name, " "), row->found, "", row->advice);
        return;
    }
    if (rows->cli->verbosity < 0 && row->fine)
        return;
    Visible_Print(stdout, "%s%-8s%s %-16s %s\n",
                  !colours    ? ""
                  : row->fine ? visible_green
                              : visible_red,
                  level, colours ? visible_plain : "", row->name, row->found);
    if (row->advice[0])
        Visible_Print(stdout, "%-8s %-16s -> %s\n", "", "", row->advice);
    fflush(stdout);
}

/* ---- settings -------------------------------------------------------------------------------- */

/* Returns why a setting that is set does not count, or an empty text. */
static const char *WhyUnused(const Cli *cli, const ConfigSetting *setting) {
    const ConfigSetting *best = Config_Find(cli->config, cli->verb, setting->key->name);
    if (setting->verb[0] && strcmp(setting->verb, cli->verb->name) != 0)
        return "";
    if (best == setting)
        return Config_OriginOf(cli, setting->key->name) == CONFIG_COMMAND_LINE
                   ? "; the command line says otherwise"
                   : "";
    return best ? "; a stronger one counts" : "; it is not of the original that counts";
}

static void PrintSetting(const Rows *rows, const ConfigSetting *setting) {
    const Cli *cli = rows->cli;
    char origin[CONFIG_PATH_BYTES + 64];
    Config_DescribeOrigin(cli->config, setting, origin, sizeof origin);
    if (!rows->checks && cli->verbosity >= 0)
        Visible_Print(stdout, "%s%-8s%s %-16s %s%s%s = %s (%s%s)\n",
                      cli->colour_out ? visible_green : "", "ok",
                      cli->colour_out ? visible_plain : "", "setting", setting->verb,
                      setting->verb[0] ? "." : "", setting->key->name, setting->value, origin,
                      WhyUnused(cli, setting));
}

/* Adds what one setting is, and where it came from. */
static void AddSetting(const Rows *rows, cJSON *list, const ConfigSetting *setting) {
    cJSON *object = Config_Json(rows->cli->config, setting);
    const char *unused = WhyUnused(rows->cli, setting);
    cJSON_AddBoolToObject(object, "counts", unused[0] == 0);
    cJSON_AddItemToArray(list, object);
}

/* Adds an option of the command line that stands for a setting. */
static void AddGiven(const Rows *rows, cJSON *list, const char *name) {
    const char *value = Cli_Value(rows->cli, name, NULL);
    if (!value || Config_OriginOf(rows->cli, name) != CONFIG_COMMAND_LINE)
        return;
    if (!list) {
        if (rows->cli->verbosity >= 0)
            Visible_Print(stdout, "%s%-8s%s %-16s %s = %s (the command line)\n",
                          rows->cli->colour_out ? visible_green : "", "ok",
                          rows->cli->colour_out ? visible_plain : "", "setting", name, value);
        return;
    }
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", name);
    cJSON_AddStringToObject(object, "value", value);
    cJSON_AddStringToObject(object, "origin", ConfigOrigin_Name(CONFIG_COMMAND_LINE));
    cJSON_AddBoolToObject(object, "counts", true);
    cJSON_AddItemToArray(list, object);
}

/* Tells all settings of the command, whose list is null without --json. */
static void TellSettings(const Rows *rows, cJSON *list) {
    const Config *config = rows->cli->config;
    for (size_t i = 0; Config_Key(i); i++)
        AddGiven(rows, list, Config_Key(i)->name);
    for (size_t i = 0; i < config->count; i++)
        if (list)
            AddSetting(rows, list, &config->settings[i]);
        else
            PrintSetting(rows, &config->settings[i]);
}

/* Prints the number of problems, or the whole as JSON, and returns the exit code. */
static int End(const Rows *rows, unsigned problems) {
    const int code = problems ? CLI_TROUBLE : CLI_EQUAL;
    RpBuffer json;
    RpError error;
    if (!rows->checks) {
        Visible_Print(stdout, "%u problem%s\n", problems, Text_Plural(problems));
        return code;
    }
    cJSON *root = cJSON_CreateObject(), *settings = cJSON_AddArrayToObject(root, "settings");
    RpBuffer_Init(&json, NULL);
    TellSettings(rows, settings);
    const bool good = settings && cJSON_AddItemToObject(root, "checks", rows->checks) &&
                      cJSON_AddNumberToObject(root, "problems", problems);
    const int printed =
        CliFile_Print(&json, JsonText_End(root, good, "the report", &json, &error), &error);
    return printed ? printed : code;
}

/* Returns the folder that was given, else the one that lies beside this program, else null. */
static const char *Choose(const Cli *cli, const char *option, const char *part, char *place) {
    RpError error;
    const char *given = Cli_Value(cli, option, NULL);
    if (given && strcmp(option, "original") == 0 && Original_Folder(given, &given, &error))
        Cli_Fail(&error);
    if (given)
        return given;
    return Place_Find(part, place, PLACE_BYTES) ? place : NULL;
}

/* ---- a game's folder ------------------------------------------------------------------------- */

enum { INDENT = 26, WIDTH = 100 };

static void PrintNames(const char *names) {
    if (!names[strspn(names, " ")])
        return;
    Visible_Print(stdout, "%*s", INDENT, "");
    Screen_PrintWords(stdout, names, INDENT, Screen_Columns(stdout, WIDTH));
}

static void PrintGameRow(void *context, const GameDoctorRow *row) {
    static const char *const words[] = {"ok", "note", "problem"};
    static const char *const colours[] = {visible_green, visible_yellow, visible_red};
    const Rows *rows = context;
    const Cli *cli = rows->cli;
    if (rows->checks) {
        AddCheck(rows, words[row->level], row->name, row->found, row->names, row->advice);
        return;
    }
    if (cli->verbosity < 0 && row->level != GAME_PROBLEM)
        return;
    Visible_Print(stdout, "%s%-8s%s %-16s %s\n", cli->colour_out ? colours[row->level] : "",
                  words[row->level], cli->colour_out ? visible_plain : "", row->name, row->found);
    PrintNames(row->names);
    if (row->advice[0])
        Visible_Print(stdout, "%-8s %-16s -> %s\n", "", "", row->advice);
}

static const char *GetVariable(void *context, const char *name, char *buffer, size_t size) {
    (void)context;
    const char *value = getenv(name);
    if (!value || !*value || strlen(value) >= size)
        return NULL;
    memcpy(buffer, value, strlen(value) + 1);
    return buffer;
}

static unsigned CheckGame(Rows *rows) {
    char own[PLACE_BYTES], dlls[PLACE_BYTES];
    const GameDoctorOptions options = {
        .folder = rows->cli->arguments[0],
        .own = Place_FindOwn("replacement", own, sizeof own) ? own : NULL,
        .dlls = Place_Find("replacement", dlls, sizeof dlls) ? dlls : NULL,
        .getter = GetVariable,
        .overrides = getenv("WINEDLLOVERRIDES"),
        .start_wine = Wine_Start,
        .brief = !rows->checks && rows->cli->verbosity <= 0,
        .row = PrintGameRow,
        .context = rows};
    return GameDoctor_Run(&options);
}

/* ---- replay ---------------------------------------------------------------------------------- */

static unsigned CheckReplay(Rows *rows, ProviderEngine engine, const char *processor) {
    const Cli *cli = rows->cli;
    Folders folders;
    bool work = Place_MakeWork(Cli_Value(cli, "work", NULL), folders.work, sizeof folders.work);
    DoctorOptions options = {
        .engine = engine,
        .processor = processor,
        .directories = {Choose(cli, "original", "standin", folders.original),
                        Choose(cli, "replacement", "replacement", folders.replacement)},
        .host = Original_Host(cli, engine, folders.host),
        .wine_prefix = Cli_Value(cli, "wine-prefix", NULL),
        .wine_progress = Original_WineProgress(cli),
        .work_directory = work ? folders.work : NULL,
        .row = PrintRow,
        .context = rows};
    unsigned problems = Doctor_Run(&options);
    if (work)
        Place_DropWork(folders.work);
    return problems;
}

static int Run(Cli *cli) {
    Rows rows = {cli, Cli_Has(cli, "json") ? cJSON_CreateArray() : NULL};
    if (cli->argument_count > 1)
        return Cli_Complain("doctor takes one folder of a game");
    ProviderEngine engine;
    const char *processor;
    if (!Original_Engine(cli, &engine, &processor)) {
        cJSON_Delete(rows.checks);
        return CLI_TROUBLE;
    }
    if (!rows.checks)
        TellSettings(&rows, NULL);
    return End(&rows,
               cli->argument_count == 1 ? CheckGame(&rows) : CheckReplay(&rows, engine, processor));
}

const CliVerb cli_game_doctor = {
    "doctor",
    "check that replay can work here, or what happens in a game's folder",
    "[GAME_DIR]",
    "retropose doctor\n"
    "retropose doctor \"C:\\Games\\Parkan\"\n",
    {CLI_PAIRS_THAT_RUN, CLI_JSON},
    Run};
