#include "replay/session/doctor.h"

#include "cli/cli.h"
#include "cli/original.h"
#include "cli/place.h"
#include "cli/screen.h"
#include "live/game/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Folders {
    char original[PLACE_BYTES], replacement[PLACE_BYTES], host[PLACE_BYTES], work[PLACE_BYTES];
} Folders;

static void PrintRow(void *context, const DoctorRow *row) {
    const Cli *cli = context;
    const char *colour = !cli->colour_out ? "" : row->fine ? visible_green : visible_red;
    Visible_Print(stdout, "%s%-8s%s %-16s %s\n", colour, row->fine ? "ok" : "problem",
                  cli->colour_out ? visible_plain : "", row->name, row->found);
    if (row->advice[0])
        Visible_Print(stdout, "%-8s %-16s -> %s\n", "", "", row->advice);
    fflush(stdout);
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

static int PrintProblems(unsigned problems) {
    Visible_Print(stdout, "%u problem%s\n", problems, problems == 1 ? "" : "s");
    return problems ? CLI_TROUBLE : CLI_EQUAL;
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
    const Cli *cli = context;
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

static int CheckGame(const Cli *cli) {
    const GameDoctorOptions options = {.folder = cli->arguments[0],
                                       .getter = GetVariable,
                                       .row = PrintGameRow,
                                       .context = (void *)cli};
    return PrintProblems(GameDoctor_Run(&options));
}

/* ---- replay ---------------------------------------------------------------------------------- */

static int CheckReplay(const Cli *cli) {
    Folders folders;
    bool work = Place_MakeWork(Cli_Value(cli, "work", NULL), folders.work, sizeof folders.work);
    DoctorOptions options = {
        .directories = {Choose(cli, "original", "standin", folders.original),
                        Choose(cli, "replacement", "replacement", folders.replacement)},
        .host = Choose(cli, "host", "retropose-host.exe", folders.host),
        .wine_prefix = Cli_Value(cli, "wine-prefix", NULL),
        .work_directory = work ? folders.work : NULL,
        .row = PrintRow,
        .context = (void *)cli};
    unsigned problems = Doctor_Run(&options);
    if (work)
        Place_DropWork(folders.work);
    return PrintProblems(problems);
}

static int Run(Cli *cli) {
    if (cli->argument_count > 1)
        return Cli_Complain("doctor takes one folder of a game");
    return cli->argument_count == 1 ? CheckGame(cli) : CheckReplay(cli);
}

const CliVerb cli_game_doctor = {
    "doctor",
    "check that replay can work here, or what happens in a game's folder",
    "[GAME_DIR]",
    "retropose doctor\n"
    "retropose doctor \"C:\\Games\\Parkan\"\n",
    {CLI_PAIRS},
    Run};
