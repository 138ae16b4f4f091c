/* Tests of the faces above and below a point (facts/animesh.md C.6, E.15). */
#include "mesh_fixture.h"

#include <string.h>

static Shape shape;
static Scene scene;
static MeshHit hit;

/* ---- a point over a triangle ----------------------------------------------------------------- */

/* Both triangles lie in the plane z = 2x + y. */
static const float slope[9] = {0, 0, 0, 4, 0, 8, 0, 4, 4};
static const float slope_clockwise[9] = {0, 0, 0, 0, 4, 4, 4, 0, 8};

static void AssertOver(const float triangle[9], float x, float y, float height, float gap) {
    const float point[3] = {x, y, 1000};
    float answer[2];
    assert_int_equal(Face_PointOver(triangle, point, answer), 1);
    AssertBits(answer[0], height);
    AssertBits(answer[1], gap);
}

TEST(InsideTheHeightIsThePlanes) {
    AssertOver(slope, 1, 1, 3, 0);
    AssertOver(slope_clockwise, 1, 1, 3, 0);
    AssertOver(slope, 2, 0, 4, 0); /* edges are inside */
    AssertOver(slope, 2, 2, 6, 0);
    AssertOver(slope, 4, 0, 8, 0);
}

TEST(BesideAnEdgeTheHeightIsTheEdges) {
    AssertOver(slope, 2, -1, 4, 1);
    AssertOver(slope_clockwise, 2, -1, 4, 1);
    AssertOver(slope, -3, 1, 1, 9);
    AssertOver(slope, 3, 3, 6, 2);
}

TEST(PastAnEndTheHeightIsTheCorners) {
    AssertOver(slope, -1, -1, 0, 2);
    AssertOver(slope, 6, -1, 8, 5);
    AssertOver(slope, -1, 5, 4, 2);
    /* `along` is 0, so the height is computed on the edge's start, by division */
    AssertOver(slope, 0, -1, 0, 1);
    AssertOver(slope, 4, -1, 8, 1); /* `along` is the whole edge */
}

/* A height that was copied from a corner would keep -0. */
TEST(AtTheStartOfAnEdgeTheHeightIsStillTheEdges) {
    static const float triangle[9] = {0, 0, -0.0f, 4, 0, 8, 0, 4, 4};
    AssertOver(triangle, 0, -1, 0, 1);
    AssertOver(triangle, -0x1p-20f, -1, -0.0f, 1);
}

/* The edge from c to a is nearer, but another edge is found first. */
TEST(TheFirstEdgeBeyondDecidesNotTheNearest) {
    static const float obtuse[9] = {0, 0, 1, 4, 0, 1, -4, 1, 1};
    AssertOver(obtuse, -4, -0.25f, 1, 16.0625f);
}

TEST(ATriangleWithoutAreaHasNoHeight) {
    static const float line[9] = {0, 0, 0, 4, 0, 1, 2, 0, 5}, point[3] = {1, 0, 0};
    float broken[9], answer[2] = {7, 7};
    assert_int_equal(Face_PointOver(line, point, answer), 0);
    memcpy(broken, slope, sizeof broken);
    memset(&broken[4], 0xFF, sizeof broken[4]);
    assert_int_equal(Face_PointOver(broken, point, answer), 0);
    AssertBits(answer[0], 7);
    AssertBits(answer[1], 7);
}

/* ---- walking --------------------------------------------------------------------------------- */

static void MakeFloor(void) {
    Shape_MakeTriangle(&shape, 0, floor_corners, up);
    Scene_Make(&scene, &shape);
}

static bool Walks(float x, float y, float z) {
    const float point[3] = {x, y, z};
    memset(&hit, 0x5A, sizeof hit);
    return Mesh_WalkFace(&scene.context, &scene.mesh, point, NULL, &hit);
}

static bool WalksBeside(float x, float y, float z, float margin, uint32_t direction) {
    const float point[3] = {x, y, z};
    memset(&hit, 0x5A, sizeof hit);
    return Mesh_WalkFaceWithMargin(&scene.context, &scene.mesh, point, margin, direction, &hit);
}

TEST(TheFaceBelowOrAboveIsFound) {
    MakeFloor();
    for (int side = -1; side <= 1; side += 2) {
        assert_true(Walks(1, 2, (float)side * 3));
        assert_int_equal(hit.object, 0x5A5A5A5A);
        assert_int_equal(hit.node, 0);
        assert_int_equal(hit.triangle, 0);
        AssertPoint(hit.point, 1, 2, 0);
        AssertBits(hit.distance, 9);
    }
    assert_true(Walks(2, 2, 3));
    assert_false(Walks(2, Above(2), 3));
    assert_false(Walks(1, -0x1p-20f, 3));
    /* The square of this distance underflows to nothing, but the point is still beside the face. */
    assert_false(Walks(1, -0x1p-80f, 3));
    assert_int_equal(hit.node, 0x5A5A5A5A);
}

/* The world's third axis is made to turn (0, 0, 1) into a vector whose height is the limit
 * itself. */
TEST(AFaceMayBeAsSteepAsTheLimit) {
    static const float limit = 0.173648f;
    MakeFloor();
    scene.pieces[0].world[10] = limit;
    assert_true(Walks(1, 1, 1));
    assert_true(WalksBeside(1, 1, 1, 0.5f, WALK_BELOW));
    scene.pieces[0].world[10] = Below(limit);
    assert_false(Walks(1, 1, 1));
    assert_false(WalksBeside(1, 1, 1, 0.5f, WALK_BELOW));
    scene.pieces[0].world[10] = -1; /* seen from below */
    assert_false(Walks(1, 1, 1));
}

TEST(ASquaredGapAsGreatAsTheMarginCounts) {
    MakeFloor();
    assert_true(WalksBeside(-0.5f, -0.5f, 2, 0.5f, WALK_BELOW));
    AssertPoint(hit.point, -0.5f, -0.5f, 0);
    AssertBits(hit.distance, 4);
    assert_false(WalksBeside(-0.5f, Below(-0.5f), 2, 0.5f, WALK_BELOW));
    assert_false(WalksBeside(-0.5f, -0.5f, 2, Below(0.5f), WALK_BELOW));
}

TEST(DirectionBitsChooseTheSide) {
    static const struct {
        uint32_t direction;
        bool below, at, above;
    } cases[] = {{WALK_BELOW, true, true, false},
                 {WALK_ABOVE, false, true, true},
                 {WALK_BELOW | WALK_ABOVE, true, true, true},
                 {2 | WALK_BELOW, true, true, false}, /* 2 is the game's axis */
                 {0, true, true, true}};
    MakeFloor();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t direction = cases[i].direction;
        assert_int_equal(WalksBeside(1, 1, 2, 0.5f, direction), cases[i].below);
        assert_int_equal(WalksBeside(1, 1, 0, 0.5f, direction), cases[i].at);
        assert_int_equal(WalksBeside(1, 1, -2, 0.5f, direction), cases[i].above);
    }
}

static void AddFloor(float z) {
    float corners[9];
    memcpy(corners, floor_corners, sizeof corners);
    corners[2] = corners[5] = corners[8] = z;
    Shape_AddTriangle(&shape, corners, up, 2);
}

TEST(TheNearestHeightWinsAndOfEqualOnesTheFirst) {
    Shape_Begin(&shape);
    Shape_AddSlot(&shape, Shape_AddNode(&shape, 0), 0, 0);
    Shape_AddBatch(&shape, 0);
    AddFloor(5);
    AddFloor(1);
    AddFloor(-1);
    Scene_Make(&scene, &shape);
    assert_true(Walks(1, 1, 0));
    assert_int_equal(hit.triangle, 1);
    AssertBits(hit.distance, 1);
    assert_true(WalksBeside(1, 1, 0, 0.5f, 0));
    assert_int_equal(hit.triangle, 1);
    assert_true(WalksBeside(1, 1, 0, 0.5f, WALK_BELOW));
    assert_int_equal(hit.triangle, 2);
}

/* The slot's sphere is at (6, 1) with radius 2. Like everything in the node it is doubled by the
 * scale. */
TEST(ANodeIsAskedWithinItsSphereAndTheMargin) {
    static const float wide[9] = {-99, -99, 0, 99, -99, 0, 0, 99, 0};
    Shape_MakeTriangle(&shape, 0, wide, up);
    Shape_SetSphere(&shape, 0, 6, 1, 50, 2);
    Scene_Make(&scene, &shape);
    assert_true(Walks(8, 1, 9));
    assert_false(Walks(Above(8), 1, 9));
    assert_true(WalksBeside(8.5f, 1, 9, 0.5f, WALK_BELOW));
    assert_false(WalksBeside(Above(8.5f), 1, 9, 0.5f, WALK_BELOW));
    Scene_SetScale(&scene, 1, 1, 2); /* the radius grows by the largest of the three factors */
    assert_true(Walks(10, 1, 9));
    assert_false(Walks(Above(10), 1, 9));
}

TEST(FacesAreWalkedInTheWorld) {
    MakeFloor();
    Scene_Turn(&scene, 0, 10, 20, 5);
    Scene_SetScale(&scene, 2, 2, 2);
    assert_true(Walks(7, 23, 6)); /* this is (3, 3) in the node */
    AssertPoint(hit.point, 7, 23, 5);
    assert_false(Walks(13, 23, 6));
}

TEST(NobodyStandsOnHiddenPieces) {
    MakeFloor();
    scene.pieces[0].flags = PIECE_HIDDEN;
    assert_false(Walks(1, 1, 1));
    assert_false(WalksBeside(1, 1, 1, 0.5f, WALK_BELOW));
}

TEST(MasksAreAskedWhereTheyAreGiven) {
    static const float point[3] = {1, 1, 1};
    const MeshQuery query = {.excluded_batch = 8};
    Shape_MakeTriangle(&shape, 8, floor_corners, up);
    Scene_Make(&scene, &shape);
    assert_true(Mesh_WalkFace(&scene.context, &scene.mesh, point, NULL, &hit));
    assert_false(Mesh_WalkFace(&scene.context, &scene.mesh, point, &query, &hit));
}

TEST(NumbersThatAreNoneStandOnNothing) {
    MakeFloor();
    for (int i = 0; i < 3; i++) {
        float point[3] = {1, 1, 1};
        memset(&point[i], 0xFF, sizeof point[i]);
        assert_false(Mesh_WalkFace(&scene.context, &scene.mesh, point, NULL, &hit));
        assert_false(Mesh_WalkFaceWithMargin(&scene.context, &scene.mesh, point, 0.5f, 0, &hit));
    }
}
