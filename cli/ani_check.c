#include "ani.h"
#include "findings.h"
#include "formats/mapping.h"

enum { RULE_COUNT = 28 }; /* docs/ani.md */

static void Take(void *context, const RpFinding *finding) {
    Findings_Take(context, NULL, finding);
}

static void CheckFile(Findings *findings, const char *path) {
    const RpAniForm form = Cli_Has(findings->cli, "body") ? RP_ANI_BODY : RP_ANI_FILE;
    const RpFindingSink sink = {.take = Take, .context = findings};
    Mapping mapping;
    RpError error;
    if (Mapping_Open(path, &mapping, &error)) {
        Findings_Fail(findings, &error);
        return;
    }
    Findings_BeginFile(findings, path, 0);
    if (RpAni_Check(mapping.bytes, mapping.size, form, NULL, &sink, &error) == RP_NO_MEMORY)
        Findings_Fail(findings, &error);
    Mapping_Close(&mapping);
}

static int Run(Cli *cli) {
    Findings findings;
    if (cli->argument_count == 0)
        return Cli_Complain("ani check needs an animation");
    if (!Findings_Begin(&findings, cli, 'A', RULE_COUNT))
        return CLI_TROUBLE;
    for (size_t i = 0; i < cli->argument_count; i++)
        CheckFile(&findings, cli->arguments[i]);
    return Findings_End(&findings);
}

const CliVerb cli_ani_check = {"ani check",
                               "report what is wrong or odd (docs/ani.md lists the rules)",
                               "FILE...",
                               "retropose ani check *.ani\n",
                               {ANI_BODY, CLI_CHECK_OPTIONS},
                               Run};
