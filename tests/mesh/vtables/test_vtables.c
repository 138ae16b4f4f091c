/* Tests of AniMesh.dll as the game's modules use it: a model is loaded, and from then on the object
 * is used only through its vtables. The expected numbers were worked out by hand from models.h. */
#include "game.h"
#include "models.h"
#include "tests/host/child.h"

#include "tests/test.h"
#include "vtables-animesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT, FLOOR, TURRET, SOCKET, GUN, BARREL };
enum { GUN_PART = 7, HIDDEN = 1, FLYING = 4, OWN_SEGMENT = 8, TILTED = 0x10 };
enum { SET = 0, CLEAR = 1, SUBTREE = 0x200 };
enum { MODEL = 0, IDENTITY = 1, WORLD = 2 };

static const MeshQuery any_face;

/* ---- the object ------------------------------------------------------------------------------ */

static void *LoadTank(void) {
    void *mesh = (void *)game.load_mesh(MODELS_ARCHIVE, "tank.msh", 0, 0);
    assert_non_null(mesh);
    return mesh;
}

static void Destroy(void *object) {
    assert_int_equal(game.destroy((uintptr_t)object), 1);
}

static void *Interface(void *mesh, uint32_t id) {
    return (void *)METHOD(mesh, IAnimation, 0)((uintptr_t)mesh, id);
}

static uint32_t Send(void *mesh, uint32_t message, const void *payload) {
    return METHOD(mesh, IAnimation, 2)((uintptr_t)mesh, message, (uintptr_t)payload);
}

static uint32_t AttachGun(void *mesh, uint32_t part, int32_t piece) {
    MeshAppend append = {.part = part, .piece = piece, .material = 5};
    memcpy(append.archive, MODELS_ARCHIVE, sizeof MODELS_ARCHIVE);
    memcpy(append.member, "gun.msh", sizeof "gun.msh");
    return Send(mesh, 0x80000020, &append);
}

static void SetFlags(void *mesh, int32_t node, uint32_t mask, uint32_t operation) {
    METHOD(mesh, IAnimation, 8)(mesh, node, mask, operation, 0);
}

static void SetTime(void *mesh, int32_t first, int32_t last, float phase) {
    METHOD(mesh, IAnimation, 26)(mesh, first, last, -1, -1);
    METHOD(mesh, IAnimation, 25)(mesh, phase, 0.0f);
}

static void AssertNear(float value, double expected) {
    if (!(fabs((double)value - expected) <= 1e-4 * (1 + fabs(expected))))
        fail_msg("%.9g, not %.9g", (double)value, expected);
}

static void AssertVector(const float *v, double x, double y, double z) {
    AssertNear(v[0], x);
    AssertNear(v[1], y);
    AssertNear(v[2], z);
}

static void AssertNodeAt(void *mesh, int32_t node, uint32_t mode, double x, double y, double z) {
    float m[16];
    METHOD(mesh, IAnimation, 4)(mesh, node, mode, m);
    AssertVector((const float[3]){m[3], m[7], m[11]}, x, y, z);
}

/* ---- loading --------------------------------------------------------------------------------- */

TEST(InterfacesAreAskedForByTheirIds) {
    static const uint32_t ids[] = {0x0B, 0x18, 0x20, 0x25, 0x26};
    uint8_t *mesh = LoadTank();
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t from = 0; from < 6; from++) /* every interface answers, that at +0x14 too */
            assert_ptr_equal(
                METHOD(mesh + 4 * from, IAnimation, 0)((uintptr_t)(mesh + 4 * from), ids[i]),
                mesh + 4 * i);
    assert_null(Interface(mesh, 0x15));
    assert_null(Interface(mesh, 0));
    Destroy(mesh);
}

TEST(RootPartHasAllNodes) {
    void *mesh = LoadTank();
    const Mesh *record = mesh;
    assert_int_equal(record->piece_count, 4);
    assert_int_equal(METHOD(mesh, IAnimation, 14)(mesh, 0), 0);
    assert_int_equal(METHOD(mesh, IAnimation, 15)(mesh, 0), 4);
    assert_int_equal(METHOD(mesh, IAnimation, 14)(mesh, 1), -1);
    assert_int_equal(METHOD(mesh, IAnimation, 7)(mesh, ROOT), 0x01000000);
    assert_int_equal(METHOD(mesh, IAnimation, 18)(mesh, FLOOR), 1);
    assert_int_equal(METHOD(mesh, IAnimation, 18)(mesh, SOCKET), 0);
    assert_int_equal(METHOD(mesh, IAnimation, 19)(mesh), 4);
    const uint32_t *node = (const void *)METHOD(mesh, IAnimation, 29)(mesh, SOCKET);
    assert_int_equal(node[5], TURRET);
    assert_null(METHOD(mesh, IAnimation, 6)(mesh, 4));
    Destroy(mesh);
}

TEST(WhatIsNoModelGivesNullAndOneLine) {
    static const char *const names[][2] = {
        {MODELS_ARCHIVE, "cycle.msh"},
        {MODELS_ARCHIVE, "cut.msh"},
        {MODELS_ARCHIVE, "wild.msh"},
        {MODELS_ARCHIVE, "text.msh"},
        {MODELS_ARCHIVE, "missing.msh"},
        {"missing.rlb", "tank.msh"},
        {MODELS_ARCHIVE, NULL},
        {NULL, "tank.msh"},
        {MODELS_ARCHIVE, "a name of more than thirty-two letters.msh"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const int lines = Game_CountLog("LoadAniMesh(");
        assert_true(game.load_mesh(names[i][0], names[i][1], 0, 0) == 0);
        assert_int_equal(Game_CountLog("LoadAniMesh("), lines + 1);
    }
    assert_int_equal(game.destroy(0), 0);
    assert_int_equal(game.destroy((uintptr_t)&any_face), 0);
}

/* ---- poses ----------------------------------------------------------------------------------- */

TEST(PosesFollowFramesAndPhase) {
    void *mesh = LoadTank();
    SetTime(mesh, 0, 10, 0.0f);
    AssertNodeAt(mesh, ROOT, MODEL, 0, 0, 0); /* the root's own translation is left out */
    AssertNodeAt(mesh, TURRET, MODEL, 0, 0, 2);
    SetTime(mesh, 0, 10, 0.5f);
    AssertNodeAt(mesh, TURRET, MODEL, 5, 0, 2);
    AssertNodeAt(mesh, SOCKET, MODEL, 5, 0, 3);
    AssertNodeAt(mesh, SOCKET, IDENTITY, 0, 0, 0);
    float translation[3];
    METHOD(mesh, IAnimation, 32)(mesh, translation);
    AssertVector(translation, 5, 6, 7);
    Destroy(mesh);
}

TEST(PlacementMovesTheWorld) {
    Mesh *mesh = LoadTank();
    mesh->placement[3] = 100; /* Terrain and World3D write the placement itself */
    mesh->placement[11] = 10;
    SetTime(mesh, 0, 10, 1.0f);
    AssertNodeAt(mesh, TURRET, WORLD, 110, 0, 12);
    AssertNodeAt(mesh, TURRET, MODEL, 10, 0, 2);
    float centre[3], radius, world[3];
    void *mesh2 = Interface(mesh, 0x18);
    METHOD(mesh2, IMesh2, 9)(mesh2, MODEL, centre, &radius);
    METHOD(mesh2, IMesh2, 9)(mesh2, WORLD, world, &radius);
    AssertVector(world, centre[0] + 100, centre[1], centre[2] + 10);
    Destroy(mesh);
}

TEST(NodesHaveTimesOfTheirOwn) {
    void *mesh = LoadTank();
    SetTime(mesh, 0, 10, 0.5f);
    SetFlags(mesh, TURRET, OWN_SEGMENT, SET);
    METHOD(mesh, IAnimation, 12)(mesh, TURRET, -1, -1, 0, 10);
    METHOD(mesh, IAnimation, 10)(mesh, TURRET, 1.0f, 1.0f);
    assert_true(METHOD(mesh, IAnimation, 9)(mesh, TURRET) == 1.0L);
    AssertNodeAt(mesh, SOCKET, MODEL, 10, 0, 3);
    SetFlags(mesh, TURRET, OWN_SEGMENT, CLEAR);
    AssertNodeAt(mesh, SOCKET, MODEL, 5, 0, 3);
    Destroy(mesh);
}

TEST(FlyingNodesAreSetFromOutside) {
    static const float matrix[16] = {1, 0, 0, 7, 0, 1, 0, 8, 0, 0, 1, 9, 0, 0, 0, 1};
    void *mesh = LoadTank();
    SetTime(mesh, 0, 10, 0.5f);
    AssertNodeAt(mesh, SOCKET, WORLD, 5, 0, 3);
    SetFlags(mesh, SOCKET, FLYING, SET);
    METHOD(mesh, IAnimation, 5)(mesh, SOCKET, matrix);
    SetTime(mesh, 0, 10, 1.0f);
    AssertNodeAt(mesh, SOCKET, WORLD, 7, 8, 9);
    Destroy(mesh);
}

TEST(GroundTiltTurnsTheWorldMatrix) {
    static const float up[3] = {0, 0, 1}, side[3] = {0, 1, 0};
    float m[16];
    void *mesh = LoadTank();
    SetTime(mesh, 0, 10, 1.0f);
    SetFlags(mesh, FLOOR, TILTED, SET);
    /* a quarter of a turn now, and none before */
    METHOD(mesh, IAnimation, 31)(mesh, FLOOR, up, side);
    METHOD(mesh, IAnimation, 4)(mesh, FLOOR, WORLD, m);
    AssertNear(fabsf(m[6]), 1);
    AssertNear(fabsf(m[9]), 1);
    AssertNear(m[5], 0);
    /* none now, and a quarter of a turn before */
    METHOD(mesh, IAnimation, 31)(mesh, FLOOR, NULL, NULL);
    METHOD(mesh, IAnimation, 4)(mesh, FLOOR, WORLD, m);
    AssertNear(m[5], 1);
    Destroy(mesh);
}

/* ---- flags and numbers ----------------------------------------------------------------------- */

TEST(FlagsGoToTheSubtree) {
    void *mesh = LoadTank();
    AttachGun(mesh, GUN_PART, SOCKET);
    SetFlags(mesh, TURRET, HIDDEN, SET | SUBTREE);
    for (int32_t node = ROOT; node <= BARREL; node++)
        assert_int_equal(METHOD(mesh, IAnimation, 7)(mesh, node) & HIDDEN, node >= TURRET);
    SetFlags(mesh, SOCKET, HIDDEN, CLEAR);
    assert_int_equal(METHOD(mesh, IAnimation, 7)(mesh, SOCKET) & HIDDEN, 0);
    assert_int_equal(METHOD(mesh, IAnimation, 7)(mesh, GUN) & HIDDEN, HIDDEN);
    assert_int_equal(METHOD(mesh, IAnimation, 7)(mesh, 99), 0);
    Destroy(mesh);
}

TEST(NodesAnswerQueries) {
    void *mesh = LoadTank();
    uint32_t answer = 77;
    METHOD(mesh, IAnimation, 3)(mesh, SOCKET, 0xD, &answer);
    assert_int_equal(answer, TURRET);
    /* if the object is not asked for it, there is no answer */
    METHOD(mesh, IAnimation, 3)(mesh, SOCKET, 0x11, &answer);
    assert_int_equal(answer, TURRET);
    METHOD(mesh, IAnimation, 3)(mesh, FLOOR, 0xF, &answer);
    float area;
    memcpy(&area, &answer, sizeof area);
    AssertNear(area, 400);
    METHOD(mesh, IAnimation, 17)(mesh, FLOOR, 2);
    assert_int_equal(METHOD(mesh, IAnimation, 16)(mesh, FLOOR), 2);
    METHOD(mesh, IAnimation, 3)(mesh, FLOOR, 0x10, &answer); /* no slot in that state */
    assert_int_equal(answer, 0);
    Destroy(mesh);
}

TEST(ViewsAreListed) {
    void *mesh = LoadTank();
    const uintptr_t self = (uintptr_t)mesh;
    assert_int_equal(METHOD(mesh, IAnimation, 34)(self, 1234), 0);
    for (uintptr_t view = 1; view <= 20; view++)
        METHOD(mesh, IAnimation, 33)(self, view);
    METHOD(mesh, IAnimation, 35)(self, 7);
    for (uintptr_t view = 1; view <= 20; view++)
        assert_int_equal(METHOD(mesh, IAnimation, 34)(self, view), view != 7);
    Destroy(mesh);
}

/* ---- parts ----------------------------------------------------------------------------------- */

TEST(PartsJoinAndLeave) {
    void *mesh = LoadTank();
    const Mesh *record = mesh;
    assert_int_equal(AttachGun(mesh, GUN_PART, SOCKET), 1);
    assert_int_equal(METHOD(mesh, IAnimation, 14)(mesh, GUN_PART), GUN);
    assert_int_equal(METHOD(mesh, IAnimation, 15)(mesh, GUN_PART), 2);
    const Piece *pieces = (const void *)record->pieces;
    assert_int_equal(pieces[GUN].parent, SOCKET);
    assert_int_equal(pieces[BARREL].parent, GUN);
    assert_int_equal(pieces[GUN].material_base, 5 << 16);
    assert_int_equal(pieces[GUN].flags, 0x01000000);
    SetTime(mesh, 0, 10, 0.5f);
    AssertNodeAt(mesh, BARREL, MODEL, 5 + 1 + 2, 0, 3);
    assert_int_equal(AttachGun(mesh, GUN_PART, SOCKET), 0); /* the tag is taken */
    assert_int_equal(AttachGun(mesh, 8, 99), 0);
    assert_int_equal(AttachGun(mesh, 8, GUN), 1);
    assert_int_equal(AttachGun(mesh, 9, ROOT), 1);
    assert_int_equal(record->piece_count, 10);
    Send(mesh, 20, (const void *)GUN_PART); /* piece 8 is attached to it, piece 9 is not */
    assert_int_equal(record->piece_count, 6);
    assert_int_equal(METHOD(mesh, IAnimation, 14)(mesh, 9), 4);
    AssertNodeAt(mesh, 5, MODEL, 3, 0, 0);
    Destroy(mesh);
}

TEST(MessagesThatNobodyDocumentsAreRefused) {
    void *mesh = LoadTank();
    assert_int_equal(Send(mesh, 4, NULL), 1);
    assert_int_equal(Send(mesh, 4, mesh), 1);
    assert_int_equal(Send(mesh, 21, NULL), 1);
    assert_int_equal(Send(mesh, 0x80000020, NULL), 0);
    assert_int_equal(Send(mesh, 12345, NULL), 0);
    assert_int_equal(Game_CountLog("IAnimation::HandleMessage is refused"), 1);
    Destroy(mesh);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

TEST(BoundsFollowThePose) {
    static const JointRequest alone = {.single = 1};
    void *mesh = LoadTank(), *joints = Interface(mesh, 0x20);
    float corners[24], sphere[4], capsule[7];
    SetTime(mesh, 0, 10, 0.5f);
    AssertNodeAt(mesh, TURRET, MODEL, 5, 0, 2);
    METHOD(joints, IJointMesh, 4)(joints, TURRET, MODEL, &alone, corners);
    AssertVector(corners, 4, -1, 1);
    AssertVector(corners + 3, 6, -1, 1); /* x */
    AssertVector(corners + 12, 4, 1, 3); /* y and z */
    AssertVector(corners + 21, 6, 1, 3); /* all axes */
    METHOD(joints, IJointMesh, 3)(joints, TURRET, MODEL, &alone, sphere);
    AssertVector(sphere, 5, 0, 2);
    AssertNear(sphere[3], sqrt(3));
    METHOD(joints, IJointMesh, 5)(joints, TURRET, MODEL, &alone, capsule);
    AssertVector(capsule, 5, 0, 3);
    AssertVector(capsule + 3, 5, 0, 1);
    AssertNear(capsule[6], sqrt(2));
    METHOD(joints, IJointMesh, 3)(joints, SOCKET, MODEL, &alone, sphere); /* no geometry */
    AssertVector(sphere, 5, 0, 3);
    AssertNear(sphere[3], 0);
    Destroy(mesh);
}

TEST(BoundsFollowThePartsThatAreThere) {
    void *mesh = LoadTank(), *mesh2 = Interface(mesh, 0x18);
    float centre[3], alone, attached, left;
    Send(mesh, 4, mesh); /* the second pass */
    METHOD(mesh2, IMesh2, 9)(mesh2, MODEL, centre, &alone);
    AttachGun(mesh, GUN_PART, SOCKET);
    METHOD(mesh2, IMesh2, 9)(mesh2, MODEL, centre, &attached);
    assert_true(attached != alone);
    Send(mesh, 20, (const void *)GUN_PART);
    METHOD(mesh2, IMesh2, 9)(mesh2, MODEL, centre, &left);
    assert_true(left == alone);
    Destroy(mesh);
}

TEST(ScaleIsOnAllBounds) {
    static const float two[3] = {2, 2, 2};
    void *mesh = LoadTank(), *mesh2 = Interface(mesh, 0x18);
    float before[4], after[4], scale[3], capsule[7], scaled_capsule[7];
    METHOD(mesh2, IMesh2, 9)(mesh2, MODEL, before, before + 3);
    METHOD(mesh2, IMesh2, 12)(mesh2, MODEL, capsule);
    assert_true(before[3] > 10);
    METHOD(mesh2, IMesh2, 14)(mesh2, scale);
    AssertVector(scale, 1, 1, 1);
    METHOD(mesh2, IMesh2, 15)(mesh2, two);
    METHOD(mesh2, IMesh2, 14)(mesh2, scale);
    AssertVector(scale, 2, 2, 2);
    METHOD(mesh2, IMesh2, 9)(mesh2, MODEL, after, after + 3);
    METHOD(mesh2, IMesh2, 12)(mesh2, MODEL, scaled_capsule);
    for (int i = 0; i < 4; i++)
        AssertNear(after[i], 2 * (double)before[i]);
    for (int i = 0; i < 7; i++)
        AssertNear(scaled_capsule[i], 2 * (double)capsule[i]);
    SetTime(mesh, 0, 10, 0.5f);
    AssertNodeAt(mesh, SOCKET, MODEL, 10, 0, 6);
    Destroy(mesh);
}

/* ---- queries --------------------------------------------------------------------------------- */

TEST(SegmentsHitTheNearestFace) {
    static const float down[6] = {1, 1, 9, 1, 1, -9}, beside[6] = {20, 1, 9, 20, 1, -9};
    static const float onto_turret[6] = {5.25f, 0.5f, 9, 5.25f, 0.5f, -9};
    const MeshQuery foliage = {.required_triangle = 4};
    void *mesh = LoadTank(), *mesh2 = Interface(mesh, 0x18), *joints = Interface(mesh, 0x20);
    MeshHit hit = {0};
    SetTime(mesh, 0, 10, 0.5f);
    AssertNodeAt(mesh, ROOT, WORLD, 0, 0, 0);
    assert_int_equal(METHOD(mesh2, IMesh2, 6)(mesh2, down, &any_face, &hit), 1);
    assert_int_equal(hit.node, FLOOR);
    AssertVector(hit.point, 1, 1, 0);
    AssertNear(hit.distance, 81);
    assert_int_equal(METHOD(mesh2, IMesh2, 6)(mesh2, onto_turret, &any_face, &hit), 1);
    assert_int_equal(hit.node, TURRET);
    AssertVector(hit.point, 5.25, 0.5, 3);
    assert_int_equal(METHOD(mesh2, IMesh2, 6)(mesh2, beside, &any_face, &hit), 0);
    assert_int_equal(METHOD(mesh2, IMesh2, 6)(mesh2, down, &foliage, &hit), 0);
    assert_int_equal(
        METHOD(joints, IJointMesh, 10)(joints, TURRET, 1, onto_turret, &any_face, 324, &hit), 1);
    assert_int_equal(
        METHOD(joints, IJointMesh, 10)(joints, TURRET, 1, onto_turret, &any_face, 1, &hit), 0);
    assert_int_equal(
        METHOD(joints, IJointMesh, 10)(joints, FLOOR, 1, onto_turret, &any_face, 324, &hit), 1);
    assert_int_equal(hit.node, FLOOR);
    Destroy(mesh);
}

TEST(FeetFindTheFloor) {
    static const float above[3] = {-5, 1, 1.5f}, edge[3] = {10.25f, 1, 0.5f}, away[3] = {12, 1, 1};
    void *mesh = LoadTank(), *mesh2 = Interface(mesh, 0x18), *collision = Interface(mesh, 0x25);
    MeshHit hit = {0};
    SetTime(mesh, 0, 10, 0.5f);
    AssertNodeAt(mesh, ROOT, WORLD, 0, 0, 0);
    assert_int_equal(METHOD(mesh2, IMesh2, 7)(mesh2, above, &any_face, &hit), 1);
    assert_int_equal(hit.node, FLOOR);
    AssertNear(hit.point[2], 0);
    assert_int_equal(METHOD(collision, ICollisionMesh, 2)(collision, above, 0.5f, 12, &hit), 1);
    AssertNear(hit.distance, 2.25);
    assert_int_equal(METHOD(collision, ICollisionMesh, 2)(collision, above, 0.5f, 4, &hit), 0);
    assert_int_equal(METHOD(collision, ICollisionMesh, 2)(collision, edge, 0.5f, 12, &hit), 1);
    assert_int_equal(METHOD(collision, ICollisionMesh, 2)(collision, away, 0.5f, 12, &hit), 0);
    Destroy(mesh);
}

static uint32_t PushOut(void *collision, const float sphere[4], float push[3]) {
    return METHOD(collision, ICollisionMesh, 3)(collision, sphere, &any_face, &any_face, push);
}

TEST(SpheresArePushedOut) {
    static const float low[4] = {-5, 1, 0.25f, 1}, high[4] = {-5, 1, 3, 1};
    float push[3] = {0};
    void *mesh = LoadTank(), *collision = Interface(mesh, 0x25);
    SetTime(mesh, 0, 10, 0.5f);
    AssertNodeAt(mesh, ROOT, WORLD, 0, 0, 0);
    assert_int_equal(PushOut(collision, low, push), 1);
    AssertVector(push, 0, 0, 0.75);
    assert_int_equal(PushOut(collision, high, push), 0);
    SetFlags(mesh, FLOOR, HIDDEN, SET);
    assert_int_equal(PushOut(collision, low, push), 0);
    Destroy(mesh);
}

TEST(PointsAreInsideOfClosedNodes) {
    static const float inside[3] = {5.125f, 0.25f, 2.0625f}, outside[3] = {7.125f, 0.25f, 2.0625f};
    void *mesh = LoadTank(), *joints = Interface(mesh, 0x20);
    SetTime(mesh, 0, 10, 0.5f);
    AssertNodeAt(mesh, ROOT, WORLD, 0, 0, 0);
    assert_int_equal(METHOD(joints, IJointMesh, 7)(joints, TURRET, inside, &any_face), 1);
    assert_int_equal(METHOD(joints, IJointMesh, 7)(joints, TURRET, outside, &any_face), 0);
    Destroy(mesh);
}

TEST(DescriptorsTellOfBatchesAndTriangles) {
    void *mesh = LoadTank(), *mesh2 = Interface(mesh, 0x18);
    AttachGun(mesh, GUN_PART, SOCKET);
    const uint32_t *batch = (const void *)METHOD(mesh2, IMesh2, 3)(mesh2, GUN, 0);
    assert_non_null(batch);
    assert_int_equal(batch[13], 5 << 16 | 3); /* +0x34: the part's material, the batch's row */
    assert_true(METHOD(mesh2, IMesh2, 3)(mesh2, GUN, 99) == 0);
    assert_true(METHOD(mesh2, IMesh2, 5)(mesh2, GUN, 0, 11, 8) != 0);
    assert_true(METHOD(mesh2, IMesh2, 5)(mesh2, GUN, 0, 12, 8) == 0);
    METHOD(mesh2, IMesh2, 4)((uintptr_t)mesh2, 1);
    Destroy(mesh);
}

TEST(WhatNeedsOtherModulesSaysSoOnce) {
    static const float segment[6] = {0};
    void *mesh = LoadTank(), *mesh2 = Interface(mesh, 0x18), *joints = Interface(mesh, 0x20);
    for (int i = 0; i < 3; i++) {
        METHOD(mesh2, IMesh2, 11)((uintptr_t)mesh2, 0, 0);
        METHOD(joints, IJointMesh, 6)((uintptr_t)joints, ROOT, 0, 0);
        assert_int_equal(METHOD(mesh2, IMesh2, 8)((uintptr_t)mesh2, segment, 1, 0, 0), 0);
        METHOD(mesh, IAnimation, 27)((uintptr_t)mesh, (uintptr_t) "face");
        METHOD(mesh, IAnimation, 27)((uintptr_t)mesh, 0);
    }
    assert_int_equal(Game_CountLog("IMesh2::Draw is refused"), 1);
    assert_int_equal(Game_CountLog("IJointMesh::DrawSubtree is refused"), 1);
    assert_int_equal(Game_CountLog("IMesh2::ChildrenNearSphere is refused"), 1);
    assert_int_equal(Game_CountLog("IAnimation::WearMaterial is refused"), 1);
    Destroy(mesh);
}

/* ---- methods without facts ------------------------------------------------------------------- */

typedef struct Slot {
    const char *interface;
    uint32_t offset;
    int number;
} Slot;

#define NO_METHOD(interface, number)
#define MESH_METHOD(interface, number) {#interface, OFFSET_##interface, number},
enum { OFFSET_IAnimation = 0, OFFSET_IMesh2 = 4, OFFSET_IJointMesh = 8 };
enum { OFFSET_ICollisionMesh = 12, OFFSET_IMeshSave = 16, OFFSET_IMeshQuery = 20 };
static const Slot unknown[] = {
    VTABLE_IAnimation(NO_METHOD, MESH_METHOD) VTABLE_IMesh2(NO_METHOD, MESH_METHOD)
        VTABLE_IJointMesh(NO_METHOD, MESH_METHOD)
            VTABLE_ICollisionMesh(NO_METHOD, MESH_METHOD){"IMeshSave", 16, 5},
    {"IMeshQuery", 20, 1}};

/* Calls the method in a process of its own, because the call ends it. */
static int CallUnknown(int index) {
    if (!Game_Join())
        return 1;
    uint8_t *mesh = LoadTank();
    const uint8_t *interface = mesh + unknown[index].offset;
    ((void (*)(void))Game_Method(interface, unknown[index].number))();
    return 1;
}

static DWORD RunSelf(int index) {
    char program[MAX_PATH], command[MAX_PATH + 32];
    GetModuleFileNameA(NULL, program, sizeof program);
    snprintf(command, sizeof command, "\"%s\" %d", program, index);
    return Child_ExitCode(program, command);
}

TEST(SlotsWithoutFactsEndWithTheirName) {
    for (int i = 0; i < (int)(sizeof unknown / sizeof *unknown); i++) {
        char line[80];
        assert_int_equal(RunSelf(i), 4); /* Ngi32.dll's exit code for a fatal error */
        snprintf(line, sizeof line, "%s method %d was called", unknown[i].interface,
                 unknown[i].number);
        assert_int_equal(Game_CountLog(line), 1);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void Live(void) {
    void *mesh = LoadTank();
    AttachGun(mesh, GUN_PART, SOCKET);
    AttachGun(mesh, 8, GUN);
    METHOD(mesh, IAnimation, 33)((uintptr_t)mesh, 1);
    SetTime(mesh, 0, 10, 0.5f);
    AssertNodeAt(mesh, BARREL, MODEL, 8, 0, 3);
    Send(mesh, 20, (const void *)GUN_PART);
    game.load_mesh(MODELS_ARCHIVE, "cycle.msh", 0, 0);
    game.load_mesh(MODELS_ARCHIVE, "cut.msh", 0, 0);
    Destroy(mesh);
}

TEST(NothingIsLeftBehind) {
    Live();
    const uint32_t before = Game_HeapBlocks();
    for (int i = 0; i < 20; i++)
        Live();
    assert_int_equal(Game_HeapBlocks(), before);
}

/* Returns how many blocks are in use after a pair was unloaded while `objects` objects were
 * left. */
static int64_t BlocksAfter(int objects) {
    for (int i = 0; i < objects; i++)
        AttachGun(LoadTank(), GUN_PART, SOCKET);
    assert_true(Game_Unload());
    assert_null(GetModuleHandleA("AniMesh.dll"));
    const int64_t blocks = Game_HeapBlocks();
    assert_true(Game_Load());
    return blocks;
}

/* Objects that no caller has destroyed are destroyed with the DLL. (The system's loader keeps a
 * block now and then.) */
TEST(UnloadingEndsWhatIsLeft) {
    BlocksAfter(1);
    const int64_t none = BlocksAfter(0), many = BlocksAfter(50);
    assert_in_range(many - none + 10, 0, 20);
}

static int Open(void **state) {
    (void)state;
    return Game_Open() ? 0 : -1;
}

static int Close(void **state) {
    (void)state;
    Game_Close();
    return 0;
}

AROUND_ALL(Open, Close)

int main(int argc, char **argv) {
    if (argc == 2 && argv[1][0] >= '0' && argv[1][0] <= '9')
        return CallUnknown(atoi(argv[1]));
    return Tests_Run();
}
