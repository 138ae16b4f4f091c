#include "replay/session/minimise.h"

#include "cli/command_text.h"
#include "cli/config.h"
#include "cli/files.h"
#include "cli/trace/explain.h"
#include "tracefile/select.h"
#include "tracefile/trim.h"

#include <stdio.h>
#include <string.h>

typedef struct WorkFiles {
    char folder[PLACE_BYTES];
    char selected[PLACE_BYTES + 16], candidate[PLACE_BYTES + 16];
    char result_a[PLACE_BYTES + 16], result_b[PLACE_BYTES + 16];
} WorkFiles;

static void OnTry(void *context, uint64_t tries, uint64_t calls) {
    Cli_Note(context, "try %llu: %llu call%s", (unsigned long long)tries, (unsigned long long)calls,
             Text_Plural(calls));
}

/* Returns the stand-in whose key order is that of the trace. */
static const Provider *OriginalOf(const ProviderPair *pair, const char *path) {
    TraceReader *reader;
    char readings[2048] = "";
    if (TraceReader_Open(path, &reader, NULL) == RP_OK) {
        TraceHeader_Get(TraceReader_Header(reader), "hypotheses", readings, sizeof readings);
        TraceReader_Close(reader);
    }
    return pair->has_wxyz && strstr(readings, "key-order=wxyz") ? &pair->original_wxyz
                                                                : &pair->original;
}

static int Minimise(Cli *cli, const ProviderPair *pair, const Selection *selection,
                    const WorkFiles *files) {
    RpError error;
    MinimiseResult result;
    uint64_t calls;
    const char *input = cli->arguments[0], *other = Cli_Value(cli, "answers", NULL);
    if (selection) {
        if (Trim_Trace(input, files->selected, selection, true, false, &calls, NULL, &error))
            return Cli_Fail(&error);
        input = files->selected;
    }
    CompareOptions compare = {.max_differences = 1};
    Explain_Options(&compare);
    MinimisePair providers = {.a = OriginalOf(pair, input),
                              .b = &pair->replacement,
                              .options = &pair->options,
                              .result_a = files->result_a,
                              .result_b = files->result_b,
                              .compare = &compare};
    MinimiseOptions options = {.differs = MinimisePair_Differs,
                               .context = &providers,
                               .candidate = files->candidate,
                               .again = MinimisePair_Again,
                               .again_context = &providers,
                               .answered = files->result_a,
                               .progress = cli->verbosity > 0 ? OnTry : NULL,
                               .progress_context = cli};
    RpStatus status = Minimise_Trace(input, cli->arguments[1], &options, &result, &error);
    if (!status)
        status = Explain_Differences(pair, providers.last, &error);
    if (status) {
        Comparison_Destroy(providers.last);
        return Cli_Fail(&error);
    }
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    RpBuffer_Print(
        &text, "%llu call%s -> %llu, %llu input%s simplified, %llu %s; ran again: still differs\n",
        (unsigned long long)result.calls_before, Text_Plural(result.calls_before),
        (unsigned long long)result.calls_after, (unsigned long long)result.simplified,
        Text_Plural(result.simplified), (unsigned long long)result.tries,
        result.tries == 1 ? "try" : "tries");
    const Difference *difference = Comparison_FirstDifference(providers.last, providers.function);
    if (difference && difference->parting)
        Parting_Text(difference->parting, "", &text);
    Comparison_Destroy(providers.last);
    const int code = CliFile_Print(&text, RP_OK, NULL);
    if (code)
        return code;
    if (other && Trim_Trace(files->result_b, other, NULL, false, true, &calls, NULL, &error))
        return Cli_Fail(&error);

    /* The next command shows what was found: the two answers side by side, where both were kept, or
     * else the first difference in a run of both. */
    static const char *const deciding[] = {"trust",   "original", "replacement", "engine", "host",
                                           "timeout", "overlay",  "processor",   NULL};
    char next[4096];
    CommandText command = CommandText_BeginProgram(next, sizeof next);
    if (other) {
        CommandText_Add(&command, " show");
    } else {
        CommandText_Add(&command, " replay");
        CommandText_AddGiven(&command, cli, deciding);
    }
    CommandText_AddWord(&command, cli->arguments[1]);
    if (other)
        CommandText_AddWord(&command, other);
    if (CommandText_Whole(&command))
        Cli_Note(cli, "next: %s", next);
    return CLI_EQUAL;
}

/* Minimising makes fewer calls and calls with simpler inputs. These are not the calls whose
 * outcomes were recorded, so a recording cannot answer them. */
static bool CanRun(const Provider *provider, const char *option) {
    if (provider->kind == PROVIDER_RECORDED)
        Cli_Complain("minimise runs calls that were never recorded, so --%s cannot be `recorded`: "
                     "name a pair or `native`",
                     option);
    return provider->kind != PROVIDER_RECORDED;
}

static int Run(Cli *cli) {
    ProviderPair pair;
    WorkFiles files;
    Selection *selection;
    Config_FindTraces(cli, 1);
    if (cli->argument_count != 2)
        return Cli_Complain("minimise needs a trace and an output");
    if (!CliFile_CanWriteAll(
            (const char *const[]){cli->arguments[1], Cli_Value(cli, "answers", NULL)}, 2))
        return CLI_TROUBLE;
    int code = ProviderPair_Open(cli, &pair);
    if (code)
        return code;
    if (!CanRun(&pair.original, "original") || !CanRun(&pair.replacement, "replacement"))
        return CLI_TROUBLE;
    if (!Cli_Selection(cli, &selection))
        return CLI_TROUBLE;

    if (!Place_MakeWork(Cli_Value(cli, "work", NULL), files.folder, sizeof files.folder)) {
        code = Cli_Complain("cannot make a folder for the work; name one with --work");
    } else {
        snprintf(files.selected, sizeof files.selected, "%s/selected", files.folder);
        snprintf(files.candidate, sizeof files.candidate, "%s/candidate", files.folder);
        snprintf(files.result_a, sizeof files.result_a, "%s/a", files.folder);
        snprintf(files.result_b, sizeof files.result_b, "%s/b", files.folder);
        code = Minimise(cli, &pair, selection, &files);
        remove(files.selected);
        Place_DropWork(files.folder);
    }
    Selection_Free(selection);
    return code;
}

const CliVerb cli_trace_minimise = {
    "minimise",
    "find the smallest trace that still differs",
    "TRACE OUTPUT",
    "retropose minimise failing.trace small.trace\n"
    "retropose minimise failing.trace small.trace --answers ours.trace\n"
    "retropose show small.trace ours.trace\n",
    {CLI_PAIRS_THAT_RUN,
     {"answers", "FILE", "keep what the replacement answered, for `show OUTPUT FILE`", 0},
     CLI_TRUST,
     CLI_PROCESSOR,
     CLI_SELECT},
    Run};
