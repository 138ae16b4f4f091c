#include "cli/trace/replay_merge.h"

#include "cli/files.h"
#include "cli/gather.h"
#include "cli/trace/verdict.h"

#include <stdlib.h>

int ReplayMerge_Run(Cli *cli) {
    RpError error;
    Gathered gathered;
    MergedReport merged = {.comparison = NULL};
    if (Cli_Has(cli, "output"))
        return Cli_Complain("-o is for proofs; --json, --html and --junit write a report");
    RpStatus status = Gather_Shards(cli, SHARD_FORMAT, &gathered, &error);
    for (size_t i = 0; i < gathered.count && !status; i++) {
        Mapping mapping;
        status = Mapping_Open(gathered.paths[i], &mapping, &error);
        if (status)
            break;
        status = MergedReport_Add(&merged, (const char *)mapping.bytes, mapping.size, &error);
        Mapping_Close(&mapping);
        CliFile_Locate(gathered.paths[i], status, &error);
    }
    int code = CLI_TROUBLE;
    if (status) {
        code = Cli_Fail(&error);
    } else {
        /* The merged report is printed as `replay` prints that of a whole run. */
        Verdict verdict;
        Report *report = &merged.report;
        code = Verdict_Open(cli, false, &verdict);
        report->colour = cli->colour_out;
        report->all_rows = cli->verbosity > 0;
        report->allow_partial |= Cli_Has(cli, "allow-partial");
        if (!code && Verdict_PrintsText(cli))
            Visible_Print(stdout, "original: %s\nreplacement: %s\n\n", report->a.description,
                          report->b.description);
        if (!code)
            code = Verdict_Report(cli, &verdict, report);
        Verdict_Close(&verdict);
    }
    MergedReport_Free(&merged);
    free(gathered.paths);
    return code;
}
