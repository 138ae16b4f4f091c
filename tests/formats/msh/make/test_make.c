/* Tests that a description becomes a model which reads back as described, breaks no rule, and has
 * bounds, ranges and maps that follow their definitions. */
#include "exports/reading_table.h"
#include "fixture.h"
#include "tests/formats/refusal.h"

#include "core/random.h"
#include "retropose/msh_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 60 };

static Described described;

static void BuildAndOpen(RpNResArchive *archive, RpMsh *msh) {
    BuildModel(&described.model, archive);
    assert_int_equal(RpMsh_Open(RpNResArchive_Entries(archive), RP_STRICT, msh, NULL), RP_OK);
}

/* ---- what the description says is there ------------------------------------------------------ */

static void AssertNodes(const RpMshDescription *model, const RpMsh *msh) {
    assert_int_equal(RpMsh_Count(msh, RP_MSH_NODES), model->node_count);
    uint32_t next = 0;
    for (uint32_t n = 0; n < model->node_count; n++) {
        const RpMshNodeDescription *from = &model->nodes[n];
        RpMshNode node;
        uint32_t first, last, length;
        assert_true(RpMsh_Node(msh, n, &node));
        assert_int_equal(node.flags, from->flags);
        assert_int_equal(node.parent, from->parent);
        assert_memory_equal(node.slots, from->slots, sizeof node.slots);
        assert_int_equal(node.map_start == RP_MSH_NONE, from->key_count == 1);
        assert_true(RpMsh_Track(msh, n, &first, &last));
        assert_int_equal(first, next);
        assert_int_equal(last - first + 1, from->key_count);
        next = last + 1;
        for (uint32_t k = 0; k < from->key_count; k++) {
            RpMshKey key;
            assert_true(RpMsh_Key(msh, first + k, &key));
            assert_memory_equal(&key, &from->keys[k], sizeof key);
        }
        const char *text = RpMsh_Text(msh, RP_MSH_NAMES, n, &length);
        assert_int_equal(length, strlen(from->name));
        assert_memory_equal(text, from->name, length);
        text = RpMsh_Text(msh, RP_MSH_LABELS, n, &length);
        if (from->label && from->label[0])
            assert_memory_equal(text, from->label, length);
        else
            assert_null(text);
    }
    assert_int_equal(RpMsh_Count(msh, RP_MSH_KEYS), next);
}

static void AssertVertices(const RpMshDescription *model, const RpMsh *msh) {
    assert_int_equal(RpMsh_Count(msh, RP_MSH_POSITIONS), model->vertex_count);
    for (uint32_t v = 0; v < model->vertex_count; v++) {
        float position[3];
        int8_t normal[4];
        uint16_t uv[2];
        assert_true(RpMsh_Position(msh, v, position) && RpMsh_Normal(msh, v, normal));
        assert_memory_equal(position, model->positions[v], sizeof position);
        assert_memory_equal(normal, model->normals[v], sizeof normal);
        assert_true(RpMsh_Uv(msh, RP_MSH_UV0, v, uv));
        assert_memory_equal(uv, model->uv0[v], sizeof uv);
        assert_int_equal(RpMsh_Uv(msh, RP_MSH_UV1, v, uv), model->uv1 != NULL);
        if (model->uv1)
            assert_memory_equal(uv, model->uv1[v], sizeof uv);
        assert_memory_equal(msh->streams[RP_MSH_RES15].data + 8 * (size_t)v, model->res15[v], 8);
    }
}

static void AssertBatches(const RpMshDescription *model, const RpMsh *msh) {
    uint32_t start = 0;
    assert_int_equal(RpMsh_Count(msh, RP_MSH_BATCHES), model->batch_count);
    for (uint32_t b = 0; b < model->batch_count; b++) {
        const RpMshBatchDescription *from = &model->batches[b];
        RpMshBatch batch;
        uint16_t largest = 0;
        assert_true(RpMsh_Batch(msh, b, &batch));
        assert_int_equal(batch.flags, from->flags);
        assert_int_equal(batch.material, from->material);
        assert_int_equal(batch.row, from->row);
        assert_int_equal(batch.lightmap, from->lightmap);
        assert_int_equal(batch.portal, from->portal);
        assert_int_equal(batch.index_count, from->index_count);
        assert_int_equal(batch.first_index, start);
        assert_int_equal(batch.base_vertex, from->base_vertex);
        for (uint32_t i = 0; i < from->index_count; i++) {
            uint16_t index;
            RpMshTriangle triangle;
            assert_true(RpMsh_Index(msh, start + i, &index));
            assert_int_equal(index, from->indices[i]);
            largest = index > largest ? index : largest;
            assert_true(RpMsh_Triangle(msh, (start + i) / 3, &triangle));
            assert_int_equal(triangle.flags,
                             from->triangle_flags ? from->triangle_flags[i / 3] : 0);
        }
        assert_int_equal(batch.vertex_count, largest + 1);
        start += batch.index_count;
    }
    assert_int_equal(RpMsh_Count(msh, RP_MSH_INDICES), start);
    assert_int_equal(RpMsh_Count(msh, RP_MSH_TRIANGLES), start / 3);
}

static void AssertSlots(const RpMshDescription *model, const RpMsh *msh) {
    assert_int_equal(RpMsh_Count(msh, RP_MSH_SLOTS), model->slot_count);
    for (uint32_t s = 0; s < model->slot_count; s++) {
        const RpMshSlotDescription *from = &model->slots[s];
        RpMshSlot slot;
        float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        uint32_t triangles = 0;
        assert_true(RpMsh_Slot(msh, s, &slot));
        assert_int_equal(slot.first_batch, from->first_batch);
        assert_int_equal(slot.batch_count, from->batch_count);
        assert_memory_equal(slot.opaque, from->opaque, sizeof slot.opaque);
        RpMshBatch first;
        assert_true(RpMsh_Batch(msh, slot.first_batch, &first));
        assert_int_equal(slot.first_triangle, first.first_index / 3);
        for (uint32_t b = from->first_batch; b < from->first_batch + from->batch_count; b++) {
            const RpMshBatchDescription *batch = &model->batches[b];
            triangles += batch->index_count / 3;
            for (uint32_t i = 0; i < batch->index_count; i++) {
                const float *p = model->positions[batch->base_vertex + batch->indices[i]];
                double apart = 0;
                for (int a = 0; a < 3; a++) {
                    low[a] = fminf(low[a], p[a]);
                    high[a] = fmaxf(high[a], p[a]);
                    apart += ((double)p[a] - slot.sphere[a]) * ((double)p[a] - slot.sphere[a]);
                }
                assert_true(sqrt(apart) <= (double)slot.sphere[3] * (1 + 1e-12));
            }
        }
        assert_int_equal(slot.triangle_count, triangles);
        assert_memory_equal(slot.low, low, sizeof low); /* the exact bits */
        assert_memory_equal(slot.high, high, sizeof high);
        double x = (double)high[0] - low[0], y = (double)high[1] - low[1],
               z = (double)high[2] - low[2];
        assert_true(fabs(slot.area - x * y) <= 1e-6 * x * y);
        assert_true(fabs(slot.volume - x * y * z) <= 1e-6 * x * y * z);
    }
}

static void AssertOthers(const RpMshDescription *model, const RpMsh *msh) {
    const RpMshStream *paths = &msh->streams[RP_MSH_PATHS];
    assert_int_equal(paths->size, model->path_vertices * 20 + model->path_links * 40);
    assert_int_equal(paths->attr1, model->path_vertices);
    assert_int_equal(paths->attr2, model->path_links);
    if (paths->size > 0)
        assert_memory_equal(paths->data, model->paths, paths->size);
    assert_int_equal(RpMsh_Count(msh, RP_MSH_PROBES), model->probe_count);
    for (uint32_t p = 0; p < model->probe_count; p++) {
        RpMshProbe probe;
        assert_true(RpMsh_Probe(msh, p, &probe));
        assert_memory_equal(&probe, &model->probes[p], sizeof probe);
    }
    assert_int_equal(msh->streams[RP_MSH_NODES].attr2, model->nodes_attr2);
}

TEST(RandomDescriptionsReadBackAsDescribed) {
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        OWNED(RpNResArchive) archive;
        RpMsh msh;
        Described_Random(&described, seed, seed % 3 == 0);
        BuildAndOpen(&archive, &msh);
        AssertNodes(&described.model, &msh);
        AssertVertices(&described.model, &msh);
        AssertBatches(&described.model, &msh);
        AssertSlots(&described.model, &msh);
        AssertOthers(&described.model, &msh);
    }
}

/* ---- rules ----------------------------------------------------------------------------------- */

TEST(BuiltModelsBreakNoRule) {
    for (uint64_t seed = 100; seed < 100 + MODELS; seed++) {
        OWNED(RpNResArchive) archive;
        Described_Random(&described, seed, seed % 3 == 0);
        BuildModel(&described.model, &archive);
        AssertSound(&archive);
    }
}

TEST(StreamsFollowTheGamesOrders) {
    static const uint32_t plain[] = {1, 2, 3, 4, 5, 15, 13, 6, 7, 8, 19, 9, 10, 17};
    static const uint32_t lit[] = {1, 2, 3, 4, 5, 18, 15, 13, 6, 7, 8, 19, 9, 10, 17, 20};
    for (int is_lit = 0; is_lit < 2; is_lit++) {
        OWNED(RpNResArchive) archive;
        Described_Random(&described, 7, is_lit);
        BuildModel(&described.model, &archive);
        assert_int_equal(archive.count, is_lit ? 16 : 14);
        for (uint32_t i = 0; i < archive.count; i++) {
            assert_int_equal(archive.members[i].type, is_lit ? lit[i] : plain[i]);
            assert_string_equal(archive.members[i].name, "model");
        }
    }
}

static void AssertAttributes(const RpMsh *msh, uint32_t type, uint32_t attr1, uint32_t attr2,
                             uint32_t attr3) {
    assert_int_equal(msh->streams[type].attr1, attr1);
    assert_int_equal(msh->streams[type].attr2, attr2);
    assert_int_equal(msh->streams[type].attr3, attr3);
}

/* The attributes are those of facts/formats.md C.1 and, for a static model, of seed 000 section
 * 5.3. */
TEST(AttributesAreThoseOfTheGamesFiles) {
    OWNED(RpNResArchive) archive;
    RpMsh msh;
    Described_Triangle(&described);
    described.model.nodes_attr2 = 5;
    BuildAndOpen(&archive, &msh);
    AssertAttributes(&msh, RP_MSH_NODES, 1, 5, 38);
    AssertAttributes(&msh, RP_MSH_SLOTS, 1, 0, 68);
    AssertAttributes(&msh, RP_MSH_POSITIONS, 3, 0, 12);
    AssertAttributes(&msh, RP_MSH_NORMALS, 3, 0, 4);
    AssertAttributes(&msh, RP_MSH_UV0, 3, 0, 4);
    AssertAttributes(&msh, RP_MSH_RES15, 3, 0, 8);
    AssertAttributes(&msh, RP_MSH_BATCHES, 1, 0, 20);
    AssertAttributes(&msh, RP_MSH_INDICES, 3, 0, 2);
    AssertAttributes(&msh, RP_MSH_TRIANGLES, 1, 0, 16);
    AssertAttributes(&msh, RP_MSH_KEYS, 1, 0, 4);
    AssertAttributes(&msh, RP_MSH_FRAME_MAP, 0, 1, 2);
    AssertAttributes(&msh, RP_MSH_NAMES, 1, 0, 32);
    AssertAttributes(&msh, RP_MSH_LABELS, 1, 0, 0);
    AssertAttributes(&msh, RP_MSH_PATHS, 0, 0, 20);
    assert_int_equal(msh.streams[RP_MSH_FRAME_MAP].size, 0);
}

/* ---- animation ------------------------------------------------------------------------------- */

static void AssertMap(const RpMsh *msh, const uint16_t *expected, uint32_t count) {
    assert_int_equal(RpMsh_Count(msh, RP_MSH_FRAME_MAP), count);
    for (uint32_t i = 0; i < count; i++) {
        uint16_t word;
        assert_true(RpMsh_MapWord(msh, i, &word));
        assert_int_equal(word, expected[i]);
    }
}

static void SetTimes(RpMshNodeDescription *node, RpMshKey *keys, const float *times,
                     uint32_t count) {
    for (uint32_t k = 0; k < count; k++)
        keys[k] = (RpMshKey){.time = times[k], .rotation = {0, 0, 0, 32767}};
    node->keys = keys;
    node->key_count = count;
}

/* These are both examples that facts/formats.md C.9 works out. */
TEST(FrameMapsAreTheWorkedExamples) {
    static const float three[3] = {0, 2, 5}, two[2] = {0, 4};
    OWNED(RpNResArchive) archive;
    RpMsh msh;
    Described_Triangle(&described);
    for (uint32_t n = 1; n <= 10; n++) { /* ten static nodes have keys 0 to 9 */
        described.nodes[n] = described.nodes[0];
        described.nodes[n].slots[0] = RP_MSH_NONE;
    }
    SetTimes(&described.nodes[10], described.keys + 1, three, 3);
    described.model.node_count = 11;
    described.model.frame_count = 8;
    BuildAndOpen(&archive, &msh);
    const uint16_t expected[8] = {10, 10, 11, 11, 11, 12, 12, 12};
    AssertMap(&msh, expected, 8);
    RpNResArchive_Free(&archive);

    described.model.node_count = 1;
    described.model.frame_count = 0;
    SetTimes(&described.nodes[0], described.keys, two, 2);
    BuildAndOpen(&archive, &msh);
    assert_int_equal(msh.frame_count, 5);
    const uint16_t short_map[5] = {0, 0, 0, 0, 1};
    AssertMap(&msh, short_map, 5);
}

/* Computes seed 000 section 5.4 frame by frame, without any state from one frame to the next. */
static uint16_t NaiveWord(const RpMshKey *keys, uint32_t count, uint32_t first, float frame) {
    if (frame < keys[0].time || frame >= keys[count - 1].time)
        return (uint16_t)(first + count - 1);
    for (uint32_t k = 0;; k++)
        if (keys[k].time <= frame && frame < keys[k + 1].time)
            return (uint16_t)(first + k);
}

TEST(FrameMapsFollowTheirDefinition) {
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        OWNED(RpNResArchive) archive;
        RpMsh msh;
        Described_Random(&described, seed, false);
        BuildAndOpen(&archive, &msh);
        uint32_t first = 0, block = 0;
        for (uint32_t n = 0; n < described.model.node_count; n++) {
            const RpMshNodeDescription *node = &described.nodes[n];
            for (uint32_t f = 0; node->key_count > 1 && f < msh.frame_count; f++) {
                uint16_t word;
                assert_true(RpMsh_MapWord(&msh, block++, &word));
                assert_int_equal(word, NaiveWord(node->keys, node->key_count, first, (float)f));
            }
            first += node->key_count;
        }
        assert_int_equal(block, RpMsh_Count(&msh, RP_MSH_FRAME_MAP));
    }
}

/* ---- poses and the header -------------------------------------------------------------------- */

static void AssertPosesAgree(const RpMsh *msh, float frame, bool zero_root, double tolerance) {
    RpSkeleton model;
    float skeleton[MAX_NODES][16];
    double matrices[MAX_NODES][16];
    const RpArithmetic settings = {.build = RP_BUILD_SSE};
    assert_int_equal(RpMsh_Skeleton(msh, &model, NULL), RP_OK);
    uint16_t word = RpFpu_SetControlWord();
    RpStatus status =
        RpPose_Skeleton(&model, &settings, frame, 0, 0, zero_root, NULL, skeleton, NULL, NULL);
    RpFpu_Restore(word);
    assert_int_equal(status, RP_OK);
    assert_int_equal(RpMsh_PoseNodes(msh, NULL, frame, zero_root, matrices, NULL), RP_OK);
    for (uint32_t n = 0; n < RpMsh_Count(msh, RP_MSH_NODES); n++)
        for (int i = 0; i < 16; i++)
            assert_true(fabs(matrices[n][i] - skeleton[n][i]) <=
                        tolerance * fmax(1, fabs(matrices[n][i])));
}

TEST(PosesForToolsAgreeWithTheGames) {
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        OWNED(RpNResArchive) archive;
        RpMsh msh;
        Described_Random(&described, seed, false);
        BuildAndOpen(&archive, &msh);
        for (float frame = 0; frame < 66; frame += 0.37F)
            AssertPosesAgree(&msh, frame, seed % 2, 1e-5);
        for (float frame = 0; frame < 66; frame++)
            AssertPosesAgree(&msh, frame, false, 1e-5);
    }
}

/* Changes map words to name the segment before their own, within the node's track. */
static void MisplaceMapWords(RpNResArchive *archive, uint64_t random) {
    RpMsh msh;
    assert_int_equal(RpMsh_Open(RpNResArchive_Entries(archive), RP_STRICT, &msh, NULL), RP_OK);
    const RpMshStream *stream = &msh.streams[RP_MSH_FRAME_MAP];
    HEAP uint8_t *words = calloc(stream->size + 1, 1);
    memcpy(words, stream->data, stream->size);
    for (uint32_t n = 0; n < RpMsh_Count(&msh, RP_MSH_NODES); n++) {
        RpMshNode node;
        uint32_t first, last;
        uint16_t word;
        RpMsh_Node(&msh, n, &node);
        assert_true(RpMsh_Track(&msh, n, &first, &last));
        for (uint32_t f = 0; node.map_start != RP_MSH_NONE && f < msh.frame_count; f++) {
            RpMsh_MapWord(&msh, node.map_start + f, &word);
            if (word <= first || Random_SplitMixBelow(&random, 2))
                continue;
            words[2 * (node.map_start + f)] = (uint8_t)(word - 1);
            words[2 * (node.map_start + f) + 1] = (uint8_t)((word - 1) >> 8);
        }
    }
    assert_int_equal(
        RpNResArchive_Replace(archive, (uint32_t)stream->entry, words, stream->size, NULL), RP_OK);
}

/* Only on such maps does it matter to which frame an odd or half time belongs. */
TEST(PosesAgreeOnMapsThatAreNotCanonical) {
    for (uint64_t seed = 0; seed < MODELS; seed++) {
        OWNED(RpNResArchive) archive;
        RpMsh msh;
        Described_Random(&described, seed, false);
        BuildModel(&described.model, &archive);
        MisplaceMapWords(&archive, seed);
        assert_int_equal(RpMsh_Open(RpNResArchive_Entries(&archive), RP_STRICT, &msh, NULL), RP_OK);
        for (float frame = 0; frame < 62; frame += 0.5F)
            AssertPosesAgree(&msh, frame, false, 1e-3); /* errors grow outside of a segment */
    }
}

TEST(RestIsFrameZeroOrTheFallback) {
    static const float times[2] = {0, 4};
    OWNED(RpNResArchive) archive;
    RpMsh msh;
    double matrix[1][16];
    const RpReadings fallback = {.choice = {[READING_REST_POSE] = 1}};
    Described_Triangle(&described);
    SetTimes(&described.nodes[0], described.keys, times, 2);
    described.keys[0].position[0] = 3;
    described.keys[1].position[0] = 9;
    BuildAndOpen(&archive, &msh);
    assert_int_equal(RpMsh_PoseNodes(&msh, NULL, -1, false, matrix, NULL), RP_OK);
    assert_true(matrix[0][3] == 3);
    assert_int_equal(RpMsh_PoseNodes(&msh, &fallback, -1, false, matrix, NULL), RP_OK);
    assert_true(matrix[0][3] == 9);
    assert_int_equal(RpMsh_PoseNodes(&msh, NULL, 1, false, matrix, NULL), RP_OK);
    assert_true(matrix[0][3] == 4.5);
    assert_int_equal(RpMsh_PoseNodes(&msh, NULL, 1, true, matrix, NULL), RP_OK);
    assert_true(matrix[0][3] == 0);
}

/* The example's box is turned by 90 degrees about z and moved. Its corners, axis and radius were
 * worked out by hand. */
TEST(HeaderIsStatedInPosedModelSpace) {
    OWNED(RpNResArchive) archive;
    RpMsh msh;
    RpMshHeader header;
    const float quarter[4] = {0.70710678F, 0, 0, 0.70710678F};
    Described_Triangle(&described);
    RpMsh_EncodeRotation(quarter, NULL, described.keys[0].rotation);
    described.keys[0].position[2] = 5;
    described.positions[2][2] = 4;
    BuildAndOpen(&archive, &msh);
    assert_true(RpMsh_Header(&msh, &header));
    /* The pose takes (2, 0, 0) to (0, 2, 5) and (0, 1, 4) to (-1, 0, 9). */
    static const float corners[8][3] = {{-1, 2, 5}, {0, 2, 5}, {0, 0, 5}, {-1, 0, 5},
                                        {-1, 2, 9}, {0, 2, 9}, {0, 0, 9}, {-1, 0, 9}};
    for (int i = 0; i < 24; i++)
        assert_true(fabsf(header.corners[i / 3][i % 3] - corners[i / 3][i % 3]) < 2e-4F);
    static const float low[3] = {-0.5F, 1, 5}, high[3] = {-0.5F, 1, 9};
    for (int i = 0; i < 3; i++) {
        assert_true(fabsf(header.axis_low[i] - low[i]) < 2e-4F);
        assert_true(fabsf(header.axis_high[i] - high[i]) < 2e-4F);
    }
    assert_true(fabsf(header.axis_radius - 1.1180340F) < 2e-4F);
}

TEST(OwnValuesOfTheDescriptionAreTaken) {
    OWNED(RpNResArchive) archive;
    RpMsh msh;
    RpMshSlot slot;
    RpMshHeader header;
    Described_Triangle(&described);
    RpMshSlotDescription *from = &described.slots[0];
    from->has_sphere = from->has_measures = described.model.has_header = true;
    from->sphere[3] = 77;
    from->area = 5;
    from->volume = 6;
    described.model.header.axis_radius = 8;
    BuildAndOpen(&archive, &msh);
    assert_true(RpMsh_Slot(&msh, 0, &slot) && RpMsh_Header(&msh, &header));
    assert_true(slot.sphere[3] == 77 && slot.area == 5 && slot.volume == 6);
    assert_memory_equal(&header, &described.model.header, sizeof header);
}

/* The model already has the values that an editor would compute, so nothing changes. */
TEST(UpdatingABuiltModelChangesNothing) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        OWNED(RpNResArchive) archive;
        OWNED(RpBuffer) before = {0}, after = {0};
        Described_Random(&described, seed, false);
        BuildModel(&described.model, &archive);
        assert_int_equal(RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &before, NULL), RP_OK);
        assert_int_equal(RpMsh_UpdateBounds(&archive, NULL, NULL), RP_OK);
        assert_int_equal(RpMsh_UpdateTriangles(&archive, NULL), RP_OK);
        assert_int_equal(RpNResArchive_Write(&archive, RP_NRES_CANONICAL, &after, NULL), RP_OK);
        assert_int_equal(after.size, before.size);
        assert_memory_equal(after.bytes, before.bytes, before.size);
    }
}

/* Two levels of detail of one node lie in the same place. */
TEST(FacesOfOtherSlotsAreNoNeighbours) {
    static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const uint16_t quad[6] = {0, 1, 2, 0, 2, 3};
    OWNED(RpNResArchive) archive;
    RpMsh msh;
    RpMshTriangle triangle;
    Described_Triangle(&described);
    described.model.vertex_count = 8;
    described.model.slot_count = described.model.batch_count = 2;
    memcpy(described.positions, corners, sizeof corners);
    memcpy(described.positions + 4, corners, sizeof corners);
    for (uint32_t b = 0; b < 2; b++) {
        described.batches[b] = described.batches[0];
        described.batches[b].base_vertex = 4 * b;
        described.batches[b].indices = quad;
        /* half of the faces in one batch, and all of them in the other */
        described.batches[b].index_count = b == 0 ? 3 : 6;
        described.slots[b] = (RpMshSlotDescription){.first_batch = b, .batch_count = 1};
        described.nodes[0].slots[b] = (uint16_t)b;
    }
    described.model.vertex_count = 8;
    BuildAndOpen(&archive, &msh);
    RpMsh_Triangle(&msh, 0, &triangle);
    for (int e = 0; e < 3; e++)
        assert_int_equal(triangle.neighbours[e], RP_MSH_NONE);
    RpMsh_Triangle(&msh, 1, &triangle);
    assert_int_equal(triangle.neighbours[2], 2);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static Described refused;

static void AssertRefused(const char *what, const char *found) {
    RpNResArchive archive = {0};
    RpError error;
    assert_int_equal(RpMsh_Make(&refused.model, &archive, &error), RP_INVALID);
    assert_non_null(strstr(error.what, what));
    assert_non_null(strstr(error.found, found));
    assert_int_equal(archive.count, 0);
    RpNResArchive_Free(&archive);
    Described_Triangle(&refused);
}

TEST(WhatTheFormatCannotHoldIsRefused) {
    static char label[300];
    static uint16_t far[3] = {0, 1, 65535};
    Described_Triangle(&refused);
    refused.model.node_count = 0;
    AssertRefused("nodes", "0");
    refused.model.node_count = 65536;
    AssertRefused("nodes", "65536");
    refused.model.slots = NULL;
    AssertRefused("slots", "without elements");
    refused.model.normals = NULL;
    AssertRefused("a stream", "");
    refused.model.name[0] = 0;
    AssertRefused("name", "");
    memset(refused.model.name, 'x', sizeof refused.model.name);
    AssertRefused("name", "");
    refused.nodes[0].parent = 0;
    AssertRefused("M19", "0");
    memset(label, 'x', 256);
    refused.nodes[0].label = label;
    AssertRefused("label", "256");
    refused.nodes[0].slots[14] = 1;
    AssertRefused("M08", "1 in word 14");
    refused.batches[0].index_count = 2;
    AssertRefused("M12", "2");
    refused.batches[0].base_vertex = 1;
    AssertRefused("M11", "vertex 3 of 3");
    refused.batches[0].indices = far;
    AssertRefused("too far", "65535");
    refused.batches[0].portal = 1;
    AssertRefused("portal", "1");
    refused.slots[0].first_batch = 1;
    AssertRefused("M09", "1 from 1 on");
    refused.slots[0].has_sphere = true;
    refused.slots[0].sphere[3] = -1;
    AssertRefused("M10", "-1");
    refused.slots[0].has_measures = true;
    refused.slots[0].area = NAN;
    AssertRefused("M10", "nan");
    refused.positions[1][1] = INFINITY;
    AssertRefused("position", "inf");
    refused.model.has_header = true;
    refused.model.header.sphere[0] = NAN;
    AssertRefused("M33", "");
    refused.model.probe_count = 1;
    AssertRefused("probes", "");
    refused.model.path_links = 1;
    AssertRefused("paths", "");
}

TEST(BadTracksAreRefused) {
    Described_Triangle(&refused);
    refused.nodes[0].key_count = 0;
    AssertRefused("no key", "none");
    refused.keys[0].time = 1;
    AssertRefused("frame 0", "1");
    refused.keys[0].time = NAN;
    AssertRefused("frame 0", "nan");
    refused.nodes[0].key_count = 2;
    AssertRefused("ascend", "key 1: 0 after 0");
    refused.nodes[0].key_count = 2;
    refused.keys[1].time = INFINITY;
    AssertRefused("not finite", "key 1");
    refused.nodes[0].key_count = 2;
    refused.keys[1].time = 16777216.0F;
    AssertRefused("no frame of its own", "1.67772e+07");
    refused.nodes[0].key_count = 2;
    refused.keys[1].time = 5;
    refused.model.frame_count = 5;
    AssertRefused("M26", "5, where 6 are needed");
    refused.model.frame_count = 16777217;
    AssertRefused("M26", "16777217");
}

TEST(AnArchiveWithMembersIsRefusedAndKept) {
    OWNED(RpNResArchive) archive;
    Described_Triangle(&described);
    BuildModel(&described.model, &archive);
    assert_int_equal(RpMsh_Make(&described.model, &archive, NULL), RP_INVALID);
    assert_int_equal(archive.count, 14);
}

/* ---- limits ---------------------------------------------------------------------------------- */

TEST(APoolOf65535KeysFitsAndOneMoreDoesNot) {
    RpNResArchive archive;
    RpMsh msh;
    RpMshNode node;
    HEAP RpMshKey *keys = calloc(65536, sizeof *keys);
    for (uint32_t k = 0; k < 65536; k++)
        keys[k] = (RpMshKey){.time = (float)k, .rotation = {0, 0, 0, 32767}};
    for (uint32_t count = 65534; count <= 65535; count++) {
        Described_Triangle(&described);
        described.nodes[0].keys = keys;
        described.nodes[0].key_count = count;
        BuildAndOpen(&archive, &msh);
        assert_true(RpMsh_Node(&msh, 0, &node));
        assert_int_equal(node.fallback, count - 1);
        assert_int_equal(RpMsh_Count(&msh, RP_MSH_FRAME_MAP), count);
        RpNResArchive_Free(&archive);
    }
    Described_Triangle(&refused);
    refused.nodes[0].keys = keys;
    refused.nodes[0].key_count = 65536;
    AssertRefused("key pool", "65536");
}

/* The last block may begin at word 65534, wherever it ends. */
TEST(MapBlocksBeginBefore65535) {
    static RpMshKey keys[2] = {{.rotation = {0, 0, 0, 32767}}, {.rotation = {0, 0, 0, 32767}}};
    static const uint32_t fits[2] = {65534, 32767}, overflows[2] = {65535, 32768};
    RpNResArchive archive;
    RpMsh msh;
    RpMshNode node;
    for (uint32_t others = 1; others <= 2; others++) {
        Described_Triangle(&described);
        described.model.node_count = others + 1;
        for (uint32_t n = 1; n <= others; n++) {
            described.nodes[n] = described.nodes[0];
            described.nodes[n].slots[0] = RP_MSH_NONE;
        }
        for (uint32_t n = 0; n <= others; n++) {
            described.nodes[n].keys = keys;
            described.nodes[n].key_count = 2;
        }
        keys[1].time = (float)(fits[others - 1] - 1);
        BuildAndOpen(&archive, &msh);
        assert_true(RpMsh_Node(&msh, others, &node));
        assert_int_equal(node.map_start, 65534);
        RpNResArchive_Free(&archive);
        keys[1].time = (float)(overflows[others - 1] - 1);
        refused = described;
        refused.model.nodes = refused.nodes;
        AssertRefused("frame map is full", "word");
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(EveryRefusedAllocationIsReported) {
    Described_Random(&described, 3, true);
    RpStatus status = RP_NO_MEMORY;
    int allowed = 0;
    for (; status != RP_OK && allowed < 2000; allowed++) {
        Refusal refusal = {.left = allowed};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        OWNED(RpNResArchive) archive;
        RpNResArchive_Init(&archive, &allocator);
        status = RpMsh_Make(&described.model, &archive, NULL);
        assert_true(status == RP_OK || status == RP_NO_MEMORY);
    }
    assert_int_equal(status, RP_OK);
    assert_true(allowed > 20);
}
