#include "cli/corpus/corpus_merge.h"

#include "cli/corpus/census_report.h"
#include "cli/files.h"
#include "cli/gather.h"
#include "core/json/json_read.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Merge {
    Census *census;
    CensusRun run;
} Merge;

/* Returns whether a list, in which "; " separates the names, has this name. The name may also be
 * only the beginning of another one in the list. */
static bool HasName(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at++)
        if ((at == list || at[-1] == ' ') && (at[length] == ';' || !at[length]))
            return true;
    return false;
}

/* Reads a text that every shard must have. If it is missing, says so and returns false. */
static bool ReadText(JsonRead *read, const cJSON *root, const char *name, const char **text) {
    const size_t depth = JsonRead_Enter(read, name);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, name);
    *text = cJSON_GetStringValue(item);
    if (!*text)
        return JsonRead_Refuse(read, "this is no text", "a text", item);
    JsonRead_Leave(read, depth);
    return true;
}

static RpStatus AddShard(Merge *merge, const cJSON *root, RpError *error) {
    JsonRead read = {.error = error, .whole = "the shard's result"};
    double files = 0;
    RpBuffer saved;
    const char *version, *processor;
    if (!JsonRead_IntegerMember(&read, root, "files", 0, 9007199254740992.0, &files) ||
        !ReadText(&read, root, "version", &version) ||
        !ReadText(&read, root, "processor", &processor))
        return error->status;

    /* The program that counted is the same for all shards. Each processor is named once. */
    CensusRun *run = &merge->run;
    const size_t length = strlen(run->processor);
    snprintf(run->version, sizeof run->version, "%s", version);
    if (!HasName(run->processor, processor))
        snprintf(run->processor + length, sizeof run->processor - length, "%s%s",
                 length ? "; " : "", processor);

    RpBuffer_Init(&saved, NULL);
    JsonRead_Enter(&read, "census");
    RpStatus status = RP_OK;
    if (!JsonRead_Hex(&read, cJSON_GetObjectItemCaseSensitive(root, "census"), &saved))
        status = error->status;
    else if (saved.failed)
        status = RpMemory_Refused(error, "a census");
    else
        status = Census_Merge(merge->census, saved.bytes, saved.size, error);
    merge->run.files += (uint64_t)files;
    RpBuffer_Free(&saved);
    return status;
}

/* Prints the counts as text, unless the JSON goes to standard output. */
static int Tell(const Cli *cli, const Merge *merge) {
    const char *path = Cli_Value(cli, "json", NULL);
    RpBuffer text;
    RpError error;
    int code = CLI_EQUAL;
    RpBuffer_Init(&text, NULL);
    if (path) {
        const RpStatus status = CensusReport_Json(merge->census, &merge->run, &text, &error);
        code = CliFile_Write(&text, path, status, &error);
        RpBuffer_Init(&text, NULL);
    }
    if (!code && (!path || strcmp(path, "-") != 0)) {
        CensusReport_Text(merge->census, &merge->run, &text);
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
    Merge merge = {.census = NULL};
    static const char *const others[] = {"output", "junit", "html", "allow-partial"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (Cli_Has(cli, others[i]))
            return Cli_Complain("a count of files has no --%s: it is text, and JSON with --json",
                                others[i]);
    RpStatus status = Gather_Shards(cli, CENSUS_SHARD_FORMAT, &gathered, &error);
    if (!status) /* no model is posed here, so the readings do not matter */
        status = RpReadings_Parse(&readings, RP_READS_FILES, "drawn", &error);
    if (!status)
        status = Census_New(&readings, &merge.census, &error);
    for (size_t i = 0; i < gathered.count && !status; i++) {
        cJSON *root;
        status = Gather_Read(gathered.paths[i], &root, &error);
        if (!status)
            status = CliFile_Locate(gathered.paths[i], AddShard(&merge, root, &error), &error);
        cJSON_Delete(root);
    }
    const int code = status             ? Cli_Fail(&error)
                     : !merge.run.files ? Cli_Complain("the folder has no files")
                                        : Tell(cli, &merge);
    Census_Free(merge.census);
    free(gathered.paths);
    return code;
}
