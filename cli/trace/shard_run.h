/* Describes what all shards of a replay have in common, as texts. Results whose descriptions differ
 * are not merged. */
#ifndef RETROPOSE_CLI_TRACE_SHARD_RUN_H
#define RETROPOSE_CLI_TRACE_SHARD_RUN_H

#include "cli/trace/provider_pair.h"
#include "replay/session/session.h"

struct cJSON;

/* Makes the description if --shard is given; otherwise *run becomes null. It is an object, which
 * the caller deletes, with this program, both providers, every input, and the options that decide
 * what is compared. Files are named by their SHA-256, so that they may be in different folders on
 * different machines. Returns 0, or the exit code after a message. */
int ShardRun_Open(const Cli *cli, const ProviderPair *pair, const SessionInput *inputs,
                  size_t input_count, Shard *shard, struct cJSON **run);

#endif
