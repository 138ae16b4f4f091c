/* The rows: what was published, and with which of our numbers it is compared. */
#include "formats/census/census_tally.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OP      "openparkan docs/07"
#define OP_DATA "openparkan README"
#define FP      "fparkan docs/tomes/08"
#define FP_OLD  "fparkan docs/specs/coverage-audit"
#define NODES   "openparkan docs/06, " FP

typedef void Fill(const Census *census, CensusRow *row);

typedef struct Row {
    const char *id, *what, *source;
    Fill *fill;
} Row;

static bool OnlyPart1(const Census *census, CensusRow *row) {
    if (Census_Part(census) == 1)
        return true;
    row->verdict = CENSUS_NOT_CHECKED;
    snprintf(row->why, sizeof row->why, "published for part 1 only");
    return false;
}

static bool HasModels(const Census *census, CensusRow *row) {
    if (census->tally.models > 0)
        return true;
    row->verdict = CENSUS_NOT_CHECKED;
    snprintf(row->why, sizeof row->why, "no models were found");
    return false;
}

/* Writes what was found, and compares it with the expected text. */
__attribute__((format(printf, 2, 3))) static void Found(CensusRow *row, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->found, sizeof row->found, format, arguments);
    va_end(arguments);
    row->verdict = strcmp(row->found, row->expected) == 0 ? CENSUS_OK : CENSUS_DIFFERS;
}

__attribute__((format(printf, 2, 3))) static void Expect(CensusRow *row, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->expected, sizeof row->expected, format, arguments);
    va_end(arguments);
}

/* A row of numbers that were published for part 1. */
static void Numbers(const Census *census, CensusRow *row, const char *expected, size_t count,
                    const uint64_t *numbers) {
    char text[sizeof row->found] = "";
    size_t length = 0;
    Expect(row, "%s", expected);
    if (!HasModels(census, row) || !OnlyPart1(census, row))
        return;
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%" PRIu64,
                                   i ? " / " : "", numbers[i]);
    Found(row, "%s", text);
}

#define ROW(function, expected, ...)                                                               \
    static void function(const Census *census, CensusRow *row) {                                   \
        const CensusTally *t = &census->tally;                                                     \
        const uint64_t numbers[] = {__VA_ARGS__};                                                  \
        Numbers(census, row, expected, sizeof numbers / sizeof *numbers, numbers);                 \
    }

static void Archives(const Census *census, CensusRow *row) {
    const bool first = Census_Part(census) == 1;
    Expect(row, first ? "120 / 6804" : "134 / 8171");
    if (HasModels(census, row))
        Found(row, "%u / %u", (unsigned)census->tally.archives, (unsigned)census->tally.entries);
}

static void Models(const Census *census, CensusRow *row) {
    const bool first = Census_Part(census) == 1;
    Expect(row, first ? "435 / 157" : "511 / 200");
    if (HasModels(census, row))
        Found(row, "%u / %u", (unsigned)census->tally.models,
              (unsigned)census->tally.animated_models);
}

static void Sound(const Census *census, CensusRow *row) {
    Expect(row, "0");
    if (HasModels(census, row))
        Found(row, "%u", (unsigned)census->tally.damaged);
}

ROW(Payloads, "0 / 0", t->odd_offsets, t->wide_gaps)
ROW(Repacked, "120 / 120", t->repacked, t->archives)
ROW(Nodes, "1845 / 38", t->nodes, t->most_nodes)
ROW(StillNodes, "1028", t->nodes - t->animated)
ROW(SlotLimits, "1 / 112", t->fewest_slots, t->most_slots)
ROW(BatchLimits, "1 / 439", t->fewest_batches, t->most_batches)
ROW(VertexLimits, "12 / 9686", t->fewest_vertices, t->most_vertices)
ROW(LevelSlots, "1451 / 1011 / 952 / 535 / 288", t->level_slots[0], t->level_slots[1],
    t->level_slots[2], t->level_slots[3], t->level_slots[4])
ROW(States, "1479 / 135 / 15", t->state_nodes[0], t->state_nodes[1], t->state_nodes[2])
ROW(Kinds, "21 / 29 / 21 / 28 / 1", t->interiors, t->paths, t->lit, t->cockpits, t->legacy)
ROW(Triangles, "241887", t->triangles)
ROW(Batches, "15153 / 14 / 972", t->batches, t->word_count, t->lit_batches)
ROW(BatchBits, "183 / 1477 / 112 / 633 / 66 / 170", t->bits[0], t->bits[1], t->bits[2], t->bits[3],
    t->bits[4], t->bits[6])
ROW(HighBits, "2953 / 972 / 307", t->bits[8], t->bits[13], t->bits[14])
ROW(Keys, "34049 / 34038", t->keys, t->unit_keys)
/* Eleven keys are not of length 1. According to one page of the source, all of them are zero;
 * according to another, one has some other length (facts/formats.md C.9, C.14). */
ROW(ZeroKeys, t->zero_keys == 10 ? "10" : "11", t->zero_keys)
ROW(FrameCounts, "157 / 157", t->timed_models, t->animated_models)
ROW(PlacedKeys, "33020 / 33020", t->placed_keys, t->animated_keys)
ROW(Fallbacks, "817 / 817", t->last_fallbacks, t->animated)

ROW(Posed, "434", t->posed)
ROW(Inside, "434 / 422", t->level_inside[0], t->inside_with_cockpits)
ROW(AnimatedInside, "157 / 145", t->animated_inside, t->animated_with_cockpits)
ROW(Reach, "305 / 237", t->reached, t->reached_unposed)
ROW(LevelTriangles, "137445 / 34843 / 14033 / 5039 / 13763", t->level_triangles[0],
    t->level_triangles[1], t->level_triangles[2], t->level_triangles[3], t->level_triangles[4])
ROW(LevelModels, "434 / 283 / 282 / 197 / 103", t->level_models[0], t->level_models[1],
    t->level_models[2], t->level_models[3], t->level_models[4])
ROW(CockpitTriangles, "18402", t->cockpit_triangles)
ROW(ExactSlots, "1451 / 1011 / 952 / 535 / 288", t->exact_slots[0], t->exact_slots[1],
    t->exact_slots[2], t->exact_slots[3], t->exact_slots[4])
ROW(Bounded, "1451", t->bounded)
ROW(ExactBoxes, "302 / 231", t->exact_boxes, t->exact_with_all)

static void LevelsInside(const Census *census, CensusRow *row) {
    const CensusTally *t = &census->tally;
    Expect(row, "257/283 232/282 134/197 101/103");
    if (!HasModels(census, row) || !OnlyPart1(census, row))
        return;
    Found(row, "%u/%u %u/%u %u/%u %u/%u", (unsigned)t->level_inside[1],
          (unsigned)t->level_models[1], (unsigned)t->level_inside[2], (unsigned)t->level_models[2],
          (unsigned)t->level_inside[3], (unsigned)t->level_models[3], (unsigned)t->level_inside[4],
          (unsigned)t->level_models[4]);
}

/* ---- medians, tables and sums ---------------------------------------------------------------- */

static int CompareErrors(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Returns the median in per cent. Sorts a list that nothing else needs in its order. */
static double Median(const RpBuffer *errors) {
    const size_t count = errors->size / sizeof(double);
    double *all = (double *)(void *)errors->bytes;
    if (count == 0)
        return -1;
    qsort(all, count, sizeof *all, CompareErrors);
    return 100 * (count % 2 ? all[count / 2] : (all[count / 2 - 1] + all[count / 2]) / 2);
}

static void Conjugate(const Census *census, CensusRow *row) {
    Expect(row, "0.10 %% / 1.48 %%");
    if (HasModels(census, row) && OnlyPart1(census, row))
        Found(row, "%.2f %% / %.2f %%", Median(&census->tally.errors[0]),
              Median(&census->tally.errors[1]));
}

static void SystemTable(const Census *census, CensusRow *row) {
    Expect(row, "0 5 6 7 8 9 10 11 12 16 1 4 15 13 14 2 3");
    if (census->tally.has_system) {
        Found(row, "%s", census->tally.system_permutes ? row->expected : "another table");
        return;
    }
    row->verdict = CENSUS_NOT_CHECKED;
    snprintf(row->why, sizeof row->why, "there is no system.rlb");
}

static void LibrarySums(const Census *census, const uint64_t sums[CENSUS_LIBRARIES],
                        CensusRow *row) {
    Expect(row, "87096 / 1573632");
    if (census->tally.sums[0] && census->tally.sums[1]) {
        Found(row, "%" PRIu64 " / %" PRIu64, sums[0], sums[1]);
        return;
    }
    row->verdict = CENSUS_NOT_CHECKED;
    snprintf(row->why, sizeof row->why, "gamefont.rlb and sprites.lib are not both there");
}

static void StatedSums(const Census *census, CensusRow *row) {
    LibrarySums(census, census->tally.sums, row);
}

static void UnpackedSums(const Census *census, CensusRow *row) {
    LibrarySums(census, census->tally.unpacked, row);
}

static const Row rows[] = {
    {"T1", "NRes archives, and their entries", FP, Archives},
    {"T1", "models, and animated ones", FP, Models},
    {"-", "archives and models that cannot be opened", "", Sound},
    {"A.4", "payloads not at a multiple of 8, gaps that are not 0 to 7 zeros", OP_DATA, Payloads},
    {"A.4", "archives that are the same when packed anew, of all", FP_OLD, Repacked},
    {"C.14", "nodes, and the most of one model", NODES, Nodes},
    {"C.14", "nodes that do not move", OP, StillNodes},
    {"C.14", "fewest and most slots of a model", FP, SlotLimits},
    {"C.14", "fewest and most batches of a model", FP, BatchLimits},
    {"C.14", "fewest and most vertices of a model", FP, VertexLimits},
    {"C.14", "slots by level", OP, LevelSlots},
    {"C.14", "nodes with state 0, 1 and 2", OP, States},
    {"C.14", "interiors, path graphs, lit, cockpit nodes, stride 24", OP, Kinds},
    {"C.14", "triangles", OP, Triangles},
    {"T18", "batches, different flag words, lit ones", OP, Batches},
    {"T18", "batches with flag 1, 2, 4, 8, 0x10, 0x40", OP, BatchBits},
    {"T18", "batches with flag 0x100, 0x2000, 0x4000", OP, HighBits},
    {"T7", "keys, and those of length 1 within 0.1 %", OP, Keys},
    {"C.14", "keys whose rotation is all zeros, 10 or 11", OP, ZeroKeys},
    {"T7", "animated models with a frame more than the last key's time, of all", OP, FrameCounts},
    {"T7", "keys at the first frame that names them, of animated nodes", OP, PlacedKeys},
    {"T7", "fallbacks that are the last key of the node", OP, Fallbacks},
    {"T2", "models that the runtime poses", OP, Posed},
    {"T2", "level 0 inside its box: without cockpits, and with them", OP, Inside},
    {"T2", "the same of animated models", OP, AnimatedInside},
    {"T2", "models that reach all faces of their box: posed, not posed", OP, Reach},
    {"T3", "levels 1, 2, 3 and 4 inside the box", OP, LevelsInside},
    {"T4", "triangles drawn at levels 0 to 4", OP, LevelTriangles},
    {"T4", "models that draw anything there", OP, LevelModels},
    {"T4", "triangles of cockpits", OP, CockpitTriangles},
    {"T5", "slots whose box is that of their vertices, by level", OP, ExactSlots},
    {"T5", "nodes that the runtime bounds by that box", OP, Bounded},
    {"T6", "median distance of the boxes: conjugate, plain", OP, Conjugate},
    {"T8", "boxes that level 0 gives exactly, and all levels", OP, ExactBoxes},
    {"A.3", "sort table of system.rlb", "openparkan docs/01", SystemTable},
    {"B.1", "unpacked sums that gamefont.rlb and sprites.lib state", OP_DATA, StatedSums},
    {"B.1", "what their entries unpack to", OP_DATA, UnpackedSums}};

enum { MODELS_OF_PART_1 = 435, MODELS_OF_PART_2 = 511 };

uint32_t Census_Part(const Census *census) {
    const uint32_t models = census->tally.models;
    return 2 * models < MODELS_OF_PART_1 + MODELS_OF_PART_2 ? 1 : 2;
}

/* ---- rows of one model, and the digest ------------------------------------------------------- */

static void NamedRow(const Census *census, size_t index, CensusRow *row) {
    const CensusNamed *named = CensusNamed_Row(index);
    row->id = named->id;
    row->what = named->what;
    row->source = named->source;
    Expect(row, "%s", named->expected);
    if (!OnlyPart1(census, row))
        return;
    if (census->tally.named[index][0]) {
        Found(row, "%s", census->tally.named[index]);
        return;
    }
    row->verdict = CENSUS_NOT_CHECKED;
    snprintf(row->why, sizeof row->why, "there is no %s.msh", named->model);
}

enum { TOTALS = sizeof rows / sizeof *rows, ROWS = TOTALS + CENSUS_NAMED + 1 };

size_t Census_RowCount(void) {
    return ROWS;
}

void Census_Row(const Census *census, size_t index, CensusRow *row) {
    memset(row, 0, sizeof *row);
    if (index >= TOTALS + CENSUS_NAMED) {
        const CensusDigest *digest = &census->tally.digest;
        const bool first = Census_Part(census) == 1;
        row->id = "T21";
        row->what = "sampled poses, and fparkan's own digest of its poses of them";
        row->source = "fparkan crates/fparkan-msh";
        Expect(row, first ? "3469 / 7119731908371799613" : "5233 / 13040438305408523893");
        row->verdict = CENSUS_NOT_CHECKED;
        if (!census->asks_for_digest)
            snprintf(row->why, sizeof row->why, "--digest fparkan asks for it");
        else if (digest->refused[0])
            snprintf(row->why, sizeof row->why, "fparkan would refuse %s", digest->refused);
        else if (HasModels(census, row))
            Found(row, "%u / %" PRIu64, (unsigned)digest->samples, digest->hash);
        return;
    }
    if (index >= TOTALS) {
        NamedRow(census, index - TOTALS, row);
        return;
    }
    row->id = rows[index].id;
    row->what = rows[index].what;
    row->source = rows[index].source;
    rows[index].fill(census, row);
}
