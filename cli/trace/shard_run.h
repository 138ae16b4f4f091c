/* What all shards of one replay have in common, as texts: two results whose runs differ in one of
 * them are not merged. */
#ifndef RETROPOSE_CLI_TRACE_SHARD_RUN_H
#define RETROPOSE_CLI_TRACE_SHARD_RUN_H

#include "cli/trace/pair.h"
#include "replay/session/session.h"

struct cJSON;

/* Reads --shard. Without it *run is null. Otherwise it is an object that the caller deletes: this
 * program, both providers, every input, and the options that decide what is compared. Files are
 * named by their SHA-256, so that machines may have them in different folders. Returns 0, or the
 * exit code after a message. */
int ShardRun_Open(const Cli *cli, const Pair *pair, const SessionInput *inputs, size_t input_count,
                  Shard *shard, struct cJSON **run);

#endif
