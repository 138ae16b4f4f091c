#include "cli/cli_readings.h"
#include "cli/corpus/census_report.h"
#include "cli/corpus/corpus_merge.h"
#include "cli/corpus/walk_files.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "core/digest.h"
#include "core/json/json_shards.h"
#include "core/json/json_text.h"
#include "core/stop.h"
#include "revision.h"

#include <cjson/cJSON.h>
#include <string.h>

typedef struct Check {
    const Cli *cli;
    Census *census;
    CensusRun run;
    Progress progress;
    uint64_t at, bytes;  /* bytes of the files so far, and of all files */
    uint64_t begin, end; /* the shard counts the files whose first byte is in this range */
    Digest digest;       /* covers the names and sizes of all files */
} Check;

/* ---- the files ------------------------------------------------------------------------------- */

static RpStatus Measure(void *context, const char *path, const char *name, uint64_t size,
                        RpError *error) {
    Check *check = context;
    (void)path;
    (void)error;
    Digest_Add(&check->digest, name, strlen(name) + 1);
    Digest_Add(&check->digest, &size, sizeof size);
    check->bytes += size;
    return RP_OK;
}

static RpStatus Count(void *context, const char *path, const char *name, uint64_t size,
                      RpError *error) {
    Check *check = context;
    Mapping mapping;
    const uint64_t at = check->at;
    check->at += size;
    if (at < check->begin || at >= check->end)
        return RP_OK;
    if (Stop_Asked())
        return RpError_Set(error, RP_IO, RP_NOWHERE, "stopped", name, "", "");
    if (Mapping_Open(path, &mapping, error)) {
        Cli_Fail(error); /* the others are still worth counting */
        return RP_OK;
    }
    check->run.files++;
    const RpStatus status = Census_AddFile(check->census, name, mapping.bytes, mapping.size, error);
    Mapping_Close(&mapping);
    const uint64_t last = check->end < check->bytes ? check->end : check->bytes;
    Progress_Update(&check->progress, check->at - check->begin, last - check->begin);
    return status;
}

/* ---- what is told ---------------------------------------------------------------------------- */

static int TellShard(Check *check, Shard shard, const RpReadings *readings) {
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);

    /* All shards of a run have the same description of it. */
    char list[1024], digest[DIGEST_HEX_BYTES];
    cJSON *run = cJSON_CreateObject();
    RpReadings_Format(readings, RP_READS_FILES, list, sizeof list);
    Digest_End(&check->digest, digest);
    cJSON_AddStringToObject(run, "program", RETROPOSE_VERSION " " RETROPOSE_REVISION);
    cJSON_AddStringToObject(run, "readings", list);
    cJSON_AddStringToObject(run, "files", digest);

    RpBuffer saved, hex;
    RpBuffer_Init(&saved, NULL);
    RpBuffer_Init(&hex, NULL);
    bool good = Census_Save(check->census, &saved);
    JsonText_Hex(&hex, saved.bytes, saved.size);
    good &= RpBuffer_Append(&hex, "", 1);
    cJSON *root = JsonShards_Begin(CENSUS_SHARD_FORMAT, shard, run);
    cJSON_AddNumberToObject(root, "files", (double)check->run.files);
    cJSON_AddStringToObject(root, "version", check->run.version);
    cJSON_AddStringToObject(root, "processor", check->run.processor);
    if (good)
        cJSON_AddRawToObject(root, "census", (const char *)hex.bytes);
    RpBuffer_Free(&saved);
    RpBuffer_Free(&hex);
    const RpStatus status = JsonText_End(root, good, "a shard's result", &text, &error);
    cJSON_Delete(run);
    return CliFile_Print(&text, status, &error);
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int RunCheck(Check *check, const RpReadings *readings, Shard shard) {
    RpError error;
    const char *folder = check->cli->arguments[0];
    RpStatus status = Census_New(readings, &check->census, &error);
    if (!status && Cli_Has(check->cli, "digest"))
        Census_AskForDigest(check->census);
    if (!status) {
        /* Empty files behind all others are in the last shard. */
        status = Walk_Files(folder, Measure, check, &error);
        check->begin = Shard_Edge(check->bytes, shard.number - 1, shard.of);
        check->end =
            shard.number < shard.of ? Shard_Edge(check->bytes, shard.number, shard.of) : UINT64_MAX;
    }
    Progress_Start(&check->progress, check->cli->verbosity < 0);
    check->progress.unit = "bytes";
    if (!status)
        status = Walk_Files(folder, Count, check, &error);
    Progress_End(&check->progress);
    if (status)
        return Cli_Fail(&error);
    if (Cli_Has(check->cli, "shard"))
        return TellShard(check, shard, readings);
    if (check->run.files == 0)
        return Cli_Complain("%s has no files", folder);

    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    if (Cli_Has(check->cli, "json"))
        status = CensusReport_Json(check->census, &check->run, &text, &error);
    else
        CensusReport_Text(check->census, &check->run, &text);
    const int code = CliFile_Print(&text, status, &error);
    if (code)
        return code;
    return CensusReport_Differs(check->census) ? CLI_DIFFERENT : CLI_EQUAL;
}

static int Run(Cli *cli) {
    RpReadings readings;
    Check check = {.cli = cli};
    Shard shard;
    if (cli->argument_count != 1)
        return Cli_Complain("corpus check needs the folder of a game, or of a corpus");
    if (!CliReadings_Read(cli, RP_READS_FILES, "drawn", &readings) || !Cli_Shard(cli, &shard))
        return CLI_TROUBLE;
    const char *digest = Cli_Value(cli, "digest", "");
    if (digest[0] && strcmp(digest, "fparkan") != 0)
        return Cli_Complain("--digest knows fparkan's only, not %s", digest);
    if (digest[0] && Cli_Has(cli, "shard"))
        return Cli_Complain("--digest needs all files in their order, and --shard takes some");
    if (Cli_Has(cli, "shard") && !Cli_Has(cli, "json"))
        return Cli_Complain("--shard needs --json, whose output `retropose merge` takes");
    CensusRun_Begin(&check.run);
    Digest_Begin(&check.digest);
    const int code = RunCheck(&check, &readings, shard);
    Census_Free(check.census);
    return code;
}

const CliVerb cli_corpus_check = {
    "corpus check",
    "count and measure a game's files, and compare with what was published about them",
    "DIR",
    "retropose corpus check game\n"
    "retropose corpus check game --digest fparkan --json\n"
    "retropose corpus check game --shard 3/8 --json >shard-3.json\n",
    {{"readings", "LIST", "drawn (the default), or drawn,key-order=xyzw: the runtime has no others",
      0},
     {"digest", "WHOSE", "fparkan: compare the digest that this project made of its own poses, too",
      0},
     CLI_SHARD,
     CLI_JSON},
    Run};
