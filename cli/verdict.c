#include "verdict.h"

#include <string.h>

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
    return verdict->comparison ? 0 : Cli_Complain("no memory for a comparison");
}

int Verdict_Report(const Cli *cli, const Report *report) {
    RpError error;
    CompareTotals totals;
    const char *json = Cli_Value(cli, "json", NULL), *junit = Cli_Value(cli, "junit", NULL);
    bool json_only = json && strcmp(json, "-") == 0; /* the standard output stays JSON */
    bool junit_only = junit && strcmp(junit, "-") == 0;
    if (json_only && junit_only)
        return Cli_Complain("only one of --json and --junit can go to the standard output");
    Comparison_Totals(report->comparison, &totals);
    if (!json_only && !junit_only)
        Report_Text(report, stdout);
    if (json && Report_Json(report, json, &error))
        return Cli_Fail(&error);
    if (junit && Report_JUnit(report, junit, &error))
        return Cli_Fail(&error);
    int code = Report_ExitCode(&totals, report->allow_partial);
    if (code == CLI_TROUBLE)
        Cli_Complain("nothing was compared: the selection has no call, or no provider supports it");
    if (code == CLI_PARTIAL)
        Cli_Complain("not all that was selected was compared; --allow-partial accepts that");
    return code;
}

void Verdict_Close(Verdict *verdict) {
    Comparison_Destroy(verdict->comparison);
    KnownDifferences_Free(verdict->known);
    Selection_Free(verdict->selection);
}
