#include "cli/files.h"
#include "cli/gather.h"
#include "cli/prove/prove_merge.h"
#include "cli/trace/replay_merge.h"
#include "cli/trace/verdict.h"

#include <string.h>

/* The formats of files that can be merged. The format of the first file decides. */
static const struct {
    const char *format;
    int (*run)(Cli *cli);
} kinds[] = {{PROVE_FORMAT, ProveMerge_Run}, {SHARD_FORMAT, ReplayMerge_Run}};

static int Run(Cli *cli) {
    char format[64];
    RpError error;
    if (cli->argument_count == 0)
        return Cli_Complain(
            "merge needs the files of shards, as `replay --shard` and `prove -o` write them");
    if (Gather_Format(cli->arguments[0], format, sizeof format, &error))
        return Cli_Fail(&error);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].format, format) == 0)
            return kinds[i].run(cli);
    return Cli_Complain("%s is not of a shard of replay or prove", cli->arguments[0]);
}

const CliVerb cli_merge_merge = {
    "merge",
    "put shards of replay or prove together; name a missing one",
    "FILE...",
    "retropose merge shard-*.json --json report.json\n"
    "retropose merge angle-?.json -o angle.json\n"
    "retropose merge angle.json ngi32/exact/proofs/results/angle-*.json\n",
    {CLI_ALLOW_PARTIAL,
     CLI_REPORTS,
     {"output", "FILE", "keep the merged proof, if it is one kernel's on one processor", 'o'}},
    Run};
