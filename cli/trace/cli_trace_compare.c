#include "cli/command_text.h"
#include "cli/config.h"
#include "cli/trace/verdict.h"
#include "core/stop.h"
#include "revision.h"

#include <stdio.h>
#include <string.h>

/* Describes a trace by its header, which says who wrote it. */
static void DescribeTrace(const char *path, const TraceReader *reader, ReportSide *side) {
    char provider[64];
    const TraceHeader *header = TraceReader_Header(reader);
    if (TraceHeader_Get(header, "provider", provider, sizeof provider)) {
        side->modified = strncmp(provider, "modified ", 9) == 0; /* as Provider_Name writes it */
        snprintf(side->kind, sizeof side->kind, "%.15s", provider + (side->modified ? 9 : 0));
    } else {
        snprintf(provider, sizeof provider, "unknown provider");
    }
    snprintf(side->description, sizeof side->description, "%.180s (%s)", path, provider);
    TraceHeader_Get(header, "ngi32.sha256", side->sha256[0], sizeof side->sha256[0]);
    TraceHeader_Get(header, "animesh.sha256", side->sha256[1], sizeof side->sha256[1]);
}

static bool RepeatCommand(void *context, const Difference *difference, char *text, size_t size) {
    static const char *const others[] = {"select",          "json",          "junit", "html",
                                         "max-differences", "allow-partial", NULL};
    CommandText command = {text, size, 0};
    char call[128];
    CommandText_Repeat(&command, context, others);
    snprintf(call, sizeof call, "%s:%llu", difference->function->key,
             (unsigned long long)difference->sequence);
    CommandText_Add(&command, " --select");
    CommandText_AddWord(&command, call);
    return CommandText_Whole(&command) != NULL;
}

static int Run(Cli *cli) {
    RpError error;
    Verdict verdict;
    TraceReader *a = NULL, *b = NULL;
    Config_FindTraces(cli, 2);
    if (cli->argument_count != 2)
        return Cli_Complain("compare needs two traces");
    int code = Verdict_Open(cli, false, &verdict);
    if (!code && (TraceReader_Open(cli->arguments[0], &a, &error) ||
                  TraceReader_Open(cli->arguments[1], &b, &error)))
        code = Cli_Fail(&error);
    if (!code) {
        char repeated[2048];

        static const char *const without[] = {"json",    "junit", "html", "quiet",
                                              "verbose", "color", NULL};
        CommandText whole = {repeated, sizeof repeated, 0};
        CommandText_Repeat(&whole, cli, without);
        const char *command = CommandText_Whole(&whole);
        Report report = {.comparison = verdict.comparison,
                         .version = RETROPOSE_BUILT,
                         .command = command,
                         .colour = cli->colour_out,
                         .all_rows = cli->verbosity > 0,
                         .allow_partial = Cli_Has(cli, "allow-partial"),
                         .repeat = RepeatCommand,
                         .context = cli};
        const RpStatus status = Comparison_Add(verdict.comparison, a, b, cli->arguments[0], &error);
        DescribeTrace(cli->arguments[0], a, &report.a);
        DescribeTrace(cli->arguments[1], b, &report.b);
        Report_TakeNotice(&report);
        TraceHeader_Get(TraceReader_Header(a), "processor", report.processor,
                        sizeof report.processor);
        TraceHeader_Get(TraceReader_Header(a), "engine", report.engine, sizeof report.engine);
        code = status && !Stop_Asked() ? Verdict_Failed(cli, &verdict, &report, &error)
                                       : Verdict_Report(cli, &verdict, &report);
    }
    TraceReader_Close(a);
    TraceReader_Close(b);
    Verdict_Close(&verdict);
    return code;
}

const CliVerb cli_trace_compare = {
    "compare",
    "compare two traces of the same calls",
    "A B",
    "retropose compare original.trace replacement.trace\n",
    {CLI_SELECT,
     {"known", "FILE", "expected differences: selection | path glob | reason, one a line", 0},
     {"max-differences", "N", "kept in detail (default: 20)", 0},
     CLI_ALLOW_PARTIAL,
     {"allow-unlike", NULL, "compare traces of unlike readings, force-cpu or slot-build", 0},
     CLI_REPORTS},
    Run};
