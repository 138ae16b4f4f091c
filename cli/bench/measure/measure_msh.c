/* Parsing and validating a model of 38 nodes and 645 kB (the corpus's model to measure with),
 * beside a straightforward reader: every stream decoded into an array of structs, every rule of
 * severity error asked of every element. `number` is
 * of the model's bytes. */
#include "cli/bench/measure/benches.h"
#include "cli/bench/measure/timing.h"
#include "retropose/corpus.h"
#include "retropose/msh_check.h"
#include "retropose/msh_text.h"

#include <float.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPETITIONS = 101 };

static RpBuffer image;
static RpNRes archive;
static RpMsh msh;
static RpBuffer text;
static volatile uint64_t sink; /* keeps the compiler from removing the results */

/* ---- ours ------------------------------------------------------------------------------------ */

static void ParseAndValidate(void) {
    RpNRes opened;
    RpMsh model;
    if (RpNRes_Open(image.bytes, image.size, RP_STRICT, &opened, NULL) != RP_OK ||
        RpMsh_Open(RpNRes_Entries(&opened), RP_STRICT, &model, NULL) != RP_OK)
        abort();
    sink = model.frame_count;
}

static void ParseOnly(void) {
    RpNRes opened;
    RpMsh model;
    if (RpNRes_Open(image.bytes, image.size, RP_TOLERANT, &opened, NULL) != RP_OK ||
        RpMsh_Open(RpNRes_Entries(&opened), RP_TOLERANT, &model, NULL) != RP_OK)
        abort();
    sink = model.frame_count;
}

static void CheckEverything(void) {
    RpFindingCounter counter = {.next = NULL};
    const RpFindingSink findings = RpFindingCounter_Sink(&counter);
    if (RpMsh_Check(RpNRes_Entries(&archive), NULL, &findings, NULL) != RP_OK)
        abort();
    sink = counter.count[RP_SEVERITY_INFO];
}

static void DumpText(void) {
    RpBuffer dumped;
    RpBuffer_Init(&dumped, NULL);
    if (RpMsh_Dump(&archive, &dumped, NULL) != RP_OK)
        abort();
    sink = dumped.size;
    RpBuffer_Free(&dumped);
}

static void AssembleText(void) {
    RpBuffer made;
    RpBuffer_Init(&made, NULL);
    if (RpMsh_Assemble((const char *)text.bytes, text.size, &made, NULL) != RP_OK)
        abort();
    sink = made.size;
    RpBuffer_Free(&made);
}

/* ---- the baseline ---------------------------------------------------------------------------- */

typedef struct Decoded {
    RpMshNode *nodes;
    RpMshSlot *slots;
    RpMshBatch *batches;
    RpMshTriangle *triangles;
    RpMshKey *keys;
    float (*positions)[3];
    int8_t (*normals)[4];
    uint16_t (*uv)[2], *indices, *map;
} Decoded;

#define DECODE(array, type, call)                                                                  \
    do {                                                                                           \
        uint32_t count = RpMsh_Count(&msh, type);                                                  \
        (array) = malloc(count * sizeof *(array) + 1);                                             \
        for (uint32_t i = 0; i < count; i++)                                                       \
            call;                                                                                  \
    } while (0)

static bool GeometryIsSound(const Decoded *d) {
    bool sound = true;
    uint32_t vertices = RpMsh_Count(&msh, RP_MSH_POSITIONS);
    uint32_t triangles = RpMsh_Count(&msh, RP_MSH_TRIANGLES);
    for (uint32_t s = 0; s < RpMsh_Count(&msh, RP_MSH_SLOTS); s++) {
        const RpMshSlot *slot = &d->slots[s];
        sound &= (uint32_t)slot->first_triangle + slot->triangle_count <= triangles;
        sound &=
            (uint32_t)slot->first_batch + slot->batch_count <= RpMsh_Count(&msh, RP_MSH_BATCHES);
        for (int i = 0; i < 3; i++)
            sound &= slot->low[i] <= slot->high[i] && slot->high[i] <= FLT_MAX;
        sound &= slot->sphere[3] >= 0;
    }
    for (uint32_t b = 0; b < RpMsh_Count(&msh, RP_MSH_BATCHES); b++) {
        const RpMshBatch *batch = &d->batches[b];
        sound &=
            (uint64_t)batch->first_index + batch->index_count <= RpMsh_Count(&msh, RP_MSH_INDICES);
        for (uint32_t i = 0; sound && i < batch->index_count; i++)
            sound &= batch->base_vertex + d->indices[batch->first_index + i] < vertices;
    }
    for (uint32_t t = 0; t < triangles; t++)
        for (int e = 0; e < 3; e++)
            sound &= d->triangles[t].neighbours[e] == RP_MSH_NONE ||
                     d->triangles[t].neighbours[e] < triangles;
    return sound;
}

static void Baseline(void) {
    Decoded decoded;

    DECODE(decoded.nodes, RP_MSH_NODES, RpMsh_Node(&msh, i, &decoded.nodes[i]));
    DECODE(decoded.slots, RP_MSH_SLOTS, RpMsh_Slot(&msh, i, &decoded.slots[i]));
    DECODE(decoded.batches, RP_MSH_BATCHES, RpMsh_Batch(&msh, i, &decoded.batches[i]));
    DECODE(decoded.triangles, RP_MSH_TRIANGLES, RpMsh_Triangle(&msh, i, &decoded.triangles[i]));
    DECODE(decoded.keys, RP_MSH_KEYS, RpMsh_Key(&msh, i, &decoded.keys[i]));
    DECODE(decoded.positions, RP_MSH_POSITIONS, RpMsh_Position(&msh, i, decoded.positions[i]));
    DECODE(decoded.normals, RP_MSH_NORMALS, RpMsh_Normal(&msh, i, decoded.normals[i]));
    DECODE(decoded.uv, RP_MSH_UV0, RpMsh_Uv(&msh, RP_MSH_UV0, i, decoded.uv[i]));
    DECODE(decoded.indices, RP_MSH_INDICES, RpMsh_Index(&msh, i, &decoded.indices[i]));
    DECODE(decoded.map, RP_MSH_FRAME_MAP, RpMsh_MapWord(&msh, i, &decoded.map[i]));

    /* What a program must know of the nodes before it may follow their numbers. */
    bool sound = true;
    uint32_t slots = RpMsh_Count(&msh, RP_MSH_SLOTS), keys = RpMsh_Count(&msh, RP_MSH_KEYS);
    uint32_t words = RpMsh_Count(&msh, RP_MSH_FRAME_MAP), start = 0;
    for (uint32_t n = 0; n < RpMsh_Count(&msh, RP_MSH_NODES); n++) {
        const RpMshNode *node = &decoded.nodes[n];
        for (int w = 0; w < RP_MSH_SLOT_WORDS; w++)
            sound &= node->slots[w] == RP_MSH_NONE || node->slots[w] < slots;
        sound &= node->parent == RP_MSH_NONE || node->parent < n;
        sound &= node->fallback < keys;
        for (uint32_t k = start; sound && k < node->fallback; k++)
            sound &= decoded.keys[k].time < decoded.keys[k + 1].time;
        start = (uint32_t)node->fallback + 1;
        if (node->map_start == RP_MSH_NONE)
            continue;
        sound &= node->map_start + msh.frame_count <= words;
        for (uint32_t f = 0; sound && f < msh.frame_count; f++)
            sound &= decoded.map[node->map_start + f] >= node->fallback ||
                     decoded.map[node->map_start + f] + 1u < keys;
    }
    if (!sound || !GeometryIsSound(&decoded))
        abort();
    sink = decoded.indices[0];

    free(decoded.nodes);
    free(decoded.slots);
    free(decoded.batches);
    free(decoded.triangles);
    free(decoded.keys);
    free(decoded.positions);
    free(decoded.normals);
    free(decoded.uv);
    free(decoded.indices);
    free(decoded.map);
}

/* ---- measuring ------------------------------------------------------------------------------- */

typedef struct Operation {
    const char *name;
    void (*run)(void);
    int repetitions;
    double times[REPETITIONS];
} Operation;

#define OPERATION "a model of 38 nodes"

static bool Run(BenchTable *table, long number, bool given) {
    static Operation operations[] = {
        {"baseline: decode and validate", Baseline, REPETITIONS, {0}},
        {"parse and validate", ParseAndValidate, REPETITIONS, {0}},
        {"parse", ParseOnly, REPETITIONS, {0}},
        {"check all rules", CheckEverything, 21, {0}},
        {"dump", DumpText, 5, {0}},
        {"assemble", AssembleText, 5, {0}},
    };
    enum { COUNT = sizeof operations / sizeof *operations };
    BenchWay ways[COUNT];
    (void)number;
    (void)given;
    if (!BenchTable_Wants(table, OPERATION, 0))
        return true;

    RpCorpus *corpus = NULL;
    RpNResArchive members;
    RpError error;
    RpNResArchive_Init(&members, NULL);
    RpBuffer_Init(&image, NULL);
    RpBuffer_Init(&text, NULL);
    RpStatus status = RpCorpus_New(NULL, NULL, &corpus, &error);
    if (status == RP_OK)
        status = RpCorpus_Model(corpus, RpCorpus_Benchmark(), &members, &error);
    if (status == RP_OK)
        status = RpNResArchive_Write(&members, RP_NRES_CANONICAL, &image, &error);
    RpNResArchive_Free(&members);
    RpCorpus_Free(corpus);
    if (status == RP_OK)
        status = RpNRes_Open(image.bytes, image.size, RP_STRICT, &archive, &error);
    if (status == RP_OK)
        status = RpMsh_Open(RpNRes_Entries(&archive), RP_STRICT, &msh, &error);
    if (status == RP_OK)
        status = RpMsh_Dump(&archive, &text, &error);
    if (status != RP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.what);
        return false;
    }

    for (int i = 0; i < COUNT; i++)
        operations[i].repetitions = BenchTable_Runs(table, operations[i].repetitions);
    /* Measures all in turn, so that a change of the machine's speed meets all. */
    for (int r = -1; r < REPETITIONS; r++) /* the first round is for warming up */
        for (int i = 0; i < COUNT; i++)
            if (r < operations[i].repetitions) {
                const int64_t start = Bench_Nanoseconds();
                operations[i].run();
                const double time = (double)(Bench_Nanoseconds() - start);
                if (r >= 0)
                    operations[i].times[r] = time;
            }
    for (int i = 0; i < COUNT; i++)
        ways[i] = (BenchWay){operations[i].name, operations[i].times, operations[i].repetitions};
    BenchTable_Ways(table, OPERATION, image.size, ways, COUNT);
    RpBuffer_Free(&image);
    RpBuffer_Free(&text);
    return true;
}

const Bench bench_msh = {"msh", NULL, 0, 0, 0, Run};
