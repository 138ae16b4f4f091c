#include "replay/provider/ani_trace.h"

#include "cli/ani/ani_common.h"
#include "core/files/mapping.h"

#include <stdlib.h>

static int Run(Cli *cli) {
    AniTraceOptions options = {.first = -50, .policies = {true, true}};
    RpAniPolicy policy;
    uint64_t step = 50;
    RpAni ani;
    const char *path;
    if (!CliFile_Output(cli, "an animation", NULL, &path) ||
        !Cli_Number(cli, "step", 1, RP_ANI_MOST_TIME, &step) || !AniVerb_Policy(cli, &policy) ||
        !AniVerb_Open(cli, cli->arguments[0], RP_STRICT, &ani))
        return CLI_TROUBLE;
    options.last = ani.duration > 0 ? ani.duration : 0;
    RpAni_Free(&ani);
    if (Cli_Has(cli, "policy"))
        options.policies[policy == RP_ANI_POLICY_S ? RP_ANI_POLICY_D : RP_ANI_POLICY_S] = false;
    options.step = (int32_t)step;
    options.last = options.last > INT32_MAX - 100 ? INT32_MAX : options.last + 100;

    Mapping file;
    uint64_t calls;
    RpError error;
    RpStatus status = Mapping_Open(cli->arguments[0], &file, &error);
    if (status)
        return Cli_Fail(&error);
    status = AniTrace_Write(file.bytes, file.size, &options, path, &calls, &error);
    Mapping_Close(&file);
    if (status)
        return Cli_Fail(&error);
    Cli_Note(cli, "%s: %llu call%s", path, (unsigned long long)calls, Text_Plural(calls));
    return CLI_EQUAL;
}

const CliVerb cli_ani_trace = {
    "ani trace",
    "write a trace of every node and the camera, for other engines to compare with",
    "FILE [OUTPUT]",
    "retropose ani trace pns065rd.ani pns065rd.rptrace --step 10\n"
    "retropose replay pns065rd.rptrace --original recorded --replacement native\n",
    {{"step", "MS", "between times, from -50 to 100 behind the end (default: 50)", 0},
     {"policy", "NAME", "S or D alone (default: both)", 0},
     CLI_OUTPUT},
    Run};
