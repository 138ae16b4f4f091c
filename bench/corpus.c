/* Measures what the formats library does with the synthetic corpus: making models, opening them
 * strictly, checking and dumping them.
 *
 *   bench_corpus [seed] > corpus.csv
 *
 * All 435 models are made first and kept. A time is that of one operation on all of them, or on the
 * one that has 38 nodes and 645 kB. `number` is the number of their bytes. The first way is a sum
 * of the same bytes, one at a time, so that 1 / first_over_it says how often an operation might
 * have read its input. Nothing is asserted. */
#include "retropose/corpus.h"
#include "cli/bench/measure/bench_table.h"
#include "cli/bench/measure/timing.h"
#include "core/hash.h"
#include "retropose/msh_check.h"
#include "retropose/msh_text.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define REPETITIONS      15
#define SLOW_REPETITIONS 5

static RpCorpus *corpus;
static RpBuffer images[RP_CORPUS_MODELS];
static uint32_t first, count; /* the models that are measured */
static volatile uint64_t sink;

static void Give(RpStatus status) {
    if (status != RP_OK) {
        fprintf(stderr, "bench_corpus: a model is refused\n");
        exit(2);
    }
}

/* ---- subjects -------------------------------------------------------------------------------- */

static void Write(uint32_t index, RpBuffer *image) {
    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);
    Give(RpCorpus_Model(corpus, index, &archive, NULL));
    Give(RpNResArchive_Write(&archive, RP_NRES_CANONICAL, image, NULL));
    RpNResArchive_Free(&archive);
}

static void Make(void) {
    for (uint32_t i = first; i < first + count; i++) {
        RpBuffer image;
        RpBuffer_Init(&image, NULL);
        Write(i, &image);
        sink += image.size;
        RpBuffer_Free(&image);
    }
}

static RpNRes Archive(uint32_t index) {
    RpNRes archive;
    Give(RpNRes_Open(images[index].bytes, images[index].size, RP_STRICT, &archive, NULL));
    return archive;
}

static void OpenArchive(void) {
    for (uint32_t i = first; i < first + count; i++)
        sink += Archive(i).count;
}

/* Opens each model under every rule of severity error, as the strict mode does. */
static void OpenModel(void) {
    for (uint32_t i = first; i < first + count; i++) {
        const RpNRes archive = Archive(i);
        RpMsh msh;
        Give(RpMsh_Open(RpNRes_Entries(&archive), RP_STRICT, &msh, NULL));
        sink += msh.frame_count;
    }
}

static void Ignore(void *context, const RpFinding *finding) {
    (void)context;
    sink += finding->offset;
}

static void Check(void) {
    const RpFindingSink findings = {Ignore, NULL};
    for (uint32_t i = first; i < first + count; i++) {
        const RpNRes archive = Archive(i);
        Give(RpNRes_Check(images[i].bytes, images[i].size, NULL, &findings, NULL));
        Give(RpMsh_Check(RpNRes_Entries(&archive), NULL, &findings, NULL));
    }
}

static void Dump(void) {
    for (uint32_t i = first; i < first + count; i++) {
        const RpNRes archive = Archive(i);
        RpBuffer text;
        RpBuffer_Init(&text, NULL);
        Give(RpMsh_Dump(&archive, &text, NULL));
        sink += text.size;
        RpBuffer_Free(&text);
    }
}

static void Sum(void) {
    uint64_t sum = 0;
    for (uint32_t i = first; i < first + count; i++)
        /* This sum cannot be computed in parallel. */
        sum = Hash_Fnv64(sum, images[i].bytes, images[i].size);
    sink += sum;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static BenchTable table;

static void Measure(const char *name, void (*subject)(void), int repetitions) {
    double sum[SLOW_REPETITIONS], own[REPETITIONS];
    BenchWay ways[] = {{"sum", sum, SLOW_REPETITIONS}, {"ours", own, repetitions}};
    uint64_t bytes = 0;
    Bench_Time(subject, repetitions, own);
    Bench_Time(Sum, SLOW_REPETITIONS, sum);
    for (uint32_t i = first; i < first + count; i++)
        bytes += images[i].size;
    BenchTable_Ways(&table, name, bytes, ways, 2);
}

static void MeasureAll(uint32_t from, uint32_t number) {
    first = from;
    count = number;
    Measure("make", Make, SLOW_REPETITIONS);
    Measure("open_archive_strict", OpenArchive, REPETITIONS);
    Measure("open_model_strict", OpenModel, REPETITIONS);
    Measure("check", Check, SLOW_REPETITIONS);
    Measure("dump", Dump, SLOW_REPETITIONS);
}

int main(int argc, char **argv) {
    RpCorpusOptions options = RpCorpusOptions_Default();
    char *end = NULL;
    table = BenchTable_Begin("bench_corpus", &argc, argv);
    if (argc > 1)
        options.seed = strtoull(argv[1], &end, 10);
    if (argc > 2 || (end && *end)) {
        fprintf(stderr, "usage: bench_corpus [seed]\n");
        return 2;
    }
    Give(RpCorpus_New(&options, NULL, &corpus, NULL));
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        RpBuffer_Init(&images[i], NULL);
        Write(i, &images[i]);
    }
    MeasureAll(0, RP_CORPUS_MODELS);
    MeasureAll(RpCorpus_Benchmark(), 1);
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++)
        RpBuffer_Free(&images[i]);
    RpCorpus_Free(corpus);
    BenchTable_End(&table);
    return 0;
}
