#include "cli/corpus/merge.h"

#include "cli/corpus/census_report.h"
#include "cli/files.h"
#include "cli/gather.h"
#include "core/json/json_read.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

typedef struct Merge {
    Census *census;
    uint64_t files;
} Merge;

static RpStatus AddShard(Merge *merge, const cJSON *root, RpError *error) {
    JsonRead read = {.error = error, .whole = "the shard's result"};
    double files = 0;
    RpBuffer saved;
    if (!JsonRead_IntegerMember(&read, root, "files", 0, 9007199254740992.0, &files))
        return error->status;
    RpBuffer_Init(&saved, NULL);
    JsonRead_Enter(&read, "census");
    RpStatus status = RP_OK;
    if (!JsonRead_Hex(&read, cJSON_GetObjectItemCaseSensitive(root, "census"), &saved))
        status = error->status;
    else if (saved.failed)
        status = RpMemory_Refused(error, "a census");
    else
        status = Census_Merge(merge->census, saved.bytes, saved.size, error);
    merge->files += (uint64_t)files;
    RpBuffer_Free(&saved);
    return status;
}

static RpStatus AddFile(Merge *merge, const char *path, RpError *error) {
    cJSON *root;
    RpStatus status = Gather_Read(path, &root, error);
    if (!status)
        status = CliFile_Locate(path, AddShard(merge, root, error), error);
    cJSON_Delete(root);
    return status;
}

/* The text goes to the standard output, unless the JSON does. */
static int Tell(const Cli *cli, const Merge *merge) {
    const char *path = Cli_Value(cli, "json", NULL);
    RpBuffer text;
    RpError error;
    int code = CLI_EQUAL;
    RpBuffer_Init(&text, NULL);
    if (path) {
        const RpStatus status = CensusReport_Json(merge->census, merge->files, &text, &error);
        code = CliFile_Write(&text, path, status, &error);
        RpBuffer_Init(&text, NULL);
    }
    if (!code && (!path || strcmp(path, "-") != 0)) {
        CensusReport_Text(merge->census, merge->files, &text);
        code = CliFile_Print(&text, RP_OK, &error);
    }
    if (code)
        return code;
    return CensusReport_Differs(merge->census) ? CLI_DIFFERENT : CLI_EQUAL;
}

int CorpusMerge_Run(Cli *cli) {
    RpError error;
    Gathered gathered;
    RpReadings readings;
    Merge merge = {.files = 0};
    if (Cli_Has(cli, "output") || Cli_Has(cli, "junit") || Cli_Has(cli, "html") ||
        Cli_Has(cli, "allow-partial"))
        return Cli_Complain("a count of files is text, and JSON with --json");
    RpStatus status = Gather_Shards(cli, CENSUS_SHARD_FORMAT, &gathered, &error);
    if (!status) /* no model is posed here, so the readings do not matter */
        status = RpReadings_Parse(&readings, RP_READS_FILES, "drawn", &error);
    if (!status)
        status = Census_New(&readings, &merge.census, &error);
    for (size_t i = 0; i < gathered.count && !status; i++)
        status = AddFile(&merge, gathered.paths[i], &error);
    const int code = status         ? Cli_Fail(&error)
                     : !merge.files ? Cli_Complain("the folder has no files")
                                    : Tell(cli, &merge);
    Census_Free(merge.census);
    free(gathered.paths);
    return code;
}
