#include "retropose/msh_check.h"

#include "cli/findings.h"
#include "cli/msh/msh_common.h"

#include <stdio.h>

typedef struct Check {
    Findings findings;
    RpMshCheckOptions options;
} Check;

/* ---- one model ------------------------------------------------------------------------------- */

static void TakeFinding(void *context, const RpFinding *finding) {
    Check *check = context;
    Findings_Take(&check->findings, NULL, finding);
}

/* A file that is not an archive has no streams to check; that is an error in itself. */
static void TakeFailed(Check *check, const RpError *failed, uint64_t offset) {
    RpFinding finding = RpFinding_New("M01", RP_SEVERITY_ERROR);
    snprintf(finding.what, sizeof finding.what, "the model does not open: %.100s", failed->what);
    snprintf(finding.expected, sizeof finding.expected, "%.127s", failed->expected);
    snprintf(finding.found, sizeof finding.found, "%.127s", failed->found);
    finding.offset = offset;
    TakeFinding(check, &finding);
}

static bool TakeModel(void *context, const ModelSource *model, const RpError *failed) {
    Check *check = context;
    const RpFindingSink sink = {.take = TakeFinding, .context = check};
    RpError error;
    Findings_BeginFile(&check->findings, model->name, model->offset);
    if (failed)
        TakeFailed(check, failed, RP_NOWHERE);
    else if (RpMsh_Check(RpNRes_Entries(&model->archive), &check->options, &sink, &error) ==
             RP_NO_MEMORY)
        Findings_Fail(&check->findings, &error);
    return true;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int Run(Cli *cli) {
    Check check = {.options = {.rules = 0}};
    if (Cli_Has(cli, "rules")) {
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        for (int rule = 1; rule <= RP_MSH_RULE_COUNT; rule++)
            RpBuffer_Print(&text, "%s  %-5s  %s\n", RpMshRule_Id(rule), RpMshRule_Severities(rule),
                           RpMshRule_Text(rule));
        return CliFile_Print(&text, RP_OK, NULL);
    }
    if (cli->argument_count == 0)
        return Cli_Complain("msh check needs a model");
    if (!Findings_Begin(&check.findings, cli, 'M', RP_MSH_RULE_COUNT))
        return CLI_TROUBLE;
    check.options.repeats = (uint32_t)check.findings.repeats; /* so the checker has less to do */
    check.findings.repeats = UINT64_MAX;
    check.options.rules = check.findings.rules;
    for (size_t i = 0; i < cli->argument_count; i++) {
        /* An archive that does not open is an error. What can be read of it is checked
         * nevertheless. */
        RpError error;
        const RpStatus status = ModelSource_Each(cli->arguments[i], TakeModel, &check, &error);
        if (status == RP_CORRUPT || status == RP_TRUNCATED) {
            Findings_BeginFile(&check.findings, cli->arguments[i], 0);
            TakeFailed(&check, &error, error.offset);
        } else if (status != RP_OK) {
            Findings_Fail(&check.findings, &error);
        }
    }
    return Findings_End(&check.findings);
}

const CliVerb cli_msh_check = {"msh check",
                               "report what is wrong or odd (docs/formats/msh.md lists the rules)",
                               "FILE[::MEMBER]...",
                               "retropose msh check static.rlb\n"
                               "retropose msh check --rule M31 --json hero.msh\n",
                               {CLI_CHECK_OPTIONS, {"rules", NULL, "list the rules", 0}},
                               Run};
