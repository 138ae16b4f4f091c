/* `retropose merge` for counts of a game's files. */
#ifndef RETROPOSE_CLI_CORPUS_CORPUS_MERGE_H
#define RETROPOSE_CLI_CORPUS_CORPUS_MERGE_H

#include "cli/cli.h"

#define CENSUS_SHARD_FORMAT "retropose corpus check shard 1"

int CorpusMerge_Run(Cli *cli);

#endif
