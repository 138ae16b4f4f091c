#include "cli/files.h"
#include "cli/report/load_report.h"

static int Run(Cli *cli) {
    RpError error;
    RpBuffer svg;
    SavedReport report;
    if (cli->argument_count != 1)
        return Cli_Complain("report badge needs one report that --json has written");
    if (Report_Load(cli->arguments[0], &report, &error))
        return Cli_Fail(&error);
    RpBuffer_Init(&svg, NULL);
    SavedReport_Badge(&report, &svg);
    SavedReport_Free(&report);
    return CliFile_Write(&svg, Cli_Value(cli, "output", "-"), RP_OK, NULL);
}

const CliVerb cli_report_badge = {
    "report badge",
    "make an SVG badge of a report: verdict, calls, and who played the original",
    "A.json",
    "retropose report badge replay.json -o badge.svg\n",
    {{"output", "FILE", "what to write (default: standard output)", 'o'}},
    Run};
