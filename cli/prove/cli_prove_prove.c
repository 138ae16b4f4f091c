#include "cli/files.h"
#include "cli/progress.h"
#include "core/nearest.h"
#include "ngi32/processor/in_software.h"
#include "replay/prove/result.h"

#include <stdio.h>
#include <stdlib.h>

static int Run(Cli *cli) {
    Shard shard;
    uint64_t jobs = 1;
    if (Cli_Has(cli, "list")) {
        for (unsigned i = 0; i < prove_kernel_count; i++)
            Visible_Print(stdout, "%-16s %10llu arguments  %s\n", prove_kernels[i].name,
                          (unsigned long long)ProveKernel_Arguments(&prove_kernels[i]),
                          prove_kernels[i].description);
        return CLI_EQUAL;
    }
    if (cli->argument_count != 1)
        return Cli_Complain("prove takes one kernel, not %zu; `retropose prove --list` names them",
                            cli->argument_count);
    const ProveKernel *kernel = ProveKernel_Find(cli->arguments[0]);
    if (!kernel) {
        Nearest nearest;
        Nearest_Init(&nearest, cli->arguments[0]);
        for (unsigned i = 0; i < prove_kernel_count; i++)
            Nearest_Offer(&nearest, prove_kernels[i].name);
        return Cli_Complain("there is no kernel %s%s%s; see `retropose prove --list`",
                            cli->arguments[0], nearest.best ? ", perhaps " : "",
                            nearest.best ? nearest.best : "");
    }
    if (!Cli_Shard(cli, &shard) || !Cli_Number(cli, "jobs", 1, 64, &jobs) ||
        !CliFile_CanWrite(Cli_Value(cli, "output", NULL)))
        return CLI_TROUBLE;

    Progress progress;
    ProveResult result;
    RpError error = {.status = RP_OK};
    ProveResult_Init(&result, kernel, shard.of);
    Progress_Start(&progress, cli->verbosity < 0);
    progress.unit = "arguments";
    const SweepOptions options = {.kernel = kernel,
                                  .shard = shard.number,
                                  .of = shard.of,
                                  .jobs = (unsigned)jobs,
                                  .progress = Progress_Update,
                                  .context = &progress};
    RpStatus status = Sweep_Run(&options, &result.tally, &error);
    Progress_End(&progress);
    result.shards.done[shard.number - 1] = true;

    /* The result is kept before it is told. */
    const char *output = Cli_Value(cli, "output", NULL);
    int code = status ? Cli_Fail(&error) : CLI_EQUAL;
    RpBuffer text;
    if (!code && output) {
        RpBuffer_Init(&text, NULL);
        status = ProveResult_Json(&result, &text, &error);
        code = CliFile_Write(&text, output, status, &error);
    }
    if (!code) {
        RpBuffer_Init(&text, NULL);
        status = RP_OK;
        if (Cli_Has(cli, "json"))
            status = ProveResult_Json(&result, &text, &error);
        else
            ProveResult_Text(&result, &text);
        code = CliFile_Print(&text, status, &error);
        if (!code && !ProveTally_IsProof(&result.tally, result.kernel))
            code = CLI_DIFFERENT;
    }
    ProveResult_Free(&result);
    return code;
}

#if MACHINE_HAS_X87
#define NOT_HERE
#else
#define NOT_HERE " (not here: it has none)"
#endif

const CliVerb cli_prove_prove = {
    "prove",
    "compare the exact core with this processor's x87, for every argument" NOT_HERE,
    "KERNEL",
    "retropose prove --list\n"
    "retropose prove angle --jobs 2 -o angle.json\n"
    "retropose prove angle --shard 3/8 -o angle-3.json\n",
    {{"list", NULL, "name the kernels", 0},
     CLI_SHARD,
     {"jobs", "N", "threads (default: 1)", 'j'},
     {"output", "FILE", "keep the result, for `retropose merge`", 'o'},
     {"json", NULL, "print what -o keeps as one JSON object instead of text", 0}},
    Run};
