#include "cli/ani/ani_common.h"
#include "cli/findings.h"

enum { RULE_COUNT = 28 }; /* docs/formats/ani.md */

static RpStatus Check(const void *cli, const Mapping *file, const RpFindingSink *sink,
                      RpError *error) {
    const RpAniForm form = Cli_Has(cli, "body") ? RP_ANI_BODY : RP_ANI_FILE;
    return RpAni_Check(file->bytes, file->size, form, NULL, sink, error);
}

static int Run(Cli *cli) {
    return Findings_CheckFiles(cli, "ani check needs an animation", 'A', RULE_COUNT, Check, cli);
}

const CliVerb cli_ani_check = {"ani check",
                               "report what is wrong or odd (docs/formats/ani.md lists the rules)",
                               "FILE...",
                               "retropose ani check *.ani\n",
                               {ANI_BODY, CLI_CHECK_OPTIONS},
                               Run};
