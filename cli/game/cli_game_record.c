#include "game/record_run.h"

#include "cli/config.h"
#include "exports/abi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int Run(Cli *cli) {
    if (cli->argument_count == 0)
        return Cli_Complain("record needs a command behind --");

    const char **command = calloc(cli->argument_count + 1, sizeof *command);
    for (size_t i = 0; command && i < cli->argument_count; i++)
        command[i] = cli->arguments[i];
    if (!command)
        return Cli_Complain("no memory");
    const char *output = Cli_Value(cli, "output", NULL);
    const RecordRun run = {.output = output ? output : Config_NewTrace(cli, "recording.rptrace"),
                           .functions = Cli_Value(cli, "functions", NULL),
                           .ring = Cli_Value(cli, "ring", NULL),
                           .limit = Cli_Value(cli, "limit", NULL),
                           .full = Cli_Value(cli, "full", NULL),
                           .flush = Cli_Value(cli, "flush", NULL),
                           .modes = Cli_Value(cli, "mode", NULL),
                           .command = command};
    uint32_t exit_code = 0;
    RpError error;
    RpStatus status = RecordRun_Start(&run, &exit_code, &error);
    free(command);
    if (status)
        return Cli_Fail(&error);
    if (exit_code != 0)
        Cli_Note(cli, "the command ended with %u", exit_code);

    RecordSummary summary;
    status = RecordSummary_Read(run.output, &summary, &error);
    if (!status) {
        Visible_Print(stdout, "%s\n", run.output);
        Visible_Print(stdout, "calls %" PRIu64 ", %" PRIu64 " bytes in %u file%s\n", summary.calls,
                      summary.bytes, summary.files, summary.files == 1 ? "" : "s");
        if (summary.noted) {
            Visible_Print(stdout, "dropped %" PRIu64 ", not recordable %" PRIu64 "\n",
                          summary.dropped, summary.not_recorded);
            Visible_Print(stdout,
                          "overhead %" PRIu64 " ns a call (median; mean %" PRIu64 ", of %" PRIu64
                          " measured)\n",
                          summary.overhead_median_ns, summary.overhead_ns,
                          summary.overhead_samples);
        }
        if (summary.deleted > 0)
            Visible_Print(stdout, "%" PRIu64 " older file%s of the ring %s gone\n", summary.deleted,
                          Text_Plural(summary.deleted), summary.deleted == 1 ? "is" : "are");
        if (summary.files > 1)
            Visible_Print(stdout, "each file is a trace of its own; give all of them to replay\n");
        if (summary.limited)
            Visible_Print(stdout, "stopped at the limit\n");
        if (summary.cut > 0)
            Visible_Print(stdout, "%u file%s cut, valid up to the last whole chunk\n", summary.cut,
                          summary.cut == 1 ? " is" : "s are");
        else
            Visible_Print(stdout, "whole\n");

        for (size_t i = 0; i < abi_function_count; i++)
            if (summary.by_function[i] > 0)
                Visible_Print(stdout, "  %-28s %12" PRIu64 "  %s\n", abi_functions[i].key,
                              summary.by_function[i], abi_functions[i].name);
    }

    const bool lacking = summary.cut > 0 || summary.dropped > 0;
    RecordSummary_Free(&summary);
    if (status == RP_NOT_FOUND && exit_code != 0) { /* the program has said what is wrong */
        char found[64];
        snprintf(found, sizeof found, "one that ended with %u", exit_code);
        RpError_Set(&error, status, RP_NOWHERE, "nothing was recorded", run.output,
                    "a program that starts, in a game folder with our DLLs", found);
    }
    return status ? Cli_Fail(&error) : lacking ? CLI_DIFFERENT : CLI_EQUAL;
}

const CliVerb cli_game_record = {
    "record",
    "run a game and write the calls of its DLLs into a trace",
    "-- COMMAND [ARGUMENT...]",
    "retropose record -o walk.rptrace -- Iron.exe\n"
    "retropose record --functions \"ngi32.slot*,animesh.*\" --mode \"default=original\" -- "
    "Iron.exe\n"
    "retropose record --ring 64M -- wine Iron.exe\n",
    {{"output", "FILE", "the trace, a new file each 512 MiB (default: recording.rptrace)", 'o'},
     {"functions", "GLOBS", "which functions (default: as retropose.ini says: all)", 0},
     {"mode", "RULES", "who serves: as RETROPOSE_MODES, e.g. default=original", 0},
     {"ring", "SIZE", "keep the last so many bytes, in files of an eighth (default: keep all)", 0},
     {"limit", "SIZE", "stop after so many bytes (default: none)", 0},
     {"full", "POLICY", "when the disk is too slow: block or drop (default: block)", 0},
     {"flush", "MS", "a call is in the file after so many milliseconds (default: 250)", 0}},
    Run};
