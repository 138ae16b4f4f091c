#include "cli/ani/ani_common.h"
#include "siblings/isle/text/ani_report.h"

static int Run(Cli *cli) {
    RpAni ani;
    RpBuffer text;
    RpError error;
    if (cli->argument_count != 1)
        return Cli_Complain("ani info needs one animation");
    if (!AniVerb_Open(cli, cli->arguments[0], RP_TOLERANT, &ani))
        return CLI_TROUBLE;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = Cli_Has(cli, "json")
                                ? AniReport_InfoJson(&ani, cli->arguments[0], &text, &error)
                                : AniReport_InfoText(&ani, &text, &error);
    int code = CliFile_Print(&text, status, &error);
    if (!code && ani.damaged)
        code = Cli_Complain("%s is damaged: this is what is whole of it", cli->arguments[0]);
    RpAni_Free(&ani);
    return code;
}

const CliVerb cli_ani_info = {"ani info",
                              "sum up an animation: actors, camera, tree, keys",
                              "FILE",
                              "retropose ani info pns065rd.ani\n",
                              {ANI_BODY, CLI_JSON},
                              Run};
