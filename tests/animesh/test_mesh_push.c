/* Tests of spheres that are pushed out of faces (facts/animesh.md E.16). */
#include "mesh_fixture.h"

#include "core/random.h"
#include "exports/reading_table.h"
#include "retropose/fastproc.h"

#include <math.h>
#include <string.h>

static Shape shape;
static Scene scene;

static double Draw(uint64_t *seed, double low, double high) {
    return low + (high - low) * (double)(Random_Lcg64(seed) >> 11) * 0x1p-53;
}

/* ---- touching -------------------------------------------------------------------------------- */

static const float floor8[9] = {0, 0, 0, 8, 0, 0, 0, 8, 0};
enum { NO_TOUCH = -1 };

static void AssertTouch(float x, float y, float z, float radius, float expected) {
    MeshFace face = {.normal = {0, 0, 1}};
    const float centre[3] = {x, y, z};
    float distance = NO_TOUCH;
    memcpy(face.corners, floor8, sizeof floor8);
    assert_int_equal(Face_TouchesSphere(&face, centre, radius, &distance), expected != NO_TOUCH);
    AssertBits(distance, expected);
}

TEST(InsideTheEdgesTheDistanceIsTheHeight) {
    AssertTouch(1, 2, 3, 4, 3);
    AssertTouch(1, 2, 3, 3, 3);
    AssertTouch(1, 2, 3, 2.9999998f, NO_TOUCH);
    AssertTouch(1, 2, 0, 4, 0);
    AssertTouch(1, 2, -0x1p-30f, 4, NO_TOUCH); /* behind the face */
    AssertTouch(1, 2, NAN, 4, NO_TOUCH);
    AssertTouch(4, 4, 3, 4, 3); /* the foot is on an edge */
}

/* The lengths of edges are rounded. Measured from the edge, some of these spheres would be too far
 * away. */
TEST(AFootOnAnEdgeIsInside) {
    for (uint32_t legs = 1; legs < 64; legs++) {
        const float leg = (float)legs, centre[3] = {leg / 4, leg * 3 / 4, 3};
        const MeshFace face = {.corners = {0, 0, 0, leg, 0, 0, 0, leg, 0}, .normal = {0, 0, 1}};
        float distance = NO_TOUCH;
        assert_int_equal(Face_TouchesSphere(&face, centre, 3, &distance), 1);
        AssertBits(distance, 3);
    }
}

TEST(BesideAnEdgeTheDistanceIsTheEdges) {
    AssertTouch(2, -3, 4, 6, 5);
    AssertTouch(2, -3, 4, 5, 5); /* 9 <= 25 - 16 */
    AssertTouch(2, -3, 4, 4.9999995f, NO_TOUCH);
    AssertTouch(-3, 5, 4, 6, 5);
    AssertTouch(0, -3, 4, 6, 5); /* `along` is 0 */
    AssertTouch(8, -3, 4, 6, 5); /* `along` is the whole length */
}

/* ---- the gap of an edge: reading `edge-gap` of docs/reference/arithmetic.md ------------------ */

static double Dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Draws an edge of length 0.1 to 10, and a foot beside it whose distance is at least a millionth of
 * that length. */
static void DrawEdge(uint64_t *seed, float start[3], float end[3], float foot[3]) {
    double way[3], aside[3];
    const double length = pow(10, Draw(seed, -1, 1)), along = Draw(seed, 0.01, 0.99);
    const double gap = length * pow(10, Draw(seed, -6, 0));
    for (int i = 0; i < 3; i++) {
        start[i] = (float)Draw(seed, -1, 1);
        way[i] = Draw(seed, -1, 1);
        aside[i] = Draw(seed, -1, 1);
    }
    const double whole = sqrt(Dot(way, way)), share = Dot(aside, way) / (whole * whole);
    for (int i = 0; i < 3; i++)
        aside[i] -= share * way[i];
    const double width = sqrt(Dot(aside, aside));
    for (int i = 0; i < 3; i++) {
        end[i] = (float)((double)start[i] + way[i] / whole * length);
        foot[i] =
            (float)((double)start[i] + way[i] / whole * length * along + aside[i] / width * gap);
    }
}

/* Returns the squared gap by the cross product, in which nothing cancels. */
static double TrueGap(const float start[3], const float end[3], const float foot[3],
                      double *from_start) {
    double e[3], d[3];
    for (int i = 0; i < 3; i++) {
        e[i] = (double)end[i] - (double)start[i];
        d[i] = (double)foot[i] - (double)start[i];
    }
    const double cross[3] = {d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2],
                             d[0] * e[1] - d[1] * e[0]};
    *from_start = sqrt(Dot(d, d));
    return Dot(cross, cross) / Dot(e, e);
}

TEST(TheGapOfAnEdgeIsAsWrongAsThePageSays) {
    uint64_t seed = 13;
    double worst_gap = 0, worst_distance = 0;
    for (int i = 0; i < 300000; i++) {
        float start[3], end[3], foot[3], distance = NO_TOUCH;
        double from_start;
        DrawEdge(&seed, start, end, foot);
        const double gap = TrueGap(start, end, foot, &from_start);
        const uint16_t before = RpFpu_SetControlWord(); /* the game's control word */
        const int touches = Face_EdgeTouchesSphere(start, end, foot, foot, 0, 1000, &distance);
        RpFpu_Restore(before);
        assert_int_equal(touches, 1);
        worst_gap = fmax(worst_gap, fabs((double)distance * (double)distance - gap) /
                                        (from_start * from_start) * 0x1p24);
        worst_distance = fmax(worst_distance, fabs((double)distance - sqrt(gap)) / from_start);
    }
    print_message("worst gap %.2f x 2^-24 x |d|^2, worst distance %.3g x |d|\n", worst_gap,
                  worst_distance);
    assert_true(worst_gap < 12 && worst_gap > 5);
    assert_true(worst_distance < 8.5e-4 && worst_distance > 4e-4);
}

TEST(PastAnEndTheDistanceIsTheCorners) {
    AssertTouch(-3, -4, 12, 14, 13);
    AssertTouch(-3, -4, 12, 13, 13);
    AssertTouch(11, -4, 12, 13, 13);
    AssertTouch(11, -4, 12, 12.999999f, NO_TOUCH);
    /* near the line of the edge, but not near the corner */
    AssertTouch(-3, -4, 12, 12.7f, NO_TOUCH);
}

TEST(AnEdgeWithoutLengthIsNotTouched) {
    static const float point[3] = {1, 1, 1}, centre[3] = {2, 1, 1};
    float distance = NO_TOUCH;
    assert_int_equal(Face_EdgeTouchesSphere(point, point, centre, centre, 0, 5, &distance), 0);
    AssertBits(distance, NO_TOUCH);
}

/* The squared gap of a foot that lies on the edge is rounded to a little more or less than zero. */
TEST(NoRootOfLessThanNothingIsTaken) {
    for (uint32_t i = 1; i < 64; i++) {
        const float start[3] = {0, 0, 0}, end[3] = {(float)(3 * i), (float)i, 0};
        const float foot[3] = {0.75f * (float)i, 0.25f * (float)i, 0};
        float distance = NO_TOUCH;
        assert_int_equal(Face_EdgeTouchesSphere(start, end, foot, foot, 0, 5, &distance), 1);
        assert_true(distance >= 0 && distance < 1e-3f);
    }
}

/* ---- pushing --------------------------------------------------------------------------------- */

enum { ROOM = 32 };
enum { LEFT_OUT = 4 }; /* the triangle flag of faces that hide others, but are left out */

typedef struct Push {
    bool moved;
    float by[3];
    uint32_t dropped;
} Push;

static Push PushBy(float x, float y, float z, float radius, uint32_t capacity,
                   const MeshQuery *query) {
    static struct PushOutFace faces[ROOM + 1];
    const PushOutFaces room = {faces, capacity};
    const PushOutFilters filters = {.push = query};
    const float centre[3] = {x, y, z};
    struct PushOutFace guard;
    Push push;
    memset(&push, 0x5A, sizeof push);
    memset(&guard, 0x5A, sizeof guard);
    memset(&faces[capacity], 0x5A, sizeof *faces);
    push.moved = Mesh_PushOut(&scene.context, &scene.mesh, centre, radius, &filters, &room, push.by,
                              &push.dropped);
    assert_memory_equal(&faces[capacity], &guard, sizeof guard);
    return push;
}

static Push PushOut(float x, float y, float z, float radius) {
    const MeshQuery query = {.excluded_triangle = LEFT_OUT};
    return PushBy(x, y, z, radius, ROOM, &query);
}

static void AssertStays(Push push) {
    assert_false(push.moved);
    AssertPoint(push.by, 0, 0, 0);
}

static void Begin(void) {
    Shape_Begin(&shape);
    Shape_AddSlot(&shape, Shape_AddNode(&shape, 0), 0, 0);
    Shape_AddBatch(&shape, 0);
    Scene_Make(&scene, &shape);
}

static double Stored(double component) {
    return nearbyint(component * 32767) / 32767;
}

/* Adds a large face through a point, which is counter-clockwise about its normal. */
static void AddWall(float x, float y, float z, float nx, float ny, float nz, uint16_t flags) {
    const double length = sqrt((double)nx * nx + (double)ny * ny + (double)nz * nz);
    /* The normal is rounded as it is stored, so that the face lies in its own plane. */
    const double n[3] = {Stored(nx / length), Stored(ny / length), Stored(nz / length)};
    const double help[3] = {n[2] * n[2] < 0.5 ? 0 : 1, 0, n[2] * n[2] < 0.5 ? 1 : 0};
    const double u[3] = {help[1] * n[2] - help[2] * n[1], help[2] * n[0] - help[0] * n[2],
                         help[0] * n[1] - help[1] * n[0]};
    const double v[3] = {n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2],
                         n[0] * u[1] - n[1] * u[0]};
    static const double along[3] = {-200, 400, -200}, across[3] = {-200, 0, 200};
    const double middle[3] = {x, y, z};
    float corners[9];
    const float normal[3] = {(float)n[0], (float)n[1], (float)n[2]};
    for (int i = 0; i < 9; i++)
        corners[i] = (float)(middle[i % 3] + along[i / 3] * u[i % 3] + across[i / 3] * v[i % 3]);
    Shape_AddTriangle(&shape, corners, normal, flags);
}

TEST(AFloorPushesUpByWhatIsMissing) {
    Shape_MakeTriangle(&shape, 0, floor8, up);
    Scene_Make(&scene, &shape);
    Push push = PushOut(1, 1, 0.5f, 2);
    assert_true(push.moved);
    assert_int_equal(push.dropped, 0);
    AssertPoint(push.by, 0, 0, 1.5f);
    AssertStays(PushOut(1, 1, 2, 2)); /* it touches, and no depth is missing */
    AssertStays(PushOut(1, 1, 3, 2));
    /* With the centre on the face the direction is its normal. */
    push = PushOut(1, 1, 0, 2);
    AssertPoint(push.by, 0, 0, 2);
    /* This is also so if the centre is beyond an edge by too little to count. */
    push = PushOut(3, -0x1p-40f, 0, 2);
    AssertPoint(push.by, 0, 0, 2);
}

TEST(AtEdgesAndCornersThePushPointsFromThere) {
    Shape_MakeTriangle(&shape, 0, floor8, up);
    Scene_Make(&scene, &shape);
    AssertNear(PushOut(2, -3, 4, 10).by, 0, -3, 4, 1e-5);
    AssertNear(PushOut(-3, -4, 12, 26).by, -3, -4, 12, 1e-5);
}

TEST(FacesAreMetInTheWorld) {
    static const float wall[9] = {0, 0, 0, 0, 8, 0, 0, 0, 8}, right[3] = {1, 0, 0};
    Shape_MakeTriangle(&shape, 0, wall, right);
    Shape_SetSphere(&shape, 0, 0, 0, 0, 4);
    Scene_Make(&scene, &shape);
    Scene_Turn(&scene, 0, 10, 20, 5); /* the node's (0, 6, 6) is (4, 20, 11), its x the world's y */
    AssertStays(PushOut(4, 21, 11, 2));
    Scene_SetScale(&scene, 2, 2, 2);
    AssertPoint(PushOut(4, 21, 11, 2).by, 0, 1, 0);
}

TEST(ANodeIsAskedWhenTheSpheresTouch) {
    Begin();
    AddWall(0, 0, 0, 0, 0, 1, 0);
    Shape_SetSphere(&shape, 0, 0, 0, 3, 1);
    assert_true(PushOut(0, 3, 3, 4).moved);
    assert_true(PushOut(5, 0, 3, 4).moved);
    AssertStays(PushOut(Above(5), 0, 3, 4));
}

TEST(HiddenPiecesPushNothing) {
    Begin();
    AddWall(0, 0, 0, 0, 0, 1, 0);
    assert_true(PushOut(0, 0, 1, 2).moved);
    scene.pieces[0].flags = PIECE_HIDDEN;
    AssertStays(PushOut(0, 0, 1, 2));
}

/* ---- hiding ---------------------------------------------------------------------------------- */

static void AddFlat(float x, float y, float z, float width, float height, uint16_t flags) {
    const float corners[9] = {x, y, z, x + width, y, z, x, y + height, z};
    Shape_AddTriangle(&shape, corners, up, flags);
}

/* The nearer floor is left out because of its flags, but only after it has hidden the other. */
TEST(FacesAreHiddenBeforeTheyAreFiltered) {
    Begin();
    AddFlat(-3, -3, -1, 9, 9, 0);
    AssertPoint(PushOut(0, 0, 1, 3).by, 0, 0, 1);
    AddFlat(-3, -3, 0, 9, 9, LEFT_OUT);
    AssertStays(PushOut(0, 0, 1, 3));
}

/* The line to the far face's centroid passes the near face's plane at (0, -5). That point is on the
 * line of its edge from c to a, though far outside of it, which hides the far face at once. */
TEST(APointOnTheLineOfAnEdgeHidesAtOnce) {
    static const struct {
        float x;
        bool hides;
    } cases[] = {{0, true},          {0x1p-20f, true},  /* -8 * x is 7.6e-6 */
                 {-0x1p-20f, true},  {0x1p-19f, false}, /* 1.5e-5 beyond the edge */
                 {-0x1p-19f, false},                    /* within it, but beyond the next one */
                 {-0x1p-6f, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Begin();
        AddFlat(cases[i].x, 0, 0, 8, 8, LEFT_OUT);
        AddFlat(-3, -8, -3, 9, 9, 0); /* centroid (0, -5, -3) */
        assert_int_equal(PushOut(0, -5, 3, 20).moved, !cases[i].hides);
    }
}

/* Edges are asked in the order c to a, a to b, b to c. Here the point lies on the line of b to c,
 * but beyond a to b, which is asked before. */
TEST(TheEdgesAreAskedFromCToAOn) {
    Begin();
    AddFlat(-13, 0, 0, 8, 8, LEFT_OUT); /* b (-5, 0), c (-13, 8); line x + y = -5 */
    AddFlat(-3, -8, -3, 9, 9, 0);
    assert_true(PushOut(0, -5, 3, 20).moved);
    Begin();
    AddFlat(1, -5, 0, 8, 8, LEFT_OUT); /* on the line of a to b, beyond c to a */
    AddFlat(-3, -8, -3, 9, 9, 0);
    assert_true(PushOut(0, -5, 3, 20).moved);
    Begin();
    AddFlat(0, -5, 0, 8, 8, LEFT_OUT); /* on the corner a */
    AddFlat(-3, -8, -3, 9, 9, 0);
    AssertStays(PushOut(0, -5, 3, 20));
}

/* The greatest component is dropped. By the two comparisons of mrnPointInPoly this face would be
 * seen along z, as a line that hides nothing but itself. */
TEST(TheAxisIsTheGreatestComponents) {
    static const float wall[9] = {2, -9, -9, 2, 9, -9, 2, 0, 27};
    static const float normal[3] = {-30000 / 32767.0f, 1 / 32767.0f, 2 / 32767.0f};
    Begin();
    Shape_AddTriangle(&shape, wall, normal, LEFT_OUT);
    AddWall(4, 0, 0, -1, 0, 0, 0);
    Push push = PushOut(0, 0, 0, 20);
    AssertNear(push.by, -16, 0, 0, 1e-3); /* clockwise in yz: outside */
    Begin();
    const float counter[9] = {2, 9, -9, 2, -9, -9, 2, 0, 27};
    Shape_AddTriangle(&shape, counter, normal, LEFT_OUT);
    AddWall(4, 0, 0, -1, 0, 0, 0);
    AssertStays(PushOut(0, 0, 0, 20));
}

/* The middle floor hides the far one before the near floor hides the middle one. */
TEST(HidingGoesFromTheFarthestToTheNearest) {
    Begin();
    AddFlat(-1, -1, 8, 3, 3, LEFT_OUT);
    AddFlat(-6, -6, 5, 18, 18, LEFT_OUT);
    AddFlat(7, -1, 0, 3, 3, 0); /* centroid (8, 0, 0), seen through (4, 0, 5) */
    AssertStays(PushOut(0, 0, 10, 30));
}

/* The second face hides the centroid of the first, but is itself hidden by the third, which is
 * nearer. */
TEST(AHiddenFaceHidesNoOther) {
    Begin();
    AddFlat(-1, -1, 0, 298, 255, 0);
    AddFlat(40, 40, 0.5f, 100, 10, LEFT_OUT);
    AssertStays(PushOut(0, 0, 1, 200));
    AddFlat(34, 19, 0.75f, 10, 10, LEFT_OUT);
    AssertPoint(PushOut(0, 0, 1, 200).by, 0, 0, 199);
}

/* A centre in front of a face cannot meet it from behind. A centre on its plane can, by the far
 * test of the SSE build. */
TEST(ATwoSidedFaceHidesBothWays) {
    static const uint32_t flags[2] = {0, BATCH_TWO_SIDED};
    for (int i = 0; i < 2; i++) {
        Begin();
        scene.arithmetic.build = RP_BUILD_SSE;
        AddWall(0, 0, 1, 0, 0, -1, 0);
        Shape_AddBatch(&shape, flags[i]);
        AddFlat(-3, -3, 0, 9, 9, LEFT_OUT);
        assert_int_equal(PushOut(0, 0, 0, 2).moved, flags[i] == 0);
    }
}

/* ---- masks ----------------------------------------------------------------------------------- */

TEST(MasksOfBatchesAndTrianglesChooseTheFaces) {
    const MeshQuery queries[] = {{.required_batch = 8},
                                 {.required_batch = 0x18},
                                 {.excluded_batch = 8},
                                 {.required_triangle = 0x10},
                                 {.excluded_triangle = 0x10}};
    static const bool moved[] = {true, false, false, true, false};
    Begin();
    Shape_AddBatch(&shape, 8);
    AddWall(0, 0, 0, 0, 0, 1, 0x10); /* a door */
    assert_true(PushBy(0, 0, 1, 2, ROOM, NULL).moved);
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++)
        assert_int_equal(PushBy(0, 0, 1, 2, ROOM, &queries[i]).moved, moved[i]);
}

/* The near face is in neither filter. If the first one selects what is gathered, it does not hide
 * the far face. */
TEST(TheFirstFilterSelectsWhatIsGathered) {
    static struct PushOutFace faces[ROOM];
    static const float centre[3] = {0, -5, 3};
    const PushOutFaces room = {faces, ROOM};
    const MeshQuery query = {.excluded_triangle = LEFT_OUT};
    const PushOutFilters filters = {&query, &query};
    float push[3];
    Begin();
    AddFlat(0, 0, 0, 8, 8, LEFT_OUT);
    AddFlat(-3, -8, -3, 9, 9, 0);
    AssertStays(PushBy(0, -5, 3, 20, ROOM, &query));
    for (uint8_t choice = 0; choice < 2; choice++) { /* push-gather: masks, all */
        scene.arithmetic.readings.choice[READING_PUSH_GATHER] = choice;
        assert_int_equal(
            Mesh_PushOut(&scene.context, &scene.mesh, centre, 20, &filters, &room, push, NULL),
            choice == 0);
    }
}

/* ---- adding up ------------------------------------------------------------------------------- */

TEST(WallsAtRightAnglesPushEachByItsOwnDepth) {
    Begin();
    AddWall(0, 0, 0, 0, 0, 1, 0);
    AddWall(0, 0, 0, 1, 0, 0, 0);
    AssertPoint(PushOut(1, 0, 2, 4).by, 3, 0, 2);
}

/* The limits below allow for normals of 15 bits. The first of the two walls, at x = 0, is the
 * deeper one. The second is perpendicular to (0.6, 0.8). */
static Push PushByTwoWalls(float depth, float second) {
    const float x = 1 - depth, away = 1 - second;
    Begin();
    AddWall(0, 0, 0, 1, 0, 0, 0);
    AddWall(x - 0.6f * away, -0.8f * away, 0, 0.6f, 0.8f, 0, 0);
    return PushOut(x, 0, 0, 1);
}

/* While |P|^2 <= 1e-4, the direction is taken as it is and the missing 0.002 is added along it.
 * Otherwise its perpendicular part (0, 0.8) is taken. */
TEST(APushOfAHundredthCountsAsNoneYet) {
    AssertNear(PushByTwoWalls(0.01f, 0.008f).by, 0.0112f, 0.0016f, 0, 2e-5);
    AssertNear(PushByTwoWalls(0.0101f, 0.008f).by, 0.0101f, 0.002425f, 0, 2e-5);
    AssertNear(PushByTwoWalls(0.02f, 0.016f).by, 0.02f, 0.005f, 0, 2e-5);
}

/* There is a level floor, and one that leans by an angle of this sine and is a little deeper. */
static Push PushByLeaningFloor(float sine) {
    const float cosine = sqrtf(1 - sine * sine), away = 0.1001f;
    Begin();
    AddWall(0, 0, 0, 0, 0, 1, 0);
    AddWall(-away * sine - 5 * cosine, 0, 0.1f - away * cosine + 5 * sine, sine, 0, cosine, 0);
    return PushOut(0, 0, 0.1f, 1);
}

/* |d'.d| is the square of the sine. For 0.0016 the part is made a unit vector, for 0.0025 it is
 * divided by the
 * product. */
TEST(NearlyParallelFacesPushByNoMoreThanIsMissing) {
    AssertNear(PushByLeaningFloor(0.04f).by, 0.00062f, 0, 0.9f, 1e-4);
    AssertNear(PushByLeaningFloor(0.05f).by, 0.0205f, 0, 0.9f, 2e-3);
}

TEST(APushIsNoLongerThanFourRadii) {
    static const float sine = 0.17f;
    const float cosine = sqrtf(1 - sine * sine);
    Begin();
    AddWall(0, 0, 0, 0, 0, 1, 0);
    AddWall(-0.1f * sine, 0, 0.1f + 0.1f * cosine, sine, 0, -cosine, 0);
    Push push = PushOut(0, 0, 0.1f, 1); /* unclamped: 10.5, 0, 0.9 */
    AssertNear(push.by, 3.985f, 0, 0.341f, 2e-3);
    double length = sqrt((double)push.by[0] * push.by[0] + (double)push.by[1] * push.by[1] +
                         (double)push.by[2] * push.by[2]);
    assert_true(fabs(length - 4) < 1e-6);
}

TEST(WallsWhoseDepthIsMetAlreadyPushNoMore) {
    Begin();
    AddWall(0, 0, 0, 0, 0, 1, 0);
    /* its depth is 2.4 - 1.6; the floor gives 0.8 * 2 */
    AddWall(0, 0, -1, 0.6f, 0, 0.8f, 0);
    AssertPoint(PushOut(0, 0, 1, 3).by, 0, 0, 2);
}

/* ---- room ------------------------------------------------------------------------------------ */

TEST(WithoutRoomTheNearestFacesAreKept) {
    Begin();
    AddWall(0, -2, 0, 0, 1, 0, 0);
    AddWall(-1, 0, 0, 1, 0, 0, 0);
    AddWall(0, 0, -3, 0, 0, 1, 0);
    static const float kept[4][3] = {{0, 0, 0}, {3, 0, 0}, {3, 2, 0}, {3, 2, 1}};
    for (uint32_t room = 0; room < 5; room++) {
        const float *expected = kept[room < 3 ? room : 3];
        Push push = PushBy(0, 0, 0, 4, room, NULL);
        assert_int_equal(push.dropped, room < 3 ? 3 - room : 0);
        assert_int_equal(push.moved, room > 0);
        AssertPoint(push.by, expected[0], expected[1], expected[2]);
    }
}

TEST(OfEqualDistancesTheFaceWalkedFirstIsKept) {
    static const float axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int first = 0; first < 3; first++) {
        Begin();
        for (int i = 0; i < 3; i++) {
            const float *n = axes[(first + i) % 3];
            AddWall(-n[0], -n[1], -n[2], n[0], n[1], n[2], 0);
        }
        Push push = PushBy(0, 0, 0, 4, 1, NULL);
        const float *n = axes[first];
        AssertPoint(push.by, 3 * n[0], 3 * n[1], 3 * n[2]);
    }
}

TEST(TheCountOfTheDroppedMayBeLeftOut) {
    static const float centre[3] = {0, 0, 1};
    const PushOutFaces none = {NULL, 0};
    const PushOutFilters all = {NULL, NULL};
    float push[3];
    Begin();
    AddWall(0, 0, 0, 0, 0, 1, 0);
    assert_false(Mesh_PushOut(&scene.context, &scene.mesh, centre, 2, &all, &none, push, NULL));
    AssertPoint(push, 0, 0, 0);
}
