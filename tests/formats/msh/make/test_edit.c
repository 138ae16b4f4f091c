/* Tests of single edits: they change exactly what they name, and what depends on it. */
#include "exports/reading_table.h"
#include "fixture.h"
#include "tests/formats/refusal.h"

#include "core/random.h"
#include "formats/msh/file/model_target.h"
#include "retropose/msh_check.h"
#include "retropose/msh_edit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20 };

static Described described;

static void Begin(RpNResArchive *archive, uint64_t seed, bool lit) {
    Described_Random(&described, seed, lit);
    BuildModel(&described.model, archive);
}

/* Makes three nodes in a row, each with a triangle. */
static void BeginTree(RpNResArchive *archive, bool turned) {
    static const char *const names[3] = {"root", "arm", "hand"};
    uint64_t seed = 5;
    Described_Triangle(&described);
    described.model.node_count = described.model.slot_count = described.model.batch_count = 3;
    described.model.vertex_count = 9;
    for (uint32_t n = 0; n < 3; n++) {
        described.nodes[n] = described.nodes[0];
        described.batches[n] = described.batches[0];
        described.batches[n].base_vertex = 3 * n;
        described.slots[n] = (RpMshSlotDescription){.first_batch = n, .batch_count = 1};
        memset(described.nodes[n].name, 0, RP_MSH_NAME_BYTES);
        strcpy(described.nodes[n].name, names[n]);
        described.nodes[n].parent = n ? (uint16_t)(n - 1) : RP_MSH_NONE;
        described.nodes[n].slots[0] = (uint16_t)n;
        described.nodes[n].keys = described.keys + 10 * n;
        described.nodes[n].key_count = 3;
        for (uint32_t k = 0; k < 3; k++) {
            RpMshKey *key = &described.keys[10 * n + k];
            *key = (RpMshKey){.position = {(float)n, 2, (float)k}, .time = (float)(4 * k)};
            key->rotation[3] = 32767;
            if (turned)
                RandomRotation(&seed, key->rotation);
        }
        for (uint32_t v = 0; v < 3; v++) {
            const int8_t up[4] = {0, 0, 127, (int8_t)(v + 1)};
            memcpy(described.normals[3 * n + v], up, sizeof up);
            memcpy(described.positions[3 * n + v], described.positions[v], 12);
        }
    }
    BuildModel(&described.model, archive);
}

static RpMsh Open(const RpNResArchive *archive) {
    RpMsh msh;
    RpError error;
    if (RpMsh_Open(RpNResArchive_Entries(archive), RP_STRICT, &msh, &error) != RP_OK)
        fail_msg("%s: %s", error.what, error.where);
    return msh;
}

static void Fine(RpStatus status, const RpError *error) {
    if (status != RP_OK)
        fail_msg("%s: %s: expected %s, found %s", error->where, error->what, error->expected,
                 error->found);
}

/* Demands that every stream has the bytes it had, except those in `types`, a list that ends
 * with 0. */
static void AssertOthersSame(const RpNResArchive *archive, const RpNResArchive *before,
                             const uint32_t *types) {
    for (uint32_t i = 0; i < before->count; i++) {
        bool named = false;
        for (const uint32_t *type = types; *type; type++)
            named = named || *type == before->members[i].type;
        int32_t at = RpNResArchive_FindType(archive, before->members[i].type);
        if (named)
            continue;
        assert_true(at >= 0);
        assert_int_equal(archive->members[at].size, before->members[i].size);
        if (before->members[i].size > 0)
            assert_memory_equal(archive->members[at].data, before->members[i].data,
                                before->members[i].size);
        assert_int_equal(archive->members[at].attr1, before->members[i].attr1);
        assert_int_equal(archive->members[at].attr2, before->members[i].attr2);
        assert_int_equal(archive->members[at].attr3, before->members[i].attr3);
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

TEST(NodesAreFoundByNameOrNumber) {
    OWNED(RpNResArchive) archive;
    RpError error;
    uint32_t node = 99;
    BeginTree(&archive, false);
    Fine(RpMshEdit_FindNode(&archive, NULL, "arm", &node, &error), &error);
    assert_int_equal(node, 1);
    Fine(RpMshEdit_FindNode(&archive, NULL, "#2", &node, &error), &error);
    assert_int_equal(node, 2);
    assert_int_equal(RpMshEdit_FindNode(&archive, NULL, "#3", &node, &error), RP_NOT_FOUND);
    assert_int_equal(RpMshEdit_FindNode(&archive, NULL, "#", &node, &error), RP_NOT_FOUND);
    assert_int_equal(RpMshEdit_FindNode(&archive, NULL, "leg", &node, &error), RP_NOT_FOUND);
    assert_int_equal(RpMshEdit_FindNode(&archive, NULL, "ar", &node, &error), RP_NOT_FOUND);
    Fine(RpMshEdit_Rename(&archive, 2, "arm", &error), &error);
    assert_int_equal(RpMshEdit_FindNode(&archive, NULL, "arm", &node, &error), RP_INVALID);
    const RpReadings labels = {.choice = {[READING_NAMES] = 1}};
    Fine(RpMshEdit_SetLabel(&archive, 0, "central", &error), &error);
    Fine(RpMshEdit_FindNode(&archive, &labels, "central", &node, &error), &error);
    assert_int_equal(node, 0);
}

TEST(RenamingChangesOneRecordOfRes9) {
    static const uint32_t names[] = {RP_MSH_NAMES, 0};
    OWNED(RpNResArchive) archive, before;
    RpError error;
    uint32_t length;
    Begin(&before, 1, true);
    Begin(&archive, 1, true);
    Fine(RpMshEdit_Rename(&archive, 0, "a_name_of_thirty_one_characters", &error), &error);
    RpMsh msh = Open(&archive);
    assert_memory_equal(RpMsh_Text(&msh, RP_MSH_NAMES, 0, &length),
                        "a_name_of_thirty_one_characters", 31);
    assert_int_equal(length, 31);
    AssertOthersSame(&archive, &before, names);
    assert_int_equal(RpMshEdit_Rename(&archive, 0, "a_name_of_thirty_two_characters_", &error),
                     RP_INVALID);
    assert_int_equal(RpMshEdit_Rename(&archive, 99, "x", &error), RP_INVALID);
}

TEST(LabelsAreReplacedAndTheOthersStay) {
    static const uint32_t changed[] = {RP_MSH_LABELS, 0};
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        OWNED(RpNResArchive) archive, before;
        RpError error;
        uint32_t length;
        Begin(&before, seed, false);
        Begin(&archive, seed, false);
        uint32_t node = (uint32_t)(seed % described.model.node_count);
        const char *label = seed % 4 == 0 ? NULL : seed % 4 == 1 ? "" : "universal_2l";
        Fine(RpMshEdit_SetLabel(&archive, node, label, &error), &error);
        RpMsh msh = Open(&archive);
        for (uint32_t n = 0; n < described.model.node_count; n++) {
            const char *expected = n == node ? label : described.nodes[n].label;
            const char *text = RpMsh_Text(&msh, RP_MSH_LABELS, n, &length);
            if (expected && expected[0]) {
                assert_int_equal(length, strlen(expected));
                assert_memory_equal(text, expected, length);
            } else {
                assert_null(text);
            }
        }
        AssertOthersSame(&archive, &before, changed);
        AssertSound(&archive);
    }
}

TEST(NodesFieldsChangeOneByOne) {
    static const uint32_t changed[] = {RP_MSH_NODES, 0};
    OWNED(RpNResArchive) archive, before;
    RpError error;
    RpMshNode node, old;
    BeginTree(&before, false);
    BeginTree(&archive, false);
    RpMsh msh = Open(&before);
    RpMsh_Node(&msh, 2, &old);
    Fine(RpMshEdit_SetParent(&archive, 2, 0, &error), &error);
    Fine(RpMshEdit_SetFlags(&archive, 2, 0xBEEF, &error), &error);
    Fine(RpMshEdit_SetSlot(&archive, 2, 14, 1, &error), &error);
    msh = Open(&archive);
    RpMsh_Node(&msh, 2, &node);
    assert_int_equal(node.parent, 0);
    assert_int_equal(node.flags, 0xBEEF);
    assert_int_equal(node.slots[14], 1);
    assert_int_equal(node.slots[0], old.slots[0]);
    assert_int_equal(node.map_start, old.map_start);
    assert_int_equal(node.fallback, old.fallback);
    AssertOthersSame(&archive, &before, changed);
    Fine(RpMshEdit_SetParent(&archive, 2, RP_MSH_NONE, &error), &error);
    assert_int_equal(RpMshEdit_SetParent(&archive, 1, 1, &error), RP_INVALID);
    assert_int_equal(RpMshEdit_SetParent(&archive, 1, 2, &error), RP_INVALID);
    assert_int_equal(RpMshEdit_SetParent(&archive, 9, 2, &error), RP_INVALID);
    assert_int_equal(RpMshEdit_SetFlags(&archive, 0, 0x10000, &error), RP_INVALID);
    assert_int_equal(RpMshEdit_SetSlot(&archive, 0, 15, 0, &error), RP_INVALID);
    assert_int_equal(RpMshEdit_SetSlot(&archive, 0, 0, 3, &error), RP_INVALID);
}

/* ---- materials, streams ---------------------------------------------------------------------- */

TEST(MaterialsGoWhereTheReadingHasThem) {
    const RpReadings byte4 = {.choice = {[READING_MATERIAL] = 1}};
    OWNED(RpNResArchive) archive;
    RpError error;
    RpMshBatch batch;
    BeginTree(&archive, false);
    Fine(RpMshEdit_SetMaterial(&archive, NULL, 1, 0x1234, &error), &error);
    Fine(RpMshEdit_SetMaterial(&archive, &byte4, 1, 0x56, &error), &error);
    RpMsh msh = Open(&archive);
    RpMsh_Batch(&msh, 1, &batch);
    assert_int_equal(batch.material, 0x1234);
    assert_int_equal(batch.row, 0x56);
    assert_int_equal(RpMshEdit_SetMaterial(&archive, &byte4, 1, 256, &error), RP_INVALID);
    assert_int_equal(RpMshEdit_SetMaterial(&archive, NULL, 1, 65536, &error), RP_INVALID);
    assert_int_equal(RpMshEdit_SetMaterial(&archive, NULL, 3, 0, &error), RP_INVALID);
}

TEST(StreamsAreDroppedButTheCoreOnes) {
    static const uint32_t core[] = {1, 2, 3, 6, 13};
    OWNED(RpNResArchive) archive;
    RpError error;
    Begin(&archive, 3, true);
    for (int i = 0; i < 5; i++)
        assert_int_equal(RpMshEdit_DropStream(&archive, core[i], &error), RP_INVALID);
    Fine(RpMshEdit_DropStream(&archive, RP_MSH_UV1, &error), &error);
    assert_int_equal(archive.count, 15);
    assert_int_equal(RpMshEdit_DropStream(&archive, RP_MSH_UV1, &error), RP_NOT_FOUND);
    Fine(RpMshEdit_SetAttribute(&archive, RP_MSH_PATHS, 3, 77, &error), &error);
    assert_int_equal(Open(&archive).streams[RP_MSH_PATHS].attr3, 77);
    assert_int_equal(RpMshEdit_SetAttribute(&archive, RP_MSH_PATHS, 4, 77, &error), RP_INVALID);
    assert_int_equal(RpMshEdit_SetAttribute(&archive, 99, 1, 77, &error), RP_NOT_FOUND);
}

/* ---- geometry -------------------------------------------------------------------------------- */

/* Returns all vertices of level 0 in their pose, as doubles. */
static uint32_t PosedVertices(const RpNResArchive *archive, double frame, double (*points)[3]) {
    RpMsh msh = Open(archive);
    double matrices[MAX_NODES][16];
    uint32_t count = 0;
    assert_int_equal(RpMsh_PoseNodes(&msh, NULL, frame, false, matrices, NULL), RP_OK);
    for (uint32_t n = 0; n < RpMsh_Count(&msh, RP_MSH_NODES); n++) {
        RpMshNode node;
        RpMshSlot slot;
        RpMshBatch batch;
        RpMsh_Node(&msh, n, &node);
        if (!RpMsh_Slot(&msh, node.slots[0], &slot))
            continue;
        for (uint32_t b = 0; b < slot.batch_count; b++) {
            RpMsh_Batch(&msh, slot.first_batch + b, &batch);
            for (uint32_t v = 0; v < batch.vertex_count; v++) {
                float p[3];
                RpMsh_Position(&msh, batch.base_vertex + v, p);
                for (int row = 0; row < 3; row++)
                    points[count][row] = matrices[n][row * 4] * p[0] +
                                         matrices[n][row * 4 + 1] * p[1] +
                                         matrices[n][row * 4 + 2] * p[2] + matrices[n][row * 4 + 3];
                count++;
            }
        }
    }
    return count;
}

TEST(TransformingANodeMovesItsVerticesOnly) {
    static const uint32_t changed[] = {2, 3, 4, 7, 0};
    OWNED(RpNResArchive) archive, before;
    RpError error;
    RpMshTransform transform = RpMshTransform_Identity();
    const double axis[3] = {1, 0, 0}, half[3] = {2, 1, 1};
    BeginTree(&before, true);
    BeginTree(&archive, true);
    Fine(RpMshTransform_Turn(&transform, axis, 90, &error), &error);
    memcpy(transform.scale, half, sizeof half);
    transform.translation[2] = 3;
    Fine(RpMshEdit_TransformNode(&archive, NULL, 1, &transform, &error), &error);
    RpMsh msh = Open(&archive);
    for (uint32_t v = 0; v < 9; v++) {
        float p[3];
        const float *from = described.positions[v];
        RpMsh_Position(&msh, v, p);
        const float expected[3] = {2 * from[0], -from[2], from[1] + 3};
        for (int i = 0; i < 3; i++)
            assert_true(fabsf(p[i] - (v / 3 == 1 ? expected[i] : from[i])) < 1e-6F);
    }
    int8_t normal[4];
    RpMsh_Normal(&msh, 4, normal);
    const int8_t turned[4] = {0, -127, 0, 2}; /* the fourth byte stays */
    assert_memory_equal(normal, turned, sizeof turned);
    RpMshTriangle triangle;
    RpMsh_Triangle(&msh, 1, &triangle);
    const int16_t face[3] = {0, -32767, 0};
    assert_memory_equal(triangle.normal, face, sizeof face);
    RpMshSlot slot, other, old;
    RpMsh_Slot(&msh, 1, &slot);
    assert_true(slot.low[2] == 3 && slot.high[0] == 4);
    RpMsh_Slot(&msh, 0, &other);
    RpMsh previous = Open(&before);
    RpMsh_Slot(&previous, 0, &old);
    assert_memory_equal(&other, &old, sizeof old);
    AssertOthersSame(&archive, &before, changed);
    AssertSound(&archive);
}

/* A slope of one in two becomes one in four when the model is stretched to twice its length. */
TEST(NormalsStayPerpendicularWhenStretched) {
    OWNED(RpNResArchive) archive;
    RpError error;
    RpMshTransform transform = RpMshTransform_Identity();
    int8_t normal[4];
    BeginTree(&archive, false);
    for (int i = 0; i < 3; i++)
        described.normals[0][i] = RpMsh_EncodeNormal(i == 0   ? -0.4472136F
                                                     : i == 2 ? 0.8944272F
                                                              : 0);
    RpNResArchive_Free(&archive);
    BuildModel(&described.model, &archive);
    transform.scale[0] = 2;
    Fine(RpMshEdit_TransformNode(&archive, NULL, 0, &transform, &error), &error);
    RpMsh msh = Open(&archive);
    RpMsh_Normal(&msh, 0, normal);
    assert_in_range(-normal[0], 30, 32); /* 127 / sqrt 17 */
    assert_in_range(normal[2], 122, 124);
}

/* Moving the model as a whole does what moving the space of the root would do: root placement x
 * transform x (what was in it). */
TEST(TransformingAllMovesTheModelAsAWhole) {
    static double points[2][MAX_VERTICES][3];
    for (int round = 0; round < 8; round++) {
        OWNED(RpNResArchive) archive, before;
        RpError error;
        RpMshTransform transform = RpMshTransform_Identity();
        const double axis[3] = {1, 2, -1}, move[3] = {5, -3, 2};
        double scale = round & 1 ? 2.5 : 1;
        BeginTree(&before, true);
        BeginTree(&archive, true);
        for (int i = 0; i < 3; i++) {
            transform.scale[i] = scale;
            transform.translation[i] = round & 2 ? move[i] : 0;
        }
        if (round & 4)
            Fine(RpMshTransform_Turn(&transform, axis, 70, &error), &error);
        Fine(RpMshEdit_TransformAll(&archive, NULL, &transform, &error), &error);
        for (double frame = 0; frame <= 8; frame += 0.5) {
            RpMsh msh = Open(&before);
            double root[MAX_NODES][16];
            uint32_t count = PosedVertices(&before, frame, points[0]);
            assert_int_equal(PosedVertices(&archive, frame, points[1]), count);
            assert_int_equal(RpMsh_PoseNodes(&msh, NULL, frame, false, root, NULL), RP_OK);
            for (uint32_t p = 0; p < count; p++) {
                /* Goes into the root's space, transforms the point there, and comes out again. */
                double local[3] = {0, 0, 0}, moved[3], q[4], t[3], u[3];
                for (int i = 0; i < 3; i++)
                    for (int row = 0; row < 3; row++)
                        local[i] +=
                            root[0][row * 4 + i] * (points[0][p][row] - root[0][row * 4 + 3]);
                memcpy(q, transform.quaternion, sizeof q);
                for (int i = 0; i < 3; i++)
                    local[i] *= scale;
                for (int i = 0; i < 3; i++)
                    t[i] = 2 * (q[1 + (i + 1) % 3] * local[(i + 2) % 3] -
                                q[1 + (i + 2) % 3] * local[(i + 1) % 3]);
                for (int i = 0; i < 3; i++)
                    u[i] =
                        q[1 + (i + 1) % 3] * t[(i + 2) % 3] - q[1 + (i + 2) % 3] * t[(i + 1) % 3];
                for (int i = 0; i < 3; i++)
                    moved[i] = local[i] + q[0] * t[i] + u[i] + transform.translation[i];
                for (int row = 0; row < 3; row++) {
                    double expected = scale * root[0][row * 4 + 3];
                    for (int i = 0; i < 3; i++)
                        expected += root[0][row * 4 + i] * moved[i];
                    assert_true(fabs(points[1][p][row] - expected) < 3e-3);
                }
            }
        }
        AssertSound(&archive);
    }
}

TEST(TheIdentityChangesNothing) {
    static const uint32_t none[] = {0};
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        OWNED(RpNResArchive) archive, before;
        RpError error;
        const RpMshTransform identity = RpMshTransform_Identity();
        Begin(&before, seed, true);
        Begin(&archive, seed, true);
        Fine(RpMshEdit_TransformAll(&archive, NULL, &identity, &error), &error);
        Fine(RpMshEdit_TransformNode(&archive, NULL, 0, &identity, &error), &error);
        AssertOthersSame(&archive, &before, none);
    }
}

TEST(BadTransformsAreRefused) {
    OWNED(RpNResArchive) archive;
    RpError error;
    RpMshTransform transform = RpMshTransform_Identity();
    const double none[3] = {0, 0, 0};
    BeginTree(&archive, false);
    assert_int_equal(RpMshTransform_Turn(&transform, none, 90, &error), RP_INVALID);
    transform.scale[1] = 2;
    assert_int_equal(RpMshEdit_TransformAll(&archive, NULL, &transform, &error), RP_INVALID);
    transform.scale[1] = -1;
    assert_int_equal(RpMshEdit_TransformNode(&archive, NULL, 0, &transform, &error), RP_INVALID);
    transform.scale[1] = NAN;
    assert_int_equal(RpMshEdit_TransformNode(&archive, NULL, 0, &transform, &error), RP_INVALID);
    transform = RpMshTransform_Identity();
    assert_int_equal(RpMshEdit_TransformNode(&archive, NULL, 3, &transform, &error), RP_INVALID);
    Fine(RpMshEdit_SetSlot(&archive, 0, 5, 1, &error), &error); /* the arm's */
    assert_int_equal(RpMshEdit_TransformNode(&archive, NULL, 0, &transform, &error), RP_INVALID);
    assert_non_null(strstr(error.what, "M32"));
    transform.scale[0] = transform.scale[1] = transform.scale[2] = 1e38;
    Fine(RpMshEdit_SetSlot(&archive, 0, 5, RP_MSH_NONE, &error), &error);
    assert_int_equal(RpMshEdit_TransformNode(&archive, NULL, 0, &transform, &error), RP_OK);
    assert_int_equal(RpMshEdit_TransformNode(&archive, NULL, 0, &transform, &error), RP_INVALID);
    assert_non_null(strstr(error.what, "out of reach"));
}

/* ---- back into libraries --------------------------------------------------------------------- */

static void Append(RpNResArchive *library, const char *name, const void *bytes, size_t size) {
    RpNResMember member = {.type = 0x4853454D, .data = bytes, .size = (uint32_t)size};
    strcpy(member.name, name);
    assert_int_equal(RpNResArchive_Add(library, library->count, &member, NULL), RP_OK);
}

static void WriteImage(const RpNResArchive *archive, RpBuffer *image) {
    RpBuffer_Init(image, NULL);
    assert_int_equal(RpNResArchive_Write(archive, RP_NRES_CANONICAL, image, NULL), RP_OK);
}

/* Opens a source over bytes in memory, as ModelSource_OpenModel would from a file: member 1 of
 * member 0. */
static void OpenAt(ModelSource *source, const RpBuffer *file, uint32_t offset, uint32_t size) {
    *source = (ModelSource){.way = {0, 1}, .depth = 2};
    source->mapping = (Mapping){.bytes = file->bytes, .size = file->size};
    source->offset = offset;
    assert_int_equal(RpNRes_Open(file->bytes + offset, size, RP_STRICT, &source->archive, NULL),
                     RP_OK);
}

TEST(EditedMembersGoBackIntoTheirLibraries) {
    OWNED(RpNResArchive) model, inner = {0}, outer = {0}, edited = {0};
    OWNED(RpBuffer) model_image, inner_image, outer_image, packed = {0};
    RpNRes root, library, result;
    RpError error;
    ModelSource source;
    Begin(&model, 4, false);
    WriteImage(&model, &model_image);
    Append(&inner, "before.txt", "unchanged", 9);
    Append(&inner, "hero.msh", model_image.bytes, model_image.size);
    Append(&inner, "after.txt", "also unchanged", 14);
    WriteImage(&inner, &inner_image);
    Append(&outer, "a.lib", inner_image.bytes, inner_image.size);
    Append(&outer, "z.txt", "last", 4);
    WriteImage(&outer, &outer_image);

    assert_int_equal(RpNRes_Open(outer_image.bytes, outer_image.size, RP_STRICT, &root, NULL),
                     RP_OK);
    RpNResEntry lib = RpNRes_Entry(&root, 0);
    assert_int_equal(RpNRes_Open(lib.data, lib.size, RP_STRICT, &library, NULL), RP_OK);
    RpNResEntry hero = RpNRes_Entry(&library, 1);
    OpenAt(&source, &outer_image, lib.data_offset + hero.data_offset, hero.size);
    assert_int_equal(RpNResArchive_Read(&edited, &source.archive, NULL), RP_OK);
    Fine(RpMshEdit_SetLabel(&edited, 0, "a label that makes the model longer", &error), &error);
    Fine(ModelTarget_Pack(&source, &edited, &packed, &error), &error);

    Fine(RpNRes_Open(packed.bytes, packed.size, RP_STRICT, &root, &error), &error);
    RpNResEntry last = RpNRes_Entry(&root, 1);
    assert_memory_equal(last.data, "last", 4);
    lib = RpNRes_Entry(&root, 0);
    Fine(RpNRes_Open(lib.data, lib.size, RP_STRICT, &library, &error), &error);
    assert_memory_equal(RpNRes_Entry(&library, 0).data, "unchanged", 9);
    assert_memory_equal(RpNRes_Entry(&library, 2).data, "also unchanged", 14);
    hero = RpNRes_Entry(&library, 1);
    Fine(RpNRes_Open(hero.data, hero.size, RP_STRICT, &result, &error), &error);
    RpMsh msh;
    uint32_t length;
    Fine(RpMsh_Open(RpNRes_Entries(&result), RP_STRICT, &msh, &error), &error);
    assert_non_null(RpMsh_Text(&msh, RP_MSH_LABELS, 0, &length));
    assert_int_equal(length, 35);

    /* Without any edit the file comes out as it was. */
    RpNResArchive_Free(&edited);
    assert_int_equal(RpNResArchive_Read(&edited, &source.archive, NULL), RP_OK);
    packed.size = 0;
    Fine(ModelTarget_Pack(&source, &edited, &packed, &error), &error);
    assert_int_equal(packed.size, outer_image.size);
    assert_memory_equal(packed.bytes, outer_image.bytes, packed.size);
}

/* ---- damaged models -------------------------------------------------------------------------- */

static void EditAll(RpNResArchive *archive) {
    RpMshTransform transform = RpMshTransform_Identity();
    const double axis[3] = {0, 0, 1};
    uint32_t node = 0;
    OWNED(RpMshAnimation) animation;
    RpMsh msh;
    RpMshTransform_Turn(&transform, axis, 33, NULL);
    RpMshEdit_FindNode(archive, NULL, "node1", &node, NULL);
    RpMshEdit_Rename(archive, node, "other", NULL);
    RpMshEdit_SetLabel(archive, node, "label", NULL);
    RpMshEdit_SetSlot(archive, node, 3, 0, NULL);
    RpMshEdit_SetMaterial(archive, NULL, 0, 1, NULL);
    RpMshEdit_TransformNode(archive, NULL, node, &transform, NULL);
    RpMshEdit_TransformAll(archive, NULL, &transform, NULL);
    RpMsh_UpdateBounds(archive, NULL, NULL);
    RpMsh_UpdateTriangles(archive, NULL);
    RpMshAnimation_Init(&animation, NULL);
    if (RpMsh_Open(RpNResArchive_Entries(archive), RP_TOLERANT, &msh, NULL) == RP_OK &&
        msh.frame_count < 1000 &&
        RpMshAnimation_Extract(&animation, &msh, RP_MSH_EXTRACT_SAMPLE, NULL, NULL) == RP_OK) {
        RpMshAnimation_Reverse(&animation, NULL);
        RpMshAnimation_Install(&animation, archive, NULL);
    }
}

/* Whatever the bytes, nothing is read or written outside of them, which the sanitizers check, and
 * the archive can still be written. */
TEST(DamagedModelsAreEditedOrRefused) {
    uint64_t random = 17;
    for (uint64_t seed = 0; seed < 300; seed++) {
        OWNED(RpNResArchive) archive;
        OWNED(RpBuffer) image;
        Begin(&archive, seed % 10, seed % 2);
        for (int damage = 0; damage < 4; damage++) {
            uint32_t member = Random_SplitMixBelow(&random, archive.count);
            RpNResMember *at = &archive.members[member];
            if (at->size == 0 || Random_SplitMixBelow(&random, 8) == 0) {
                at->attr2 = Random_SplitMixBelow(&random, 100);
                continue;
            }
            HEAP uint8_t *bytes = malloc(at->size);
            uint32_t size =
                at->size -
                (Random_SplitMixBelow(&random, 4) ? 0 : Random_SplitMixBelow(&random, 9));
            memcpy(bytes, at->data, at->size);
            for (int flip = 0; flip < 3; flip++)
                bytes[Random_SplitMixBelow(&random, at->size)] ^=
                    (uint8_t)(1U << Random_SplitMixBelow(&random, 8));
            RpNResArchive_Replace(&archive, member, bytes, size <= at->size ? size : 0, NULL);
        }
        EditAll(&archive);
        WriteImage(&archive, &image);
    }
}

/* ---- all or nothing -------------------------------------------------------------------------- */

typedef RpStatus (*Change)(RpNResArchive *archive, RpError *error);

static RpStatus TurnAll(RpNResArchive *archive, RpError *error) {
    RpMshTransform transform = RpMshTransform_Identity();
    const double axis[3] = {1, 2, 3};
    RpMshTransform_Turn(&transform, axis, 50, NULL);
    return RpMshEdit_TransformAll(archive, NULL, &transform, error);
}

static RpStatus InstallNew(RpNResArchive *archive, RpError *error) {
    OWNED(RpMshAnimation) animation;
    RandomAnimation(&animation, 3, 3, 30);
    RpStatus status = RpMshAnimation_Install(&animation, archive, error);
    return status;
}

static RpStatus LabelTwice(RpNResArchive *archive, RpError *error) {
    return RpMshEdit_SetLabel(archive, 1, "once more", error);
}

static void AssertAllOrNothing(Change change) {
    static const uint32_t none[] = {0};
    RpStatus status = RP_NO_MEMORY;
    OWNED(RpNResArchive) before;
    BeginTree(&before, true);
    for (int allowed = 0; status != RP_OK; allowed++) {
        Refusal refusal = {.left = 1000};
        const RpAllocator allocator = Refusal_Allocator(&refusal);
        OWNED(RpNResArchive) archive;
        RpNResArchive_Init(&archive, &allocator);
        assert_true(allowed < 200);
        assert_int_equal(RpMsh_Make(&described.model, &archive, NULL), RP_OK);
        refusal.left = allowed;
        status = change(&archive, NULL);
        assert_true(status == RP_OK || status == RP_NO_MEMORY);
        if (status != RP_OK)
            AssertOthersSame(&archive, &before, none);
    }
}

TEST(ChangesHappenWhollyOrNotAtAll) {
    AssertAllOrNothing(TurnAll);
    AssertAllOrNothing(InstallNew);
    AssertAllOrNothing(LabelTwice);
}

/* The vertices could be moved, but the header cannot be posed, so nothing is moved. */
TEST(AnEditThatFailsAtItsEndIsUndone) {
    static const uint32_t none[] = {0};
    OWNED(RpNResArchive) archive, before;
    RpMshTransform transform = RpMshTransform_Identity();
    RpError error;
    BeginTree(&before, true);
    BeginTree(&archive, true);
    for (int i = 0; i < 2; i++) {
        RpNResArchive *either = i ? &archive : &before;
        uint32_t member = (uint32_t)RpNResArchive_FindType(either, RP_MSH_NODES);
        uint8_t bytes[3 * 38];
        memcpy(bytes, either->members[member].data, sizeof bytes);
        bytes[38 + 2] = 2; /* the arm becomes a child of the hand */
        assert_int_equal(RpNResArchive_Replace(either, member, bytes, sizeof bytes, NULL), RP_OK);
    }
    transform.translation[0] = 1;
    assert_int_equal(RpMshEdit_TransformNode(&archive, NULL, 2, &transform, &error), RP_INVALID);
    AssertOthersSame(&archive, &before, none);
}
