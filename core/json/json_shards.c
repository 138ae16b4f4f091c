#include "core/json/json_shards.h"

#include <cjson/cJSON.h>
#include <string.h>

cJSON *JsonShards_Begin(const char *format, Shard shard, const cJSON *run) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", format);
    cJSON_AddNumberToObject(root, "shards", shard.of);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(root, "done"), cJSON_CreateNumber(shard.number));
    cJSON_AddItemToObject(root, "run", cJSON_Duplicate(run, true));
    return root;
}

typedef struct Reading {
    JsonRead *read;
    Shards *shards;
} Reading;

static bool TakeShard(void *context, const cJSON *item) {
    const Reading *reading = context;
    double number = 0;
    if (!JsonRead_Integer(reading->read, item, 1, reading->shards->of, &number))
        return false;
    bool *done = &reading->shards->done[(uint32_t)number - 1];
    if (*done)
        return JsonRead_Refuse(reading->read, "a shard occurs twice", "each shard once", item);
    *done = true;
    return true;
}

bool JsonShards_Read(JsonRead *read, const cJSON *root, Shards *shards) {
    double of = 0;
    Reading reading = {read, shards};
    memset(shards, 0, sizeof *shards);
    if (!JsonRead_IntegerMember(read, root, "shards", 1, SHARDS_MOST, &of))
        return false;
    shards->of = (uint32_t)of;
    return JsonRead_List(read, root, "done", TakeShard, &reading);
}

const cJSON *JsonShards_Run(JsonRead *read, const cJSON *root) {
    const cJSON *run = cJSON_GetObjectItemCaseSensitive(root, "run"), *fact;
    JsonRead_Enter(read, "run");
    bool good = cJSON_IsObject(run);
    cJSON_ArrayForEach(fact, run) good &= cJSON_IsString(fact);
    if (!good) {
        JsonRead_Refuse(read, "this is no run", "an object of texts", run);
        return NULL;
    }
    JsonRead_Leave(read, 0);
    return run;
}

RpStatus JsonShards_SameRun(const cJSON *first, const cJSON *other, RpError *error) {
    const cJSON *a = first->child, *b = other->child;
    for (; a || b; a = a->next, b = b->next)
        if (!a || !b || strcmp(a->string, b->string) != 0 ||
            strcmp(a->valuestring, b->valuestring) != 0) {
            const cJSON *named = a ? a : b;
            return RpError_Set(error, RP_INVALID, RP_NOWHERE, "shards of different runs",
                               named->string, a ? a->valuestring : "", b ? b->valuestring : "");
        }
    return RP_OK;
}
