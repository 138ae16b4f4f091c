/* Tests of OBJ files: they contain what one cell shows, where the pose puts it. */
#include "tests/formats/gltf/models.h"

#include "retropose/msh_edit.h"
#include "tests/test.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* This is an_0_28.msh of the corpus, with 9 animated nodes and several rows. */
enum { MODEL = TEST_MODELS_SMALL + 384 };

typedef struct Obj {
    TestModels models;
    TestModel model;
    RpMsh msh;
    RpBuffer text, materials;
} Obj;

static void Export(Obj *obj, const RpObjOptions *options) {
    assert_int_equal(
        RpMsh_Open(RpNResArchive_Entries(&obj->model.archive), RP_STRICT, &obj->msh, NULL), RP_OK);
    RpBuffer_Init(&obj->text, NULL);
    RpBuffer_Init(&obj->materials, NULL);
    assert_int_equal(RpObj_Export(&obj->model.archive, options, &obj->text, &obj->materials, NULL),
                     RP_OK);
    RpBuffer_Append(&obj->text, "", 1);
    RpBuffer_Append(&obj->materials, "", 1);
}

static void Open(Obj *obj) {
    assert_true(TestModels_Open(&obj->models));
    assert_true(TestModels_Make(&obj->models, MODEL, &obj->model));
}

static void Begin(Obj *obj, const RpObjOptions *options) {
    Open(obj);
    Export(obj, options);
}

static void Obj_Free(Obj *obj) {
    RpBuffer_Free(&obj->text);
    RpBuffer_Free(&obj->materials);
    TestModel_Free(&obj->model);
    TestModels_Close(&obj->models);
}

static uint32_t CountLines(const RpBuffer *text, const char *start) {
    uint32_t count = 0;
    for (const char *at = (const char *)text->bytes; at && *at; at = strchr(at, '\n')) {
        at += *at == '\n';
        count += strncmp(at, start, strlen(start)) == 0;
    }
    return count;
}

/* Reads the numbers of the `index`-th line that begins with `start`. */
static void Line(const RpBuffer *text, const char *start, uint32_t index, double numbers[3]) {
    for (const char *at = (const char *)text->bytes; at && *at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, start, strlen(start)) != 0 || index-- > 0)
            continue;
        char *end = (char *)(uintptr_t)at + strlen(start);
        for (int i = 0; i < 3; i++)
            numbers[i] = strtod(end, &end);
        return;
    }
    fail();
}

static uint32_t ShownTriangles(const RpMsh *msh, uint32_t cell) {
    uint32_t count = 0;
    RpMshNode node;
    RpMshSlot slot;
    for (uint32_t i = 0; RpMsh_Node(msh, i, &node); i++)
        if (RpMsh_Slot(msh, node.slots[cell], &slot))
            count += slot.triangle_count;
    return count;
}

TEST(AllTrianglesOfTheCellAreThereWithTheirRows) {
    OWNED(Obj) obj;
    const RpObjOptions options = RpObjOptions_Default();
    Begin(&obj, &options);
    assert_int_equal(CountLines(&obj.text, "f "), ShownTriangles(&obj.msh, 0));
    assert_true(CountLines(&obj.text, "f ") > 100);
    assert_int_equal(CountLines(&obj.text, "v "), CountLines(&obj.text, "vt "));
    assert_int_equal(CountLines(&obj.text, "v "), CountLines(&obj.text, "vn "));
    assert_true(CountLines(&obj.text, "usemtl row_") >= CountLines(&obj.materials, "newmtl row_"));
    assert_true(CountLines(&obj.materials, "newmtl row_") > 0);
}

static uint32_t FirstShownNode(const RpMsh *msh, uint32_t cell) {
    uint32_t index = 0;
    RpMshNode node;
    RpMshSlot slot;
    while (RpMsh_Node(msh, index, &node) && !RpMsh_Slot(msh, node.slots[cell], &slot))
        index++;
    return index;
}

/* The vertex in the `line`-th line is that of the first index of the first batch of the node, where
 * the node's pose puts it. */
static void AssertFirstVertex(const Obj *obj, const RpObjOptions *options, uint32_t index,
                              uint32_t line) {
    RpMshNode node;
    RpMshSlot slot;
    RpMshBatch batch;
    uint16_t relative;
    float p[3];
    double found[3], expected[3];
    HEAP double(*matrices)[16] = calloc(RpMsh_Count(&obj->msh, RP_MSH_NODES), sizeof *matrices);
    assert_non_null(matrices);
    assert_true(RpMsh_Node(&obj->msh, index, &node));
    assert_true(RpMsh_Slot(&obj->msh, node.slots[options->cell], &slot));
    assert_true(RpMsh_Batch(&obj->msh, slot.first_batch, &batch));
    assert_true(RpMsh_Index(&obj->msh, batch.first_index, &relative));
    assert_true(RpMsh_Position(&obj->msh, batch.base_vertex + relative, p));
    assert_int_equal(RpMsh_PoseNodes(&obj->msh, &options->readings, options->frame,
                                     options->zero_root, matrices, NULL),
                     RP_OK);
    const double *m = matrices[index];
    for (int i = 0; i < 3; i++)
        expected[i] = m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3];
    Line(&obj->text, "v ", line, found);
    assert_float_equal((float)found[0], (float)expected[0], 1e-4F);
    assert_float_equal((float)found[1], (float)(options->y_up ? expected[2] : expected[1]), 1e-4F);
    assert_float_equal((float)found[2], (float)(options->y_up ? -expected[1] : expected[2]), 1e-4F);
}

TEST(VerticesAreWhereThePosePutsThem) {
    for (int i = 0; i < 8; i++) {
        OWNED(Obj) obj;
        RpObjOptions options = RpObjOptions_Default();
        options.y_up = (i & 1) != 0;
        options.zero_root = (i & 2) != 0;
        options.frame = (i & 4) != 0 ? 17.5 : -1.0;
        Begin(&obj, &options);
        AssertFirstVertex(&obj, &options, FirstShownNode(&obj.msh, options.cell), 0);
    }
}

/* Lets the node after the first that is shown show the same slot, and no other node any. Returns
 * the first of the two. */
static uint32_t ShareSlot(Obj *obj) {
    RpNResArchive *archive = &obj->model.archive;
    RpMshNode shown;
    assert_int_equal(RpMsh_Open(RpNResArchive_Entries(archive), RP_STRICT, &obj->msh, NULL), RP_OK);
    const uint32_t count = RpMsh_Count(&obj->msh, RP_MSH_NODES);
    const uint32_t first = FirstShownNode(&obj->msh, 0);
    assert_true(first + 1 < count);
    assert_true(RpMsh_Node(&obj->msh, first, &shown));
    for (uint32_t i = 0; i < count; i++) {
        const bool shows = i == first || i == first + 1;
        assert_int_equal(
            RpMshEdit_SetSlot(archive, i, 0, shows ? shown.slots[0] : RP_MSH_NONE, NULL), RP_OK);
    }
    return first;
}

TEST(EachNodeThatShowsASlotHasItsOwnVertices) {
    OWNED(Obj) obj;
    double found[2][3];
    const RpObjOptions options = RpObjOptions_Default();
    Open(&obj);
    const uint32_t first = ShareSlot(&obj);
    Export(&obj, &options);
    const uint32_t vertices = CountLines(&obj.text, "v ");
    assert_int_equal(CountLines(&obj.text, "f "), ShownTriangles(&obj.msh, 0));
    assert_true(vertices > 0 && vertices % 2 == 0);
    AssertFirstVertex(&obj, &options, first, 0);
    AssertFirstVertex(&obj, &options, first + 1, vertices / 2);
    /* The two nodes are in different places, so that the vertices of one cannot pass for those of
     * the other. */
    Line(&obj.text, "v ", 0, found[0]);
    Line(&obj.text, "v ", vertices / 2, found[1]);
    assert_true(memcmp(found[0], found[1], sizeof found[0]) != 0);
}

TEST(TextureCoordinatesRunUpwardsAndNormalsAreUnit) {
    OWNED(Obj) obj;
    const RpObjOptions options = RpObjOptions_Default();
    Begin(&obj, &options);
    RpMshNode node;
    RpMshSlot slot;
    RpMshBatch batch;
    uint16_t relative, uv[2];
    double found[3];
    assert_true(RpMsh_Node(&obj.msh, FirstShownNode(&obj.msh, 0), &node));
    assert_true(RpMsh_Slot(&obj.msh, node.slots[0], &slot));
    assert_true(RpMsh_Batch(&obj.msh, slot.first_batch, &batch));
    /* Vertices are written when they are first used. */
    uint32_t written = 0, telling = 0;
    bool seen[65536] = {false};
    for (uint32_t i = 0; i < batch.index_count; i++) {
        assert_true(RpMsh_Index(&obj.msh, batch.first_index + i, &relative));
        if (seen[relative])
            continue;
        seen[relative] = true;
        assert_true(RpMsh_Uv(&obj.msh, RP_MSH_UV0, batch.base_vertex + relative, uv));
        Line(&obj.text, "vt ", written++, found);
        assert_float_equal((float)found[0], (float)(int16_t)uv[0] / 1024.0F, 1e-5F);
        assert_float_equal((float)found[1], 1.0F - (float)(int16_t)uv[1] / 1024.0F, 1e-5F);
        telling += uv[1] != 512;
    }
    assert_true(telling > 0);
    for (uint32_t i = 0; i < CountLines(&obj.text, "vn "); i += 37) {
        Line(&obj.text, "vn ", i, found);
        double length = sqrt(found[0] * found[0] + found[1] * found[1] + found[2] * found[2]);
        assert_float_equal((float)length, 1.0F, 1e-4F);
    }
}

TEST(CellsPastTheLastAreRefused) {
    OWNED(RpNResArchive) none = {0};
    OWNED(RpBuffer) text = {0};
    RpObjOptions options = RpObjOptions_Default();
    options.cell = 15;
    assert_int_equal(RpObj_Export(&none, &options, &text, NULL, NULL), RP_INVALID);
}
