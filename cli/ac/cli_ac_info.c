#include "siblings/sequencer/text/script.h"

#include "cli/ac/ac_common.h"

static int Run(Cli *cli) {
    AcResource resource;
    RpBuffer text;
    RpError error;
    const bool json = Cli_Has(cli, "json");
    if (cli->argument_count != 1)
        return Cli_Complain("ac info needs one resource");
    const char *path = cli->arguments[0];
    if (!AcVerb_Open(path, RP_TOLERANT, &resource))
        return CLI_TROUBLE;
    RpBuffer_Init(&text, NULL);
    const RpStatus status =
        resource.is_table ? AcReport_Table(&resource.table, path, json, &text, &error)
                          : AcReport_Animation(&resource.animation, path, json, &text, &error);
    int code = CliFile_Print(&text, status, &error);
    if (!code && (resource.is_table ? resource.table.damaged : resource.animation.damaged))
        code = Cli_Complain("%s is damaged: this is what is whole of it", path);
    AcVerb_Close(&resource);
    return code;
}

const CliVerb cli_ac_info = {"ac info",  "sum up an Animation or a MotionTable",
                             "FILE",     "retropose ac info 09000001.bin\n",
                             {CLI_JSON}, Run};
