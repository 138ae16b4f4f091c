/* Tests of AniMesh.dll as the game's modules use it: a model is loaded, and from then on the object
 * is used only through its vtables. The expected numbers were worked out by hand from models.h. */
#include "game.h"
#include "models.h"

#include "tests/test.h"
#include "vtables-animesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT, FLOOR, TURRET, SOCKET, GUN, BARREL };
enum { GUN_PART = 7, HIDDEN = 1, FLYING = 4 };
enum { MODEL = 0, WORLD = 2 };

static const MeshQuery any_face;

/* ---- the object ------------------------------------------------------------------------------ */

static void *LoadTank(void) {
    return (void *)game.load_mesh(MODELS_ARCHIVE, "tank.msh", 0, 0);
}

static void *Interface(void *object, uint32_t id) {
    return (void *)METHOD(object, IAnimation, 0)((uintptr_t)object, id);
}

static Mesh *mesh;
static void *mesh2, *joints, *collision;

static int MakeTank(void **state) {
    (void)state;
    mesh = LoadTank();
    if (!mesh)
        return -1;
    mesh2 = Interface(mesh, 0x18);
    joints = Interface(mesh, 0x20);
    collision = Interface(mesh, 0x25);
    return 0;
}

static int DestroyTank(void **state) {
    (void)state;
    return game.destroy((uintptr_t)mesh) == 1 ? 0 : -1;
}

#define TEST_OF_TANK(name) TEST_WITH(name, MakeTank, DestroyTank)

static uint32_t Send(uint32_t message, const void *payload) {
    return METHOD(mesh, IAnimation, 2)((uintptr_t)mesh, message, (uintptr_t)payload);
}

static uint32_t AttachGun(uint32_t part, int32_t piece) {
    const MeshAppend append = Game_Gun(part, piece);
    return Send(0x80000020, &append);
}

static void SetFlag(int32_t node, uint32_t mask) {
    METHOD(mesh, IAnimation, 8)(mesh, node, mask, 0, 0);
}

/* A phase of 1 is frame 10. */
static void SetPhase(float phase) {
    METHOD(mesh, IAnimation, 26)(mesh, 0, 10, -1, -1);
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

static void AssertNodeAt(int32_t node, uint32_t mode, double x, double y, double z) {
    float m[16];
    METHOD(mesh, IAnimation, 4)(mesh, node, mode, m);
    AssertVector((const float[3]){m[3], m[7], m[11]}, x, y, z);
}

/* ---- loading --------------------------------------------------------------------------------- */

TEST_OF_TANK(InterfacesAreAskedForByTheirIds) {
    static const uint32_t ids[] = {0x0B, 0x18, 0x20, 0x25, 0x26};
    uint8_t *const object = (uint8_t *)mesh;
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t from = 0; from < 6; from++) /* every interface answers, that at +0x14 too */
            assert_ptr_equal(Interface(object + 4 * from, ids[i]), object + 4 * i);
    assert_null(Interface(mesh, 0x15));
    assert_null(Interface(mesh, 0));
}

TEST_OF_TANK(RootPartHasAllNodes) {
    assert_int_equal(mesh->piece_count, 4);
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

/* ---- nodes and views ------------------------------------------------------------------------- */

TEST_OF_TANK(FlyingNodesAreSetFromOutside) {
    static const float matrix[16] = {1, 0, 0, 7, 0, 1, 0, 8, 0, 0, 1, 9, 0, 0, 0, 1};
    SetPhase(0.5f);
    AssertNodeAt(SOCKET, WORLD, 5, 0, 3);
    SetFlag(SOCKET, FLYING);
    METHOD(mesh, IAnimation, 5)(mesh, SOCKET, matrix);
    SetPhase(1.0f);
    AssertNodeAt(SOCKET, WORLD, 7, 8, 9);
}

TEST_OF_TANK(ViewsAreListed) {
    const uintptr_t self = (uintptr_t)mesh;
    assert_int_equal(METHOD(mesh, IAnimation, 34)(self, 1234), 0);
    for (uintptr_t view = 1; view <= 20; view++)
        METHOD(mesh, IAnimation, 33)(self, view);
    METHOD(mesh, IAnimation, 35)(self, 7);
    for (uintptr_t view = 1; view <= 20; view++)
        assert_int_equal(METHOD(mesh, IAnimation, 34)(self, view), view != 7);
}

/* ---- parts ----------------------------------------------------------------------------------- */

TEST_OF_TANK(PartsJoinAndLeave) {
    assert_int_equal(AttachGun(GUN_PART, SOCKET), 1);
    assert_int_equal(METHOD(mesh, IAnimation, 14)(mesh, GUN_PART), GUN);
    assert_int_equal(METHOD(mesh, IAnimation, 15)(mesh, GUN_PART), 2);
    const Piece *pieces = (const void *)mesh->pieces;
    assert_int_equal(pieces[GUN].parent, SOCKET);
    assert_int_equal(pieces[BARREL].parent, GUN);
    assert_int_equal(pieces[GUN].material_base, 5 << 16);
    assert_int_equal(pieces[GUN].flags, 0x01000000);
    SetPhase(0.5f);
    AssertNodeAt(BARREL, MODEL, 5 + 1 + 2, 0, 3);
    assert_int_equal(AttachGun(GUN_PART, SOCKET), 0); /* the tag is taken */
    assert_int_equal(AttachGun(8, 99), 0);
    assert_int_equal(AttachGun(8, GUN), 1);
    assert_int_equal(AttachGun(9, ROOT), 1);
    assert_int_equal(mesh->piece_count, 10);
    Send(20, (const void *)GUN_PART); /* piece 8 is attached to it, piece 9 is not */
    assert_int_equal(mesh->piece_count, 6);
    assert_int_equal(METHOD(mesh, IAnimation, 14)(mesh, 9), 4);
    AssertNodeAt(5, MODEL, 3, 0, 0);
}

TEST_OF_TANK(MessagesThatNobodyDocumentsAreRefused) {
    assert_int_equal(Send(4, NULL), 1);
    assert_int_equal(Send(4, mesh), 1);
    assert_int_equal(Send(21, NULL), 1);
    assert_int_equal(Send(0x80000020, NULL), 0);
    assert_int_equal(Send(12345, NULL), 0);
    assert_int_equal(Game_CountLog("IAnimation::HandleMessage is refused"), 1);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

TEST_OF_TANK(BoundsFollowThePartsThatAreThere) {
    float centre[3], alone, attached, left;
    Send(4, mesh); /* the second pass */
    METHOD(mesh2, IMesh2, 9)(mesh2, MODEL, centre, &alone);
    AttachGun(GUN_PART, SOCKET);
    METHOD(mesh2, IMesh2, 9)(mesh2, MODEL, centre, &attached);
    assert_true(attached != alone);
    Send(20, (const void *)GUN_PART);
    METHOD(mesh2, IMesh2, 9)(mesh2, MODEL, centre, &left);
    assert_true(left == alone);
}

/* ---- queries --------------------------------------------------------------------------------- */

TEST_OF_TANK(SegmentsHitTheNearestFace) {
    static const float down[6] = {1, 1, 9, 1, 1, -9}, beside[6] = {20, 1, 9, 20, 1, -9};
    static const float onto_turret[6] = {5.25f, 0.5f, 9, 5.25f, 0.5f, -9};
    const MeshQuery foliage = {.required_triangle = 4};
    MeshHit hit = {0};
    SetPhase(0.5f);
    AssertNodeAt(ROOT, WORLD, 0, 0, 0);
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
}

TEST_OF_TANK(FeetFindTheFloor) {
    static const float above[3] = {-5, 1, 1.5f}, edge[3] = {10.25f, 1, 0.5f}, away[3] = {12, 1, 1};
    MeshHit hit = {0};
    SetPhase(0.5f);
    AssertNodeAt(ROOT, WORLD, 0, 0, 0);
    assert_int_equal(METHOD(mesh2, IMesh2, 7)(mesh2, above, &any_face, &hit), 1);
    assert_int_equal(hit.node, FLOOR);
    AssertNear(hit.point[2], 0);
    assert_int_equal(METHOD(collision, ICollisionMesh, 2)(collision, above, 0.5f, 12, &hit), 1);
    AssertNear(hit.distance, 2.25);
    assert_int_equal(METHOD(collision, ICollisionMesh, 2)(collision, above, 0.5f, 4, &hit), 0);
    assert_int_equal(METHOD(collision, ICollisionMesh, 2)(collision, edge, 0.5f, 12, &hit), 1);
    assert_int_equal(METHOD(collision, ICollisionMesh, 2)(collision, away, 0.5f, 12, &hit), 0);
}

static uint32_t PushOut(const float sphere[4], float push[3]) {
    return METHOD(collision, ICollisionMesh, 3)(collision, sphere, &any_face, &any_face, push);
}

TEST_OF_TANK(SpheresArePushedOut) {
    static const float low[4] = {-5, 1, 0.25f, 1}, high[4] = {-5, 1, 3, 1};
    float push[3] = {0};
    SetPhase(0.5f);
    AssertNodeAt(ROOT, WORLD, 0, 0, 0);
    assert_int_equal(PushOut(low, push), 1);
    AssertVector(push, 0, 0, 0.75);
    assert_int_equal(PushOut(high, push), 0);
    SetFlag(FLOOR, HIDDEN);
    assert_int_equal(PushOut(low, push), 0);
}

TEST_OF_TANK(PointsAreInsideOfClosedNodes) {
    static const float inside[3] = {5.125f, 0.25f, 2.0625f}, outside[3] = {7.125f, 0.25f, 2.0625f};
    SetPhase(0.5f);
    AssertNodeAt(ROOT, WORLD, 0, 0, 0);
    assert_int_equal(METHOD(joints, IJointMesh, 7)(joints, TURRET, inside, &any_face), 1);
    assert_int_equal(METHOD(joints, IJointMesh, 7)(joints, TURRET, outside, &any_face), 0);
}

TEST_OF_TANK(DescriptorsTellOfBatchesAndTriangles) {
    AttachGun(GUN_PART, SOCKET);
    const uint32_t *batch = (const void *)METHOD(mesh2, IMesh2, 3)(mesh2, GUN, 0);
    assert_non_null(batch);
    assert_int_equal(batch[13], 5 << 16 | 3); /* +0x34: the part's material, the batch's row */
    assert_true(METHOD(mesh2, IMesh2, 3)(mesh2, GUN, 99) == 0);
    assert_true(METHOD(mesh2, IMesh2, 5)(mesh2, GUN, 0, 11, 8) != 0);
    assert_true(METHOD(mesh2, IMesh2, 5)(mesh2, GUN, 0, 12, 8) == 0);
    METHOD(mesh2, IMesh2, 4)((uintptr_t)mesh2, 1);
}

TEST_OF_TANK(WhatNeedsOtherModulesSaysSoOnce) {
    static const float segment[6] = {0};
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
}

/* ---- vtables --------------------------------------------------------------------------------- */

typedef struct Slot {
    const char *interface;
    uint32_t offset, number, rva;
} Slot;

enum { OFFSET_IAnimation = 0, OFFSET_IMesh2 = 4, OFFSET_IJointMesh = 8 };
enum { OFFSET_ICollisionMesh = 12, OFFSET_IMeshSave = 16, OFFSET_IMeshQuery = 20 };
#define NONE(interface, number)
#define UNKNOWN(interface, number) {#interface, OFFSET_##interface, number, 0},
static const Slot unknown[] = {VTABLE_IAnimation(NONE, UNKNOWN) VTABLE_IMesh2(NONE, UNKNOWN)
                                   VTABLE_IJointMesh(NONE, UNKNOWN)
                                       VTABLE_ICollisionMesh(NONE, UNKNOWN){"IMeshSave", 16, 5, 0},
                               {"IMeshQuery", 20, 1, 0}};

#define KNOWN(interface, number, rva, ...) {#interface, OFFSET_##interface, number, rva},
static const Slot known[] = {ABI_ANIMESH_METHODS(KNOWN)};

/* A replay calls the methods by their addresses (replay_truth_kept_stand_in_replacement). Here they
 * are held against what callers find in the vtables. */
TEST_OF_TANK(MethodsAreInTheVtables) {
    int count = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const uint8_t *interface = (const uint8_t *)mesh + known[i].offset;
        if (!known[i].rva)
            continue;
        assert_int_equal(Game_Method(interface, (int)known[i].number),
                         game.internal(ABI_ANIMESH_IMAGE_BASE + known[i].rva));
        count++;
    }
    assert_int_equal(count, 43);
}

/* Calls the method in a process of its own, because the call ends it. */
static int CallUnknown(int index) {
    if (!Game_Join())
        return 1;
    const uint8_t *interface = (const uint8_t *)LoadTank() + unknown[index].offset;
    ((void (*)(void))Game_Method(interface, (int)unknown[index].number))();
    return 1;
}

TEST(SlotsWithoutFactsEndWithTheirName) {
    for (int i = 0; i < (int)(sizeof unknown / sizeof *unknown); i++) {
        char word[16], line[80];
        snprintf(word, sizeof word, "%d", i);
        assert_int_equal(Game_RunSelf(word), 4); /* Ngi32.dll's exit code for a fatal error */
        snprintf(line, sizeof line, "%s method %u was called", unknown[i].interface,
                 (unsigned)unknown[i].number);
        assert_int_equal(Game_CountLog(line), 1);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void Live(void) {
    MakeTank(NULL);
    AttachGun(GUN_PART, SOCKET);
    AttachGun(8, GUN);
    METHOD(mesh, IAnimation, 33)((uintptr_t)mesh, 1);
    SetPhase(0.5f);
    AssertNodeAt(BARREL, MODEL, 8, 0, 3);
    Send(20, (const void *)GUN_PART);
    game.load_mesh(MODELS_ARCHIVE, "cycle.msh", 0, 0);
    game.load_mesh(MODELS_ARCHIVE, "cut.msh", 0, 0);
    assert_int_equal(DestroyTank(NULL), 0);
}

TEST(NothingIsLeftBehind) {
    Game_AssertLeavesNothing(Live);
}

/* Returns how many blocks are in use after a pair was unloaded while `objects` objects were
 * left. */
static int64_t BlocksAfter(int objects) {
    for (int i = 0; i < objects; i++) {
        MakeTank(NULL);
        AttachGun(GUN_PART, SOCKET);
    }
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

AROUND_ALL(Game_Begin, Game_End)

int main(int argc, char **argv) {
    if (argc == 2 && argv[1][0] >= '0' && argv[1][0] <= '9')
        return CallUnknown(atoi(argv[1]));
    return Tests_Run();
}
