#include "cli/prove/prove_merge.h"

#include "cli/files.h"
#include "core/files/mapping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The results of different proofs. Results of the same proof are merged into one. */
typedef struct Merged {
    ProveResult *results;
    size_t count;
} Merged;

static RpStatus Take(Merged *merged, const char *path, RpError *error) {
    ProveResult *read = &merged->results[merged->count];
    Mapping mapping;
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status)
        return status;
    status = ProveResult_Read(read, (const char *)mapping.bytes, mapping.size, error);
    Mapping_Close(&mapping);
    CliFile_Locate(path, status, error);
    for (size_t i = 0; i < merged->count && !status; i++) {
        ProveResult *before = &merged->results[i];
        if (before->kernel == read->kernel && strcmp(before->core, read->core) != 0) {
            /* Results of different versions of the core cannot be combined. */
            status = RpError_Set(error, RP_INVALID, RP_NOWHERE,
                                 "a result of another version of the core", path,
                                 "results of one version", read->core);
        } else if (ProveResult_IsAlike(before, read)) {
            status = CliFile_Locate(path, ProveResult_Merge(before, read, error), error);
            ProveResult_Free(read);
            return status;
        }
    }
    if (status)
        ProveResult_Free(read);
    else
        merged->count++;
    return status;
}

/* ---- reporting ------------------------------------------------------------------------------- */

static void Worsen(int *code, int other) {
    if (*code == CLI_EQUAL || other == CLI_DIFFERENT)
        *code = other;
}

static void ReportPair(const ProveResult *a, const ProveResult *b, RpBuffer *text, int *code) {
    RpBuffer contrasts;
    if (!Shards_AreComplete(&a->shards) || !Shards_AreComplete(&b->shards)) {
        RpBuffer_Print(text, "%s: %s and %s are compared when both are complete\n", a->kernel->name,
                       a->processor, b->processor);
        return;
    }
    RpBuffer_Init(&contrasts, NULL);
    ProveResult_Contrast(a, b, &contrasts);
    const ProveContrast *contrast = (const ProveContrast *)(const void *)contrasts.bytes;
    const size_t count = contrasts.size / sizeof *contrast;
    RpBuffer_Print(text, "%s: %s and %s differ for %zu argument%s\n", a->kernel->name, a->processor,
                   b->processor, count, Text_Plural(count));
    for (size_t i = 0; i < count; i++)
        RpBuffer_Print(text, "  %s of 0x%08x: 0x%08x, 0x%08x\n",
                       a->kernel->parts[contrast[i].part].name, (unsigned)contrast[i].argument,
                       (unsigned)contrast[i].x87[0], (unsigned)contrast[i].x87[1]);
    if (count > 0)
        Worsen(code, CLI_DIFFERENT);
    text->failed |= contrasts.failed;
    RpBuffer_Free(&contrasts);
}

int ProveMerge_Run(Cli *cli) {
    RpError error;
    RpStatus status = RP_OK;
    static const char *const others[] = {"json", "junit", "html", "allow-partial"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (Cli_Has(cli, others[i]))
            return Cli_Complain("-o keeps a merged proof; --%s is for replays", others[i]);
    Merged merged = {.results = calloc(cli->argument_count, sizeof *merged.results)};
    if (!merged.results)
        return Cli_Complain("out of memory");
    for (size_t i = 0; i < cli->argument_count && !status; i++)
        status = Take(&merged, cli->arguments[i], &error);

    const char *output = Cli_Value(cli, "output", NULL);
    int code = CLI_EQUAL;
    if (status) {
        code = Cli_Fail(&error);
    } else if (output && merged.count != 1) {
        code = Cli_Complain("-o keeps the results of one kernel and one processor, not of %zu",
                            merged.count);
    } else if (output) {
        RpBuffer json;
        RpBuffer_Init(&json, NULL);
        status = ProveResult_Json(merged.results, &json, &error);
        code = CliFile_Write(&json, output, status, &error);
    }
    if (!code) {
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        for (size_t i = 0; i < merged.count; i++) {
            const ProveResult *result = &merged.results[i];
            ProveResult_Text(result, &text);
            if (!Shards_AreComplete(&result->shards)) {
                RpBuffer_AppendText(&text, "MISSING: shards ");
                Shards_Text(&result->shards, false, &text);
                RpBuffer_AppendText(&text, "\n");
                Worsen(&code, CLI_PARTIAL);
            }
            if (!ProveTally_IsProof(&result->tally, result->kernel))
                Worsen(&code, CLI_DIFFERENT);
        }
        for (size_t i = 0; i < merged.count; i++)
            for (size_t j = i + 1; j < merged.count; j++)
                if (merged.results[i].kernel == merged.results[j].kernel)
                    ReportPair(&merged.results[i], &merged.results[j], &text, &code);
        status = text.failed ? RpMemory_Refused(&error, "a report") : RP_OK;
        const int printed = CliFile_Print(&text, status, &error);
        code = printed ? printed : code;
    }
    for (size_t i = 0; i < merged.count; i++)
        ProveResult_Free(&merged.results[i]);
    free(merged.results);
    return code;
}
