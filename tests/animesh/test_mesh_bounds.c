/* Tests of boxes, spheres and capsules of nodes and of the object, and of its scale
 * (facts/animesh.md E.11, E.12). */
#include "mesh_pose_fixture.h"

#include "animesh/column.h"

#include <math.h>
#include <string.h>

static const JointRequest whole;
static const JointRequest single = {.single = 1};
static const uint32_t signalling = 0x7FA12345;

/* ---- a small object -------------------------------------------------------------------------- */

/* Each test begins with this object. Pieces 1 and 3 are children of piece 0, and piece 2 is a child
 * of 1. Each is 10 further along x, and their boxes are 1, 2, 3, 4 times (-1, -2, -3) to (1, 2,
 * 3). */
static TestModel model;
static TestMesh object;

enum { SMALL_PIECES = 4 };

static void Box(int32_t node, uint32_t mode, const JointRequest *request, float corners[24]) {
    uint16_t before = ControlWord_Set(GAME_WORD);
    Mesh_Box(&object.context, &object.mesh, node, mode, request, corners);
    ControlWord_Set(before);
}

static void Sphere(int32_t node, uint32_t mode, const JointRequest *request, float sphere[4]) {
    uint16_t before = ControlWord_Set(GAME_WORD);
    Mesh_Sphere(&object.context, &object.mesh, node, mode, request, sphere);
    ControlWord_Set(before);
}

static void NodeCapsule(int32_t node, uint32_t mode, const JointRequest *request,
                        float capsule[7]) {
    uint16_t before = ControlWord_Set(GAME_WORD);
    Mesh_NodeCapsule(&object.context, &object.mesh, node, mode, request, capsule);
    ControlWord_Set(before);
}

static void UpdateBounds(void) {
    uint16_t before = ControlWord_Set(GAME_WORD);
    Mesh_UpdateBounds(&object.context, &object.mesh);
    ControlWord_Set(before);
}

static void SetScale(float x, float y, float z) {
    const float scale[3] = {x, y, z};
    uint16_t before = ControlWord_Set(GAME_WORD);
    Mesh_SetScale(&object.context, &object.mesh, scale);
    ControlWord_Set(before);
}

static void SetSmallHeader(MeshHeader *header, float shift) {
    Bounds_FillCorners((const float[]){-40 + shift, -30, -20}, (const float[]){40 + shift, 30, 20},
                       header->corners);
    memcpy(header->sphere, (const float[]){1 + shift, 2, 3, 50}, sizeof header->sphere);
    memcpy(header->capsule, (const float[]){-9 + shift, 1, 2, 9 + shift, 3, 4, 5},
           sizeof header->capsule);
}

static void MakeSmallModel(TestModel *made) {
    TestModel_Begin(made);
    for (uint32_t i = 0; i < SMALL_PIECES; i++) {
        const ModelKey key = {0, {10, 0, 0}, {0, 0, 0, 32767}};
        const float size = (float)(i + 1);
        const ModelSlot slot = {
            {-size, -2 * size, -3 * size}, {size, 2 * size, 3 * size}, {size, 0, 0, 2 * size}};
        TestModel_AddNode(made, &key, 1, 0);
        TestModel_AddSlot(made, i, 0, &slot);
    }
    SetSmallHeader(&made->header, 0);
    TestModel_Finish(made);
}

static void MakeSmall(void) {
    static const int32_t parents[SMALL_PIECES] = {-1, 0, 1, 0};
    MakeSmallModel(&model);
    TestMesh_Begin(&object);
    for (int32_t i = 0; i < SMALL_PIECES; i++)
        TestMesh_Add(&object, &model, (uint32_t)i, parents[i]);
    object.mesh.placement[7] = 1000;
    UpdateBounds();
}

static int Setup(void **state) {
    (void)state;
    MakeSmall();
    return 0;
}

static void SetNodeFlags(int node, uint16_t flags) {
    model.nodes[node].flags = flags;
    TestModel_Finish(&model);
}

/* Compares two opposite corners, which determine a box along the axes. */
static void AssertBox(const float corners[24], float x0, float y0, float z0, float x1, float y1,
                      float z1) {
    float expected[24];
    Bounds_FillCorners((const float[]){x0, y0, z0}, (const float[]){x1, y1, z1}, expected);
    AssertNumbers(corners, expected, 24);
}

/* Returns the centre and the radius, which stay valid until the next call. */
static const float *AgentOf(const Mesh *mesh) {
    static float sphere[4];
    memcpy(sphere, mesh->agent_centre, sizeof mesh->agent_centre);
    memcpy(&sphere[3], &mesh->agent_radius, sizeof mesh->agent_radius);
    return sphere;
}

static const float *NodesOf(const Mesh *mesh) {
    static float sphere[4];
    memcpy(sphere, mesh->node_centre, sizeof mesh->node_centre);
    memcpy(&sphere[3], &mesh->node_radius, sizeof mesh->node_radius);
    return sphere;
}

/* ---- corners --------------------------------------------------------------------------------- */

TEST(CornersComeInTheOriginalsOrder) {
    static const float low[3] = {1, 2, 3}, high[3] = {10, 20, 30};
    static const float expected[24] = {1, 2,  3,  10, 2, 3,  10, 20, 3,  1,  20, 3,
                                       1, 20, 30, 1,  2, 30, 10, 2,  30, 10, 20, 30};
    float corners[24];
    Bounds_FillCorners(low, high, corners);
    AssertNumbers(corners, expected, 24);
}

TEST(CornersAreCopied) {
    float corners[24];
    for (int i = 0; i < 6; i++) {
        uint32_t bits = signalling + (uint32_t)i;
        memcpy(&corners[i], &bits, sizeof bits);
    }
    Bounds_FillCorners(&corners[0], &corners[3], corners); /* the input is part of the output */
    assert_int_equal(BitsAt(&corners[0]), signalling);
    assert_int_equal(BitsAt(&corners[22]), signalling + 4);
    assert_int_equal(BitsAt(&corners[23]), signalling + 5);
}

TEST(PointsMayOverlapTheirImages) {
    static const float matrix[16] = {0, 1, 0, 10, 0, 0, 2, 20, -1, 0, 0, 30, 0, 0, 0, 1};
    static const float placed[3] = {12, 26, 29}, turned[3] = {2, 6, -1};
    float point[3] = {1, 2, 3}, vector[3] = {1, 2, 3};
    Bounds_Transform(matrix, point, point);
    AssertNumbers(point, placed, 3);
    Bounds_Turn(matrix, vector, vector);
    AssertNumbers(vector, turned, 3);
}

/* ---- boxes of nodes -------------------------------------------------------------------------- */

TEST(ASingleBoxGoesThroughTheNodesMatrix) {
    float corners[24];
    Box(2, SPACE_MODEL, &single, corners);
    AssertBox(corners, 17, -6, -9, 23, 6, 9);
    Box(2, SPACE_WORLD, &single, corners);
    AssertBox(corners, 17, 994, -9, 23, 1006, 9);
    Box(2, SPACE_NODE, &single, corners);
    AssertBox(corners, -3, -6, -9, 3, 6, 9);
    /* Any other mode also gives a single box. */
    Box(1, SPACE_NODE, &whole, corners);
    AssertBox(corners, -2, -4, -6, 2, 4, 6);
    Box(0, 3, &whole, corners);
    AssertBox(corners, -1, -2, -3, 1, 2, 3);
    /* Only the value 1 asks for a single box. */
    Box(0, SPACE_MODEL, &(JointRequest){.single = 2}, corners);
    AssertBox(corners, -40, -30, -20, 40, 30, 20);
}

TEST(BoxesDoNotPose) {
    object.pieces[2].model[3] = 500;
    float numbers[24];
    Box(2, SPACE_MODEL, &whole, numbers);
    AssertBox(numbers, 497, -6, -9, 503, 6, 9);
    Sphere(2, SPACE_MODEL, &single, numbers);
    assert_true(numbers[0] == 503);
    NodeCapsule(2, SPACE_MODEL, &whole, numbers);
    assert_true(numbers[0] == 500);
}

TEST(TheVariantChoosesTheSlot) {
    const ModelSlot slot = {{0, 0, 0}, {7, 8, 9}, {1, 1, 1, 1}};
    TestModel_AddSlot(&model, 2, 1, &slot);
    TestModel_Finish(&model);
    object.pieces[2].variant = 1;
    float corners[24];
    Box(2, SPACE_NODE, NULL, corners);
    AssertBox(corners, 0, 0, 0, 7, 8, 9);
}

TEST(WithoutASlotThereIsAPoint) {
    static const float zeros[24];
    object.pieces[2].variant = 2;
    memcpy(&object.pieces[2].model[7], &signalling, sizeof signalling);
    float numbers[24];
    Box(2, SPACE_MODEL, &single, numbers);
    for (int i = 0; i < 8; i++) {
        assert_true(numbers[3 * i] == 20 && numbers[3 * i + 2] == 0);
        assert_int_equal(BitsAt(&numbers[3 * i + 1]), signalling); /* copied */
    }
    Sphere(2, SPACE_MODEL, &single, numbers);
    assert_true(numbers[0] == 20);
    assert_int_equal(BitsAt(&numbers[1]), signalling);
    assert_int_equal(BitsAt(&numbers[3]), 0);
    Box(2, SPACE_NODE, &single, numbers);
    AssertSameBits(numbers, zeros, 24);
    Sphere(2, SPACE_NODE, &single, numbers);
    AssertSameBits(numbers, zeros, 4);
    object.pieces[2].reader = NULL;
    object.pieces[2].variant = 0;
    Box(2, SPACE_NODE, &single, numbers);
    AssertSameBits(numbers, zeros, 24);
}

TEST(NodeZeroHasTheObjectsBox) {
    memcpy(&object.mesh.box[4], &signalling, sizeof signalling);
    float corners[24];
    Box(0, SPACE_MODEL, &whole, corners);
    AssertSameBits(corners, object.mesh.box, 24); /* copied */
    object.mesh.box[4] = -30;
    Box(0, SPACE_WORLD, &(JointRequest){.required = 0xFFFF}, corners);
    AssertBox(corners, -40, 970, -20, 40, 1030, 20);
    Box(0, SPACE_WORLD, &single, corners);
    AssertBox(corners, -1, 998, -3, 1, 1002, 3);
}

TEST(ChildrenAreJoined) {
    float corners[24];
    Box(1, SPACE_MODEL, &whole, corners);
    AssertBox(corners, 8, -6, -9, 23, 6, 9); /* 8 to 12 and 17 to 23 */
    Box(1, SPACE_WORLD, NULL, corners);
    AssertBox(corners, 8, 994, -9, 23, 1006, 9);
    Box(3, SPACE_MODEL, &whole, corners);
    AssertBox(corners, 6, -8, -12, 14, 8, 12);
}

TEST(ChildrenAreFiltered) {
    static const struct Case {
        uint16_t parent, child; /* Res1 flags */
        uint32_t mode, required, excluded;
        bool joined;
    } cases[] = {
        {0, 0, SPACE_MODEL, 0, 0, true},
        {0x10, 0, SPACE_MODEL, 0, 0, false},
        {0x10, 0, SPACE_WORLD, 0, 0, false},
        {4, 0, SPACE_MODEL, 0, 0, false},
        {4, 0, SPACE_WORLD, 0, 0, true},
        {0xFFEB, 0, SPACE_MODEL, 0, 0, true},
        {0, 0x14, SPACE_MODEL, 0, 0, true}, /* these flags concern the children of the child */
        {0, 1, SPACE_MODEL, 0, 1, false},
        {0, 2, SPACE_MODEL, 0, 1, true},
        {0, 3, SPACE_MODEL, 3, 0, true},
        {0, 2, SPACE_MODEL, 3, 0, false},
        {0, 7, SPACE_WORLD, 3, 8, true},
        {0, 15, SPACE_WORLD, 3, 8, false},
        {0, 0xFFFF, SPACE_WORLD, 0x10000, 0, false},
        {1, 0, SPACE_MODEL, 0, 1, true}, /* the piece itself is not filtered */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MakeSmall();
        SetNodeFlags(1, cases[i].parent);
        SetNodeFlags(2, cases[i].child);
        const JointRequest request = {.required = cases[i].required, .excluded = cases[i].excluded};
        float corners[24];
        Box(1, cases[i].mode, &request, corners);
        if ((corners[21] == 23) != cases[i].joined)
            fail_msg("case %zu: up to %g", i, (double)corners[21]);
    }
}

/* Five pieces make a chain of 0, 1, 2 and 3, with 4 as a child of 3. */
static void MakeChain(void) {
    MakeSmall();
    object.pieces[3].parent = 2;
    TestMesh_Add(&object, &model, 3, 3);
    UpdateBounds();
}

static float ChainEnd(const uint16_t flags[4], uint32_t mode, const JointRequest *request) {
    MakeChain();
    for (int i = 0; i < 4; i++)
        SetNodeFlags(i, flags[i]);
    float corners[24];
    Box(1, mode, request, corners);
    return corners[21];
}

TEST(ABranchEndsAtANodeThatDoesNotPass) {
    static const JointRequest without_2 = {.excluded = 2};
    assert_true(ChainEnd((const uint16_t[]){0, 0, 0, 0}, SPACE_MODEL, &whole) == 44);
    assert_true(ChainEnd((const uint16_t[]){0, 0, 0x10, 0}, SPACE_MODEL, &whole) == 23);
    assert_true(ChainEnd((const uint16_t[]){0, 0, 0, 0x10}, SPACE_MODEL, &whole) == 34);
    assert_true(ChainEnd((const uint16_t[]){0, 0, 4, 0}, SPACE_MODEL, &whole) == 23);
    assert_true(ChainEnd((const uint16_t[]){0, 0, 4, 0}, SPACE_WORLD, &whole) == 44);
    assert_true(ChainEnd((const uint16_t[]){0, 0, 2, 0}, SPACE_MODEL, &without_2) == 12);
    assert_true(ChainEnd((const uint16_t[]){0, 0, 0, 2}, SPACE_MODEL, &without_2) == 23);
}

TEST(SiblingsOnAllLevelsAreJoined) {
    /* Pieces 2 and 4 are children of piece 1, pieces 3 and 5 of piece 2, and piece 6 of piece 4. */
    static const int32_t parents[3] = {1, 2, 4};
    object.pieces[3].parent = 2;
    for (int i = 0; i < 3; i++)
        TestMesh_Add(&object, &model, 0, parents[i]);
    UpdateBounds();
    for (int32_t node = 2; node < 7; node++) {
        float corners[24];
        object.pieces[node].model[11] = 100;
        Box(1, SPACE_MODEL, &whole, corners);
        assert_true(corners[23] > 100);
        object.pieces[node].model[11] = 0;
    }
}

TEST(AloneATurnedBoxStaysTurned) {
    static const float quarter[16] = {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    memcpy(object.pieces[1].model, quarter, sizeof quarter);
    memcpy(object.pieces[2].model, quarter, sizeof quarter);
    float corners[24];
    Box(2, SPACE_MODEL, &whole, corners);
    assert_true(corners[0] == 6 && corners[1] == -3 && corners[2] == -9); /* corner 0, turned */
    assert_true(corners[3] == 6 && corners[4] == 3 && corners[5] == -9);
    Box(1, SPACE_MODEL, &whole, corners);
    AssertBox(corners, -6, -3, -9, 6, 3, 9); /* as a joined box, it is along the axes */
}

TEST(AJoinKeepsTheFirstOfEqualAndOfWhatIsNoNumber) {
    Piece *pieces = object.pieces;
    const float minus_zero = -0.0f;
    for (int i = 1; i <= 2; i++)
        pieces[i].variant = 2; /* a variant without a slot makes the boxes points */
    pieces[1].model[3] = minus_zero;
    pieces[2].model[3] = 0.0f;
    pieces[1].model[7] = 5;
    memcpy(&pieces[2].model[7], &signalling, sizeof signalling);
    memcpy(&pieces[1].model[11], &signalling, sizeof signalling);
    pieces[2].model[11] = 5;
    float corners[24];
    Box(1, SPACE_MODEL, &whole, corners);
    for (int i = 0; i < 8; i++) {
        AssertSameBits(&corners[3 * i], &minus_zero, 1);
        assert_true(corners[3 * i + 1] == 5);
        assert_int_equal(BitsAt(&corners[3 * i + 2]), signalling);
    }
}

TEST(PiecesThatDoNotExistHaveNoBounds) {
    static const float zeros[24];
    static const int32_t nodes[] = {-1, SMALL_PIECES, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        float numbers[24];
        Box(nodes[i], SPACE_WORLD, NULL, numbers);
        AssertSameBits(numbers, zeros, 24);
        Sphere(nodes[i], SPACE_WORLD, &single, numbers);
        AssertSameBits(numbers, zeros, 4);
        NodeCapsule(nodes[i], SPACE_MODEL, NULL, numbers);
        AssertSameBits(numbers, zeros, 7);
    }
}

/* ---- spheres of nodes ------------------------------------------------------------------------ */

static void AssertSphere(const float sphere[4], float x, float y, float z, float radius) {
    const float expected[4] = {x, y, z, radius};
    AssertNumbers(sphere, expected, 4);
}

TEST(ASingleSphereIsTheSlots) {
    float sphere[4];
    Sphere(2, SPACE_MODEL, &single, sphere);
    AssertSphere(sphere, 23, 0, 0, 6);
    Sphere(0, SPACE_WORLD, &single, sphere);
    AssertSphere(sphere, 1, 1000, 0, 2);
    Sphere(0, SPACE_NODE, &whole, sphere);
    AssertSphere(sphere, 1, 0, 0, 2);
}

TEST(NodeZeroHasTwoSpheres) {
    Mesh *mesh = &object.mesh;
    for (int i = 0; i < 3; i++) {
        mesh->agent_centre[i] = (float)(1 + i);
        mesh->node_centre[i] = (float)(5 + i);
    }
    mesh->agent_radius = 4;
    mesh->node_radius = 8;
    float sphere[4];
    Sphere(0, SPACE_MODEL, NULL, sphere);
    AssertSphere(sphere, 5, 6, 7, 8);
    Sphere(0, SPACE_WORLD, &whole, sphere);
    AssertSphere(sphere, 5, 1006, 7, 8);
    static const JointRequest others[4] = {
        {.required = 1}, {.excluded = 1}, {.unknown_08 = 1}, {.single = 2}};
    for (int i = 0; i < 4; i++) {
        Sphere(0, SPACE_MODEL, &others[i], sphere);
        AssertSphere(sphere, 1, 2, 3, 4);
        Sphere(0, SPACE_WORLD, &others[i], sphere);
        AssertSphere(sphere, 1, 1002, 3, 4);
    }
}

TEST(ASubtreesSphereIsAroundItsBox) {
    /* The box reaches from 8 to 23, -6 to 6 and -9 to 9, so the radius is half of sqrt(225 + 144 +
     * 324). */
    float sphere[4];
    Sphere(1, SPACE_MODEL, &whole, sphere);
    AssertSphere(sphere, 15.5f, 0, 0, (float)(sqrt(693) / 2));
    SetNodeFlags(2, 1);
    Sphere(1, SPACE_WORLD, &(JointRequest){.excluded = 1}, sphere);
    AssertSphere(sphere, 10, 1000, 0, (float)(sqrt(224) / 2)); /* 4, 8, 12 */
}

/* ---- capsules -------------------------------------------------------------------------------- */

static void AssertCapsuleOf(float x, float y, float z, const float expected[7]) {
    MakeSmall();
    const ModelSlot slot = {{0, 0, 0}, {x, y, z}, {0, 0, 0, 0}};
    model.slots[model.nodes[3].slots[0]] = slot;
    TestModel_Finish(&model);
    float capsule[7];
    NodeCapsule(3, SPACE_NODE, NULL, capsule);
    AssertNumbers(capsule, expected, 7);
}

TEST(CapsulesLieAlongTheLongestEdge) {
    AssertCapsuleOf(6, 8, 10, (const float[]){3, 4, 10, 3, 4, 0, 5});
    AssertCapsuleOf(10, 6, 8, (const float[]){10, 3, 4, 0, 3, 4, 5});
    AssertCapsuleOf(6, 10, 8, (const float[]){3, 10, 4, 3, 0, 4, 5});
}

TEST(EqualEdgesGoToZThenToX) {
    AssertCapsuleOf(6, 8, 8, (const float[]){3, 4, 8, 3, 4, 0, 5});
    AssertCapsuleOf(8, 6, 8, (const float[]){4, 3, 8, 4, 3, 0, 5});
    AssertCapsuleOf(8, 8, 6, (const float[]){8, 4, 3, 0, 4, 3, 5});
}

TEST(EdgesOfATurnedBoxAreSigned) {
    /* A half turn about y makes the greatest edge, x, negative, so that z is not less than x, nor
     * is it less than y. */
    AssertCapsuleOf(-10, 6, 8, (const float[]){-5, 3, 8, -5, 3, 0, (float)5.8309518948453});
    AssertCapsuleOf(-10, -6, -8, (const float[]){-5, -6, -4, -5, 0, -4, (float)6.4031242374328});
}

TEST(AnEdgeThatIsNoNumberCountsForZ) {
    const ModelSlot slot = {{0, 0, 0}, {NAN, 8, 9}, {0, 0, 0, 0}};
    model.slots[model.nodes[3].slots[0]] = slot;
    TestModel_Finish(&model);
    float capsule[7];
    NodeCapsule(3, SPACE_NODE, NULL, capsule);
    assert_true(capsule[1] == 4 && capsule[2] == 9 && capsule[5] == 0);
    assert_true(isnan(capsule[0]) && isnan(capsule[6]));
}

TEST(ANodesCapsuleIsOfTheBoxOfTheRequest) {
    float capsule[7];
    /* The edges are 15, 12 and 18. */
    NodeCapsule(1, SPACE_MODEL, &whole, capsule);
    AssertNumbers(capsule, (const float[]){15.5f, 0, 9, 15.5f, 0, -9, (float)(sqrt(56.25 + 36))},
                  7);
    NodeCapsule(1, SPACE_WORLD, &single, capsule);
    AssertNumbers(capsule, (const float[]){10, 1000, 6, 10, 1000, -6, (float)sqrt(4 + 16)}, 7);
    NodeCapsule(0, SPACE_WORLD, &whole, capsule); /* 80, 60, 40 */
    AssertNumbers(capsule, (const float[]){40, 1000, 0, -40, 1000, 0, (float)sqrt(900 + 400)}, 7);
}

/* ---- scale ----------------------------------------------------------------------------------- */

TEST(NodeBoundsAreScaledInTheNodesSpace) {
    const float scale[3] = {2, 3, 0.5f};
    memcpy(object.mesh.scale, scale, sizeof scale);
    float numbers[24];
    /* without the flag there is no scale */
    Box(2, SPACE_MODEL, &single, numbers);
    AssertBox(numbers, 17, -6, -9, 23, 6, 9);
    object.mesh.scaled = 0x80000000;
    Box(2, SPACE_MODEL, &single, numbers);
    AssertBox(numbers, 14, -18, -4.5f, 26, 18, 4.5f);
    Sphere(2, SPACE_MODEL, &single, numbers);
    AssertSphere(numbers, 26, 0, 0, 18);
    Box(0, SPACE_MODEL, &whole, numbers); /* taken as it is stored */
    AssertBox(numbers, -40, -30, -20, 40, 30, 20);
}

TEST(TheLargestScaleIsTheRadius) {
    static const struct Case {
        float scale[3], radius;
    } cases[] = {{{1, 2, 3}, 3},  {{1, 3, 2}, 3},     {{3, 1, 2}, 3},  {{2, 2, 1}, 2},
                 {{-4, 1, 2}, 2}, {{-4, -3, -2}, -2}, {{1, NAN, 2}, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MakeSmall();
        memcpy(object.mesh.scale, cases[i].scale, sizeof cases[i].scale);
        object.mesh.scaled = 1;
        float sphere[4];
        Sphere(2, SPACE_NODE, &single, sphere);
        assert_true(sphere[3] == 6 * cases[i].radius);
    }
}

TEST(SetScalePosesAndMultipliesEveryBound) {
    Mesh *mesh = &object.mesh;
    const Mesh before = *mesh;
    SetScale(2, 1, 0.5f);
    assert_int_equal(mesh->scaled, 1);
    AssertBox(mesh->box, -80, -30, -10, 80, 30, 10);
    AssertBox(mesh->box_b, -80, -30, -10, 80, 30, 10);
    AssertSphere(AgentOf(mesh), 2, 2, 1.5f, 100);
    AssertSphere(NodesOf(mesh), 2 * before.node_centre[0], before.node_centre[1],
                 before.node_centre[2] / 2, 2 * before.node_radius);
    AssertNumbers(mesh->capsule, (const float[]){-18, 1, 1, 18, 3, 2, 10}, 7);
    assert_true(object.pieces[2].model[3] == 40); /* posed, with the new scale */
    float scale[3];
    Mesh_Scale(mesh, scale);
    AssertNumbers(scale, (const float[]){2, 1, 0.5f}, 3);
}

TEST(SetScaleTwiceMultipliesTwice) {
    Mesh *mesh = &object.mesh;
    SetScale(2, 2, 2);
    SetScale(2, 2, 2);
    AssertBox(mesh->box, -160, -120, -80, 160, 120, 80);
    AssertSphere(AgentOf(mesh), 4, 8, 12, 200);
    assert_true(object.pieces[2].model[3] == 40); /* the matrices are computed again */
    SetScale(1, 1, 1);
    assert_int_equal(mesh->scaled, 0);
    AssertBox(mesh->box, -160, -120, -80, 160, 120, 80);
    assert_true(object.pieces[2].model[3] == 20);
}

TEST(ScaledMeansNotOne) {
    static const struct Case {
        float x, y, z;
        uint32_t scaled;
    } cases[] = {{1, 1, 1, 0}, {2, 1, 1, 1},   {1, 2, 1, 1},
                 {1, 1, 2, 1}, {1, 1, NAN, 1}, {1, 1.0000001f, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MakeSmall();
        object.mesh.scaled = 7;
        SetScale(cases[i].x, cases[i].y, cases[i].z);
        assert_int_equal(object.mesh.scaled, cases[i].scaled);
    }
}

TEST(SetScaleClearsThePoseCache) {
    assert_int_equal(object.pieces[2].cache_valid, 1);
    object.pieces[2].local[3] = 77;
    SetScale(1, 1, 1);
    assert_true(object.pieces[2].local[3] == 10);
}

TEST(AScaleIsCopied) {
    float scale[3] = {1, 1, 1}, copy[3];
    memcpy(&scale[1], &signalling, sizeof signalling);
    Mesh_SetScale(&object.context, &object.mesh, scale);
    Mesh_Scale(&object.mesh, copy);
    AssertSameBits(copy, scale, 3);
}

/* ---- the object's own ------------------------------------------------------------------------ */

TEST(TheObjectsSphereAndCapsuleFollowThePlacement) {
    static const float placement[16] = {0, -1, 0, 100, 1, 0, 0, 200, 0, 0, 1, 300, 0, 0, 0, 1};
    memcpy(object.mesh.placement, placement, sizeof placement);
    static const uint32_t own_modes[] = {0, 1, 3, 0xFFFFFFFF};
    float sphere[4], capsule[7];
    for (size_t i = 0; i < sizeof own_modes / sizeof *own_modes; i++) {
        Mesh_AgentSphere(&object.mesh, own_modes[i], sphere, &sphere[3]);
        AssertSphere(sphere, 1, 2, 3, 50);
        Mesh_Capsule(&object.mesh, own_modes[i], capsule);
        AssertNumbers(capsule, (const float[]){-9, 1, 2, 9, 3, 4, 5}, 7);
    }
    Mesh_AgentSphere(&object.mesh, SPACE_WORLD, sphere, &sphere[3]);
    AssertSphere(sphere, 98, 201, 303, 50);
    Mesh_Capsule(&object.mesh, SPACE_WORLD, capsule);
    AssertNumbers(capsule, (const float[]){99, 191, 302, 97, 209, 304, 5}, 7);
}

TEST(TheObjectsBoundsAreCopied) {
    Mesh *mesh = &object.mesh;
    memcpy(&mesh->agent_centre[1], &signalling, sizeof signalling);
    memcpy(&mesh->agent_radius, &signalling, sizeof signalling);
    memcpy(&mesh->capsule[6], &signalling, sizeof signalling);
    float sphere[4], capsule[7];
    Mesh_AgentSphere(mesh, SPACE_MODEL, sphere, &sphere[3]);
    AssertSameBits(sphere, AgentOf(mesh), 4);
    Mesh_AgentSphere(mesh, SPACE_WORLD, sphere, &sphere[3]);
    assert_int_equal(BitsAt(&sphere[3]), signalling);
    Mesh_Capsule(mesh, SPACE_MODEL, capsule);
    AssertSameBits(capsule, mesh->capsule, 7);
    Mesh_Capsule(mesh, SPACE_WORLD, capsule);
    assert_int_equal(BitsAt(&capsule[6]), signalling);
}

/* ---- bounds brought up to date --------------------------------------------------------------- */

TEST(OnePartHasItsHeadersBounds) {
    for (uint32_t tag = 0; tag < 2; tag++) {
        Mesh *mesh = &object.mesh;
        memset(mesh->box, 0, sizeof mesh->box);
        memset(mesh->box_b, 0, sizeof mesh->box_b);
        memcpy(&model.header.corners[5], &signalling, sizeof signalling);
        TestModel_Finish(&model);
        object.pieces[0].tag = tag;
        UpdateBounds();
        AssertSameBits(mesh->box, model.header.corners, 24); /* copied */
        AssertSameBits(mesh->box_b, model.header.corners, 24);
        AssertSameBits(AgentOf(mesh), model.header.sphere, 4);
        AssertSameBits(mesh->capsule, model.header.capsule, 7);
    }
}

TEST(UpdateBoundsPosesFirst) {
    object.mesh.node_centre[0] = 0;
    object.pieces[2].model[3] = 500;
    UpdateBounds();
    assert_true(object.pieces[2].model[3] == 20);
    assert_true(object.mesh.node_centre[0] > 10 && object.mesh.node_centre[0] < 20);
}

/* Part 7 is attached to piece 2, which is at (20, 0, 0), and has a header of its own. */
static TestModel part;

static void MakeTwoParts(void) {
    MakeSmall();
    MakeSmallModel(&part);
    SetSmallHeader(&part.header, 100);
    TestModel_Finish(&part);
    for (uint32_t i = 1; i < 3; i++) {
        int32_t piece = TestMesh_Add(&object, &part, i, 2);
        object.pieces[piece].tag = 7;
        object.pieces[piece].flags = i == 1 ? PIECE_FIRST_OF_PART : 0;
    }
}

TEST(SeveralPartsAreJoined) {
    MakeTwoParts();
    const Mesh *mesh = &object.mesh;
    UpdateBounds();
    AssertBox(mesh->box, -40, -30, -20, 160, 30, 20); /* 60 + 20 to 140 + 20 */
    AssertBox(mesh->box_b, -40, -30, -20, 160, 30, 20);
    /* The centres are at 1 and 121 and the radii are 50, so the centre is their mean and the radius
     * 60 + 50. */
    AssertSphere(AgentOf(mesh), 61, 2, 3, 110);
    AssertNumbers(mesh->capsule, (const float[]){160, 0, 0, -40, 0, 0, (float)sqrt(900 + 400)}, 7);
}

TEST(PartsWeighByTheirRadius) {
    MakeTwoParts();
    part.header.sphere[3] = 150;
    TestModel_Finish(&part);
    UpdateBounds();
    AssertSphere(AgentOf(&object.mesh), 91, 2, 3, 180);
}

TEST(APartWithoutAParentStaysWhereItIs) {
    static const struct Case {
        uint32_t tag;
        int32_t parent;
    } cases[] = {{7, -1}, {0, 2}, {7, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MakeTwoParts();
        object.pieces[SMALL_PIECES].tag = cases[i].tag;
        object.pieces[SMALL_PIECES].parent = cases[i].parent;
        UpdateBounds();
        AssertBox(object.mesh.box, -40, -30, -20, 140, 30, 20);
    }
}

TEST(AJoinOfSpheresWithoutRadiusIsNothing) {
    static const float zeros[4];
    MakeTwoParts();
    part.header.sphere[3] = -50; /* the radii add up to 0 */
    TestModel_Finish(&part);
    UpdateBounds();
    AssertSameBits(AgentOf(&object.mesh), zeros, 4);
}

TEST(ScaledBoundsAreMultipliedWhenTheyAreMadeAnew) {
    MakeTwoParts();
    Mesh *mesh = &object.mesh;
    const float scale[3] = {1, 3, 2};
    memcpy(mesh->scale, scale, sizeof scale);
    mesh->scaled = 1;
    for (int i = 0; i < 2; i++) { /* the bounds are computed anew each time */
        UpdateBounds();
        AssertBox(mesh->box, -40, -90, -40, 160, 90, 40);
        AssertBox(mesh->box_b, -40, -90, -40, 160, 90, 40);
        AssertSphere(AgentOf(mesh), 61, 6, 6, 210); /* 60 apart, radii 150 */
        assert_true(mesh->capsule[0] == 160 && mesh->capsule[3] == -40);
    }
    object.mesh.piece_count = SMALL_PIECES;
    UpdateBounds();
    AssertSphere(AgentOf(mesh), 1, 6, 6, 150);
    AssertNumbers(mesh->capsule, (const float[]){-9, 3, 4, 9, 9, 8, 15}, 7);
}

/* The part's offset is in the matrix of its piece and is scaled there: 20 becomes 80, once. */
TEST(ThePartsOffsetIsScaledOnce) {
    MakeTwoParts();
    SetSmallHeader(&part.header, 0);
    TestModel_Finish(&part);
    Mesh *mesh = &object.mesh;
    for (int i = 0; i < 3; i++)
        mesh->scale[i] = 4;
    mesh->scaled = 1;
    Mesh_ClearPoseCache(mesh);
    UpdateBounds();
    AssertBox(mesh->box, -160, -120, -80, 240, 120, 80);
    AssertBox(mesh->box_b, -160, -120, -80, 240, 120, 80);
    AssertSphere(AgentOf(mesh), 44, 8, 12, 240); /* centres 4 and 84, radii 200 */
    AssertNumbers(mesh->capsule, (const float[]){240, 0, 0, -160, 0, 0, (float)sqrt(14400 + 6400)},
                  7);
    /* The bounds are the same as if they had been scaled after they were made. */
    SetScale(1, 1, 1);
    UpdateBounds();
    SetScale(4, 4, 4);
    AssertBox(mesh->box, -160, -120, -80, 240, 120, 80);
    AssertSphere(AgentOf(mesh), 44, 8, 12, 240);
}

TEST(WithoutPartsTheObjectsBoundsStay) {
    object.pieces[0].flags = 0;
    object.mesh.scale[0] = 2;
    object.mesh.scaled = 1;
    const Mesh before = object.mesh;
    UpdateBounds();
    AssertSameBits(object.mesh.box, before.box, 24);
    AssertSameBits(object.mesh.box_b, before.box_b, 24);
    AssertSameBits(object.mesh.agent_centre, before.agent_centre, 3);
    AssertSameBits(&object.mesh.agent_radius, &before.agent_radius, 1);
    AssertSameBits(object.mesh.capsule, before.capsule, 7);
    assert_true(object.mesh.node_radius > before.node_radius);
}

/* ---- the nodes' sphere ----------------------------------------------------------------------- */

/* Makes two pieces after node 0, at 10 and 30, with boxes whose diagonals are 10 and 30. */
static void MakePair(void) {
    MakeSmall();
    object.mesh.piece_count = 3;
    const ModelSlot slots[2] = {{{-3, -4, 0}, {3, 4, 0}, {0, 0, 0, 0}},
                                {{-9, -12, 0}, {9, 12, 0}, {0, 0, 0, 0}}};
    for (int i = 0; i < 2; i++)
        model.slots[model.nodes[i + 1].slots[0]] = slots[i];
    model.keys[model.nodes[2].first_key].position[0] = 20;
    TestModel_Finish(&model);
    Mesh_ClearPoseCache(&object.mesh);
}

TEST(TheNodesSphereWeighsThemByTheirDiagonals) {
    MakePair();
    UpdateBounds();
    /* The centre is (10 * 5 + 30 * 15) / 20. The radius is the greater of |30 - 25| + 15 and |10 -
     * 25| + 5. */
    AssertSphere(NodesOf(&object.mesh), 25, 0, 0, 20);
}

TEST(InteriorNodesDoNotCount) {
    MakePair();
    SetNodeFlags(1, 1);
    SetNodeFlags(2, 0xFFFE);
    UpdateBounds();
    AssertSphere(NodesOf(&object.mesh), 30, 0, 0, 15);
}

TEST(ANodeWithoutASlotIsAPoint) {
    MakePair();
    object.pieces[1].variant = 2;
    UpdateBounds();
    AssertSphere(NodesOf(&object.mesh), 30, 0, 0, 20); /* it is 20 away */
}

TEST(WithoutNodesTheSphereIsNothing) {
    static const float zeros[4];
    MakePair();
    object.mesh.piece_count = 1; /* node 0 does not count */
    object.mesh.node_radius = 9;
    UpdateBounds();
    AssertSameBits(NodesOf(&object.mesh), zeros, 4);
    object.mesh.piece_count = 0;
    object.mesh.node_radius = 9;
    UpdateBounds();
    AssertSameBits(NodesOf(&object.mesh), zeros, 4);
    object.mesh.piece_count = 3;
    object.pieces[1].variant = object.pieces[2].variant = 2;
    UpdateBounds();
    AssertSameBits(NodesOf(&object.mesh), zeros, 4);
}

TEST(TheNodesSphereIsOfScaledBoxes) {
    MakePair();
    const float scale[3] = {2, 2, 2};
    memcpy(object.mesh.scale, scale, sizeof scale);
    object.mesh.scaled = 1;
    UpdateBounds();
    AssertSphere(NodesOf(&object.mesh), 50, 0, 0, 40);
}

TEST(ARadiusThatIsNoNumberSpoilsTheJoin) {
    MakeTwoParts();
    part.header.sphere[3] = NAN;
    TestModel_Finish(&part);
    UpdateBounds();
    assert_true(isnan(object.mesh.agent_centre[0]));
    assert_int_equal(BitsAt(&object.mesh.agent_radius), 0); /* nothing is greater than +0 */
}

AROUND_EACH(Setup, NULL)
