#include "cli/ac/ac_common.h"
#include "cli/findings.h"

enum { RULE_COUNT = 36 }; /* docs/reference/sequencer.md */

static RpStatus Check(const Cli *cli, const Mapping *file, const RpFindingSink *sink,
                      RpError *error) {
    (void)cli;
    return AcVerb_IsTable(file) ? RpAcMotionTable_Check(file->bytes, file->size, NULL, sink, error)
                                : RpAcAnimation_Check(file->bytes, file->size, NULL, sink, error);
}

static int Run(Cli *cli) {
    return Findings_CheckFiles(cli, "ac check needs a resource", 'Q', RULE_COUNT, Check);
}

const CliVerb cli_ac_check = {
    "ac check",
    "report what is wrong or odd (docs/reference/sequencer.md lists the rules)",
    "FILE...",
    "retropose ac check 0300*.bin 0900*.bin\n",
    {CLI_CHECK_OPTIONS},
    Run};
