/* Tests of points inside closed geometry (facts/animesh.md C.7). */
#include "mesh_fixture.h"

static Shape shape;
static Scene scene;

static void CubeCorner(float low, float size, int corner, float point[3]) {
    for (int i = 0; i < 3; i++)
        point[i] = corner >> i & 1 ? low + size : low;
}

/* The diagonals of the twelve faces leave corner 0 or end in corner 7. */
static void AddCube(float low, float size) {
    static const int faces[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6},
                                     {0, 1, 5}, {0, 5, 4}, {2, 3, 7}, {2, 7, 6},
                                     {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
    for (int face = 0; face < 12; face++) {
        float corners[9];
        for (int i = 0; i < 3; i++)
            CubeCorner(low, size, faces[face][i], corners + 3 * i);
        Shape_AddTriangle(&shape, corners, up, (uint16_t)(face % 4));
    }
}

/* Makes a cube from (0, 0, 0) to (4, 4, 4). */
static void MakeCube(void) {
    Shape_Begin(&shape);
    Shape_AddSlot(&shape, Shape_AddNode(&shape, 0), 0, 0);
    Shape_AddBatch(&shape, 0);
    AddCube(0, 4);
    Scene_Make(&scene, &shape);
}

static bool Holds(int32_t node, float x, float y, float z) {
    const float point[3] = {x, y, z};
    return Mesh_IsInside(&scene.context, &scene.mesh, node, point, NULL);
}

TEST(AClosedSurfaceHoldsWhatIsInside) {
    MakeCube();
    assert_true(Holds(-1, 1, 3, 2));
    assert_true(Holds(0, 1, 3, 2));
    assert_false(Holds(-1, 1, 3, 5));
    assert_false(Holds(-1, 1, 3, -1));
    assert_false(Holds(-1, 5, 3, 2));
    assert_false(Holds(-1, 1, -3, 2));
}

TEST(ARayThroughAnEdgeOrCornerCountsOnce) {
    MakeCube();
    assert_true(Holds(-1, 2, 2, 2)); /* below the diagonal of the top */
    assert_false(Holds(-1, 2, 2, -2));
    assert_false(Holds(-1, 0, 0, -2)); /* the ray meets two corners and an edge */
    assert_false(Holds(-1, 4, 4, -2));
    assert_false(Holds(-1, 0, 2, -2)); /* the ray lies in the plane of a wall */
}

/* Low faces belong to the cube and high ones do not, so that cubes side by side share no point. */
TEST(APointOnTheSurfaceIsInOneOfTwoNeighbours) {
    MakeCube();
    assert_true(Holds(-1, 0, 2, 2));
    assert_true(Holds(-1, 2, 0, 2));
    assert_true(Holds(-1, 2, 1, 0));
    assert_true(Holds(-1, 0, 0, 0));
    assert_false(Holds(-1, 4, 2, 2));
    assert_false(Holds(-1, 2, 4, 2));
    assert_false(Holds(-1, 2, 1, 4));
    assert_false(Holds(-1, 4, 4, 4));
}

/* The grid hits faces, edges and corners of both cubes. Each of its points is in the smaller cube,
 * in the rest of the larger one, or in neither. */
TEST(NestedSurfacesHoldTheirDifference) {
    MakeCube();
    AddCube(1, 2);
    for (int i = 0; i < 11 * 11 * 11; i++) {
        const int at[3] = {i % 11 - 1, i / 11 % 11 - 1, i / 121 - 1}; /* halves */
        int outer = 0, inner = 0;
        for (int k = 0; k < 3; k++) {
            outer += at[k] >= 0 && at[k] < 8;
            inner += at[k] >= 2 && at[k] < 6;
        }
        bool held = Holds(-1, (float)at[0] / 2, (float)at[1] / 2, (float)at[2] / 2);
        assert_int_equal(held, outer == 3 && inner != 3);
    }
}

TEST(HiddenPiecesHoldNothing) {
    MakeCube();
    scene.pieces[0].flags = PIECE_HIDDEN;
    assert_false(Holds(-1, 1, 3, 2));
}

TEST(ASubtreeIsAskedInTheWorld) {
    MakeCube();
    Scene_Add(&scene, &shape, 0, 0);
    Scene_Turn(&scene, 1, 100, 100, 100); /* x 96 to 100 */
    Scene_SetScale(&scene, 2, 2, 2);      /* 92 to 100 */
    assert_true(Holds(1, 93, 101, 101));
    assert_true(Holds(0, 93, 101, 101));
    assert_false(Holds(1, 101, 101, 101));
    assert_true(Holds(0, 7, 1, 1));
    assert_false(Holds(1, 7, 1, 1));
    assert_false(Holds(2, 7, 1, 1));
}

/* Faces 2 and 3 of the cube, which form its top, have triangle flags 2 and 3. */
TEST(MasksLeaveFacesOut) {
    static const float point[3] = {1, 3, 2};
    const MeshQuery tops = {.required_triangle = 2}, others = {.excluded_triangle = 2};
    const MeshQuery none = {.required_batch = 1};
    MakeCube();
    assert_true(Mesh_IsInside(&scene.context, &scene.mesh, -1, point, &tops));
    assert_false(Mesh_IsInside(&scene.context, &scene.mesh, -1, point, &others));
    assert_false(Mesh_IsInside(&scene.context, &scene.mesh, -1, point, &none));
}
