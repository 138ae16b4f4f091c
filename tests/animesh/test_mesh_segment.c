/* Tests of segments against faces (facts/animesh.md E.14). */
#include "mesh_fixture.h"

#include "core/bytes.h"

#include <string.h>

enum { UNTOUCHED = 0x5A5A5A5A };

static const float from_above[6] = {1, 1, 2, 1, 1, -2};

static Shape shape;
static Scene scene;
static MeshHit hit;

static MeshHit NoHit(void) {
    MeshHit none;
    memset(&none, 0x5A, sizeof none);
    return none;
}

static void AssertNoHit(void) {
    const MeshHit untouched = NoHit();
    assert_memory_equal(&hit, &untouched, sizeof untouched);
}

static bool Ask(const float segment[6]) {
    hit = NoHit();
    return Mesh_Segment(&scene.context, &scene.mesh, segment, NULL, &hit);
}

static bool Meets(float x, float y) {
    return Ask((const float[6]){x, y, 2, x, y, -2});
}

static void MakeFloor(uint32_t batch_flags) {
    Shape_MakeTriangle(&shape, batch_flags, floor_corners, up);
    Scene_Make(&scene, &shape);
}

/* ---- one face -------------------------------------------------------------------------------- */

TEST(AFaceIsHitFromItsFront) {
    MakeFloor(0);
    assert_true(Ask(from_above));
    assert_int_equal(hit.object, UNTOUCHED);
    assert_int_equal(hit.node, 0);
    assert_int_equal(hit.batch, 0);
    assert_int_equal(hit.batch_triangle, 0);
    assert_int_equal(hit.triangle, 0);
    AssertPoint(hit.point, 1, 1, 0);
    AssertBits(hit.distance, 4);
}

TEST(OnlyATwoSidedBatchIsHitFromBehind) {
    static const float from_below[6] = {1, 1, -1, 1, 1, 3};
    MakeFloor(0);
    assert_false(Ask(from_below));
    AssertNoHit();
    MakeFloor(BATCH_TWO_SIDED);
    assert_true(Ask(from_below));
    AssertPoint(hit.point, 1, 1, 0);
    AssertBits(hit.distance, 1); /* measured from the start, although the ends were swapped */
}

TEST(EdgesAndCornersBelongToTheFace) {
    MakeFloor(0);
    assert_true(Meets(1, 0));
    assert_true(Meets(0, 1));
    assert_true(Meets(2, 2));
    assert_true(Meets(0, 0));
    assert_true(Meets(4, 0));
    assert_false(Meets(1, -0x1p-20f));
    assert_false(Meets(-0x1p-20f, 1));
    assert_false(Meets(2, Above(2)));
}

TEST(TheSideOfAnEdgeIsThatOfTheStoredNormal) {
    static const float clockwise[9] = {0, 0, 0, 0, 4, 0, 4, 0, 0};
    Shape_MakeTriangle(&shape, 0, clockwise, up);
    Scene_Make(&scene, &shape);
    assert_false(Ask(from_above));
}

/* |nx| is the greatest component, but |ny| < |nz|, so z is dropped. Seen along z this face has no
 * area, and whatever lies on its line is inside. If the greatest component were dropped, the point
 * would be
 * outside. */
TEST(TheAxisIsChosenByTwoComparisons) {
    static const float wall[9] = {0, 0, 0, 0, 4, 0, 0, 0, 4};
    static const float normal[3] = {30000 / 32767.0f, 1 / 32767.0f, 2 / 32767.0f};
    static const float segment[6] = {2, 10, -5, -2, 10, -5};
    Shape_MakeTriangle(&shape, 0, wall, normal);
    Scene_Make(&scene, &shape);
    assert_true(Ask(segment));
    AssertPoint(hit.point, 0, 10, -5);
}

TEST(AStartOnThePlaneCountsAndAnEndOnlyBySse) {
    static const float starts[6] = {1, 1, 0, 1, 1, -2}, ends[6] = {1, 1, 2, 1, 1, 0};
    static const RpBuild builds[3] = {RP_BUILD_GENERIC, RP_BUILD_FXCH, RP_BUILD_SSE};
    MakeFloor(0);
    for (int i = 0; i < 3; i++) {
        scene.arithmetic.build = builds[i];
        assert_true(Ask(starts));
        AssertBits(hit.distance, 0);
        assert_int_equal(Mesh_NodeSegment(&scene.context, &scene.mesh, 0, 1, ends, NULL, 5, &hit),
                         builds[i] == RP_BUILD_SSE);
    }
}

TEST(ASegmentThatEndsBeforeTheFaceMeetsNothing) {
    static const float before[6] = {1, 1, 2, 1, 1, 0.5f};
    MakeFloor(BATCH_TWO_SIDED);
    assert_false(Ask(before));
    AssertNoHit();
}

/* ---- the nearest ----------------------------------------------------------------------------- */

static void AddFloor(float z, uint16_t flags) {
    float corners[9];
    memcpy(corners, floor_corners, sizeof corners);
    corners[2] = corners[5] = corners[8] = z;
    Shape_AddTriangle(&shape, corners, up, flags);
}

static void BeginShape(void) {
    Shape_Begin(&shape);
    Shape_AddSlot(&shape, Shape_AddNode(&shape, 0), 0, 0);
    Shape_AddBatch(&shape, 0);
}

TEST(TheNearestFaceWinsWhateverTheOrder) {
    static const float heights[2][2] = {{1, 0}, {0, 1}};
    for (uint32_t i = 0; i < 2; i++) {
        BeginShape();
        AddFloor(heights[i][0], 0);
        AddFloor(heights[i][1], 0);
        Scene_Make(&scene, &shape);
        assert_true(Ask(from_above));
        assert_int_equal(hit.triangle, i);
        AssertBits(hit.distance, 1);
    }
}

TEST(TheLastOfEqualDistancesWinsAmongFacesAndPieces) {
    BeginShape();
    AddFloor(0, 0);
    AddFloor(0, 0);
    Scene_Make(&scene, &shape);
    Scene_Add(&scene, &shape, 0, 0);
    assert_true(Ask(from_above));
    assert_int_equal(hit.triangle, 1);
    assert_int_equal(hit.node, 1);
}

TEST(TheGreatestDistanceThatCountsDoesCount) {
    hit = NoHit();
    MakeFloor(0);
    assert_true(Mesh_NodeSegment(&scene.context, &scene.mesh, 0, 1, from_above, NULL, 4, &hit));
    hit = NoHit();
    assert_false(
        Mesh_NodeSegment(&scene.context, &scene.mesh, 0, 1, from_above, NULL, Below(4), &hit));
    AssertNoHit();
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* The node's (3, 3, 0) is the world's (7, 23, 5), which is inside only if the face is twice as
 * large. */
TEST(TheSegmentIsTakenIntoTheNodeAndVerticesAreScaled) {
    static const float segment[6] = {7, 23, 7, 7, 23, 3};
    MakeFloor(0);
    Scene_Turn(&scene, 0, 10, 20, 5);
    assert_false(Ask(segment));
    Scene_SetScale(&scene, 2, 2, 2);
    assert_true(Ask(segment));
    AssertPoint(hit.point, 7, 23, 5);
    AssertBits(hit.distance, 4);
    scene.mesh.scaled = 0;
    assert_false(Ask(segment));
}

TEST(HiddenPiecesAreNotHitButThoseBelowThemAre) {
    MakeFloor(0);
    Scene_Add(&scene, &shape, 0, 0);
    Scene_Move(&scene, 1, 0, 0, -1);
    scene.pieces[0].flags = PIECE_HIDDEN;
    assert_true(Ask(from_above));
    assert_int_equal(hit.node, 1);
    AssertBits(hit.distance, 9);
    scene.pieces[1].flags = PIECE_HIDDEN;
    assert_false(Ask(from_above));
}

TEST(Mode1AsksOnePieceAndOthersItsSubtree) {
    Shape empty;
    Shape_Begin(&empty);
    Shape_AddNode(&empty, 0);
    Shape_MakeTriangle(&shape, 0, floor_corners, up);
    Scene_Begin(&scene);
    Scene_Add(&scene, &empty, 0, -1); /* no slot */
    Scene_Add(&scene, &empty, 0, 0);
    Scene_Add(&scene, &shape, 0, 1);
    Scene_Add(&scene, &shape, 0, 0); /* this piece is beside it, and nearer */
    Scene_Move(&scene, 3, 0, 0, 1);
    const MeshContext *context = &scene.context;
    assert_false(Mesh_NodeSegment(context, &scene.mesh, 1, 1, from_above, NULL, 100, &hit));
    assert_true(Mesh_NodeSegment(context, &scene.mesh, 1, 0, from_above, NULL, 100, &hit));
    assert_int_equal(hit.node, 2);
    assert_true(Mesh_NodeSegment(context, &scene.mesh, 0, 2, from_above, NULL, 100, &hit));
    assert_int_equal(hit.node, 3);
    assert_false(Mesh_NodeSegment(context, &scene.mesh, 4, 1, from_above, NULL, 100, &hit));
    assert_false(Mesh_NodeSegment(context, &scene.mesh, 4, 0, from_above, NULL, 100, &hit));
}

TEST(TheSlotIsThatOfLevel0AndTheOwnStage) {
    Shape_Begin(&shape);
    Shape_AddNode(&shape, 0);
    for (uint32_t i = 0; i < 3; i++) {
        Shape_AddSlot(&shape, 0, i == 2 ? 1 : 0, i == 2 ? 0 : i); /* the last one is at level 1 */
        Shape_AddBatch(&shape, 0);
        AddFloor((float)i * 0.5f, 0);
    }
    Scene_Make(&scene, &shape);
    assert_true(Ask(from_above));
    assert_int_equal(hit.triangle, 0);
    scene.pieces[0].variant = 1;
    assert_true(Ask(from_above));
    assert_int_equal(hit.triangle, 1);
    assert_int_equal(hit.batch, 1);
    assert_int_equal(hit.batch_triangle, 0);
    scene.pieces[0].variant = 2;
    assert_false(Ask(from_above));
}

/* ---- masks ----------------------------------------------------------------------------------- */

static uint32_t TriangleBy(MeshQuery query) {
    const bool found = Mesh_Segment(&scene.context, &scene.mesh, from_above, &query, &hit);
    return found ? hit.triangle : UINT32_MAX;
}

TEST(MasksWantAllRequiredAndNoExcludedBits) {
    Shape_Begin(&shape);
    Shape_AddSlot(&shape, Shape_AddNode(&shape, 0), 0, 0);
    Shape_AddBatch(&shape, 0x108);
    AddFloor(1.5f, 0);
    AddFloor(1, 6);
    Shape_AddBatch(&shape, 0x100);
    AddFloor(0.5f, 2);
    AddFloor(0, 0);
    Scene_Make(&scene, &shape);
    assert_int_equal(TriangleBy((MeshQuery){.class_mask = 0}), 0);
    assert_int_equal(TriangleBy((MeshQuery){.required_batch = 0x108}), 0);
    assert_int_equal(TriangleBy((MeshQuery){.required_batch = 0x109}), UINT32_MAX);
    /* Triangles that are left out still count: this is the third triangle of the model and the
     * first of its batch. */
    assert_int_equal(TriangleBy((MeshQuery){.excluded_batch = 0x208}), 2);
    assert_int_equal(TriangleBy((MeshQuery){.required_triangle = 2}), 1);
    assert_int_equal(TriangleBy((MeshQuery){.required_triangle = 2, .excluded_triangle = 4}), 2);
    assert_int_equal(TriangleBy((MeshQuery){.excluded_batch = 8, .excluded_triangle = 2}), 3);
    assert_int_equal(TriangleBy((MeshQuery){.excluded_batch = 0x100}), UINT32_MAX);
}

TEST(AQueryOfObjectsMeansNothingToAMesh) {
    MakeFloor(0);
    const MeshQuery query = {
        .class_mask = 1, .required_object = 2, .excluded_object = 4, .skip_parts = 1};
    assert_int_equal(TriangleBy(query), 0);
}

/* ---- models that are not as they should be --------------------------------------------------- */

/* There are (index count + 2) / 3 triangles, so one index more than three is a second triangle. */
TEST(ARestOfIndicesIsATriangle) {
    static const float segment[6] = {1, 1, 2, 1, 1, -2};
    BeginShape();
    AddFloor(0, 0);
    AddFloor(1, 0);
    Bytes_PutU16(shape.batches + 8, 4);
    Scene_Make(&scene, &shape);
    assert_true(Ask(segment));
    assert_int_equal(hit.batch_triangle, 1);
    Bytes_PutU16(shape.batches + 8, 3);
    assert_true(Ask(segment));
    assert_int_equal(hit.batch_triangle, 0);
}

static void AssertOutside(uint64_t count) {
    scene.counters.out_of_bounds = 0;
    assert_false(Ask(from_above));
    AssertNoHit();
    assert_int_equal(scene.counters.out_of_bounds, count);
}

TEST(WhatLiesOutsideOfItsStreamIsLeftOutAndCounted) {
    const struct {
        uint8_t *at;
        uint32_t value;
        bool is_dword;
    } cases[] = {{shape.slots + 4, 1, false},    /* batch */
                 {shape.slots, 1, false},        /* triangle */
                 {shape.batches + 0xA, 1, true}, /* index */
                 {shape.batches + 0xA, UINT32_MAX, true},
                 {shape.batches + 0x10, 1, true}, /* vertex */
                 {shape.batches + 0x10, UINT32_MAX, true},
                 {shape.nodes + 8, 7, false}}; /* slot */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MakeFloor(0);
        (cases[i].is_dword ? Bytes_PutU32 : Bytes_PutU16)(cases[i].at, cases[i].value);
        AssertOutside(1);
    }
}

/* Sums that wrapped round would lead back into the streams. */
TEST(IndicesAndVerticesDoNotWrapAround) {
    MakeFloor(0);
    Bytes_PutU32(shape.batches + 0x10, UINT32_MAX);
    for (uint32_t i = 0; i < 3; i++)
        Bytes_PutU16(shape.indices + 2 * i, i + 1);
    AssertOutside(1);
    BeginShape();
    AddFloor(0, 0);
    AddFloor(0, 0);
    Bytes_PutU32(shape.batches + 0xA, UINT32_MAX - 2); /* the second triangle's would be 0, 1, 2 */
    Scene_Make(&scene, &shape);
    AssertOutside(2);
}

/* A bad triangle does not hide the one that follows. */
TEST(ATriangleWithoutAVertexIsLeftOutAlone) {
    BeginShape();
    AddFloor(1, 0);
    AddFloor(0, 0);
    Bytes_PutU16(shape.indices + 2, 999);
    Scene_Make(&scene, &shape);
    assert_true(Ask(from_above));
    assert_int_equal(hit.triangle, 1);
    assert_int_equal(scene.counters.out_of_bounds, 1);
}

TEST(NumbersThatAreNoneMeetNothing) {
    MakeFloor(BATCH_TWO_SIDED);
    for (int i = 0; i < 6; i++) {
        float segment[6];
        memcpy(segment, from_above, sizeof segment);
        memset(&segment[i], 0xFF, sizeof segment[i]);
        assert_false(Ask(segment));
        AssertNoHit();
    }
}
