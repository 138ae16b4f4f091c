#include "cli/trace/shard_run.h"

#include "cli/files.h"
#include "core/digest.h"
#include "core/files/file_reader.h"
#include "revision.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Reads the file in pieces, because a trace may be larger than the address space. */
static RpStatus DigestFile(const char *path, char hex[DIGEST_HEX_BYTES], RpError *error) {
    static uint8_t part[1 << 16];
    FileReader file;
    Digest digest;
    if (strcmp(path, "-") == 0) {
        Mapping mapping;
        const RpStatus status = Mapping_Open("-", &mapping, error);
        if (status)
            return status;
        Digest_OfBytes(mapping.bytes, mapping.size, hex);
        Mapping_Close(&mapping);
        return RP_OK;
    }
    RpStatus status = FileReader_Open(path, &file, error);
    if (status)
        return status;
    Digest_Begin(&digest);
    for (uint64_t at = 0; at < file.size && !status;) {
        const uint64_t left = file.size - at;
        const size_t size = left < sizeof part ? (size_t)left : sizeof part;
        status = FileReader_Read(&file, at, part, size, path, error);
        if (!status)
            Digest_Add(&digest, part, size);
        at += size;
    }
    Digest_End(&digest, hex);
    FileReader_Close(&file);
    return status;
}

static RpStatus AddFile(cJSON *run, const char *name, const char *path, RpError *error) {
    char hex[DIGEST_HEX_BYTES];
    const RpStatus status = DigestFile(path, hex, error);
    if (!status)
        cJSON_AddStringToObject(run, name, hex);
    return status;
}

static RpStatus AddProvider(cJSON *run, const char *name, const Provider *provider,
                            RpError *error) {
    char text[256];
    snprintf(text, sizeof text, "%s %s %s", Provider_Name(provider), provider->sha256[0],
             provider->sha256[1]);
    cJSON_AddStringToObject(run, name, text);
    return provider->overlay[0] ? AddFile(run, "overlay", provider->overlay, error) : RP_OK;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* All scenarios have the same seed. Those with readings of their own have them in their names. */
static RpStatus AddInputs(cJSON *run, const SessionInput *inputs, size_t count, RpError *error) {
    char name[32], seed[32] = "none";
    const char *readings = "";
    RpStatus status = RP_OK;
    for (size_t i = count; i-- > 0;)
        if (inputs[i].scenario) {
            snprintf(seed, sizeof seed, "%" PRIu64, inputs[i].seed);
            readings = inputs[i].readings;
        }
    cJSON_AddStringToObject(run, "seed", seed);
    cJSON_AddStringToObject(run, "readings", readings ? readings : "");
    for (size_t i = 0; i < count && !status; i++) {
        snprintf(name, sizeof name, "input %zu", i + 1);
        if (inputs[i].trace) {
            /* Reports identify traces by their paths, so these must be the same in all shards,
             * too. */
            char hex[DIGEST_HEX_BYTES];
            RpBuffer text;
            status = DigestFile(inputs[i].trace, hex, error);
            if (!status) {
                RpBuffer_Init(&text, NULL);
                RpBuffer_Print(&text, "%s %s", inputs[i].trace, hex);
                RpBuffer_Append(&text, "", 1);
                if (text.failed)
                    status = RpMemory_Refused(error, "the inputs");
                else
                    cJSON_AddStringToObject(run, name, (const char *)text.bytes);
                RpBuffer_Free(&text);
            }
        } else {
            char text[256];
            snprintf(text, sizeof text,
                     "%s, %" PRIu64 " calls from %" PRIu64 ", class %d, build %s",
                     inputs[i].name[0] ? inputs[i].name : inputs[i].scenario->name, inputs[i].count,
                     inputs[i].first, inputs[i].force_cpu,
                     inputs[i].slot_build ? inputs[i].slot_build : "by class");
            cJSON_AddStringToObject(run, name, text);
        }
    }
    return status;
}

/* ---- the run --------------------------------------------------------------------------------- */

int ShardRun_Open(const Cli *cli, const ProviderPair *pair, const SessionInput *inputs,
                  size_t input_count, Shard *shard, cJSON **run) {
    RpError error;
    *run = NULL;
    if (!Cli_Has(cli, "shard"))
        return 0;
    if (!Cli_Shard(cli, shard))
        return CLI_TROUBLE;
    static const char *const refused[] = {"junit", "html", "fail-fast"};
    if (!Cli_Has(cli, "json"))
        return Cli_Complain("--shard needs --json FILE, which `retropose merge` takes");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (Cli_Has(cli, refused[i]))
            return Cli_Complain("--%s is of the whole, and --shard of a part of it", refused[i]);
    *run = cJSON_CreateObject();
    cJSON_AddStringToObject(*run, "program", RETROPOSE_VERSION " " RETROPOSE_REVISION);
    RpStatus status = AddProvider(*run, "original", &pair->original, &error);
    if (!status && pair->has_wxyz)
        status = AddProvider(*run, "original of wxyz", &pair->original_wxyz, &error);
    if (!status)
        status = AddProvider(*run, "replacement", &pair->replacement, &error);
    if (!status)
        status = AddInputs(*run, inputs, input_count, &error);

    /* The options that change what a result says. */
    static const char *const words[] = {"select",          "trust",         "processor", "timeout",
                                        "max-differences", "allow-partial", "coverage"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *value = Cli_Value(cli, words[i], NULL);
        cJSON_AddStringToObject(*run, words[i],
                                value                    ? value
                                : Cli_Has(cli, words[i]) ? "yes"
                                                         : "no");
    }
    const char *selection = Cli_Value(cli, "select", ""), *known = Cli_Value(cli, "known", NULL);
    if (!status && selection[0] == '@')
        status = AddFile(*run, "selected", selection + 1, &error);
    if (!status && known)
        status = AddFile(*run, "known", known, &error);
    return status ? Cli_Fail(&error) : 0;
}
