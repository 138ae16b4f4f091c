#include "cli/trace/verdict.h"

#include "cli/signals.h"
#include "cli/trace/explain.h"
#include "core/files/inputs.h"
#include "replay/merge/shard.h"
#include "tracefile/format.h"

#include <stdio.h>
#include <string.h>

/* Writes the JSON of a report or, for a shard, the JSON that `retropose merge` takes. */
static RpStatus WriteJson(const Report *report, RpBuffer *text, RpError *error) {
    return report->run ? ReportShard_Json(report, text, error) : Report_Json(report, text, error);
}

/* The files that a report can be written into, in the order of Verdict.files. */
static const struct {
    const char *option;
    RpStatus (*write)(const Report *report, RpBuffer *text, RpError *error);
} files[VERDICT_FILES] = {{"json", WriteJson}, {"junit", Report_JUnit}, {"html", Report_Html}};

/* Returns whether a report goes to standard output, so that nothing else may be printed there. */
static bool IsStandard(const Cli *cli, const char *option) {
    return strcmp(Cli_Value(cli, option, ""), "-") == 0;
}

/* Returns why a report must not be written to a path, or null. For most verbs --json takes no file.
 * Somebody who is used to that and writes `replay --json A B` must not lose the trace A. */
static const char *Obstacle(const Cli *cli, const char *path) {
    char head[sizeof TRACE_MAGIC - 1];
    FileIdentity identity; /* exists only for files on a disk: a pipe would wait for a writer */
    if (!path || strcmp(path, "-") == 0 || !FileIdentity_OfPath(path, &identity))
        return NULL;
    FILE *file = fopen(path, "rb");
    const bool is_trace = file && fread(head, 1, sizeof head, file) == sizeof head &&
                          memcmp(head, TRACE_MAGIC, sizeof head) == 0;
    if (file)
        fclose(file);
    if (!is_trace)
        return NULL;
    for (size_t i = 0; i < cli->argument_count; i++) {
        FileIdentity other;
        if (FileIdentity_OfPath(cli->arguments[i], &other) && FileIdentity_Equal(other, identity))
            return "one of the inputs";
    }
    return "a trace";
}

static int OpenReports(const Cli *cli, Verdict *verdict) {
    const char *paths[VERDICT_FILES];
    RpError error;
    int standard = 0;
    for (size_t i = 0; i < VERDICT_FILES; i++)
        standard += IsStandard(cli, files[i].option);
    if (standard > 1)
        return Cli_Complain("only one of --json, --junit and --html can go to the standard output");
    for (size_t i = 0; i < VERDICT_FILES; i++)
        paths[i] = Cli_Value(cli, files[i].option, NULL);
    for (size_t i = 0; i < VERDICT_FILES; i++) {
        const char *obstacle = Obstacle(cli, paths[i]);
        if (obstacle)
            return Cli_Complain("--%s takes the file to write, and %s is %s", files[i].option,
                                paths[i], obstacle);
    }
    if (Output_CheckApart(paths, VERDICT_FILES, &error))
        return Cli_Fail(&error);
    for (size_t i = 0; i < VERDICT_FILES; i++)
        if (paths[i] && Output_Open(paths[i], &verdict->files[i], &error))
            return Cli_Fail(&error);
    return 0;
}

int Verdict_Open(const Cli *cli, bool explains, Verdict *verdict) {
    RpError error;
    uint64_t most = 20;
    const char *known = Cli_Value(cli, "known", NULL);
    memset(verdict, 0, sizeof *verdict);
    if (!Cli_Number(cli, "max-differences", 1, 1000000, &most) ||
        !Cli_Selection(cli, &verdict->selection))
        return CLI_TROUBLE;
    if (known && KnownDifferences_Load(known, &verdict->known, &error))
        return Cli_Fail(&error);
    CompareOptions options = {.max_differences = (uint32_t)most,
                              .known = verdict->known,
                              .selection = verdict->selection,
                              .allow_unlike = Cli_Has(cli, "allow-unlike")};
    if (explains)
        Explain_Options(&options);
    verdict->comparison = Comparison_Create(&options);
    if (!verdict->comparison)
        return Cli_Complain("no memory for a comparison");
    const int code = OpenReports(cli, verdict);
    Signals_Defer();
    return code;
}

bool Verdict_PrintsText(const Cli *cli) {
    if (cli->stage)
        return false;
    for (size_t i = 0; i < VERDICT_FILES; i++)
        if (IsStandard(cli, files[i].option))
            return false;
    return true;
}

int Verdict_Failed(const Cli *cli, Verdict *verdict, Report *report, const RpError *error) {
    if (Comparison_FunctionCount(report->comparison) == 0)
        return Cli_Fail(error);
    report->error = error;
    return Verdict_Report(cli, verdict, report);
}

int Verdict_Report(const Cli *cli, Verdict *verdict, Report *report) {
    RpError error;
    CompareTotals totals;
    report->stopped = Signals_Asked();
    if (report->error && !report->stopped)
        report->stopped = "an error";
    Comparison_Totals(report->comparison, &totals);
    if (Verdict_PrintsText(cli))
        Report_Text(report, stdout);

    RpStatus status = RP_OK;
    for (size_t i = 0; i < VERDICT_FILES && !status; i++) {
        OutputFile *file = verdict->files[i];
        RpBuffer text;
        if (!file)
            continue;
        verdict->files[i] = NULL;
        RpBuffer_Init(&text, NULL);
        status = files[i].write(report, &text, &error);
        if (!status)
            status = Output_Append(file, text.bytes, text.size, &error);
        RpBuffer_Free(&text);
        if (!status)
            status = Output_Commit(file, &error);
        else
            Output_Abandon(file);
    }
    if (status)
        return Cli_Fail(&error);
    if (report->error)
        return Cli_Fail(report->error);
    if (report->run && !report->stopped)
        return CLI_EQUAL; /* this shard's result was written; merge judges the whole run */
    int code = Report_ExitCode(&totals, report->allow_partial);
    if (code == CLI_TROUBLE && !report->stopped)
        Cli_Complain("nothing was compared: the selection has no call, or no provider supports it");
    if (code == CLI_PARTIAL && !report->stopped)
        Cli_Complain("not all that was selected was compared; --allow-partial accepts that");
    return code;
}

void Verdict_Close(Verdict *verdict) {
    for (size_t i = 0; i < VERDICT_FILES; i++)
        Output_Abandon(verdict->files[i]);
    Comparison_Destroy(verdict->comparison);
    KnownDifferences_Free(verdict->known);
    Selection_Free(verdict->selection);
}
