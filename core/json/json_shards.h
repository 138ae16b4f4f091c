/* What the results of shards have in common: the format's name, which shards are in the file, and
 * the run that they are shards of. */
#ifndef RETROPOSE_CORE_JSON_JSON_SHARDS_H
#define RETROPOSE_CORE_JSON_JSON_SHARDS_H

#include "core/json/json_read.h"
#include "core/text/shards.h"

/* Begins the object of one shard's result. `run` is an object whose members are texts: everything
 * that all shards of a run have in common, such as its seed. It is copied. */
struct cJSON *JsonShards_Begin(const char *format, Shard shard, const struct cJSON *run);

/* Reads the members `shards` and `done`. */
bool JsonShards_Read(JsonRead *read, const struct cJSON *root, Shards *shards);
/* Returns the object of the run, or null after a refusal. */
const struct cJSON *JsonShards_Run(JsonRead *read, const struct cJSON *root);
/* Fails with RP_INVALID where two runs are not the same, and names what differs. */
RpStatus JsonShards_SameRun(const struct cJSON *first, const struct cJSON *other, RpError *error);

#endif
