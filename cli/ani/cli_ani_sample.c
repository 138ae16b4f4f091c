#include "cli/ani/ani_common.h"
#include "siblings/isle/text/ani_report.h"

#include <errno.h>
#include <stdlib.h>

/* Takes one of up to three numbers that colons separate. *number stays as it is where none is
 * given. */
static bool TakeNumber(const char **text, long long least, int32_t *number) {
    char *end;
    errno = 0;
    const long long value = strtoll(*text, &end, 10);
    if (end == *text || errno || value < least || value > INT32_MAX)
        return false;
    *number = (int32_t)value;
    *text = end;
    return true;
}

static RpStatus Print(void *context, const RpBuffer *text, RpError *error) {
    (void)context;
    return CliFile_PrintPart(text, error);
}

static int Run(Cli *cli) {
    AniSampling sampling = {.step = 50, .node = RP_ANI_NO_NODE, .bits = Cli_Has(cli, "bits")};
    RpAni ani;
    if (cli->argument_count != 1)
        return Cli_Complain("ani sample needs one animation");
    const char *times = Cli_Value(cli, "time", "0");
    const char *text = times;
    bool good = TakeNumber(&text, INT32_MIN, &sampling.first);
    sampling.last = sampling.first;
    if (good && *text == ':')
        good = (text++, TakeNumber(&text, sampling.first, &sampling.last));
    if (good && *text == ':')
        good = (text++, TakeNumber(&text, 1, &sampling.step));
    if (!good || *text)
        return Cli_Complain("--time %s is no time, FIRST:LAST or FIRST:LAST:STEP", times);
    if (!AniVerb_Policy(cli, &sampling.policy) ||
        !AniVerb_Open(cli, cli->arguments[0], RP_STRICT, &ani))
        return CLI_TROUBLE;

    const char *node = Cli_Value(cli, "node", NULL), *path = cli->arguments[0];
    const AniSink sink = {.take = Print};
    RpError error;

    /* The node is given by #INDEX or by its name. */
    if (node)
        sampling.node = RpAni_FindNode(&ani, node, RP_ANI_NO_NODE);
    if (node && node[0] == '#') {
        char *end;
        const unsigned long index = strtoul(node + 1, &end, 10);
        sampling.node =
            end != node + 1 && !*end && index < ani.node_count ? (uint32_t)index : RP_ANI_NO_NODE;
    }

    RpStatus status = RP_OK;
    const bool found = !node || sampling.node != RP_ANI_NO_NODE;
    if (found)
        status = Cli_Has(cli, "json") ? AniReport_SampleJson(&ani, &sampling, path, &sink, &error)
                                      : AniReport_SampleText(&ani, &sampling, &sink, &error);
    const int code = !found            ? Cli_Complain("%s: there is no node %s", path, node)
                     : status == RP_OK ? CLI_EQUAL
                                       : Cli_Fail(&error);
    RpAni_Free(&ani);
    return code;
}

const CliVerb cli_ani_sample = {
    "ani sample",
    "print local and world matrices, visibility and camera",
    "FILE",
    "retropose ani sample pns065rd.ani --time 0:5200:50 --node BIKEPG --bits\n",
    {{"time", "MS[:LAST[:STEP]]", "milliseconds; STEP is 50 (default: 0); at most 2097152 poses",
      't'},
     {"policy", "NAME", "S: strict binary32; D: binary64 within (default: S)", 0},
     {"node", "NAME|#INDEX", "this node alone, the first of its name", 'n'},
     {"bits", NULL, "numbers as the hexadecimal text of their bits", 0},
     ANI_BODY,
     CLI_JSON},
    Run};
