/* `retropose merge` for proofs. */
#ifndef RETROPOSE_CLI_PROVE_PROVE_MERGE_H
#define RETROPOSE_CLI_PROVE_PROVE_MERGE_H

#include "cli/cli.h"
#include "replay/prove/result.h"

int ProveMerge_Run(Cli *cli);

#endif
