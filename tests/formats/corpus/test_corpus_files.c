/* Tests the parts of the formats library against each other over the whole synthetic corpus: what
 * one writes the others read, check and write again. */
#include "core/digest.h"
#include "retropose/corpus.h"
#include "retropose/msh_check.h"
#include "retropose/msh_text.h"
#include "retropose/rsli.h"
#include "tests/test.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rules ----------------------------------------------------------------------------------- */

typedef struct Rules { /* rules that had findings, sorted, such as "M16 N14" */
    char ids[64][4];
    uint32_t count;
    bool errors, warnings;
} Rules;

static void AddRule(Rules *rules, const char *id) {
    uint32_t at = 0;
    while (at < rules->count && strcmp(rules->ids[at], id) < 0)
        at++;
    if (at < rules->count && strcmp(rules->ids[at], id) == 0)
        return;
    assert_true(rules->count < 64 && strlen(id) == 3);
    memmove(rules->ids[at + 1], rules->ids[at], (rules->count - at) * sizeof *rules->ids);
    memcpy(rules->ids[at], id, 4);
    rules->count++;
}

/* M31 and N21 have findings on every model, so they are left out. */
static void TakeFinding(void *context, const RpFinding *finding) {
    Rules *rules = context;
    if (strcmp(finding->rule, "M31") == 0 || strcmp(finding->rule, "N21") == 0)
        return;
    rules->errors |= finding->severity == RP_SEVERITY_ERROR;
    rules->warnings |= finding->severity == RP_SEVERITY_WARNING && *finding->rule == 'N';
    AddRule(rules, finding->rule);
}

static void JoinRules(const Rules *rules, char *text, size_t size) {
    *text = 0;
    for (uint32_t i = 0; i < rules->count; i++) {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", i ? " " : "", rules->ids[i]);
    }
}

static void CheckImage(const RpBuffer *image, Rules *rules) {
    const RpFindingSink sink = {TakeFinding, rules};
    RpNRes archive;
    RpError error;
    memset(rules, 0, sizeof *rules);
    assert_int_equal(RpNRes_Open(image->bytes, image->size, RP_TOLERANT, &archive, &error), RP_OK);
    HEAP void *work = malloc(RpNRes_CheckWork(archive.count) + 1);
    RpNRes_Check(image->bytes, image->size, work, &sink, &error);
    RpMsh_Check(RpNRes_Entries(&archive), NULL, &sink, &error);
}

static void ExpectRules(const char *name, const char *expected, const Rules *rules) {
    char found[256];
    JoinRules(rules, found, sizeof found);
    if (strcmp(found, expected) != 0)
        fail_msg("%s: expected findings of \"%s\", found \"%s\"", name, expected, found);
}

/* ---- the corpus ------------------------------------------------------------------------------ */

static RpCorpus *NewCorpus(const char *readings) {
    RpCorpusOptions options = RpCorpusOptions_Default();
    RpCorpus *corpus = NULL;
    assert_int_equal(RpReadings_Parse(&options.readings, RP_READS_FILES, readings, NULL), RP_OK);
    assert_int_equal(RpCorpus_New(&options, NULL, &corpus, NULL), RP_OK);
    return corpus;
}

static RpCorpus *usual; /* in the default readings */

AROUND(BeforeAll) {
    usual = NewCorpus(NULL);
}

AROUND(AfterAll) {
    RpCorpus_Free(usual);
}

static void WriteModel(const RpCorpus *corpus, uint32_t index, RpBuffer *image) {
    OWNED(RpNResArchive) archive = {0};
    RpBuffer_Init(image, NULL);
    assert_int_equal(RpCorpus_Model(corpus, index, &archive, NULL), RP_OK);
    assert_int_equal(RpNResArchive_Write(&archive, RP_NRES_CANONICAL, image, NULL), RP_OK);
}

static void WriteVariant(const RpCorpus *corpus, uint32_t index, RpBuffer *image) {
    RpBuffer_Init(image, NULL);
    assert_int_equal(RpCorpus_Variant(corpus, index, image, NULL), RP_OK);
}

/* ---- checking -------------------------------------------------------------------------------- */

static void BreaksTheRules(const char *readings) {
    RpCorpus *corpus = NewCorpus(readings);
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const RpCorpusModel info = RpCorpus_ModelInfo(corpus, i);
        OWNED(RpBuffer) image;
        RpNRes archive;
        RpMsh msh;
        Rules rules;
        WriteModel(corpus, i, &image);
        CheckImage(&image, &rules);
        ExpectRules(info.name, info.expected, &rules);
        assert_int_equal(RpNRes_Open(image.bytes, image.size, RP_STRICT, &archive, NULL), RP_OK);
        assert_int_equal(RpMsh_Open(RpNRes_Entries(&archive), RP_STRICT, &msh, NULL), RP_OK);
    }
    RpCorpus_Free(corpus);
}

TEST(ModelsBreakTheRulesTheyShouldAndNoOthers) {
    BreaksTheRules(NULL);
    BreaksTheRules("drawn");
}

/* The faults of the game's own files, by the names that the facts give them (C.3, C.7, C.9). */
TEST(OddModelsAreTheListedOnes) {
    static const char *const odd[][2] = {
        {"s_stn_0_13.msh", "M16"}, {"s_rok_0_21.msh", "M17"}, {"fr_m_0_21.msh", "M17"},
        {"fr_l_0_28.msh", "M29"},  {"g_can_0_27.msh", "M29"}, {"a_a_020.msh", "M29"},
        {"R_H_024.msh", "M29"},    {"an_0_22.msh", "M29"},    {"MTCHECK.msh", "M06"}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const RpCorpusModel info = RpCorpus_ModelInfo(usual, i);
        if (!*info.expected)
            continue;
        assert_true(count < sizeof odd / sizeof *odd);
        assert_string_equal(info.name, odd[count][0]);
        assert_string_equal(info.expected, odd[count][1]);
        count++;
    }
    assert_int_equal(count, sizeof odd / sizeof *odd);
}

TEST(VariantsBreakTheRulesTheyShouldAndNoOthers) {
    for (uint32_t i = 0; i < RpCorpus_VariantCount(); i++) {
        const RpCorpusVariant info = RpCorpus_VariantInfo(i);
        OWNED(RpBuffer) image;
        RpNRes archive;
        RpMsh msh;
        Rules rules;
        WriteVariant(usual, i, &image);
        CheckImage(&image, &rules);
        ExpectRules(info.name, info.expected, &rules);
        assert_int_equal(RpNRes_Open(image.bytes, image.size, RP_STRICT, &archive, NULL),
                         rules.warnings ? RP_CORRUPT : RP_OK);
        assert_int_equal(RpNRes_Open(image.bytes, image.size, RP_TOLERANT, &archive, NULL), RP_OK);
        assert_int_equal(RpMsh_Open(RpNRes_Entries(&archive), RP_STRICT, &msh, NULL),
                         rules.errors ? RP_CORRUPT : RP_OK);
        assert_int_equal(RpMsh_Open(RpNRes_Entries(&archive), RP_TOLERANT, &msh, NULL), RP_OK);
    }
}

/* Every rule of severity error, warning or canonical has a variant that breaks it. */
TEST(VariantsCoverAllRules) {
    for (int rule = 1; rule <= RP_MSH_RULE_COUNT; rule++) {
        bool covered = rule == 31; /* M31 reports evidence for readings and cannot be broken */
        for (uint32_t i = 0; i < RpCorpus_VariantCount(); i++)
            covered |= strstr(RpCorpus_VariantInfo(i).expected, RpMshRule_Id(rule)) != NULL;
        if (!covered)
            fail_msg("no variant breaks %s", RpMshRule_Id(rule));
    }
}

/* ---- readings -------------------------------------------------------------------------------- */

/* In the poses that were meant, all models lie in their boxes. Models that tell the readings apart
 * contradict the others (facts/formats.md C1a: 237 of 434 of the game's files fit either). */
TEST(BoxesSupportTheReadingOfTheCorpus) {
    static const struct {
        const char *readings;
        int key_order, rotation;
    } flavours[] = {{"", 0, 0}, {"drawn", 1, 0}, {"rotation=plain", 0, 1}};
    for (size_t f = 0; f < sizeof flavours / sizeof *flavours; f++) {
        RpCorpus *corpus = NewCorpus(flavours[f].readings);
        uint32_t telling = 0;
        for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
            OWNED(RpNResArchive) archive = {0};
            RpMsh msh;
            RpMshBoxEvidence evidence;
            assert_int_equal(RpCorpus_Model(corpus, i, &archive, NULL), RP_OK);
            assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &msh, NULL),
                             RP_OK);
            assert_int_equal(RpMsh_BoxEvidence(&msh, NULL, &evidence, NULL), RP_OK);
            assert_int_equal(evidence.usable, msh.node_stride == RP_MSH_NODE_BYTES);
            if (evidence.usable)
                assert_true(evidence.supported[flavours[f].key_order][flavours[f].rotation]);
            telling += evidence.telling;
        }
        assert_true(telling >= 150);
        RpCorpus_Free(corpus);
    }
}

static double Distance(const float a[3], const float b[3]) {
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
    return sqrt(square);
}

/* The generator poses in integers and the library in double arithmetic. They share no code. */
TEST(BoundsAgreeWithTheLibrarysOwn) {
    static const char *const flavours[2] = {"", "drawn"};
    for (int f = 0; f < 2; f++) {
        RpCorpus *corpus = NewCorpus(flavours[f]);
        RpReadings readings;
        assert_int_equal(RpReadings_Parse(&readings, RP_READS_FILES, flavours[f], NULL), RP_OK);
        for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
            OWNED(RpNResArchive) archive = {0};
            RpMsh msh;
            RpMshHeader before, after;
            RpMshSlot slot, bounded;
            assert_int_equal(RpCorpus_Model(corpus, i, &archive, NULL), RP_OK);
            assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &msh, NULL),
                             RP_OK);
            assert_true(RpMsh_Header(&msh, &before));
            assert_true(RpMsh_Slot(&msh, 0, &slot));
            if (msh.node_stride == RP_MSH_NODE_BYTES) {
                assert_int_equal(RpMsh_UpdateBounds(&archive, &readings, NULL), RP_OK);
                assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &msh, NULL),
                                 RP_OK);
                assert_true(RpMsh_Header(&msh, &after));
                for (int c = 0; c < 8; c++)
                    assert_true(Distance(before.corners[c], after.corners[c]) < 0.01);
                assert_true(fabs((double)before.axis_radius - after.axis_radius) < 0.01);
                assert_true(before.sphere[3] > after.sphere[3] - 0.01F);
                assert_true(RpMsh_Slot(&msh, 0, &bounded));
                assert_memory_equal(slot.low, bounded.low, sizeof slot.low);
                assert_memory_equal(slot.high, bounded.high, sizeof slot.high);
                /* The library's sphere is around the vertices, the generator's around the box. */
                assert_true(slot.sphere[3] >= bounded.sphere[3] * 0.999F);
            }
        }
        RpCorpus_Free(corpus);
    }
}

/* Normals, neighbours and edge words are those that the library computes from the geometry, except
 * in the odd models and in the bits above the six of the edge word. */
TEST(TrianglesAgreeWithTheLibrarysOwn) {
    uint32_t closed = 0, open = 0;
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const RpCorpusModel info = RpCorpus_ModelInfo(usual, i);
        OWNED(RpNResArchive) archive = {0};
        RpMsh msh, again;
        OWNED(RpBuffer) bytes = {0};
        RpMshTriangle before, after;
        uint32_t differences = 0;
        assert_int_equal(RpCorpus_Model(usual, i, &archive, NULL), RP_OK);
        assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &msh, NULL), RP_OK);
        RpBuffer_Append(&bytes, msh.streams[RP_MSH_TRIANGLES].data,
                        msh.streams[RP_MSH_TRIANGLES].size);
        msh.streams[RP_MSH_TRIANGLES].data = bytes.bytes;
        assert_int_equal(RpMsh_UpdateTriangles(&archive, NULL), RP_OK);
        assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &again, NULL),
                         RP_OK);
        for (uint32_t t = 0; RpMsh_Triangle(&msh, t, &before); t++) {
            assert_true(RpMsh_Triangle(&again, t, &after));
            differences += memcmp(before.normal, after.normal, sizeof after.normal) != 0 ||
                           memcmp(before.neighbours, after.neighbours, 6) != 0;
            assert_int_equal(before.edges & 63, after.edges & 63);
            for (int e = 0; e < 3; e++) {
                closed += after.neighbours[e] != RP_MSH_NONE;
                open += after.neighbours[e] == RP_MSH_NONE;
            }
        }
        const bool odd = strstr(info.expected, "M16") || strstr(info.expected, "M17");
        assert_int_equal(differences > 0, odd);
    }
    /* Most edges are closed, as in the game's models, where 51455 of 725661 edges are open. */
    assert_int_equal(closed + open, 725661);
    assert_int_equal(open, 40985);
}

static void ReadCorners(const RpMsh *msh, const RpMshBatch *batch, uint32_t triangle,
                        uint32_t vertices[3], float corners[3][3]) {
    for (uint32_t i = 0; i < 3; i++) {
        uint16_t index;
        assert_true(RpMsh_Index(msh, batch->first_index + triangle * 3 + i, &index));
        vertices[i] = batch->base_vertex + index;
        assert_true(RpMsh_Position(msh, vertices[i], corners[i]));
    }
}

/* Returns whether this normal points to the face's side. Vertex normals have a length of 1 to
 * within 0.013, as the game's have (facts/formats.md C.8). */
static bool LeansOutwards(const RpMsh *msh, uint32_t vertex, const RpMshTriangle *face) {
    int8_t normal[4];
    double square = 0, dot = 0;
    assert_true(RpMsh_Normal(msh, vertex, normal));
    for (int i = 0; i < 3; i++) {
        square += (double)normal[i] * normal[i] / (127.0 * 127.0);
        dot += (double)normal[i] * face->normal[i];
    }
    assert_true(fabs(sqrt(square) - 1) < 0.013);
    return dot > 0;
}

typedef struct Surface {
    /* `astray` counts corners whose vertex normal points away from the face's. */
    uint32_t corners, astray;
    uint32_t slots, solid; /* `solid` counts slots whose volume is positive */
} Surface;

/* Returns six times the volume between the faces of a slot's solids and the middle of its box. */
static double SlotVolume(const RpMsh *msh, const RpMshSlot *slot, Surface *surface) {
    enum { TWO_SIDED = 2, PORTAL = 8 };
    double volume = 0;
    uint32_t number = slot->first_triangle;
    for (uint32_t b = 0; b < slot->batch_count; b++) {
        RpMshBatch batch;
        assert_true(RpMsh_Batch(msh, slot->first_batch + b, &batch));
        for (uint32_t t = 0; t < batch.index_count / 3u; t++, number++) {
            uint32_t vertices[3];
            float at[3][3];
            RpMshTriangle face;
            ReadCorners(msh, &batch, t, vertices, at);
            assert_true(RpMsh_Triangle(msh, number, &face));
            for (int i = 0; i < 3; i++)
                surface->astray += !LeansOutwards(msh, vertices[i], &face);
            surface->corners += 3;
            for (int i = 0; i < 3 && !(batch.flags & (TWO_SIDED | PORTAL)); i++) {
                const int j = (i + 1) % 3, k = (i + 2) % 3;
                const double cross = ((double)at[1][j] - at[0][j]) * ((double)at[2][k] - at[0][k]) -
                                     ((double)at[1][k] - at[0][k]) * ((double)at[2][j] - at[0][j]);
                volume += cross * (at[0][i] - (slot->low[i] + slot->high[i]) / 2);
            }
        }
    }
    return volume;
}

/* Exceptions are slots that consist of panels and windows, and sharp points that several faces
 * share. */
TEST(SurfacesFaceOutwards) {
    Surface surface = {0};
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        OWNED(RpNResArchive) archive = {0};
        RpMsh msh;
        RpMshSlot slot;
        assert_int_equal(RpCorpus_Model(usual, i, &archive, NULL), RP_OK);
        assert_int_equal(RpMsh_UpdateTriangles(&archive, NULL), RP_OK); /* also of the odd ones */
        assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &msh, NULL), RP_OK);
        for (uint32_t s = 0; RpMsh_Slot(&msh, s, &slot); s++, surface.slots++)
            surface.solid += SlotVolume(&msh, &slot, &surface) > 0;
    }
    assert_int_equal(surface.corners, 725661);
    assert_true(surface.astray * 1000 < surface.corners);
    assert_true(surface.solid >= surface.slots * 97 / 100);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void ReadAndWrite(const RpBuffer *image, RpNResLayout layout, bool same) {
    RpNRes archive;
    OWNED(RpNResArchive) edited = {0};
    OWNED(RpBuffer) again = {0};
    assert_int_equal(RpNRes_Open(image->bytes, image->size, RP_TOLERANT, &archive, NULL), RP_OK);
    assert_int_equal(RpNResArchive_Read(&edited, &archive, NULL), RP_OK);
    assert_int_equal(RpNResArchive_Write(&edited, layout, &again, NULL), RP_OK);
    const bool equal =
        again.size == image->size && memcmp(again.bytes, image->bytes, image->size) == 0;
    assert_int_equal(equal, same);
}

static void DumpAndAssemble(const RpBuffer *image) {
    RpNRes archive;
    OWNED(RpBuffer) text = {0}, again = {0};
    assert_int_equal(RpNRes_Open(image->bytes, image->size, RP_TOLERANT, &archive, NULL), RP_OK);
    assert_int_equal(RpMsh_Dump(&archive, &text, NULL), RP_OK);
    assert_int_equal(RpMsh_Assemble((const char *)text.bytes, text.size, &again, NULL), RP_OK);
    assert_int_equal(again.size, image->size);
    assert_memory_equal(again.bytes, image->bytes, image->size);
}

TEST(ModelsAreWrittenAndAssembledAsTheyWereRead) {
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        OWNED(RpBuffer) image;
        WriteModel(usual, i, &image);
        ReadAndWrite(&image, RP_NRES_CANONICAL, true);
        ReadAndWrite(&image, RP_NRES_PRESERVING, true);
        DumpAndAssemble(&image);
    }
}

TEST(VariantsAreWrittenAndAssembledAsTheyWereRead) {
    for (uint32_t i = 0; i < RpCorpus_VariantCount(); i++) {
        const RpCorpusVariant info = RpCorpus_VariantInfo(i);
        const bool canonical = !strstr(info.expected, "N13") && !strstr(info.expected, "N14");
        OWNED(RpBuffer) image;
        WriteVariant(usual, i, &image);
        ReadAndWrite(&image, RP_NRES_CANONICAL, canonical);
        ReadAndWrite(&image, RP_NRES_PRESERVING, true);
        DumpAndAssemble(&image);
    }
}

/* Reads every record into its struct and writes it back. */
TEST(RecordsAreWrittenAsTheyWereRead) {
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        OWNED(RpNResArchive) archive = {0};
        RpMsh msh;
        uint8_t bytes[RP_MSH_HEADER_BYTES];
        assert_int_equal(RpCorpus_Model(usual, i, &archive, NULL), RP_OK);
        assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &msh, NULL), RP_OK);
#define SAME(Thing, stream, first)                                                                 \
    do {                                                                                           \
        RpMsh##Thing record;                                                                       \
        const uint32_t stride = RpMsh_Stride(&msh, stream);                                        \
        for (uint32_t e = 0; RpMsh_##Thing(&msh, e, &record); e++) {                               \
            RpMsh##Thing##_Write(&record, bytes);                                                  \
            assert_memory_equal(bytes, msh.streams[stream].data + (first) + e * stride, stride);   \
        }                                                                                          \
    } while (0)
        SAME(Node, RP_MSH_NODES, 0);
        SAME(Slot, RP_MSH_SLOTS, RP_MSH_HEADER_BYTES);
        SAME(Batch, RP_MSH_BATCHES, 0);
        SAME(Triangle, RP_MSH_TRIANGLES, 0);
        SAME(Key, RP_MSH_KEYS, 0);
        SAME(Probe, RP_MSH_PROBES, 0);
#undef SAME
        RpMshHeader header;
        assert_true(RpMsh_Header(&msh, &header));
        RpMshHeader_Write(&header, bytes);
        assert_memory_equal(bytes, msh.streams[RP_MSH_SLOTS].data, RP_MSH_HEADER_BYTES);
    }
}

/* ---- determinism ----------------------------------------------------------------------------- */

/* Digests the digests, so that the 16 MB of images need not be kept. */
static void AddDigest(RpBuffer *digests, const RpBuffer *image) {
    char hex[DIGEST_HEX_BYTES];
    Digest_OfBytes(image->bytes, image->size, hex);
    RpBuffer_AppendText(digests, hex);
}

static void DigestModels(const char *readings, char hex[DIGEST_HEX_BYTES]) {
    RpCorpus *corpus = NewCorpus(readings);
    OWNED(RpBuffer) digests = {0};
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        OWNED(RpBuffer) image;
        WriteModel(corpus, i, &image);
        AddDigest(&digests, &image);
    }
    Digest_OfBytes(digests.bytes, digests.size, hex);
    RpCorpus_Free(corpus);
}

/* The bytes are the same on every machine and with every compiler. If these digests change, the
 * generator, the model writer or the archive writer has changed: find out which, and that it is
 * meant. */
TEST(ModelsAreTheSameBytesEverywhere) {
    char hex[DIGEST_HEX_BYTES];
    DigestModels(NULL, hex);
    assert_string_equal(hex, "a04e2f50d3a4468d7b072bec80f68902fe1991c730a349686568bbb16c1c1a66");
    DigestModels("drawn", hex);
    assert_string_equal(hex, "ece455b207dd71e35a6644f0fc6c3096a70dba8445d435a54789671274ce48a6");
}

TEST(VariantsAreTheSameBytesEverywhere) {
    char hex[DIGEST_HEX_BYTES];
    OWNED(RpBuffer) digests = {0};
    for (uint32_t i = 0; i < RpCorpus_VariantCount(); i++) {
        OWNED(RpBuffer) image;
        WriteVariant(usual, i, &image);
        AddDigest(&digests, &image);
    }
    Digest_OfBytes(digests.bytes, digests.size, hex);
    assert_string_equal(hex, "c7b1671606c5b4e00a44299f259bd5a0cf78d94a311cb628c0e17f67cd470463");
}

TEST(OtherSeedsGiveOtherModels) {
    RpCorpusOptions options = RpCorpusOptions_Default();
    RpCorpus *first = NewCorpus(NULL), *second = NULL;
    OWNED(RpBuffer) a, b;
    options.seed = 2;
    assert_int_equal(RpCorpus_New(&options, NULL, &second, NULL), RP_OK);
    WriteModel(first, 100, &a);
    WriteModel(second, 100, &b);
    assert_false(a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0);
    RpCorpus_Free(first);
    RpCorpus_Free(second);
}

/* ---- libraries ------------------------------------------------------------------------------- */

static void ChangeCase(const char *name, char *changed) {
    for (; *name; name++, changed++)
        *changed = (char)(islower((unsigned char)*name) ? toupper((unsigned char)*name)
                                                        : tolower((unsigned char)*name));
    *changed = 0;
}

static void FindModels(const RpCorpus *corpus, const RpNRes *library, const char *library_name,
                       uint32_t *found) {
    for (uint32_t i = 0; i < RP_CORPUS_MODELS; i++) {
        const RpCorpusModel info = RpCorpus_ModelInfo(corpus, i);
        char changed[RP_NRES_NAME_BYTES];
        ChangeCase(info.name, changed);
        const int32_t index = RpNRes_Find(library, info.name);
        assert_int_equal(RpNRes_Find(library, changed), index);
        assert_int_equal(RpNRes_FindAsGame(library, changed), index);
        assert_int_equal(index >= 0, strcmp(info.library, library_name) == 0);
        if (index < 0)
            continue;
        const RpNResEntry entry = RpNRes_Entry(library, (uint32_t)index);
        RpBuffer image;
        WriteModel(corpus, i, &image);
        assert_int_equal(entry.type, RP_CORPUS_MODEL_TYPE);
        assert_int_equal(entry.attr3, 1);
        assert_int_equal(entry.size, image.size);
        assert_memory_equal(entry.data, image.bytes, image.size);
        RpBuffer_Free(&image);
        ++*found;
    }
}

static bool CountArchives(void *context, const RpNRes *archive, const char *path, uint32_t depth,
                          uint32_t offset) {
    (void)path;
    (void)offset;
    *(uint32_t *)context += depth == 1 && RpMsh_Is(RpNRes_Entries(archive));
    return true;
}

TEST(LibrariesHoldEveryModelUnderItsName) {
    uint32_t found = 0, walked = 0;
    for (uint32_t i = 0; i < RpCorpus_LibraryCount(); i++) {
        OWNED(RpBuffer) image = {0};
        RpNRes library;
        Rules rules = {.count = 0};
        const RpFindingSink sink = {TakeFinding, &rules};
        assert_int_equal(RpCorpus_Library(usual, i, &image, NULL), RP_OK);
        assert_int_equal(RpNRes_Check(image.bytes, image.size, NULL, &sink, NULL), RP_OK);
        ExpectRules(RpCorpus_LibraryName(i), "", &rules);
        assert_int_equal(RpNRes_Open(image.bytes, image.size, RP_STRICT, &library, NULL), RP_OK);
        assert_true(library.sorted);
        FindModels(usual, &library, RpCorpus_LibraryName(i), &found);
        RpNRes_Walk(&library, CountArchives, &walked);
        ReadAndWrite(&image, RP_NRES_CANONICAL, true);
        ReadAndWrite(&image, RP_NRES_PRESERVING, true);
    }
    assert_int_equal(found, RP_CORPUS_MODELS);
    assert_int_equal(walked, RP_CORPUS_MODELS);
    assert_null(RpCorpus_LibraryName(RpCorpus_LibraryCount()));
}

static void LoadsEntry(const RpCorpus *corpus, const RpRsLi *library, uint32_t index, void *work) {
    OWNED(RpBuffer) data = {0};
    const char *name;
    uint32_t method;
    assert_int_equal(RpCorpus_RsLiData(corpus, index, &name, &method, &data, NULL), RP_OK);
    const RpRsLiRecord *record = &library->records[index];
    assert_int_equal(RpRsLi_Find(library, name), index);
    assert_int_equal(record->flags & RP_RSLI_METHOD_MASK, method);
    assert_int_equal(record->unpacked_size, data.size);
    HEAP uint8_t *output = malloc(data.size + 1);
    output[data.size] = 0x5A;
    assert_int_equal(RpRsLi_Load(library, index, output, work, NULL, NULL), RP_OK);
    if (data.size)
        assert_memory_equal(output, data.bytes, data.size);
    assert_int_equal(output[data.size], 0x5A);
}

TEST(RsLiLibraryHoldsEveryMethod) {
    OWNED(RpBuffer) image = {0};
    RpRsLiRecord records[64];
    RpRsLi library;
    Rules rules = {.count = 0};
    const RpFindingSink sink = {TakeFinding, &rules};
    HEAP void *work = malloc(RP_RSLI_WORK_BYTES);
    assert_int_equal(RpCorpus_RsLi(usual, &image, NULL), RP_OK);
    assert_int_equal(RpRsLi_Check(image.bytes, image.size, 0, NULL, &sink, NULL), RP_OK);
    ExpectRules("rsli", "", &rules);
    assert_int_equal(
        RpRsLi_Open(image.bytes, image.size, 0, RP_STRICT, records, 64, &library, NULL), RP_OK);
    assert_int_equal(library.count, RpCorpus_RsLiCount());
    for (uint32_t i = 0; i < library.count; i++)
        LoadsEntry(usual, &library, i, work);
}

/* ---- wrong use ------------------------------------------------------------------------------- */

TEST(RefusesWhatIsNotThere) {
    RpNResArchive archive = {0};
    RpBuffer image = {0};
    RpError error;
    const char *name;
    uint32_t method;
    assert_int_equal(RpCorpus_Model(usual, RP_CORPUS_MODELS, &archive, &error), RP_INVALID);
    assert_int_equal(RpCorpus_Variant(usual, RpCorpus_VariantCount(), &image, &error), RP_INVALID);
    assert_int_equal(RpCorpus_Library(usual, RpCorpus_LibraryCount(), &image, &error), RP_INVALID);
    assert_int_equal(RpCorpus_RsLiData(usual, RpCorpus_RsLiCount(), &name, &method, &image, &error),
                     RP_INVALID);
    assert_int_equal(RpCorpus_FindModel(usual, "no_such.msh"), -1);
    assert_null(RpCorpus_VariantInfo(RpCorpus_VariantCount()).name);
    RpCorpus_Free(NULL);
}
