/* Tests that what somebody changes in an exported file has its effect, that what depends on it is
 * computed again, and that the rest keeps every byte. */
#include "retropose/msh_make.h"
#include "tests/formats/gltf/document.h"
#include "tests/formats/gltf/models.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct Edit {
    TestModel model;
    RpBuffer original;
    Document document;
    RpBuffer edited;
    RpNResArchive back;
    RpMsh before, after;
    Notes notes;
} Edit;

/* This is an_0_28.msh of the corpus, with 9 nodes, 7 of them animated, and 24 slots in many
 * cells. */
enum { MODEL = TEST_MODELS_SMALL + 384 };

static TestModels models;

AROUND(BeforeAll) {
    assert_true(TestModels_Open(&models));
}

AROUND(AfterAll) {
    TestModels_Close(&models);
}

static void Begin(Edit *edit, uint32_t number) {
    const RpGltfExportOptions options = RpGltfExportOptions_Default();
    RpBuffer_Init(&edit->original, NULL);
    RpNResArchive_Init(&edit->back, NULL);
    Notes_Begin(&edit->notes);
    assert_true(TestModels_Make(&models, number, &edit->model));
    assert_int_equal(
        RpMsh_Open(RpNResArchive_Entries(&edit->model.archive), RP_TOLERANT, &edit->before, NULL),
        RP_OK);
    assert_int_equal(RpGltf_Export(&edit->model.archive, &options, &edit->original, NULL), RP_OK);
    Document_Open(&edit->document, &edit->original);
}

static void Edit_Free(Edit *edit) {
    RpNResArchive_Free(&edit->back);
    RpBuffer_Free(&edit->edited);
    Document_Close(&edit->document);
    RpBuffer_Free(&edit->original);
    TestModel_Free(&edit->model);
}

static void Import(Edit *edit) {
    RpGltfImportOptions options = RpGltfImportOptions_Default();
    RpError error = {0};
    options.notes = &edit->notes.sink;
    Document_Write(&edit->document, &edit->edited);
    if (RpGltf_Import(edit->edited.bytes, edit->edited.size, &options, &edit->back, &error))
        fail_msg("%s %s %s", error.what, error.where, error.expected);
    RpMsh strict; /* some of the small models are not sound from the beginning */
    RpReadMode mode =
        RpMsh_Open(RpNResArchive_Entries(&edit->model.archive), RP_STRICT, &strict, NULL) == RP_OK
            ? RP_STRICT
            : RP_TOLERANT;
    if (RpMsh_Open(RpNResArchive_Entries(&edit->back), mode, &edit->after, &error))
        fail_msg("%s %s %s %s", error.what, error.where, error.expected, error.found);
}

static bool Same(const Edit *edit, uint32_t type) {
    const RpMshStream *a = &edit->before.streams[type], *b = &edit->after.streams[type];
    return a->size == b->size && a->attr1 == b->attr1 && a->attr2 == b->attr2 &&
           (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

/* Demands that all streams are as they were except those in `changed`, a list that ends with 0. */
static void AssertOnly(const Edit *edit, const uint8_t *changed) {
    for (uint32_t type = 1; type < RP_MSH_TYPE_LIMIT; type++) {
        bool expected = memchr(changed, (int)type, strlen((const char *)changed)) != NULL;
        if (Same(edit, type) == expected)
            fail_msg("Res%u %s", (unsigned)type, expected ? "did not change" : "changed");
    }
}

static int FirstMeshNode(const Document *document) {
    for (int i = 0;; i++)
        if (Document_Member(Document_Item(document, "nodes", i), "mesh"))
            return i;
}

static cJSON *FirstPrimitive(const Document *document) {
    return cJSON_GetArrayItem(Document_Member(Document_Item(document, "meshes", 0), "primitives"),
                              0);
}

TEST(AMovedVertexMovesItsBoxAndNothingElse) {
    OWNED(Edit) edit;
    Begin(&edit, MODEL);
    int accessor =
        Document_Number(Document_Member(FirstPrimitive(&edit.document), "attributes"), "POSITION");
    const float far[3] = {1000.0F, -2000.0F, 3000.0F};
    memcpy(Document_Element(&edit.document, accessor, 2, 12), far, sizeof far);
    Import(&edit);
    AssertOnly(&edit, (const uint8_t[]){2, 3, 7, 0});
    RpMshSlot slot;
    assert_true(RpMsh_Slot(&edit.after, 0, &slot));
    assert_float_equal(slot.high[0], 1000.0, 0.0);
    assert_float_equal(slot.low[1], -2000.0, 0.0);
    /* The other slots keep everything, even boxes that their geometry does not explain. */
    for (uint32_t i = 1; i < RpMsh_Count(&edit.before, RP_MSH_SLOTS); i++)
        assert_memory_equal(edit.before.streams[2].data + 140 + 68 * i,
                            edit.after.streams[2].data + 140 + 68 * i, 68);
}

TEST(ARenamedNodeChangesItsNameOnly) {
    OWNED(Edit) edit;
    Begin(&edit, MODEL);
    cJSON *node = Document_Item(&edit.document, "nodes", 2);
    cJSON_ReplaceItemInObjectCaseSensitive(
        node, "name", cJSON_CreateString("\xD0\x91\xD0\xB0\xD1\x88\xD0\xBD\xD1\x8F"));
    Import(&edit);
    AssertOnly(&edit, (const uint8_t[]){9, 0});
    uint32_t length;
    const char *name = RpMsh_Text(&edit.after, RP_MSH_NAMES, 1, &length);
    assert_int_equal(length, 5);
    assert_memory_equal(name, "\xC1\xE0\xF8\xED\xFF", 5); /* Windows-1251 */
}

TEST(ALabelAndFlagsOfANodeCanBeSet) {
    OWNED(Edit) edit;
    Begin(&edit, MODEL);
    cJSON *hints = Document_Hints(Document_Item(&edit.document, "nodes", 3));
    cJSON_DeleteItemFromObjectCaseSensitive(hints, "label");
    cJSON_DeleteItemFromObjectCaseSensitive(hints, "flags");
    cJSON_AddStringToObject(hints, "label", "e_tur_tt");
    cJSON_AddNumberToObject(hints, "flags", 0x20);
    Import(&edit);
    RpMshNode node;
    uint32_t length;
    const char *label = RpMsh_Text(&edit.after, RP_MSH_LABELS, 2, &length);
    assert_int_equal(length, 8);
    assert_memory_equal(label, "e_tur_tt", 8);
    assert_true(RpMsh_Node(&edit.after, 2, &node));
    assert_int_equal(node.flags, 0x20);
}

TEST(ATurnedKeyIsInTheTrack) {
    OWNED(Edit) edit;
    Begin(&edit, MODEL);
    cJSON *animation = Document_Item(&edit.document, "animations", 0);
    cJSON *channel = cJSON_GetArrayItem(Document_Member(animation, "channels"), 0);
    cJSON *target = Document_Member(channel, "target");
    assert_string_equal(Document_Member(target, "path")->valuestring, "rotation");
    uint32_t node = (uint32_t)Document_Number(target, "node") - 1;
    cJSON *sampler = cJSON_GetArrayItem(Document_Member(animation, "samplers"),
                                        Document_Number(channel, "sampler"));
    const float turned[4] = {0.6F, 0.0F, 0.0F, 0.8F};
    memcpy(Document_Element(&edit.document, Document_Number(sampler, "output"), 3, 16), turned,
           sizeof turned);
    Import(&edit);
    assert_true(Notes_Has(&edit.notes, "G36"));
    RpSkeleton model;
    RpArithmetic settings = {.build = RP_BUILD_SSE};
    float q[4], p[3];
    assert_int_equal(RpMsh_Skeleton(&edit.after, &model, NULL), RP_OK);
    RpPose_Sample(&model, &settings, node, 3.0F, q, p, NULL);
    assert_float_equal(q[0], 0.8, 1e-4);
    assert_float_equal(-q[1], 0.6, 1e-4);
    /* Nodes that nobody touched keep their keys, and geometry keeps its bytes. */
    uint32_t first, last, new_first, new_last;
    for (uint32_t i = 0; i < RpMsh_Count(&edit.before, RP_MSH_NODES); i++) {
        if (i == node)
            continue;
        assert_true(RpMsh_Track(&edit.before, i, &first, &last));
        assert_true(RpMsh_Track(&edit.after, i, &new_first, &new_last));
        assert_int_equal(last - first, new_last - new_first);
    }
    assert_true(Same(&edit, 3) && Same(&edit, 6) && Same(&edit, 13) && Same(&edit, 7));
}

TEST(ARemovedBatchIsGoneAndItsNeighboursCloseUp) {
    OWNED(Edit) edit;
    Begin(&edit, MODEL);
    uint32_t batches = RpMsh_Count(&edit.before, RP_MSH_BATCHES);
    cJSON *node = Document_Item(&edit.document, "nodes", FirstMeshNode(&edit.document));
    cJSON_DeleteItemFromObjectCaseSensitive(node, "mesh");
    Import(&edit);
    assert_true(RpMsh_Count(&edit.after, RP_MSH_BATCHES) <= batches);
    assert_true(Same(&edit, 8) && Same(&edit, 9) && Same(&edit, 10) && Same(&edit, 19));
    assert_true(Same(&edit, 3) && !Same(&edit, 1));
}

TEST(ARenamedMaterialIsAnotherRow) {
    OWNED(Edit) edit;
    Begin(&edit, MODEL);
    cJSON *primitive = FirstPrimitive(&edit.document);
    cJSON *material =
        Document_Item(&edit.document, "materials", Document_Number(primitive, "material"));
    uint32_t index = (uint32_t)Document_Number(
        Document_Hints(Document_Item(&edit.document, "meshes", 0)), "batch");
    cJSON_ReplaceItemInObjectCaseSensitive(material, "name", cJSON_CreateString("row 77"));
    cJSON_DeleteItemFromObjectCaseSensitive(material, "doubleSided");
    cJSON_AddTrueToObject(material, "doubleSided");
    Import(&edit);
    RpMshBatch before, after;
    assert_true(RpMsh_Batch(&edit.before, index, &before));
    assert_true(RpMsh_Batch(&edit.after, index, &after));
    assert_int_equal(after.material, 77);
    assert_int_equal(after.row, before.row);
    assert_int_equal(after.flags, before.flags | 2);
    AssertOnly(&edit, (const uint8_t[]){13, 0});
}

TEST(ANewNodeComesLast) {
    OWNED(Edit) edit;
    Begin(&edit, MODEL);
    uint32_t nodes = RpMsh_Count(&edit.before, RP_MSH_NODES);
    cJSON *array = Document_Member(edit.document.root, "nodes");
    int number = cJSON_GetArraySize(array);
    cJSON *node = cJSON_CreateObject();
    cJSON_AddStringToObject(node, "name", "socket");
    cJSON_AddItemToArray(array, node);
    cJSON *parent = Document_Item(&edit.document, "nodes", 1);
    cJSON *children = Document_Member(parent, "children");
    if (!children)
        children = cJSON_AddArrayToObject(parent, "children");
    cJSON_InsertItemInArray(children, 0, cJSON_CreateNumber(number));
    Import(&edit);
    assert_int_equal(RpMsh_Count(&edit.after, RP_MSH_NODES), nodes + 1);
    RpMshNode record;
    assert_true(RpMsh_Node(&edit.after, nodes, &record));
    assert_int_equal(record.parent, 0);
    uint32_t length;
    assert_memory_equal(RpMsh_Text(&edit.after, RP_MSH_NAMES, nodes, &length), "socket", 6);
    assert_memory_equal(edit.before.streams[1].data, edit.after.streams[1].data, 4);
}

/* Does what Blender does, which keeps one scene and makes equal names different. */
static void MergeScenes(const Document *document) {
    cJSON *scenes = Document_Member(document->root, "scenes");
    cJSON *first = Document_Member(cJSON_GetArrayItem(scenes, 0), "nodes");
    while (cJSON_GetArraySize(scenes) > 1) {
        cJSON *scene = cJSON_DetachItemFromArray(scenes, 1);
        cJSON_AddItemToArray(first, cJSON_Duplicate(Document_Member(scene, "nodes")->child, true));
        cJSON_Delete(scene);
    }
    int number = 0;
    cJSON *node;
    cJSON_ArrayForEach(node, Document_Member(document->root, "nodes")) {
        bool seen = false;
        cJSON *name = Document_Member(node, "name"), *other;
        cJSON_ArrayForEach(other, Document_Member(document->root, "nodes")) {
            if (other == node)
                break;
            seen |= strcmp(Document_Member(other, "name")->valuestring, name->valuestring) == 0;
        }
        if (seen) {
            char text[256];
            snprintf(text, sizeof text, "%s.%03d", name->valuestring, ++number);
            cJSON_ReplaceItemInObjectCaseSensitive(node, "name", cJSON_CreateString(text));
        }
    }
}

TEST(CellsSurviveWhenAllScenesBecomeOne) {
    for (int forget = 0; forget < 2; forget++) {
        OWNED(Edit) edit;
        Begin(&edit, MODEL);
        MergeScenes(&edit.document);
        if (forget)
            Document_ForgetExtras(edit.document.root);
        Import(&edit);
        assert_int_equal(RpMsh_Count(&edit.after, RP_MSH_NODES),
                         RpMsh_Count(&edit.before, RP_MSH_NODES));
        uint32_t shown[2] = {0, 0};
        for (uint32_t i = 0; i < RpMsh_Count(&edit.before, RP_MSH_NODES); i++) {
            RpMshNode before, after;
            RpMsh_Node(&edit.before, i, &before);
            RpMsh_Node(&edit.after, i, &after);
            for (int cell = 0; cell < 15; cell++) {
                shown[0] += before.slots[cell] != RP_MSH_NONE;
                shown[1] += after.slots[cell] != RP_MSH_NONE;
            }
        }
        assert_int_equal(shown[0], shown[1]);
        assert_true(shown[0] > 15);
    }
}

static uint32_t FindNode(const RpMsh *msh, const char *name, uint32_t length) {
    for (uint32_t i = 0;; i++) {
        uint32_t other;
        const char *text = RpMsh_Text(msh, RP_MSH_NAMES, i, &other);
        if (text && other == length && memcmp(text, name, length) == 0)
            return i;
    }
}

/* Without extras a file still has names, poses, rows and shapes. */
/* ---- what other programs put around our nodes -------------------------------------------------
 */

/* three.js makes a node of a scene, and glTF-Transform puts a pivot above all of its nodes. */
TEST(ANodeAboveTheRootIsSeenThrough) {
    OWNED(Edit) edit;
    Begin(&edit, MODEL);
    cJSON *nodes = Document_Member(edit.document.root, "nodes");
    cJSON *scene = Document_Member(edit.document.root, "scenes")->child;
    for (; scene; scene = scene->next) {
        cJSON *wrapper = cJSON_CreateObject();
        cJSON_AddItemToObject(wrapper, "children",
                              cJSON_DetachItemFromObjectCaseSensitive(scene, "nodes"));
        cJSON_AddItemToArray(nodes, wrapper);
        cJSON_AddItemToArray(cJSON_AddArrayToObject(scene, "nodes"),
                             cJSON_CreateNumber(cJSON_GetArraySize(nodes) - 1));
    }
    Import(&edit);
    AssertOnly(&edit, (const uint8_t[]){0});
    assert_string_equal(edit.notes.rules, "");
}

TEST(ANodeAboveTheRootMovesTheModel) {
    OWNED(Edit) edit;
    double before[9][16], after[9][16];
    Begin(&edit, MODEL);
    cJSON *nodes = Document_Member(edit.document.root, "nodes");
    cJSON *scene = Document_Member(edit.document.root, "scenes")->child;
    cJSON *wrapper = cJSON_CreateObject();
    cJSON_AddItemToObject(wrapper, "children",
                          cJSON_DetachItemFromObjectCaseSensitive(scene, "nodes"));
    cJSON_AddItemToObject(wrapper, "translation",
                          cJSON_CreateDoubleArray((const double[]){0.0, 5.0, 0.0}, 3));
    cJSON_AddItemToArray(nodes, wrapper);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(scene, "nodes"),
                         cJSON_CreateNumber(cJSON_GetArraySize(nodes) - 1));
    Import(&edit);
    assert_int_equal(RpMsh_Count(&edit.after, RP_MSH_NODES), 9);
    assert_int_equal(RpMsh_PoseNodes(&edit.before, NULL, 3.0, false, before, NULL), RP_OK);
    assert_int_equal(RpMsh_PoseNodes(&edit.after, NULL, 3.0, false, after, NULL), RP_OK);
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 12; k++) /* glTF's y is the model's z */
            assert_true(fabs(after[i][k] - before[i][k] - (k == 11 ? 5.0 : 0.0)) < 2e-4);
}

/* Moves the mesh of each node to children of the node: one for each primitive, as three.js does, or
 * one without a name. Nodes that share a mesh share what becomes of it. */
static void SplitMeshes(const Document *document, bool by_primitive, double scale) {
    cJSON *nodes = Document_Member(document->root, "nodes");
    cJSON *meshes = Document_Member(document->root, "meshes");
    const int node_count = cJSON_GetArraySize(nodes), mesh_count = cJSON_GetArraySize(meshes);
    int first[64];
    assert_in_range(mesh_count, 1, 64);
    for (int i = 0; i < mesh_count; i++) {
        cJSON *mesh = cJSON_GetArrayItem(meshes, i);
        cJSON *primitives = Document_Member(mesh, "primitives");
        first[i] = cJSON_GetArraySize(meshes);
        for (const cJSON *one = by_primitive ? primitives->child : NULL; one; one = one->next) {
            cJSON *part = cJSON_CreateObject();
            cJSON_AddItemToArray(cJSON_AddArrayToObject(part, "primitives"),
                                 cJSON_Duplicate(one, true));
            cJSON_AddItemToArray(meshes, part);
        }
    }
    for (int i = 0; i < node_count; i++) {
        cJSON *node = cJSON_GetArrayItem(nodes, i);
        cJSON *number = cJSON_DetachItemFromObjectCaseSensitive(node, "mesh");
        if (!number)
            continue;
        const cJSON *mesh = cJSON_GetArrayItem(meshes, number->valueint);
        const int parts =
            by_primitive ? cJSON_GetArraySize(Document_Member((cJSON *)mesh, "primitives")) : 1;
        cJSON *children = Document_Member(node, "children");
        if (!children)
            children = cJSON_AddArrayToObject(node, "children");
        for (int k = 0; k < parts; k++) {
            cJSON *child = cJSON_CreateObject();
            cJSON_AddNumberToObject(child, "mesh",
                                    by_primitive ? first[number->valueint] + k : number->valueint);
            if (by_primitive) {
                cJSON_AddStringToObject(child, "name", "slot");
                cJSON_AddItemToObject(
                    child, "extras",
                    cJSON_Duplicate(Document_Member((cJSON *)mesh, "extras"), true));
            }
            if (scale != 1.0)
                cJSON_AddItemToObject(
                    child, "scale",
                    cJSON_CreateDoubleArray((const double[]){scale, scale, scale}, 3));
            cJSON_AddItemToArray(nodes, child);
            cJSON_AddItemToArray(children, cJSON_CreateNumber(cJSON_GetArraySize(nodes) - 1));
        }
        cJSON_Delete(number);
    }
}

TEST(PartsBelowANodeAreItsSlot) {
    for (int by_primitive = 0; by_primitive < 2; by_primitive++) {
        OWNED(Edit) edit;
        Begin(&edit, MODEL);
        SplitMeshes(&edit.document, by_primitive, 1.0);
        Import(&edit);
        AssertOnly(&edit, (const uint8_t[]){0});
        assert_string_equal(edit.notes.rules, "");
    }
}

TEST(APartBelowANodeIsScaledInAllCells) {
    OWNED(Edit) edit;
    Begin(&edit, MODEL);
    SplitMeshes(&edit.document, false, 2.0);
    Import(&edit);
    assert_int_equal(RpMsh_Count(&edit.after, RP_MSH_NODES), 9);
    assert_int_equal(RpMsh_Count(&edit.after, RP_MSH_SLOTS),
                     RpMsh_Count(&edit.before, RP_MSH_SLOTS));
    for (uint32_t i = 0; i < RpMsh_Count(&edit.before, RP_MSH_BATCHES); i++) {
        RpMshBatch before, after;
        float from[3], to[3];
        uint16_t a, b;
        assert_true(RpMsh_Batch(&edit.before, i, &before) && RpMsh_Batch(&edit.after, i, &after));
        assert_int_equal(before.index_count, after.index_count);
        RpMsh_Index(&edit.before, before.first_index, &a);
        RpMsh_Index(&edit.after, after.first_index, &b);
        RpMsh_Position(&edit.before, before.base_vertex + a, from);
        RpMsh_Position(&edit.after, after.base_vertex + b, to);
        for (int k = 0; k < 3; k++)
            assert_float_equal(to[k], 2.0F * from[k], 0.0);
    }
}

TEST(AFileWithoutExtrasKeepsWhatGltfSays) {
    OWNED(Edit) edit;
    Begin(&edit, MODEL);
    Document_ForgetExtras(edit.document.root);
    Import(&edit);
    RpSkeleton before, after;
    RpArithmetic settings = {.build = RP_BUILD_SSE};
    assert_int_equal(RpMsh_Skeleton(&edit.before, &before, NULL), RP_OK);
    assert_int_equal(RpMsh_Skeleton(&edit.after, &after, NULL), RP_OK);
    assert_int_equal(after.frame_count, before.frame_count);
    for (uint32_t i = 0; i < RpMsh_Count(&edit.before, RP_MSH_NODES); i++) {
        uint32_t length;
        const char *name = RpMsh_Text(&edit.before, RP_MSH_NAMES, i, &length);
        uint32_t other = FindNode(&edit.after, name, length);
        for (uint32_t frame = 0; frame < before.frame_count; frame++) {
            float q[2][4], p[2][3], dot = 0.0F;
            RpPose_Sample(&before, &settings, i, (float)frame, q[0], p[0], NULL);
            RpPose_Sample(&after, &settings, other, (float)frame, q[1], p[1], NULL);
            for (int c = 0; c < 3; c++)
                assert_float_equal(p[0][c], p[1][c], 1e-3);
            for (int c = 0; c < 4; c++)
                dot += q[0][c] * q[1][c];
            assert_true(dot > 0.9999F || dot < -0.9999F);
        }
    }
    assert_int_equal(RpMsh_Count(&edit.before, RP_MSH_TRIANGLES),
                     RpMsh_Count(&edit.after, RP_MSH_TRIANGLES));
    assert_true(Same(&edit, 3) && Same(&edit, 4) && Same(&edit, 5));
}

/* Models whose maps, keys and directories are not canonical have many corrections. Whatever is
 * edited, the remaining ones must not contradict each other. */
TEST(AnEditedWildModelIsSound) {
    for (uint32_t number = 0; number < 4 * TEST_MODELS_SMALL; number++) {
        OWNED(Edit) edit;
        Begin(&edit, number / 4);
        cJSON *nodes = Document_Member(edit.document.root, "nodes");
        cJSON *shown = Document_Item(&edit.document, "nodes", FirstMeshNode(&edit.document));
        cJSON *outputs =
            Document_Member(Document_Item(&edit.document, "animations", 0), "samplers");
        if (number % 4 == 0) {
            cJSON_DeleteItemFromObjectCaseSensitive(shown, "mesh");
        } else if (number % 4 == 1) {
            cJSON_DeleteItemFromObjectCaseSensitive(edit.document.root, "animations");
        } else if (number % 4 == 2 && outputs) {
            const float turned[4] = {0.6F, 0.0F, 0.0F, 0.8F};
            memcpy(
                Document_Element(&edit.document, Document_Number(outputs->child, "output"), 1, 16),
                turned, sizeof turned);
        } else {
            cJSON *last = cJSON_GetArrayItem(nodes, cJSON_GetArraySize(nodes) - 1);
            cJSON *hints = Document_Hints(last);
            if (hints)
                cJSON_DeleteItemFromObjectCaseSensitive(hints, "node");
        }
        Import(&edit);
    }
}

TEST(DamagedCorrectionsAreLeftAlone) {
    static const char *const texts[] = {"", "!!!!", "AAAA", "////////////////////////////////////",
                                        "AAAAAP////8AAAAA/////w=="};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        OWNED(Edit) edit;
        Begin(&edit, MODEL);
        cJSON *item, *restore = Document_Member(
                         Document_Hints(Document_Item(&edit.document, "nodes", 0)), "restore");
        assert_non_null(restore);
        cJSON_ArrayForEach(item, restore)
            cJSON_ReplaceItemInObjectCaseSensitive(item, "hunks", cJSON_CreateString(texts[i]));
        Import(&edit);
        assert_true(Same(&edit, 3) && Same(&edit, 6));
    }
}

/* The streams are too many to be given back. Nothing is lost silently, and the time does not grow
 * with the square of their number. */
TEST(TooManyStreamsAreRefusedAloud) {
    enum { MOST = 4096 };
    const RpNResMember stream = {.type = 77, .name = "many"};
    RpGltfExportOptions options = RpGltfExportOptions_Default();
    RpGltfImportOptions import = RpGltfImportOptions_Default();
    for (uint32_t more = 0; more < 2; more++) {
        Notes notes;
        OWNED(RpBuffer) file = {0};
        OWNED(RpNResArchive) back = {0};
        OWNED(TestModel) model;
        Notes_Begin(&notes);
        options.notes = &notes.sink;
        assert_true(TestModels_Make(&models, MODEL, &model));
        while (model.archive.count < MOST + more)
            assert_int_equal(RpNResArchive_Add(&model.archive, model.archive.count, &stream, NULL),
                             RP_OK);
        assert_int_equal(RpGltf_Export(&model.archive, &options, &file, NULL), RP_OK);
        assert_int_equal(Notes_Has(&notes, "G08"), more);
        assert_int_equal(RpGltf_Import(file.bytes, file.size, &import, &back, NULL), RP_OK);
        assert_true(more ? back.count < 100 : back.count == MOST);
    }
}

/* Tests a file that has one correction too many, or one of them twice. */
TEST(RepeatedCorrectionsCountOnce) {
    enum { TOO_MANY = 4200 };
    for (int i = 0; i < 2; i++) {
        OWNED(Edit) edit;
        Begin(&edit, MODEL);
        cJSON *restore =
            Document_Member(Document_Hints(Document_Item(&edit.document, "nodes", 0)), "restore");
        assert_non_null(restore);
        const int count = cJSON_GetArraySize(restore);
        cJSON *last = cJSON_GetArrayItem(restore, count - 1);
        for (int more = count; more < (i ? TOO_MANY : count + 1); more++)
            cJSON_AddItemToArray(restore, cJSON_Duplicate(last, true));
        if (i) {
            RpGltfImportOptions options = RpGltfImportOptions_Default();
            RpError error = {0};
            Document_Write(&edit.document, &edit.edited);
            assert_int_equal(
                RpGltf_Import(edit.edited.bytes, edit.edited.size, &options, &edit.back, &error),
                RP_UNSUPPORTED);
            assert_string_equal(error.where, "/extras/retropose/restore");
        } else {
            Import(&edit);
            AssertOnly(&edit, (const uint8_t[]){0});
        }
    }
}
