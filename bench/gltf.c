/* GLB export and import of the synthetic corpus (435 models, facts/formats.md C.14).
 *
 * Prints CSV of one run: operation,models,model_bytes,glb_bytes,seconds,models_per_second,
 * model_megabytes_per_second. "bare" exports go without corrections; "exact" ones import what they
 * wrote to find them. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "retropose/gltf.h"
#include "retropose/corpus.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

typedef struct Sums {
    uint32_t models;
    uint64_t model_bytes, glb_bytes;
    double seconds;
} Sums;

static double Now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void Count(Sums *sums, const RpNResArchive *model, size_t glb_bytes, double seconds) {
    for (uint32_t i = 0; i < model->count; i++)
        sums->model_bytes += model->members[i].size;
    sums->glb_bytes += glb_bytes;
    sums->seconds += seconds;
    sums->models++;
}

static bool Export(const RpNResArchive *model, bool restore, RpBuffer *file, Sums *sums) {
    RpGltfExportOptions options = RpGltfExportOptions_Default();
    options.restore = restore;
    RpBuffer_Init(file, NULL);
    double start = Now();
    bool exported = RpGltf_Export(model, &options, file, NULL) == RP_OK;
    if (exported)
        Count(sums, model, file->size, Now() - start);
    return exported;
}

static void Import(const RpBuffer *file, Sums *sums) {
    const RpGltfImportOptions options = RpGltfImportOptions_Default();
    RpNResArchive model;
    RpNResArchive_Init(&model, NULL);
    double start = Now();
    if (RpGltf_Import(file->bytes, file->size, &options, &model, NULL) == RP_OK)
        Count(sums, &model, file->size, Now() - start);
    RpNResArchive_Free(&model);
}

static void Print(const char *operation, const Sums *sums) {
    printf("%s,%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%.3f,%.0f,%.1f\n", operation, sums->models,
           sums->model_bytes, sums->glb_bytes, sums->seconds, sums->models / sums->seconds,
           (double)sums->model_bytes / sums->seconds / 1e6);
}

int main(void) {
    static Sums bare, exact, import;
    RpCorpus *corpus;
    if (RpCorpus_New(NULL, NULL, &corpus, NULL) != RP_OK)
        return 1;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        RpNResArchive model;
        RpBuffer file;
        RpNResArchive_Init(&model, NULL);
        if (RpCorpus_Model(corpus, i, &model, NULL) != RP_OK)
            return 1;
        Export(&model, false, &file, &bare);
        RpBuffer_Free(&file);
        if (Export(&model, true, &file, &exact))
            Import(&file, &import);
        RpBuffer_Free(&file);
        RpNResArchive_Free(&model);
    }
    RpCorpus_Free(corpus);
    puts("operation,models,model_bytes,glb_bytes,seconds,models_per_second,"
         "model_megabytes_per_second");
    Print("export-bare", &bare);
    Print("export-exact", &exact);
    Print("import", &import);
    return 0;
}
