/* What the result files of all shards have in common: the format's name, the shards that the file
 * holds, and the run that they are a part of. */
#ifndef RETROPOSE_CORE_JSON_JSON_SHARDS_H
#define RETROPOSE_CORE_JSON_JSON_SHARDS_H

#include "core/json/json_read.h"
#include "core/text/shards.h"

/* Begins the object of one shard's result. `run` is an object whose members are texts, which is
 * copied. It says everything that all shards of a run have in common, such as the seed. */
struct cJSON *JsonShards_Begin(const char *format, Shard shard, const struct cJSON *run);

/* Reads the members `shards` and `done`. */
bool JsonShards_Read(JsonRead *read, const struct cJSON *root, Shards *shards);
/* Returns the object of the run, or null after reporting an error. */
const struct cJSON *JsonShards_Run(JsonRead *read, const struct cJSON *root);
/* Fails with RP_INVALID where two runs are not the same, and names what differs. */
RpStatus JsonShards_SameRun(const struct cJSON *first, const struct cJSON *other, RpError *error);

#endif
