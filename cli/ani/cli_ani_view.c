#include "cli/ani/ani_common.h"
#include "cli/viewer_page.h"

#include <stdio.h>

static int Run(Cli *cli) {
    CliPage page;
    if (cli->argument_count != 1)
        return Cli_Complain("ani view needs one animation");
    if (!Cli_Has(cli, "output") && !Cli_Has(cli, "png"))
        return Cli_Complain("ani view needs --output or --png");
    const char *path = cli->arguments[0], *name = CliPage_LastPart(path);
    RpAniPolicy policy;
    RpAni ani;
    RpError error;
    Mapping mapping;
    uint64_t time = 0;
    int code = CLI_TROUBLE;
    CliPage_Init(&page, cli);
    if (AniVerb_Policy(cli, &policy) && CliPage_TakeOptions(&page) &&
        Cli_Number(cli, "time", 0, RP_ANI_MOST_TIME, &time) &&
        AniVerb_Open(cli, path, RP_STRICT, &ani)) {
        RpAni_Free(&ani); /* it was read only to see whether the page can show it */
        if (Cli_Has(cli, "time")) {
            char text[24];
            snprintf(text, sizeof text, "%lu", (unsigned long)time);
            CliPage_AppendHash(&page, "time", text);
        }
        if (Mapping_Open(path, &mapping, &error)) {
            code = Cli_Fail(&error);
        } else {
            CliPage_Say(&page, "source", path);
            CliPage_Say(&page, "policy", RpAniPolicy_Name(policy));
            if (Cli_Has(cli, "body"))
                CliPage_Say(&page, "form", "body");
            CliPage_AddFile(&page, name, mapping.bytes, mapping.size);
            Mapping_Close(&mapping);
            code = CliPage_Write(&page, name, "animation", path);
        }
    }
    CliPage_Free(&page);
    return code;
}

const CliVerb cli_ani_view = {
    "ani view",
    "write a page that plays the tree and the camera",
    "FILE",
    "retropose ani view pns065rd.ani --output pns065rd.html\n",
    {{"output", "FILE", "the page, which needs nothing but a browser (-: standard output)", 'o'},
     {"png", "FILE", "a picture of it, by a headless browser", 0},
     {"time", "MS", "to show (default: 0)", 0},
     {"policy", "NAME", "of sampling: S or D (default: S)", 0},
     ANI_BODY,
     CLI_PAGE_OPTIONS,
     CLI_JSON_WRITTEN},
    Run};
