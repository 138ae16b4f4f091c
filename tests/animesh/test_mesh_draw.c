/* Tests of what is drawn, and of how batches and triangles are described (facts/animesh.md E.13,
 * E.17, C.6). */
#include "mesh_fixture.h"

#include "animesh/streams.h"
#include "core/bytes.h"

#include <string.h>

static Shape shape;
static Scene scene;

/* ---- drawing --------------------------------------------------------------------------------- */

enum { DRAWN = 16 };

typedef struct Drawn {
    uint32_t count;
    int32_t node[DRAWN];
    uint32_t mode[DRAWN];
    const float *world[DRAWN];
    BatchDescriptor batch[DRAWN];
} Drawn;

static void Note(void *user, int32_t node, uint32_t mode, const float world[16],
                 const BatchDescriptor *batch) {
    Drawn *drawn = user;
    assert_true(drawn->count < DRAWN);
    drawn->node[drawn->count] = node;
    drawn->mode[drawn->count] = mode;
    drawn->world[drawn->count] = world;
    drawn->batch[drawn->count++] = *batch;
}

static Drawn Draw(int32_t level, uint32_t flags, int32_t subtree) {
    Drawn drawn = {.count = 0};
    const MeshDraw draw = {
        .level = level, .flags = flags, .subtree = subtree, .batch = Note, .user = &drawn};
    Mesh_Draw(&scene.context, &scene.mesh, &draw);
    return drawn;
}

static void AddBatch(uint32_t flags) {
    Shape_AddBatch(&shape, flags);
    Shape_AddTriangle(&shape, floor_corners, up, 0);
}

/* Node 0 has two batches at level 0 and one at levels 1 and 4. Node 1, which belongs to a cockpit,
 * has levels 0 and 4. */
static void MakeScene(void) {
    Shape_Begin(&shape);
    Shape_AddNode(&shape, 0);
    Shape_AddNode(&shape, NODE_FLAG_COCKPIT);
    Shape_AddSlot(&shape, 0, 0, 0);
    AddBatch(0x100);
    AddBatch(0x101);
    Shape_AddSlot(&shape, 0, 1, 0);
    AddBatch(0x102);
    Shape_AddSlot(&shape, 0, 4, 0);
    AddBatch(0x103);
    Shape_AddSlot(&shape, 1, 0, 0);
    AddBatch(0x104);
    Shape_AddSlot(&shape, 1, 4, 0);
    AddBatch(0x105);
    Shape_AddSlot(&shape, 0, 0, 1);
    AddBatch(0x106);
    Scene_Make(&scene, &shape);
    Scene_Add(&scene, &shape, 1, 0);
}

static void AssertDrawn(Drawn drawn, uint32_t count, const uint32_t *flags) {
    assert_int_equal(drawn.count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(drawn.batch[i].flags, flags[i]);
}

TEST(PiecesAreDrawnInOrderWithTheBatchesOfTheLevel) {
    static const uint32_t level_0[] = {0x100, 0x101, 0x104}, level_1[] = {0x102};
    static const uint32_t level_4[] = {0x103, 0x105};
    MakeScene();
    Drawn drawn = Draw(0, 0, -1);
    AssertDrawn(drawn, 3, level_0);
    assert_int_equal(drawn.node[1], 0);
    assert_int_equal(drawn.node[2], 1);
    assert_ptr_equal(drawn.world[0], scene.pieces[0].world);
    assert_ptr_equal(drawn.world[2], scene.pieces[1].world);
    AssertDrawn(Draw(1, 0, -1), 1, level_1);
    AssertDrawn(Draw(2, 0, -1), 0, NULL);
    AssertDrawn(Draw(4, 0, -1), 2, level_4);
}

TEST(OnlyAtLevel4ThereAreDrawModes) {
    MakeScene();
    Drawn far = Draw(0, 0, -1), first_person = Draw(4, 0, -1);
    assert_int_equal(far.mode[0], 0);
    assert_int_equal(far.mode[2], 0);
    assert_int_equal(first_person.mode[0], 1);
    assert_int_equal(first_person.mode[1], 2);
}

TEST(Flag0x200DrawsLevel1AndTheOthersChangeNothing) {
    static const uint32_t level_1[] = {0x102}, level_4[] = {0x103, 0x105};
    MakeScene();
    Drawn drawn = Draw(4, 0x7F0, -1);
    AssertDrawn(drawn, 1, level_1);
    assert_int_equal(drawn.mode[0], 0);
    AssertDrawn(Draw(4, 0x5F0 | 8 | 1, -1), 2, level_4);
}

TEST(HiddenPiecesAreNotDrawnButThoseBelowThemAre) {
    static const uint32_t child[] = {0x104};
    MakeScene();
    scene.pieces[0].flags = PIECE_HIDDEN;
    AssertDrawn(Draw(0, 0, -1), 1, child);
    scene.pieces[1].flags = PIECE_HIDDEN;
    AssertDrawn(Draw(0, 0, -1), 0, NULL);
}

TEST(ASubtreeAndTheOwnStageAreDrawn) {
    static const uint32_t child[] = {0x104}, broken[] = {0x106, 0x104};
    MakeScene();
    AssertDrawn(Draw(0, 0, 1), 1, child);
    AssertDrawn(Draw(0, 0, 2), 0, NULL);
    scene.pieces[0].variant = 1;
    AssertDrawn(Draw(0, 0, 0), 2, broken);
}

TEST(DrawingEndsAPieceAtABatchThatDoesNotExist) {
    static const uint32_t rest[] = {0x106, 0x104};
    MakeScene();
    scene.pieces[0].variant = 1;
    Bytes_PutU16(shape.slots + 5 * 68 + 6, 0xFFFF);
    AssertDrawn(Draw(0, 0, -1), 2, rest);
    assert_int_equal(scene.counters.out_of_bounds, 1);
}

/* ---- batches --------------------------------------------------------------------------------- */

static BatchDescriptor DescribeBatch(int32_t node, uint32_t batch) {
    BatchDescriptor descriptor;
    assert_true(Mesh_DescribeBatch(&scene.context, &scene.mesh, node, batch, &descriptor));
    return descriptor;
}

TEST(ABatchIsDescribedAsItIs) {
    MakeScene();
    Bytes_PutU32(shape.batches + 20, 0x4107);
    shape.batches[24] = 9;
    BatchDescriptor batch = DescribeBatch(0, 1);
    assert_int_equal(batch.flags, 0x4107);
    assert_int_equal(batch.lightmap, NO_INDEX);
    assert_int_equal(batch.portal, NO_INDEX);
    assert_int_equal(batch.material, 9);
    assert_int_equal(batch.first_index, 3);
    assert_int_equal(batch.index_count, 3);
    assert_int_equal(batch.base_vertex, 3);
    assert_int_equal(batch.vertex_count, 3);
}

TEST(TheWearOfThePieceGoesIntoMaterialAndLightmap) {
    MakeScene();
    shape.batches[4] = 7;
    shape.batches[5] = 0xFE;
    scene.pieces[0].material_base = 0x00120000;
    BatchDescriptor batch = DescribeBatch(0, 0);
    assert_int_equal(batch.material, 0x00120007);
    assert_int_equal(batch.lightmap, 0x001200FE);
    scene.mesh.worn_handle = 0x00340001;
    batch = DescribeBatch(0, 0);
    assert_int_equal(batch.material, 0x00340001);
    assert_int_equal(batch.lightmap, 0x001200FE);
}

TEST(APortalIsSuppressedAndLeadsToAPieceOfThePart) {
    MakeScene();
    Bytes_PutU32(shape.batches, BATCH_PORTAL | 0x40);
    Bytes_PutU16(shape.batches + 6, 2);
    scene.pieces[0].part_base = 5;
    BatchDescriptor batch = DescribeBatch(0, 0);
    assert_int_equal(batch.flags, BATCH_PORTAL | 0x40 | BATCH_SUPPRESSED);
    assert_int_equal(batch.portal, 7);
}

TEST(WhatDoesNotExistIsNotDescribed) {
    BatchDescriptor batch;
    TriangleDescriptor triangle;
    MakeScene();
    const MeshContext *context = &scene.context;
    assert_false(Mesh_DescribeBatch(context, &scene.mesh, 2, 0, &batch));
    assert_false(Mesh_DescribeBatch(context, &scene.mesh, -1, 0, &batch));
    assert_int_equal(scene.counters.out_of_bounds, 0);
    assert_false(Mesh_DescribeBatch(context, &scene.mesh, 0, 7, &batch));
    assert_int_equal(scene.counters.out_of_bounds, 1);
    assert_false(Mesh_DescribeTriangle(context, &scene.mesh, 2, 0, 0, 0, &triangle));
    assert_false(Mesh_DescribeTriangle(context, &scene.mesh, 0, 0, 1, 0, &triangle));
    /* node 1 has this slot */
    assert_false(Mesh_DescribeTriangle(context, &scene.mesh, 0, 4, 0, 0, &triangle));
    assert_false(
        /* stage 1 has this slot */
        Mesh_DescribeTriangle(context, &scene.mesh, 0, 6, 0, 0, &triangle));
    assert_int_equal(scene.counters.out_of_bounds, 1);
    Bytes_PutU16(shape.indices, 21); /* the first vertex after the last */
    assert_false(Mesh_DescribeTriangle(context, &scene.mesh, 0, 0, 0, 0, &triangle));
    assert_int_equal(scene.counters.out_of_bounds, 2);
    Bytes_PutU16(shape.indices, 20);
    assert_true(Mesh_DescribeTriangle(context, &scene.mesh, 0, 0, 0, 0, &triangle));
    Bytes_PutU32(shape.batches + 0xA, 21);
    assert_false(Mesh_DescribeTriangle(context, &scene.mesh, 0, 0, 0, 0, &triangle));
    Bytes_PutU32(shape.batches + 0xA, 0);
    shape.model.uv0.count = 20;
    assert_false(Mesh_DescribeTriangle(context, &scene.mesh, 0, 0, 0, DESCRIBE_UV, &triangle));
}

TEST(ASlotThatBeginsBehindTheBatchesHasNoTriangles) {
    TriangleDescriptor triangle;
    MakeScene();
    Bytes_PutU16(shape.slots + 4, 6);
    Bytes_PutU16(shape.slots + 6, 9);
    assert_false(Mesh_DescribeTriangle(&scene.context, &scene.mesh, 0, 8, 0, 0, &triangle));
}

/* ---- triangles ------------------------------------------------------------------------------- */

TEST(ATriangleIsThatOfItsSlotsCount) {
    static const float corners[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, normal[3] = {0, -1, 1};
    TriangleDescriptor triangle;
    Shape_Begin(&shape);
    Shape_AddSlot(&shape, Shape_AddNode(&shape, 0), 0, 0);
    AddBatch(0);
    Shape_AddSlot(&shape, 0, 2, 0);
    AddBatch(0);
    Shape_AddTriangle(&shape, floor_corners, up, 0);
    Shape_AddBatch(&shape, 0x102);
    Shape_AddTriangle(&shape, floor_corners, up, 1);
    Shape_AddTriangle(&shape, corners, normal, 0x22); /* the fifth triangle of the model */
    Bytes_PutU16(shape.uv + 4 * 12, 1024);
    Bytes_PutU16(shape.uv + 4 * 12 + 2, (uint32_t)-512);
    Bytes_PutU16(shape.uv + 4 * 14 + 2, 1);
    Scene_Make(&scene, &shape);
    Scene_SetScale(&scene, 2, 2, 2);
    assert_true(
        Mesh_DescribeTriangle(&scene.context, &scene.mesh, 0, 2, 1, DESCRIBE_UV, &triangle));
    assert_int_equal(triangle.flags, 0x22);
    assert_int_equal(triangle.batch_flags, 0x102);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(triangle.indices[i], 12 + i);
    assert_memory_equal(triangle.vertices, corners, sizeof corners); /* not scaled */
    AssertPoint(triangle.normal, 0, -1, 1);
    AssertPoint(triangle.uv, 1, -0.5f, 0);
    AssertPoint(triangle.uv + 3, 0, 0, 0x1p-10f);
    assert_true(Mesh_DescribeTriangle(&scene.context, &scene.mesh, 0, 2, 1, ~8u, &triangle));
    AssertPoint(triangle.uv, 0, 0, 0);
}
