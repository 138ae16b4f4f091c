/* `retropose merge` for replays. */
#ifndef RETROPOSE_CLI_TRACE_REPLAY_MERGE_H
#define RETROPOSE_CLI_TRACE_REPLAY_MERGE_H

#include "cli/cli.h"
#include "replay/merge/shard.h"

int ReplayMerge_Run(Cli *cli);

#endif
