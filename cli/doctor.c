#include "replay/doctor.h"

#include "cli.h"
#include "place.h"

#include <stdio.h>

typedef struct Folders {
    char original[PLACE_BYTES], replacement[PLACE_BYTES], host[PLACE_BYTES], work[PLACE_BYTES];
} Folders;

static void PrintRow(void *context, const DoctorRow *row) {
    const Cli *cli = context;
    const char *colour = !cli->colour_out ? "" : row->fine ? "\033[32m" : "\033[31m";
    printf("%s%-8s%s %-16s %s\n", colour, row->fine ? "ok" : "problem",
           cli->colour_out ? "\033[0m" : "", row->name, row->found);
    if (row->advice[0])
        printf("%-8s %-16s -> %s\n", "", "", row->advice);
    fflush(stdout);
}

/* What was given, else what lies beside this program, else null. */
static const char *Choose(const Cli *cli, const char *option, const char *part, char *place) {
    const char *given = Cli_Value(cli, option, NULL);
    if (given)
        return given;
    return Place_Find(part, place, PLACE_BYTES) ? place : NULL;
}

int Verb_Doctor(Cli *cli) {
    Folders folders;
    bool work = Place_MakeWork(Cli_Value(cli, "work", NULL), folders.work, sizeof folders.work);
    DoctorOptions options = {
        .directories = {Choose(cli, "original", "standin", folders.original),
                        Choose(cli, "replacement", "replacement", folders.replacement)},
        .host = Choose(cli, "host", "retropose-host.exe", folders.host),
        .wine_prefix = Cli_Value(cli, "wine-prefix", NULL),
        .work_directory = work ? folders.work : NULL,
        .row = PrintRow,
        .context = cli};
    unsigned problems = Doctor_Run(&options);
    if (work)
        Place_DropWork(folders.work);
    printf("%u problem%s\n", problems, problems == 1 ? "" : "s");
    return problems ? CLI_TROUBLE : CLI_EQUAL;
}
