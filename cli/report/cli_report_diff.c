#include "cli/files.h"
#include "cli/report/load_report.h"

/* Returns whether the report is of a complete run. A run that was stopped has counted only a part
 * of its calls, so its numbers mean nothing. */
static bool IsWhole(const char *path, const SavedReport *report) {
    if (!report->stopped[0])
        return true;
    Cli_Complain("%s is the report of a run that %s stopped, which is no result", path,
                 report->stopped);
    return false;
}

static int Run(Cli *cli) {
    RpError error;
    ReportDiff diff;
    SavedReport before = {.functions = NULL}, after = {.functions = NULL};
    int code;
    if (cli->argument_count != 2)
        return Cli_Complain("report diff needs two reports that --json has written");
    if (Report_Load(cli->arguments[0], &before, &error) ||
        Report_Load(cli->arguments[1], &after, &error)) {
        code = Cli_Fail(&error);
    } else if (!IsWhole(cli->arguments[0], &before) || !IsWhole(cli->arguments[1], &after)) {
        code = CLI_TROUBLE;
    } else if (ReportDiff_Make(&before, &after, &diff, &error)) {
        code = Cli_Fail(&error);
    } else {
        RpBuffer text;
        RpStatus status = RP_OK;
        RpBuffer_Init(&text, NULL);
        if (Cli_Has(cli, "json"))
            status = ReportDiff_Json(&before, &after, &diff, &text, &error);
        else
            ReportDiff_Text(&before, &after, &diff, &text);
        code = CliFile_Print(&text, status, &error);
        if (!code && diff.worse)
            code = CLI_DIFFERENT;
        ReportDiff_Free(&diff);
    }
    SavedReport_Free(&before);
    SavedReport_Free(&after);
    return code;
}

const CliVerb cli_report_diff = {
    "report diff",   "say what changed between two reports; exit code 1 where anything got worse",
    "A.json B.json", "retropose report diff last-week.json today.json\n",
    {CLI_JSON},      Run};
