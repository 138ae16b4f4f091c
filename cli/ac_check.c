#include "ac.h"
#include "findings.h"

enum { RULE_COUNT = 36 }; /* docs/sequencer.md */

static void Take(void *context, const RpFinding *finding) {
    Findings_Take(context, NULL, finding);
}

static void CheckFile(Findings *findings, const char *path) {
    const RpFindingSink sink = {.take = Take, .context = findings};
    Mapping mapping;
    RpError error;
    if (Mapping_Open(path, &mapping, &error)) {
        Findings_Fail(findings, &error);
        return;
    }
    Findings_BeginFile(findings, path, 0);
    const RpStatus status =
        AcVerb_IsTable(&mapping)
            ? RpAcMotionTable_Check(mapping.bytes, mapping.size, NULL, &sink, &error)
            : RpAcAnimation_Check(mapping.bytes, mapping.size, NULL, &sink, &error);
    if (status == RP_NO_MEMORY)
        Findings_Fail(findings, &error);
    Mapping_Close(&mapping);
}

static int Run(Cli *cli) {
    Findings findings;
    if (cli->argument_count == 0)
        return Cli_Complain("ac check needs a resource");
    if (!Findings_Begin(&findings, cli, 'Q', RULE_COUNT))
        return CLI_TROUBLE;
    for (size_t i = 0; i < cli->argument_count; i++)
        CheckFile(&findings, cli->arguments[i]);
    return Findings_End(&findings);
}

const CliVerb cli_ac_check = {
    "ac check",          "report what is wrong or odd (docs/sequencer.md lists the rules)",
    "FILE...",           "retropose ac check 0300*.bin 0900*.bin\n",
    {CLI_CHECK_OPTIONS}, Run};
