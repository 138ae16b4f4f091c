#include "cli/cli_readings.h"

#include "cli/progress.h"
#include "core/digest.h"
#include "core/files/output.h"
#include "retropose/corpus.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANIFEST      "manifest.json"
#define MANIFEST_MARK "\"retropose\""

typedef struct Corpus {
    const Cli *cli;
    const char *folder;
    RpCorpus *corpus;
    RpCorpusFile *files;
    uint32_t count;
} Corpus;

/* ---- writing --------------------------------------------------------------------------------- */

static void Want(Corpus *work, RpCorpusKind kind, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        work->files[work->count++] = RpCorpus_File(work->corpus, kind, i);
}

static bool MakeFolder(const Corpus *work, const char *name) {
    RpError error;
    if ((*name ? Output_MakeFolderInto(work->folder, name, &error)
               : Output_MakeFolder(work->folder, &error)) == RP_OK)
        return true;
    Cli_Fail(&error);
    return false;
}

static int Write(Corpus *work) {
    RpError error;
    RpStatus status = RP_OK;
    uint64_t bytes = 0;
    Progress progress;
    if (Output_CheckUnnamed(work->folder, MANIFEST, MANIFEST_MARK, &error))
        return Cli_Fail(&error);

    /* Only folders that get a file are made. */
    static const char *const names[] = {"models", "variants", "libraries", "libraries"};
    bool needed[4] = {false};
    for (uint32_t i = 0; i < work->count; i++)
        needed[work->files[i].kind] = true;
    if (!MakeFolder(work, ""))
        return CLI_TROUBLE;
    for (int kind = 0; kind < 4; kind++)
        if (needed[kind] && !MakeFolder(work, names[kind]))
            return CLI_TROUBLE;

    Progress_Start(&progress, work->cli->verbosity < 0);
    progress.unit = "files";
    for (uint32_t i = 0; i < work->count && !status; i++) {
        RpBuffer image;
        RpBuffer_Init(&image, NULL);
        status = RpCorpus_FileImage(work->corpus, &work->files[i], &image, &error);
        if (!status) {
            work->files[i].size = image.size;
            Digest_OfBytes(image.bytes, image.size, work->files[i].sha256);
            status = Output_WriteInto(work->folder, work->files[i].path, image.bytes, image.size,
                                      &error);
        }
        RpBuffer_Free(&image);
        bytes += work->files[i].size;
        Progress_Update(&progress, i + 1, work->count);
    }
    Progress_End(&progress);

    if (!status) {
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        status = RpCorpus_Manifest(work->corpus, work->files, work->count, &text, &error);
        if (!status)
            status = Output_WriteInto(work->folder, MANIFEST, text.bytes, text.size, &error);
        if (!status && Cli_Has(work->cli, "json"))
            status = Output_WriteBytes("-", text.bytes, text.size, &error);
        RpBuffer_Free(&text);
    }
    if (status)
        return Cli_Fail(&error);
    Cli_Note(work->cli, "%" PRIu32 " file%s, %.1f MB, in %s", work->count, Text_Plural(work->count),
             (double)bytes / 1e6, work->folder);
    return CLI_EQUAL;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int Run(Corpus *work) {
    if (Cli_Has(work->cli, "list")) {
        Visible_Print(stdout, "%-28s %5s %4s %4s %5s %6s  %s\n", "model", "nodes", "anim", "slot",
                      "batch", "tri", "expected findings");
        for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
            const RpCorpusModel model = RpCorpus_ModelInfo(work->corpus, i);
            char path[80];
            snprintf(path, sizeof path, "%s/%s", model.library, model.name);
            Visible_Print(stdout,
                          "%-28s %5" PRIu32 " %4" PRIu32 " %4" PRIu32 " %5" PRIu32 " %6" PRIu32
                          "  %s\n",
                          path, model.nodes, model.animated, model.slots, model.batches,
                          model.triangles, model.expected);
        }
        Visible_Print(stdout, "\n%-28s %-16s %s\n", "variant", "findings", "what");
        for (uint32_t i = 0; i < RpCorpus_VariantCount(); i++) {
            const RpCorpusVariant variant = RpCorpus_VariantInfo(i);
            Visible_Print(stdout, "%-28s %-16s %s\n", variant.name, variant.expected, variant.what);
        }
        return CLI_EQUAL;
    }
    if (work->cli->argument_count != 1)
        return Cli_Complain("gen corpus needs a folder; `retropose gen corpus --list` names all");
    work->folder = work->cli->arguments[0];

    uint64_t models = RP_CORPUS_MODELS;
    uint32_t most = 0;
    for (int kind = RP_CORPUS_MODEL; kind <= RP_CORPUS_RSLI; kind++)
        most += RpCorpus_FileCount((RpCorpusKind)kind);
    if (!Cli_Number(work->cli, "models", 0, RP_CORPUS_MODELS, &models))
        return CLI_TROUBLE;
    work->files = calloc(most, sizeof *work->files);
    if (!work->files) {
        Cli_Complain("out of memory");
        return CLI_TROUBLE;
    }
    Want(work, RP_CORPUS_MODEL, (uint32_t)models);
    if (Cli_Has(work->cli, "variants"))
        Want(work, RP_CORPUS_VARIANT, RpCorpus_FileCount(RP_CORPUS_VARIANT));
    if (Cli_Has(work->cli, "libraries")) {
        Want(work, RP_CORPUS_LIBRARY, RpCorpus_FileCount(RP_CORPUS_LIBRARY));
        Want(work, RP_CORPUS_RSLI, RpCorpus_FileCount(RP_CORPUS_RSLI));
    }
    return Write(work);
}

static int Verb_GenCorpus(Cli *cli) {
    RpCorpusOptions options = RpCorpusOptions_Default();
    RpError error;
    Corpus work = {.cli = cli};
    if (!Cli_Number(cli, "seed", 0, UINT64_MAX, &options.seed) ||
        !CliReadings_Read(cli, RP_READS_FILES, "", &options.readings))
        return CLI_TROUBLE;
    if (RpCorpus_New(&options, NULL, &work.corpus, &error))
        return Cli_Fail(&error);
    const int code = Run(&work);
    free(work.files);
    RpCorpus_Free(work.corpus);
    return code;
}

const CliVerb cli_gen_corpus = {
    "gen corpus",
    "make models and libraries with the numbers of the game's own",
    "DIR",
    "retropose gen corpus corpus\n"
    "retropose gen corpus corpus --variants --libraries --readings drawn\n"
    "retropose gen corpus --list\n",
    {{"models", "N", "so many models, the first ones (default: all 435)", 0},
     {"variants", NULL, "what no file of the game does, too, one model for each rule", 0},
     {"libraries", NULL, "the models in ten NRes libraries, and an RsLi library, too", 0},
     {"seed", "N", "of shapes and shares; totals do not change (default: 1)", 0},
     {"readings", "LIST", "what the models mean: key-order=wxyz,... or drawn (docs/formats/msh.md)",
      0},
     {"list", NULL, "name everything and write nothing", 0},
     {"json", NULL, "print the manifest, too, as one JSON object", 0}},
    Verb_GenCorpus};
