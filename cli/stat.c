#include "replay/stat.h"

#include "cli.h"
#include "replay/describe.h"

#include <stdio.h>
#include <string.h>

typedef unsigned long long Number;

/* What a recording says of itself. */
static void PrintNotes(const char *notes) {
    for (const char *line = notes; *line; line = strchr(line, '\n') + 1)
        printf("note %.*s\n", (int)strcspn(line, "\n"), line);
}

static void PrintStat(const char *path, const TraceReader *reader, const Stat *stat) {
    printf("%s\n", path);
    Describe_Header(stdout, TraceReader_Header(reader));
    printf("calls %llu", (Number)stat->calls);
    if (stat->calls > 0)
        printf(" (%llu to %llu)", (Number)stat->first_sequence, (Number)stat->last_sequence);
    printf(", inputs %llu bytes, outputs %llu bytes\n", (Number)stat->input_bytes,
           (Number)stat->output_bytes);
    printf("memories %u, %llu bytes\n", stat->memories, (Number)stat->memory_bytes);
    for (unsigned i = 0; i < TRACE_OUTCOME_COUNT; i++)
        if (stat->outcomes[i] > 0)
            printf("  %-28s %12llu\n", Describe_Outcome((uint8_t)i), (Number)stat->outcomes[i]);
    if (stat->violations > 0)
        printf("  %-28s %12llu\n", "with violations", (Number)stat->violations);
    for (unsigned i = 0; i < stat->state_count; i++)
        printf("  control word %04x            %12llu\n", stat->states[i].control,
               (Number)stat->states[i].calls);
    if (stat->other_states > 0)
        printf("  other control words          %12llu\n", (Number)stat->other_states);
    PrintNotes(TraceReader_Notes(reader));
    for (size_t i = 0; i < abi_function_count; i++)
        if (stat->by_function[i] > 0)
            printf("  %-28s %12llu  %s\n", abi_functions[i].key, (Number)stat->by_function[i],
                   abi_functions[i].name);
}

static int StatTrace(const char *path, const Selection *selection) {
    RpError error;
    Stat stat;
    TraceReader *reader;
    if (TraceReader_Open(path, &reader, &error))
        return Cli_Fail(&error);
    RpStatus status = Stat_Collect(reader, selection, &stat, &error);
    if (stat.by_function)
        PrintStat(path, reader, &stat);
    int code = status ? Cli_Fail(&error) : CLI_EQUAL;
    if (!code && selection && stat.calls == 0)
        code = Cli_Complain("the selection has no call");
    Stat_Free(&stat);
    TraceReader_Close(reader);
    return code;
}

int Verb_Stat(Cli *cli) {
    Selection *selection;
    int code = CLI_EQUAL;
    if (cli->argument_count == 0)
        return Cli_Complain("stat needs a trace");
    if (!Cli_Selection(cli, &selection))
        return CLI_TROUBLE;
    for (size_t i = 0; i < cli->argument_count; i++) {
        int one = StatTrace(cli->arguments[i], selection);
        code = one > code ? one : code;
    }
    Selection_Free(selection);
    return code;
}
