/* Measures how the synthetic corpus (435 models, facts/formats.md C.14) is exported to GLB and
 * imported again. * "bare" exports go without corrections. "exact" exports import what they wrote
 * to find the corrections. A time is that of all models once. `number` is the number of models that
 * were taken. */
#include "retropose/gltf.h"
#include "cli/bench/measure/bench_table.h"
#include "cli/bench/measure/timing.h"
#include "retropose/corpus.h"

enum { PASSES = 3 };

/* The sums of one operation over all passes. */
typedef struct Sums {
    uint32_t models; /* the models of one pass */
    uint64_t model_bytes, glb_bytes;
    double times[PASSES];
} Sums;

static void Count(Sums *sums, int pass, const RpNResArchive *model, size_t glb_bytes,
                  int64_t elapsed) {
    sums->times[pass] += (double)elapsed;
    if (pass > 0)
        return;
    for (uint32_t i = 0; i < model->count; i++)
        sums->model_bytes += model->members[i].size;
    sums->glb_bytes += glb_bytes;
    sums->models++;
}

static bool Export(const RpNResArchive *model, bool restore, RpBuffer *file, int pass, Sums *sums) {
    RpGltfExportOptions options = RpGltfExportOptions_Default();
    options.restore = restore;
    RpBuffer_Init(file, NULL);
    const int64_t start = Bench_Nanoseconds();
    const bool exported = RpGltf_Export(model, &options, file, NULL) == RP_OK;
    if (exported)
        Count(sums, pass, model, file->size, Bench_Nanoseconds() - start);
    return exported;
}

static void Import(const RpBuffer *file, int pass, Sums *sums) {
    const RpGltfImportOptions options = RpGltfImportOptions_Default();
    RpNResArchive model;
    RpNResArchive_Init(&model, NULL);
    const int64_t start = Bench_Nanoseconds();
    if (RpGltf_Import(file->bytes, file->size, &options, &model, NULL) == RP_OK)
        Count(sums, pass, &model, file->size, Bench_Nanoseconds() - start);
    RpNResArchive_Free(&model);
}

static bool Convert(const RpCorpus *corpus, uint32_t index, int pass, Sums sums[3]) {
    RpNResArchive model;
    RpBuffer file;
    RpNResArchive_Init(&model, NULL);
    if (RpCorpus_Model(corpus, index, &model, NULL) != RP_OK)
        return false;
    Export(&model, false, &file, pass, &sums[0]);
    RpBuffer_Free(&file);
    if (Export(&model, true, &file, pass, &sums[1]))
        Import(&file, pass, &sums[2]);
    RpBuffer_Free(&file);
    RpNResArchive_Free(&model);
    return true;
}

int main(int argc, char **argv) {
    static const char *const operations[3] = {"export-bare", "export-exact", "import"};
    static Sums sums[3];
    RpCorpus *corpus;
    BenchTable table = BenchTable_Begin("bench_gltf", &argc, argv);
    if (RpCorpus_New(NULL, NULL, &corpus, NULL) != RP_OK)
        return 1;
    for (int pass = 0; pass < PASSES; pass++)
        for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++)
            if (!Convert(corpus, i, pass, sums))
                return 1;
    RpCorpus_Free(corpus);
    for (int i = 0; i < 3; i++) {
        BenchWay way = {"ours", sums[i].times, PASSES};
        BenchTable_Ways(&table, operations[i], sums[i].models, &way, 1);
        BenchTable_Amount(&table, operations[i], sums[i].models, "model", "bytes",
                          (double)sums[i].model_bytes);
        BenchTable_Amount(&table, operations[i], sums[i].models, "glb", "bytes",
                          (double)sums[i].glb_bytes);
    }
    BenchTable_End(&table);
    return 0;
}
