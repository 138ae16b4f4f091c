#include "tracefile/stat.h"

#include "cli/config.h"
#include "replay/compare/describe.h"

#include <stdio.h>
#include <string.h>

typedef unsigned long long Number;

static void PrintStat(const char *path, const TraceReader *reader, const Stat *stat) {
    Visible_Print(stdout, "%s\n", path);
    Describe_Header(stdout, TraceReader_Header(reader));
    Visible_Print(stdout, "calls %llu", (Number)stat->calls);
    if (stat->calls > 0)
        Visible_Print(stdout, " (%llu to %llu)", (Number)stat->first_sequence,
                      (Number)stat->last_sequence);
    Visible_Print(stdout, ", inputs %llu bytes, outputs %llu bytes\n", (Number)stat->input_bytes,
                  (Number)stat->output_bytes);
    Visible_Print(stdout, "memories %u, %llu bytes\n", stat->memories, (Number)stat->memory_bytes);
    for (unsigned i = 0; i < TRACE_OUTCOME_COUNT; i++)
        if (stat->outcomes[i] > 0)
            Visible_Print(stdout, "  %-28s %12llu\n", Describe_Outcome((uint8_t)i),
                          (Number)stat->outcomes[i]);
    if (stat->violations > 0)
        Visible_Print(stdout, "  %-28s %12llu\n", "with violations", (Number)stat->violations);
    for (unsigned i = 0; i < stat->state_count; i++)
        Visible_Print(stdout, "  control word %04x            %12llu\n", stat->states[i].control,
                      (Number)stat->states[i].calls);
    if (stat->other_states > 0)
        Visible_Print(stdout, "  other control words          %12llu\n",
                      (Number)stat->other_states);

    /* The notes that a recording holds about itself. */
    for (const char *line = TraceReader_Notes(reader); *line; line = strchr(line, '\n') + 1)
        Visible_Print(stdout, "note %.*s\n", (int)strcspn(line, "\n"), line);
    for (size_t i = 0; i < abi_function_count; i++)
        if (stat->by_function[i] > 0)
            Visible_Print(stdout, "  %-28s %12llu  %s\n", abi_functions[i].key,
                          (Number)stat->by_function[i], abi_functions[i].name);
}

static int Run(Cli *cli) {
    Selection *selection;
    int code = CLI_EQUAL;
    Config_FindTraces(cli, SIZE_MAX);
    if (cli->argument_count == 0)
        return Cli_Complain("stat needs a trace");
    if (!Cli_Selection(cli, &selection))
        return CLI_TROUBLE;
    for (size_t i = 0; i < cli->argument_count; i++) {
        RpError error;
        Stat stat;
        TraceReader *reader;
        int one = CLI_EQUAL;
        if (TraceReader_Open(cli->arguments[i], &reader, &error)) {
            one = Cli_Fail(&error);
        } else {
            const RpStatus status = Stat_Collect(reader, selection, &stat, &error);
            if (stat.by_function)
                PrintStat(cli->arguments[i], reader, &stat);
            if (status)
                one = Cli_Fail(&error);
            else if (selection && stat.calls == 0)
                one = Cli_Complain("the selection has no call");
            Stat_Free(&stat);
            TraceReader_Close(reader);
        }
        code = one > code ? one : code;
    }
    Selection_Free(selection);
    return code;
}

const CliVerb cli_trace_stat = {"stat", "count what a trace holds", "TRACE...", NULL, {CLI_SELECT},
                                Run};
