#include "cli/gather.h"

#include "cli/files.h"
#include "core/json/json_shards.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Gathering {
    const char *format;
    Shards shards; /* the shards of all files so far */
    cJSON *run;    /* description of the run, from the first file */
    Gathered *gathered;
} Gathering;

/* Parses a file into a tree, which the caller frees with cJSON_Delete in any case. An error names
 * the file. */
static RpStatus Read(const char *path, cJSON **root, RpError *error) {
    Mapping mapping;
    const char *end = NULL;
    *root = NULL;
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status)
        return status;
    *root = JsonRead_Parse((const char *)mapping.bytes, mapping.size, &end);
    if (!*root)
        status =
            RpError_Set(error, RP_CORRUPT, (uint64_t)(end ? end - (const char *)mapping.bytes : 0),
                        "this is no JSON", "", "the result of a shard", "");
    Mapping_Close(&mapping);
    return CliFile_Locate(path, status, error);
}

static const char *FormatOf(const cJSON *root) {
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(root, "format");
    return cJSON_IsString(format) ? format->valuestring : "";
}

RpStatus Gather_Format(const char *path, char *format, size_t size, RpError *error) {
    cJSON *root;
    const RpStatus status = Read(path, &root, error);
    snprintf(format, size, "%s", FormatOf(root));
    cJSON_Delete(root);
    return status;
}

/* Reads which shard a file holds, and checks that it belongs to the same run. */
static RpStatus ReadHead(Gathering *gathering, const cJSON *root, Shards *shards, RpError *error) {
    JsonRead read = {.error = error, .whole = "the result"};
    if (strcmp(FormatOf(root), gathering->format) != 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a result of another kind", "",
                           gathering->format, FormatOf(root));
    if (!JsonShards_Read(&read, root, shards))
        return error->status;
    const cJSON *run = JsonShards_Run(&read, root);
    if (!run)
        return error->status;
    if (gathering->run)
        return JsonShards_SameRun(gathering->run, run, error);
    gathering->run = cJSON_Duplicate(run, true);
    gathering->shards.of = shards->of;
    gathering->gathered->paths = calloc(shards->of, sizeof *gathering->gathered->paths);
    return gathering->run && gathering->gathered->paths ? RP_OK : RpMemory_Refused(error, "a run");
}

RpStatus Gather_Shards(const Cli *cli, const char *format, Gathered *gathered, RpError *error) {
    RpStatus status = RP_OK;
    Gathering *gathering = calloc(1, sizeof *gathering);
    *gathered = (Gathered){.count = 0};
    if (!gathering)
        return RpMemory_Refused(error, "a list of shards");
    gathering->format = format;
    gathering->gathered = gathered;
    error->status = RP_OK;
    for (size_t i = 0; i < cli->argument_count && !status; i++) {
        const char *path = cli->arguments[i];
        cJSON *root;
        Shards *shards = malloc(sizeof *shards);
        if (!shards) {
            status = RpMemory_Refused(error, path);
        } else {
            status = Read(path, &root, error);
            if (!status)
                status = CliFile_Locate(path, ReadHead(gathering, root, shards, error), error);
            if (!status)
                status = Shards_Add(&gathering->shards, shards, path, error);
            for (uint32_t k = 0; !status && k < shards->of; k++)
                if (shards->done[k])
                    gathering->gathered->paths[k] = path;
            cJSON_Delete(root);
            free(shards);
        }
    }

    if (!status)
        status = Shards_DemandAll(&gathering->shards, error);
    gathered->count = gathering->shards.of;
    cJSON_Delete(gathering->run);
    free(gathering);
    return status;
}
