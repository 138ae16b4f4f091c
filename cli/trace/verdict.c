#include "cli/trace/verdict.h"

#include "cli/signals.h"

#include <string.h>

/* Returns whether a report goes to the standard output, which then holds nothing else. */
static bool IsStandard(const Cli *cli, const char *option) {
    return strcmp(Cli_Value(cli, option, ""), "-") == 0;
}

static int OpenReports(const Cli *cli, Verdict *verdict) {
    RpError error;
    const char *json = Cli_Value(cli, "json", NULL), *junit = Cli_Value(cli, "junit", NULL);
    if (IsStandard(cli, "json") && IsStandard(cli, "junit"))
        return Cli_Complain("only one of --json and --junit can go to the standard output");
    if ((json && Output_Open(json, &verdict->json, &error)) ||
        (junit && Output_Open(junit, &verdict->junit, &error)))
        return Cli_Fail(&error);
    return 0;
}

int Verdict_Open(const Cli *cli, Verdict *verdict) {
    RpError error;
    uint64_t most = 20;
    const char *known = Cli_Value(cli, "known", NULL);
    memset(verdict, 0, sizeof *verdict);
    if (!Cli_Number(cli, "max-differences", 1, 1000000, &most) ||
        !Cli_Selection(cli, &verdict->selection))
        return CLI_TROUBLE;
    if (known && KnownDifferences_Load(known, &verdict->known, &error))
        return Cli_Fail(&error);
    verdict->comparison =
        Comparison_Create(&(CompareOptions){.max_differences = (uint32_t)most,
                                            .known = verdict->known,
                                            .selection = verdict->selection,
                                            .allow_unlike = Cli_Has(cli, "allow-unlike")});
    if (!verdict->comparison)
        return Cli_Complain("no memory for a comparison");
    const int code = OpenReports(cli, verdict);
    Signals_Defer();
    return code;
}

static RpStatus Fill(OutputFile *file, RpBuffer *text, RpStatus status, RpError *error) {
    if (!status)
        status = Output_Append(file, text->bytes, text->size, error);
    RpBuffer_Free(text);
    if (!status)
        return Output_Commit(file, error);
    Output_Abandon(file);
    return status;
}

static RpStatus WriteFiles(Verdict *verdict, const Report *report, RpError *error) {
    OutputFile *json = verdict->json, *junit = verdict->junit;
    RpStatus status = RP_OK;
    RpBuffer text;
    verdict->json = verdict->junit = NULL;
    RpBuffer_Init(&text, NULL);
    if (json)
        status = Fill(json, &text, Report_Json(report, &text, error), error);
    RpBuffer_Init(&text, NULL);
    if (junit && !status)
        return Fill(junit, &text, Report_JUnit(report, &text, error), error);
    Output_Abandon(junit);
    return status;
}

int Verdict_Report(const Cli *cli, Verdict *verdict, Report *report) {
    RpError error;
    CompareTotals totals;
    report->stopped = Signals_Asked();
    Comparison_Totals(report->comparison, &totals);
    if (!IsStandard(cli, "json") && !IsStandard(cli, "junit"))
        Report_Text(report, stdout);
    if (WriteFiles(verdict, report, &error))
        return Cli_Fail(&error);
    int code = Report_ExitCode(&totals, report->allow_partial);
    if (code == CLI_TROUBLE && !report->stopped)
        Cli_Complain("nothing was compared: the selection has no call, or no provider supports it");
    if (code == CLI_PARTIAL && !report->stopped)
        Cli_Complain("not all that was selected was compared; --allow-partial accepts that");
    return code;
}

void Verdict_Close(Verdict *verdict) {
    Output_Abandon(verdict->json);
    Output_Abandon(verdict->junit);
    Comparison_Destroy(verdict->comparison);
    KnownDifferences_Free(verdict->known);
    Selection_Free(verdict->selection);
}
