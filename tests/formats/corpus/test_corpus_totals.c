/* Tests that the synthetic corpus has the numbers of the game's own files (facts/formats.md C.14,
 * C.6, C.7), counted in the bytes of its models. */
#include "cli/bench/measure/counted_memory.h"
#include "exports/reading_table.h"
#include "retropose/corpus.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 3, LEVELS = 5, FLAG_COCKPIT = 0x20, FLAG_PORTAL = 8 };

typedef struct Totals {
    uint32_t models, legacy, lit, lit_order, other_order, paths, interior, animated_models;
    uint32_t nodes, animated, keys, animated_keys, zero_keys, cockpits;
    uint32_t most_nodes, least_nodes, most_slots, least_slots, most_batches, least_batches;
    uint32_t most_vertices, least_vertices;
    uint32_t slots, level_slots[LEVELS], level_models[LEVELS], state_nodes[STATES];
    uint32_t batches, flag_bits[16], words, word[64], lit_batches, dark_batches, odd_portals;
    uint32_t triangles, level_triangles[LEVELS], state_triangles, marks[64];
    uint32_t edge_tails, frames_nine, frames_two_nodes, frames_short, frames_124;
    uint64_t bytes;
} Totals;

static void AtMost(uint32_t *most, uint32_t value) {
    *most = value > *most ? value : *most;
}

static void AtLeast(uint32_t *least, uint32_t value) {
    *least = *least == 0 || value < *least ? value : *least;
}

/* ---- counting -------------------------------------------------------------------------------- */

static void CountOrder(Totals *totals, const RpNResArchive *archive) {
    static const uint32_t dark[] = {1, 2, 3, 4, 5, 15, 13, 6, 7, 8, 19, 9, 10, 17};
    static const uint32_t lit[] = {1, 2, 3, 4, 5, 18, 15, 13, 6, 7, 8, 19, 9, 10, 17, 20};
    const bool is_lit = RpNResArchive_FindType(archive, RP_MSH_PROBES) >= 0;
    const uint32_t *order = is_lit ? lit : dark;
    assert_int_equal(archive->count,
                     is_lit ? sizeof lit / sizeof *lit : sizeof dark / sizeof *dark);
    for (uint32_t i = 0; i < archive->count; i++)
        assert_int_equal(archive->members[i].type, order[i]);
    totals->lit_order += is_lit;
    totals->other_order += !is_lit;
}

static void CountSlots(Totals *totals, const RpMsh *msh, const RpMshNode *node, bool *models) {
    static const RpReadings readings;
    for (uint32_t state = 0; state < STATES; state++) {
        bool has = false;
        for (uint32_t level = 0; level < LEVELS; level++) {
            RpMshSlot slot;
            const uint32_t word = RpCorpus_SlotWord(&readings, state, level);
            if (word == RP_MSH_NONE || node->slots[word] == RP_MSH_NONE)
                continue;
            assert_true(RpMsh_Slot(msh, node->slots[word], &slot));
            has = models[level] = true;
            totals->level_slots[level]++;
            if (state == 0)
                totals->level_triangles[level] += slot.triangle_count;
            else
                totals->state_triangles += slot.triangle_count;
        }
        totals->state_nodes[state] += has;
    }
}

static bool OnlyCockpit(const RpMshNode *node) {
    for (uint32_t word = 0; word < RP_MSH_SLOT_WORDS; word++)
        if (node->slots[word] != RP_MSH_NONE && word != 4)
            return false;
    return node->slots[4] != RP_MSH_NONE;
}

static void CountNodes(Totals *totals, const RpMsh *msh) {
    bool levels[LEVELS] = {false}, animated = false, interior = false;
    uint32_t moving = 0;
    RpMshNode node;
    for (uint32_t n = 0; RpMsh_Node(msh, n, &node); n++) {
        uint32_t first, last, length;
        totals->nodes++;
        assert_true(RpMsh_Track(msh, n, &first, &last));
        if (node.map_start != RP_MSH_NONE) {
            animated = true;
            moving++;
            totals->animated_keys += last - first + 1;
            if (msh->frame_count == 9)
                assert_int_equal(last - first + 1, 6);
        } else {
            assert_int_equal(first, last);
        }
        const char *name = RpMsh_Text(msh, RP_MSH_NAMES, n, &length);
        assert_non_null(name);
        assert_int_equal(*name == 'i', node.flags & 1);
        interior |= (node.flags & 1) != 0;
        if (node.flags & FLAG_COCKPIT) {
            assert_true(OnlyCockpit(&node));
            totals->cockpits++;
        }
        CountSlots(totals, msh, &node, levels);
    }
    totals->animated += moving;
    totals->animated_models += animated;
    totals->interior += interior;
    totals->frames_two_nodes += msh->frame_count == 2 ? moving : 0;
    totals->frames_nine += msh->frame_count == 9;
    totals->frames_124 += msh->frame_count == 124 ? moving : 0;
    totals->frames_short += msh->frame_count > 9 && msh->frame_count < 61;
    for (int level = 0; level < LEVELS; level++)
        totals->level_models[level] += levels[level];
}

static void CountWord(Totals *totals, uint32_t word) {
    for (uint32_t i = 0; i < totals->words; i++)
        if (totals->word[i] == word)
            return;
    assert_true(totals->words < 64);
    totals->word[totals->words++] = word;
}

static void CountBatches(Totals *totals, const RpMsh *msh) {
    RpMshBatch batch;
    RpMshNode room;
    for (uint32_t b = 0; RpMsh_Batch(msh, b, &batch); b++) {
        totals->batches++;
        CountWord(totals, batch.flags);
        for (int bit = 0; bit < 16; bit++)
            totals->flag_bits[bit] += batch.flags >> bit & 1;
        totals->lit_batches += batch.lightmap == 0;
        totals->dark_batches += batch.lightmap == 0xFF;
        assert_int_equal(batch.lightmap == 0, batch.flags >> 13 & 1);
        if (batch.flags & FLAG_PORTAL)
            totals->odd_portals += !RpMsh_Node(msh, batch.portal, &room) || (room.flags & 1) == 0 ||
                                   (batch.flags & 0x100) == 0;
        else
            assert_int_equal(batch.portal, RP_MSH_NONE);
    }
}

static void CountTriangles(Totals *totals, const RpMsh *msh) {
    RpMshTriangle triangle;
    for (uint32_t t = 0; RpMsh_Triangle(msh, t, &triangle); t++) {
        totals->triangles++;
        assert_true(triangle.flags < 64);
        totals->marks[triangle.flags]++;
        totals->edge_tails += triangle.edges >> 6 != 0;
    }
}

static void CountKeys(Totals *totals, const RpMsh *msh) {
    RpMshKey key;
    for (uint32_t k = 0; RpMsh_Key(msh, k, &key); k++) {
        double square = 0;
        totals->keys++;
        for (int i = 0; i < 4; i++)
            square += (double)key.rotation[i] * key.rotation[i];
        if (square == 0)
            totals->zero_keys++;
        else
            assert_true(fabs(sqrt(square) / 32767 - 1) < 0.001);
    }
}

static void CountModel(Totals *totals, const RpCorpusModel *info, const RpNResArchive *archive,
                       const RpMsh *msh) {
    const uint32_t vertices = RpMsh_Count(msh, RP_MSH_POSITIONS);
    totals->models++;
    totals->lit += info->lit;
    totals->paths += RpMsh_Count(msh, RP_MSH_PATHS) > 0;
    totals->slots += RpMsh_Count(msh, RP_MSH_SLOTS);
    AtMost(&totals->most_vertices, vertices);
    AtLeast(&totals->least_vertices, vertices);
    AtMost(&totals->most_slots, RpMsh_Count(msh, RP_MSH_SLOTS));
    AtLeast(&totals->least_slots, RpMsh_Count(msh, RP_MSH_SLOTS));
    AtMost(&totals->most_batches, RpMsh_Count(msh, RP_MSH_BATCHES));
    AtLeast(&totals->least_batches, RpMsh_Count(msh, RP_MSH_BATCHES));
    CountOrder(totals, archive);
    CountBatches(totals, msh);
    CountTriangles(totals, msh);
    CountKeys(totals, msh);
    if (msh->node_stride == RP_MSH_LEGACY_NODE_BYTES) {
        totals->legacy++;
        return;
    }
    AtMost(&totals->most_nodes, RpMsh_Count(msh, RP_MSH_NODES));
    AtLeast(&totals->least_nodes, RpMsh_Count(msh, RP_MSH_NODES));
    CountNodes(totals, msh);
}

static void AgreesWithInfo(const RpCorpusModel *info, const RpMsh *msh) {
    if (msh->node_stride == RP_MSH_NODE_BYTES)
        assert_int_equal(info->nodes, RpMsh_Count(msh, RP_MSH_NODES));
    assert_int_equal(info->frames, msh->frame_count);
    assert_int_equal(info->keys, RpMsh_Count(msh, RP_MSH_KEYS));
    assert_int_equal(info->slots, RpMsh_Count(msh, RP_MSH_SLOTS));
    assert_int_equal(info->batches, RpMsh_Count(msh, RP_MSH_BATCHES));
    assert_int_equal(info->triangles, RpMsh_Count(msh, RP_MSH_TRIANGLES));
    assert_int_equal(info->lit, RpMsh_Count(msh, RP_MSH_UV1) > 0);
    assert_int_equal(info->paths, RpMsh_Count(msh, RP_MSH_PATHS) > 0);
}

static void CountCorpus(Totals *totals, uint64_t seed) {
    RpCorpusOptions options = RpCorpusOptions_Default();
    RpCorpus *corpus;
    memset(totals, 0, sizeof *totals);
    options.seed = seed;
    assert_int_equal(RpCorpus_New(&options, NULL, &corpus, NULL), RP_OK);
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const RpCorpusModel info = RpCorpus_ModelInfo(corpus, i);
        OWNED(RpNResArchive) archive = {0};
        RpMsh msh;
        assert_int_equal(RpCorpus_Model(corpus, i, &archive, NULL), RP_OK);
        assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &msh, NULL), RP_OK);
        AgreesWithInfo(&info, &msh);
        CountModel(totals, &info, &archive, &msh);
    }
    RpCorpus_Free(corpus);
}

/* ---- totals ---------------------------------------------------------------------------------- */

static Totals totals; /* totals of the corpus with seed 1 */

AROUND(BeforeAll) {
    CountCorpus(&totals, 1);
}

TEST(HasTheModelsAndOrdersOfTheGame) {
    assert_int_equal(totals.models, 435);
    assert_int_equal(totals.legacy, 1);
    assert_int_equal(totals.lit, 21);
    assert_int_equal(totals.lit_order, 21);
    assert_int_equal(totals.other_order, 414);
    assert_int_equal(totals.paths, 29);
    assert_int_equal(totals.interior, 21);
}

TEST(HasTheNodesAndSlotsOfTheGame) {
    static const uint32_t slots[LEVELS] = {1451, 1011, 952, 535, 288};
    static const uint32_t models[LEVELS] = {434, 283, 282, 197, 103};
    assert_int_equal(totals.nodes, 1845); /* this does not include the record of the legacy model */
    assert_int_equal(totals.least_nodes, 1);
    assert_int_equal(totals.most_nodes, 38);
    assert_int_equal(totals.slots, 4237);
    assert_int_equal(totals.least_slots, 1);
    assert_int_equal(totals.most_slots, 112);
    /* No node of 38 bytes names the legacy model's slot in any level, so it is counted as level
     * 0. */
    for (int level = 0; level < LEVELS; level++) {
        assert_int_equal(totals.level_slots[level] + (level == 0), slots[level]);
        assert_int_equal(totals.level_models[level], models[level]);
    }
    assert_int_equal(totals.state_nodes[1], 135);
    assert_int_equal(totals.state_nodes[2], 15);
    assert_int_equal(totals.cockpits, 28);
}

TEST(HasTheBatchesOfTheGame) {
    static const uint32_t bits[16] = {183,  1477, 112, 633, 66, 0,   170, 0,
                                      2953, 0,    0,   0,   0,  972, 307, 0};
    assert_int_equal(totals.batches, 15153);
    assert_int_equal(totals.least_batches, 1);
    assert_int_equal(totals.most_batches, 439);
    for (int bit = 0; bit < 16; bit++)
        assert_int_equal(totals.flag_bits[bit], bits[bit]);
    assert_int_equal(totals.words, 14);
    assert_int_equal(totals.lit_batches, 972);
    assert_int_equal(totals.dark_batches, 14181);
    assert_int_equal(totals.odd_portals, 0);
}

TEST(HasTheTrianglesOfTheGame) {
    static const uint32_t levels[LEVELS] = {137445, 34843, 14033, 5039, 13763};
    assert_int_equal(totals.triangles, 241887);
    for (int level = 0; level < LEVELS; level++)
        assert_int_equal(totals.level_triangles[level], levels[level]);
    /* The other 84 triangles belong to the legacy model. */
    assert_int_equal(totals.state_triangles, 241887 - 205123 - 84);
    assert_int_equal(totals.marks[0], 233714);
    assert_int_equal(totals.marks[2] + totals.marks[34], 6166);
    assert_int_equal(totals.marks[4], 1355);
    assert_int_equal(totals.marks[16], 384);
    assert_int_equal(totals.marks[32] + totals.marks[34], 274);
    assert_int_equal(totals.marks[34], 6);
    assert_int_equal(totals.edge_tails, 1387);
    assert_int_equal(totals.least_vertices, 12);
    assert_int_equal(totals.most_vertices, 9686);
}

TEST(HasTheMotionOfTheGame) {
    assert_int_equal(totals.animated_models, 157);
    assert_int_equal(totals.animated, 817);
    assert_int_equal(totals.nodes - totals.animated, 1028);
    assert_int_equal(totals.keys, 34049);
    assert_int_equal(totals.animated_keys, 33020);
    assert_int_equal(totals.zero_keys, 11);
    assert_int_equal(totals.frames_two_nodes, 10);
    assert_int_equal(totals.frames_nine, 1);
    assert_int_equal(totals.frames_124, 10);
    assert_int_equal(totals.frames_short, 0);
}

TEST(HasTheSameTotalsForEverySeed) {
    for (uint64_t seed = 2; seed < 4; seed++) {
        Totals other;
        CountCorpus(&other, seed);
        assert_int_equal(other.nodes, totals.nodes);
        assert_int_equal(other.slots, totals.slots);
        assert_int_equal(other.batches, totals.batches);
        assert_int_equal(other.triangles, totals.triangles);
        assert_int_equal(other.keys, totals.keys);
        assert_int_equal(other.most_vertices, totals.most_vertices);
        assert_int_equal(other.most_batches, totals.most_batches);
        assert_memory_equal(other.level_slots, totals.level_slots, sizeof other.level_slots);
        assert_memory_equal(other.level_triangles, totals.level_triangles,
                            sizeof other.level_triangles);
        assert_memory_equal(other.flag_bits, totals.flag_bits, sizeof other.flag_bits);
    }
}

/* ---- single models --------------------------------------------------------------------------- */

typedef struct OneModel {
    RpCorpus *corpus;
    RpNResArchive archive;
    RpMsh msh;
} OneModel;

static void OpenModel(OneModel *model, const char *name, const char *readings) {
    RpCorpusOptions options = RpCorpusOptions_Default();
    assert_int_equal(RpReadings_Parse(&options.readings, RP_READS_FILES, readings, NULL), RP_OK);
    assert_int_equal(RpCorpus_New(&options, NULL, &model->corpus, NULL), RP_OK);
    const int32_t index = RpCorpus_FindModel(model->corpus, name);
    assert_true(index >= 0);
    RpNResArchive_Init(&model->archive, NULL);
    assert_int_equal(RpCorpus_Model(model->corpus, (uint32_t)index, &model->archive, NULL), RP_OK);
    assert_int_equal(
        RpMsh_Open(RpNResArchive_Entries(&model->archive), RP_STRICT, &model->msh, NULL), RP_OK);
}

static void OneModel_Free(OneModel *model) {
    RpNResArchive_Free(&model->archive);
    RpCorpus_Free(model->corpus);
}

TEST(LegacyModelHasTheSizesOfMtcheck) {
    OWNED(OneModel) model;
    OpenModel(&model, "mtcheck.MSH", NULL);
    const RpMshStream *nodes = &model.msh.streams[RP_MSH_NODES];
    assert_int_equal(nodes->attr3, 24);
    assert_int_equal(nodes->size, 24);
    assert_int_equal(RpMsh_Count(&model.msh, RP_MSH_KEYS), 1);
    assert_int_equal(model.msh.streams[RP_MSH_FRAME_MAP].size, 0);
    assert_int_equal(RpMsh_Count(&model.msh, RP_MSH_POSITIONS), 128);
    assert_int_equal(RpMsh_Count(&model.msh, RP_MSH_INDICES), 252);
    assert_int_equal(RpMsh_Count(&model.msh, RP_MSH_BATCHES), 15);
    assert_int_equal(model.msh.streams[RP_MSH_LABELS].size, 4);
}

TEST(KnownModelsHaveTheirNodes) {
    static const struct {
        const char *name;
        uint32_t nodes, frames;
    } known[] = {{"R_B_01.msh", 34, 121}, {"R_H_02.msh", 10, 124}, {"a_a_l3.msh", 13, 61}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        OWNED(OneModel) model;
        OpenModel(&model, known[i].name, NULL);
        assert_int_equal(RpMsh_Count(&model.msh, RP_MSH_NODES), known[i].nodes);
        assert_int_equal(model.msh.frame_count, known[i].frames);
    }
}

TEST(BenchmarkModelHas38NodesAnd645Kilobytes) {
    OWNED(OneModel) model;
    OWNED(RpBuffer) image = {0};
    OpenModel(&model, "b_cent_l.msh", NULL);
    assert_string_equal(RpCorpus_ModelInfo(model.corpus, RpCorpus_Benchmark()).name,
                        "b_cent_l.msh");
    assert_int_equal(RpMsh_Count(&model.msh, RP_MSH_NODES), 38);
    assert_int_equal(RpNResArchive_Write(&model.archive, RP_NRES_CANONICAL, &image, NULL), RP_OK);
    assert_in_range(image.size, 644500, 645499);
}

/* The turns are 180, -90, 0, 90 and 180 degrees about z, in the file's sense, which is the
 * conjugate. */
TEST(TurretsTurnByRightAngles) {
    static const int16_t z[5] = {-32767, 23170, 0, -23170, -32767};
    static const int16_t w[5] = {0, 23170, 32767, 23170, 0};
    static const char *const readings[2] = {"", "key-order=wxyz,rotation=plain"};
    for (int variant = 0; variant < 2; variant++) {
        OWNED(OneModel) model;
        uint32_t first, last;
        OpenModel(&model, "e_tur_0_20.msh", readings[variant]);
        assert_true(RpMsh_Track(&model.msh, 1, &first, &last));
        assert_int_equal(last - first, 4);
        for (uint32_t k = 0; k < 5; k++) {
            RpMshKey key;
            assert_true(RpMsh_Key(&model.msh, first + k, &key));
            assert_true(key.time == (float)k);
            assert_int_equal(key.rotation[variant ? 0 : 3], w[k]);
            assert_int_equal(key.rotation[variant ? 3 : 2], variant ? -z[k] : z[k]);
        }
    }
}

/* Only the body moves, and limbs keep their distance from it (facts/formats.md C.14). */
TEST(LimbsKeepTheirTranslation) {
    OWNED(OneModel) model;
    uint32_t first, last;
    OpenModel(&model, "R_B_01.msh", NULL);
    for (uint32_t n = 2; n < 30; n++) {
        RpMshKey start, key;
        assert_true(RpMsh_Track(&model.msh, n, &first, &last));
        assert_true(last > first);
        assert_true(RpMsh_Key(&model.msh, first, &start));
        for (uint32_t k = first; k <= last; k++) {
            assert_true(RpMsh_Key(&model.msh, k, &key));
            assert_memory_equal(key.position, start.position, sizeof key.position);
        }
    }
}

TEST(RefusesReadingsThatDoNotExist) {
    RpCorpusOptions options = RpCorpusOptions_Default();
    RpCorpus *corpus = NULL;
    RpError error;
    options.readings.choice[READING_KEY_ORDER] = 9;
    assert_int_equal(RpCorpus_New(&options, NULL, &corpus, &error), RP_INVALID);
    assert_null(corpus);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Refuses each allocation in turn. */
TEST(ReportsRefusedMemory) {
    RpCorpus *corpus;
    RpError error;
    assert_int_equal(RpCorpus_New(NULL, NULL, &corpus, &error), RP_OK);
    RpStatus status = RP_NO_MEMORY;
    for (uint32_t allowed = 0; status != RP_OK; allowed++) {
        CountedMemory memory = {.refuse_from = allowed, .refuse = SIZE_MAX};
        const RpAllocator allocator = CountedMemory_Allocator(&memory);
        RpNResArchive archive;
        RpNResArchive_Init(&archive, &allocator);
        status = RpCorpus_Model(corpus, 68, &archive, &error);
        assert_true(status == RP_OK || status == RP_NO_MEMORY);
        RpNResArchive_Free(&archive);
        assert_int_equal(memory.blocks, 0);
        assert_true(allowed < 10000);
    }
    RpCorpus_Free(corpus);
}

/* The corpus's own allocator is also used for plans, variants and libraries. */
static RpStatus MakeAnyFile(const RpCorpus *corpus, const RpCorpusFile *file) {
    OWNED(RpBuffer) image = {0};
    RpError error;
    const RpStatus status = RpCorpus_FileImage(corpus, file, &image, &error);
    return status;
}

TEST(ReportsRefusedMemoryOfFiles) {
    static const struct {
        RpCorpusKind kind;
        uint32_t index, step;
    } files[] = {{RP_CORPUS_VARIANT, 0, 1},
                 {RP_CORPUS_VARIANT, 13, 1}, /* the variant with an unindexed region */
                 {RP_CORPUS_LIBRARY, 8, 307},
                 {RP_CORPUS_RSLI, 0, 7}};
    CountedMemory memory = {0};
    const RpAllocator allocator = CountedMemory_Allocator(&memory);
    RpCorpus *corpus;
    RpError error;
    assert_int_equal(RpCorpus_New(NULL, &allocator, &corpus, &error), RP_OK);
    const size_t of_corpus = memory.blocks;
    memory.refuse = SIZE_MAX;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        const RpCorpusFile file = RpCorpus_File(corpus, files[f].kind, files[f].index);
        RpStatus status = RP_NO_MEMORY;
        for (uint32_t allowed = 0; status != RP_OK; allowed += files[f].step) {
            memory.calls = 0;
            memory.refuse_from = allowed;
            status = MakeAnyFile(corpus, &file);
            assert_int_equal(memory.blocks, of_corpus);
            assert_true(status == RP_OK || status == RP_NO_MEMORY);
            assert_true(allowed < 100000);
        }
    }
    RpCorpus_Free(corpus);
    for (memory.refuse_from = 0; memory.refuse_from < 2; memory.refuse_from++) {
        memory.calls = 0;
        assert_int_equal(RpCorpus_New(NULL, &allocator, &corpus, &error), RP_NO_MEMORY);
        assert_int_equal(memory.blocks, 0);
    }
}
