/* Measures opening an archive of 8171 entries (the largest published corpus, facts/formats.md A.4)
 * and one of 100,000, and looking up every name in the first, beside the ways of a straightforward
 * reader:
 *
 * - opening: every entry copied with a name of its own, ranges sorted for the overlap check, names
 *   compared through lower-cased copies;
 * - looking up: binary search, then a scan from the first entry for the first of equal names, with
 *   a lower-cased copy for every comparison (the algorithm of facts/formats.md A.7, first row).
 *
 * `number` is the number of entries. */
#include "cli/bench/measure/benches.h"
#include "cli/bench/measure/timing.h"
#include "retropose/nres.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_ENTRIES = 8171, MOST_ENTRIES = 100000, REPETITIONS = 101, SLOW_REPETITIONS = 5 };

static RpBuffer image;
static volatile int64_t sink; /* keeps the compiler from removing the results */

/* ---- ours ------------------------------------------------------------------------------------ */

static void OpenOurs(void) {
    RpNRes archive;
    if (RpNRes_Open(image.bytes, image.size, RP_STRICT, &archive, NULL) != RP_OK)
        abort();
    sink = archive.count;
}

static void FindOurs(void) {
    RpNRes archive;
    if (RpNRes_Open(image.bytes, image.size, RP_TOLERANT, &archive, NULL) != RP_OK)
        abort();
    int64_t sum = 0;
    for (uint32_t i = 0; i < archive.count; i++)
        sum += RpNRes_Find(&archive, RpNRes_Entry(&archive, i).name);
    sink = sum;
}

/* ---- the baselines --------------------------------------------------------------------------- */

typedef struct Copied {
    char *name;
    uint32_t offset, size, sort_index;
} Copied;

static char *LowerCopy(const char *name) {
    char *copy = malloc(strlen(name) + 1);
    size_t i = 0;
    for (; name[i]; i++)
        copy[i] = (char)tolower((unsigned char)name[i]);
    copy[i] = 0;
    return copy;
}

static int CompareCopies(const char *a, const char *b) {
    char *left = LowerCopy(a), *right = LowerCopy(b);
    const int order = strcmp(left, right);
    free(left);
    free(right);
    return order;
}

static Copied *CopyEntries(const RpNRes *archive) {
    Copied *entries = malloc(archive->count * sizeof *entries + 1);
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        entries[i] = (Copied){
            .offset = entry.data_offset, .size = entry.size, .sort_index = entry.sort_index};
        entries[i].name = malloc(entry.name_length + 1);
        memcpy(entries[i].name, entry.name, entry.name_length + 1);
    }
    return entries;
}

static void FreeEntries(Copied *entries, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        free(entries[i].name);
    free(entries);
}

static int ByOffset(const void *a, const void *b) {
    const Copied *left = *(const Copied *const *)a, *right = *(const Copied *const *)b;
    return (left->offset > right->offset) - (left->offset < right->offset);
}

static RpNRes OpenForBaseline(void) {
    RpNRes archive;
    if (RpNRes_Open(image.bytes, image.size, RP_TOLERANT, &archive, NULL) != RP_OK)
        abort();
    return archive;
}

static void OpenBaseline(void) {
    static RpNRes archive; /* opened once, so that the baseline does not pay for it */
    if (archive.image != image.bytes)
        archive = OpenForBaseline();
    Copied *entries = CopyEntries(&archive);

    uint32_t count = archive.count;
    Copied **order = malloc(count * sizeof *order + 1);
    bool overlap = false;
    for (uint32_t i = 0; i < count; i++)
        order[i] = &entries[i];
    qsort(order, count, sizeof *order, ByOffset);
    for (uint32_t i = 1; i < count; i++)
        overlap |=
            order[i - 1]->size > 0 && order[i - 1]->offset + order[i - 1]->size > order[i]->offset;
    free(order);

    /* The sort indices must be a permutation that sorts the names. */
    bool *seen = calloc(count + 1, sizeof *seen);
    bool good = !overlap;
    for (uint32_t i = 0; i < count; i++) {
        good = good && !seen[entries[i].sort_index];
        seen[entries[i].sort_index] = true;
        good = good && (i == 0 || CompareCopies(entries[entries[i - 1].sort_index].name,
                                                entries[entries[i].sort_index].name) <= 0);
    }
    free(seen);
    sink = !good;

    FreeEntries(entries, archive.count);
}

static int64_t SearchBaseline(const Copied *entries, uint32_t count, const char *name) {
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = CompareCopies(name, entries[entries[middle].sort_index].name);
        if (order == 0) {
            for (uint32_t i = 0; i < count; i++)
                if (CompareCopies(entries[i].name, name) == 0)
                    return i;
            return -1;
        }

        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

static void FindBaseline(void) {
    const RpNRes archive = OpenForBaseline();
    Copied *entries = CopyEntries(&archive);
    int64_t sum = 0;
    for (uint32_t i = 0; i < archive.count; i++)
        sum += SearchBaseline(entries, archive.count, entries[i].name);
    sink = sum;
    FreeEntries(entries, archive.count);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void Compare(BenchTable *table, const char *name, uint32_t entries, void (*ours)(void),
                    void (*baseline)(void), int baseline_repetitions) {
    const int runs = BenchTable_Runs(table, REPETITIONS);
    const int baseline_runs = BenchTable_Runs(table, baseline_repetitions);
    double own[REPETITIONS], other[REPETITIONS];
    BenchWay ways[] = {{"baseline", other, baseline_runs}, {"ours", own, runs}};
    Bench_Time(ours, runs, own);
    Bench_Time(baseline, baseline_runs, other);
    BenchTable_Ways(table, name, entries, ways, 2);
}

static bool Measure(BenchTable *table, uint32_t entries) {
    const bool opens = BenchTable_Wants(table, "open_strict", entries);
    const bool finds = BenchTable_Wants(table, "find_every_name", entries);
    if (!opens && !finds)
        return true;
    RpNResArchive archive;
    RpNResArchive_Init(&archive, NULL);
    RpBuffer_Init(&image, NULL);
    for (uint32_t i = 0; i < entries; i++) {
        static const char *const stems[] = {"s_tree", "B_Fort", "r_h_02", "tex_Ground", "FX_smoke"};
        static const uint8_t payload[64];
        RpNResMember member = {.type = 0x4853454D, .data = payload, .size = i * 7 % 64};
        const uint32_t scattered = (uint32_t)((uint64_t)i * 2654435761u % 100003);
        snprintf(member.name, sizeof member.name, "%s_%05" PRIu32 ".msh", stems[i % 5], scattered);
        RpNResArchive_Add(&archive, archive.count, &member, NULL);
    }

    const RpStatus status = RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &image, NULL);
    RpNResArchive_Free(&archive);
    if (status != RP_OK) {
        fprintf(stderr, "bench_nres: out of memory\n");
        return false;
    }
    if (opens)
        Compare(table, "open_strict", entries, OpenOurs, OpenBaseline, REPETITIONS);
    if (finds && entries <= DEFAULT_ENTRIES) /* the baseline's time grows with the square */
        Compare(table, "find_every_name", entries, FindOurs, FindBaseline, SLOW_REPETITIONS);
    RpBuffer_Free(&image);
    return true;
}

static bool Run(BenchTable *table, long entries, bool given) {
    return Measure(table, (uint32_t)entries) && (given || Measure(table, MOST_ENTRIES));
}

const Bench bench_nres = {"nres", "entries", DEFAULT_ENTRIES, 1, MOST_ENTRIES, Run};
