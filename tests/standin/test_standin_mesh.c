/* Tests of the stand-in's mesh object: every function of it over an object that is made here, with
 * numbers worked out by hand from docs/reference/arithmetic.md. Whole numbers, halves and rotations
 * by 90 and 180 degrees are exact in every build. Methods are reached through the vtables. */
#include "animesh/layout.h"
#include "checked_call.h"
#include "pair.h"
#include "prototypes.h"
#include "tests/test.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- the object -------------------------------------------------------------------------------
 */

#pragma pack(push, 1)
typedef struct Node {
    uint16_t flags, parent, map_start, fallback, slots[15];
} Node;
typedef struct Key {
    float position[3], time;
    int16_t rotation[4]; /* x, y, z, w */
} Key;
typedef struct Slot {
    uint16_t ranges[4];
    float low[3], high[3], sphere[4], area, volume;
    uint32_t rest[3];
} Slot;
typedef struct Header {
    float corners[24], sphere[4], capsule[7];
} Header;
#pragma pack(pop)

_Static_assert(sizeof(Node) == 38 && sizeof(Key) == 24 && sizeof(Slot) == 68, "Res1, Res8, Res2");

#define ONE_ 32767 /* times 1/32767 is exactly 1 */

enum { ROOT, ARM, HAND, LEG, PIECES };

/* In Res1 the arm moves, the hand is turned by 180 degrees about z, and the leg stands still. */
static const Node the_nodes[PIECES] = {
    [ROOT] = {0x0000, 0xFFFF, 0xFFFF, 0, {0}},
    [ARM] = {0x0002, 0, 0, 2, {0}},
    [HAND] = {0x0003, 1, 0xFFFF, 3, {0}},
    [LEG] = {0x8001, 0, 0xFFFF, 4, {0}},
};
static const Key keys[] = {
    {{5, 6, 7}, 0, {0, 0, 0, ONE_}},  {{0, 0, 0}, 0, {0, 0, 0, ONE_}},
    {{8, 0, 4}, 4, {0, 0, 0, ONE_}},  {{0, 2, 0}, 0, {0, 0, ONE_, 0}},
    {{0, 0, -3}, 0, {0, 0, 0, ONE_}},
};
static const uint16_t frame_map[5] = {1, 1, 1, 1, 2};
static const Slot slots[] = {
    {.low = {1, 2, 3}, .high = {5, 7, 9}, .sphere = {3, 4, 5, 6}, .area = 10, .volume = 3},
    {.low = {-1, -1, -1}, .high = {1, 1, 1}, .sphere = {0, 0, 0, 2}, .area = 4, .volume = 8},
};
static const float placement[16] = {0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30, 0, 0, 0, 1};

static struct {
    Mesh mesh;
    Piece pieces[PIECES];
} object, before;
static Reader reader;
static Node nodes[PIECES];
static Header header;

static const uint8_t *Self(const char *interface) {
    size_t at = strcmp(interface, "IMesh2") == 0       ? offsetof(Mesh, mesh2)
                : strcmp(interface, "IJointMesh") == 0 ? offsetof(Mesh, joint_mesh)
                                                       : 0;
    return (const uint8_t *)&object.mesh + at;
}

/* Makes the object. Everything else is filled with a pattern, so that a write to a wrong place
 * shows. */
static void MakeObject(void) {
    memset(&object, 0xA5, sizeof object);
    memset(&reader, 0, sizeof reader);
    memcpy(nodes, the_nodes, sizeof nodes);
    for (int i = 0; i < PIECES; i++)
        memset(nodes[i].slots, 0xFF, sizeof nodes[i].slots);
    reader.nodes = (const uint8_t *)nodes;
    reader.header = (const uint8_t *)&header;
    reader.slots = (const uint8_t *)slots;
    reader.keys = (const uint8_t *)keys;
    reader.frame_map = (const uint8_t *)frame_map;
    reader.frame_count = 5;
    Mesh *mesh = &object.mesh;
    mesh->pieces = (const uint8_t *)object.pieces;
    mesh->piece_count = PIECES;
    mesh->scaled = 0;
    for (int i = 0; i < 3; i++)
        mesh->scale[i] = (float)(i + 2); /* 2, 3, 4 */
    memcpy(mesh->placement, placement, sizeof placement);
    mesh->a_first = 0;
    mesh->a_last = 4;
    mesh->b_first = 2;
    mesh->b_last = 2;
    mesh->phase = 0.25f;
    mesh->weight = 0;
    static const int32_t parents[PIECES] = {-1, ROOT, ARM, ROOT};
    for (int i = 0; i < PIECES; i++) {
        Piece *piece = &object.pieces[i];
        memset(&piece->cache_valid, 0, 4);
        piece->tag = 0;
        piece->node = (uint32_t)i;
        piece->flags = 0;
        piece->parent = parents[i];
        piece->variant = 0;
        piece->reader = (const uint8_t *)&reader;
    }
    object.pieces[ROOT].flags = 0x01000000;
    before = object;
}

/* The object must be what it was, except for what the test put into `before`, too. */
static void ExpectObject(const char *what) {
    const uint8_t *got = (const void *)&object, *expected = (const void *)&before;
    for (size_t i = 0; i < sizeof object; i++)
        if (got[i] != expected[i])
            fail_msg("%s: byte 0x%X of the mesh, or 0x%X of piece %d, is %02X, expected %02X", what,
                     (unsigned)i, (unsigned)((i - sizeof object.mesh) % sizeof(Piece)),
                     (int)((i - sizeof object.mesh) / sizeof(Piece)), got[i], expected[i]);
}

static CheckedFrame CallMethod(const char *interface, int slot, const uint32_t *arguments) {
    static const struct {
        const char *interface;
        uint32_t rva;
    } tables[] = {{"IAnimation", 0x2057C}, {"IMesh2", 0x2053C}, {"IJointMesh", 0x2050C}};
    char key[64];
    snprintf(key, sizeof key, "animesh.%s.%d", interface, slot);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i].interface, interface) == 0) {
            uint32_t code = Memory_Dword(animesh + tables[i].rva + 4 * (uint32_t)slot);
            return Function_Call(Abi_Find(key), (const void *)(uintptr_t)code, CONTROL_SINGLE,
                                 arguments);
        }
    fail_msg("%s", interface);
    return (CheckedFrame){0};
}

#define METHOD(interface_, slot_, ...)                                                             \
    CallMethod(interface_, slot_, (const uint32_t[]){P(Self(interface_)), __VA_ARGS__})
#define ANIMATION(slot_, ...) METHOD("IAnimation", slot_, __VA_ARGS__)
#define MESH2(slot_, ...)     METHOD("IMesh2", slot_, __VA_ARGS__)
#define JOINTS(slot_, ...)    METHOD("IJointMesh", slot_, __VA_ARGS__)

static void Pose(void) {
    CALL("animesh.PoseWalk", animesh + 0x08B30, CONTROL_SINGLE, P(&object.mesh));
}

/* Compares the rows of a 3x4 matrix. The last row is 0 0 0 1. */
static void ExpectMatrix(const char *what, const float *got, const float rows[12]) {
    float expected[16] = {[15] = 1};
    memcpy(expected, rows, 12 * sizeof *rows);
    Expect_Floats(what, got, expected, 16);
}
#define ROWS(...)                                                                                  \
    (const float[12]) {                                                                            \
        __VA_ARGS__                                                                                \
    }

/* ---- pieces -----------------------------------------------------------------------------------
 */

LOADED_TEST(TestInitPieceSetsTagAndFlags) {
    MakeObject();
    object.pieces[HAND].flags = before.pieces[HAND].flags = 0x1F;
    CALL("animesh.InitPiece", animesh + 0x123E0, CONTROL_SINGLE, P(&object.pieces[HAND]), 77);
    before.pieces[HAND].tag = 77;
    before.pieces[HAND].flags = 0;
    ExpectObject("InitPiece");
}

static uint32_t Query(int node, uint32_t id) {
    uint32_t answer = 0xABCDABCD;
    ANIMATION(3, (uint32_t)node, id, P(&answer));
    return answer;
}

LOADED_TEST(TestNodeQueriesAnswerByTheirIds) {
    MakeObject();
    nodes[LEG].slots[5] = 0; /* variant 1, level 0 */
    object.pieces[LEG].flags = before.pieces[LEG].flags = 0x12345678;
    assert_int_equal(Query(LEG, 0xA), 0x12345678);
    assert_int_equal(Query(LEG, 0xD), ROOT);
    assert_int_equal(Query(ROOT, 0xD), UINT32_MAX);
    assert_int_equal(Query(LEG, 0xE), 0x8001);
    assert_int_equal(Query(LEG, 0xF), 0);
    assert_int_equal(Query(LEG, 0x10), 0);
    object.pieces[LEG].variant = before.pieces[LEG].variant = 1;
    /* this is so whether the object is scaled or not */
    assert_int_equal(Query(LEG, 0xF), F(10 * 2 * 3));
    assert_int_equal(Query(LEG, 0x10), F(3 * 2 * 3 * 4));
    object.pieces[LEG].reader = before.pieces[LEG].reader = NULL;
    assert_int_equal(Query(LEG, 0xE), 0);
    assert_int_equal(Query(LEG, 0x10), 0);
    static const uint32_t others[] = {0, 9, 0xB, 0xC, 0x11, UINT32_MAX};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(Query(LEG, others[i]), 0xABCDABCD);
    ExpectObject("queries");
}

LOADED_TEST(TestGettersAndSettersMoveBits) {
    MakeObject();
    const uint32_t signalling = 0x7FA00001; /* a copy keeps the bits, while a load would not */
    Piece *arm = &object.pieces[ARM], *expected = &before.pieces[ARM];
    arm->flags = expected->flags = 0x01000013;
    assert_int_equal(ANIMATION(7, ARM).eax, 0x01000013);
    ANIMATION(10, ARM, signalling, F(0.5f));
    memcpy(&expected->phase, &signalling, 4);
    expected->weight = 0.5f;
    ExpectObject("SetNodePhase");
    arm->phase = expected->phase = 0x1.234568p-3f;
    CheckedFrame frame = ANIMATION(9, ARM);
    assert_true(frame.st0 == 0x1.234568p-3L);
    ANIMATION(12, ARM, 1, -2u, 3, -4u);
    expected->a_first = 1;
    expected->a_last = -2;
    expected->b_first = 3;
    expected->b_last = -4;
    ExpectObject("SetNodeFramePairs");
    ANIMATION(17, ARM, -7u);
    expected->variant = -7;
    ExpectObject("SetNodeStage");
    assert_int_equal((int32_t)ANIMATION(16, ARM).eax, -7);
    object.pieces[LEG].cache_valid = before.pieces[LEG].cache_valid = 1;
    ANIMATION(25, F(0.75f), signalling);
    before.mesh.phase = 0.75f;
    memcpy(&before.mesh.weight, &signalling, 4);
    ExpectObject("SetPhase: pose-cache=times clears nothing");
    ANIMATION(26, 10, -20u, 30, -40u);
    before.mesh.a_first = 10;
    before.mesh.a_last = -20;
    before.mesh.b_first = 30;
    before.mesh.b_last = -40;
    ExpectObject("SetFramePairs");
}

LOADED_TEST(TestPartsAreFoundByTheirTag) {
    MakeObject();
    object.pieces[HAND].tag = object.pieces[LEG].tag = 9;
    assert_int_equal(ANIMATION(14, 0).eax, ROOT);
    assert_int_equal(ANIMATION(14, 9).eax, HAND);
    assert_int_equal(ANIMATION(14, 8).eax, UINT32_MAX);
    assert_int_equal(ANIMATION(15, 0).eax, 2);
    assert_int_equal(ANIMATION(15, 9).eax, 2);
    assert_int_equal(ANIMATION(15, 8).eax, 0);
    object.mesh.piece_count = 0;
    assert_int_equal(ANIMATION(14, 0).eax, UINT32_MAX);
    assert_int_equal(ANIMATION(15, 0).eax, 0);
}

LOADED_TEST(TestStagesCountWhileEachHasASlotAtLevelZero) {
    MakeObject();
    assert_int_equal(ANIMATION(18, ARM).eax, 0);
    nodes[ARM].slots[0] = nodes[ARM].slots[10] = 1; /* variants 0 and 2 */
    assert_int_equal(ANIMATION(18, ARM).eax, 1);
    nodes[ARM].slots[5] = 0;
    assert_int_equal(ANIMATION(18, ARM).eax, 3);
    nodes[ARM].slots[0] = 0xFFFF;
    nodes[ARM].slots[1] = 0; /* another level does not count */
    assert_int_equal(ANIMATION(18, ARM).eax, 0);
}

static void SetFlags(int piece, uint32_t flags, bool flying, bool own, bool tilted) {
    Piece *expected = &before.pieces[piece];
    expected->flags = flags;
    expected->flying = flying;
    expected->own_segment = own;
    expected->tilted = tilted;
}

static void CacheAll(uint8_t valid) {
    for (int i = 0; i < PIECES; i++)
        object.pieces[i].cache_valid = before.pieces[i].cache_valid = valid;
}

LOADED_TEST(TestFlagsAreMirroredAndClearTheCache) {
    MakeObject();
    CacheAll(1);
    ANIMATION(8, ARM, 5, 0, 0xDEAD);
    SetFlags(ARM, 5, true, false, false);
    ExpectObject("hidden and flying set; the cache stays");
    ANIMATION(8, ARM, 8, 0, 0);
    SetFlags(ARM, 0xD, true, true, false);
    for (int i = 0; i < PIECES; i++)
        before.pieces[i].cache_valid = 0;
    ExpectObject("own segment set");
    CacheAll(1);
    ANIMATION(8, ARM, 8, 2, 0);
    ExpectObject("set again: nothing changes, operation 2 sets");
    ANIMATION(8, ARM, 0xC, 3, 0);
    SetFlags(ARM, 1, false, false, false);
    for (int i = 0; i < PIECES; i++)
        before.pieces[i].cache_valid = 0;
    ExpectObject("cleared by an odd operation");
    CacheAll(1);
    object.pieces[HAND].flags = before.pieces[HAND].flags = 0x12;
    ANIMATION(8, ARM, 0x10, 0x200, 0);
    SetFlags(ARM, 0x11, false, false, true);
    SetFlags(HAND, 0x12, false, false, true); /* the piece had the flag, but not the mirror */
    for (int i = 0; i < PIECES; i++)
        before.pieces[i].cache_valid = 0;
    ExpectObject("the subtree of the arm");
    CacheAll(1);
    ANIMATION(8, ROOT, 0x12, 0x201, 0);
    SetFlags(ROOT, 0x01000000, false, false, false);
    SetFlags(ARM, 1, false, false, false);
    SetFlags(HAND, 0, false, false, false);
    SetFlags(LEG, 0, false, false, false);
    for (int i = 0; i < PIECES; i++)
        before.pieces[i].cache_valid = 0;
    ExpectObject("the whole tree");
}

/* ---- posing -----------------------------------------------------------------------------------
 */

LOADED_TEST(TestClearPoseCacheClearsEveryPiece) {
    MakeObject();
    CacheAll(1);
    CALL("animesh.ClearPoseCache", animesh + 0x0A2A0, CONTROL_SINGLE, P(&object.mesh));
    for (int i = 0; i < PIECES; i++)
        before.pieces[i].cache_valid = 0;
    ExpectObject("ClearPoseCache");
}

/* Side A is at 0 + 0.25 * 4 = 1, where the arm is a quarter of the way to 8, 0, 4. */
LOADED_TEST(TestPoseWalkChainsMatrices) {
    MakeObject();
    Pose();
    const Piece *root = &object.pieces[ROOT], *arm = &object.pieces[ARM];
    const Piece *hand = &object.pieces[HAND], *leg = &object.pieces[LEG];
    ExpectMatrix("root, local", root->local, ROWS(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0));
    ExpectMatrix("root, model", root->model, ROWS(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0));
    Expect_Floats("root, world", root->world, placement, 16);
    ExpectMatrix("arm, local", arm->local, ROWS(1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 1));
    ExpectMatrix("arm, model", arm->model, ROWS(1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 1));
    ExpectMatrix("arm, world", arm->world, ROWS(0, -1, 0, 10, 1, 0, 0, 22, 0, 0, 1, 31));
    /* Slot 14 gives signed zeros for a turn about z, so that numbers are compared here and not
     * bits. */
    static const float turned[12] = {-1, 0, 0, 0, 0, -1, 0, 2, 0, 0, 1, 0};
    static const float world[12] = {0, 1, 0, 8, -1, 0, 0, 22, 0, 0, 1, 31};
    for (int i = 0; i < 12; i++) {
        assert_true(hand->local[i] == turned[i]);
        assert_true(hand->model[i] == turned[i] + (i == 3 ? 2 : i == 11 ? 1 : 0));
        assert_true(hand->world[i] == world[i]);
    }
    ExpectMatrix("leg, model", leg->model, ROWS(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -3));
    ExpectMatrix("leg, world", leg->world, ROWS(0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 27));
    for (int i = 0; i < PIECES; i++) {
        before.pieces[i].cache_valid = 1;
        before.pieces[i].cached_a = 1;
        before.pieces[i].cached_b = 2;
        memcpy(before.pieces[i].world, object.pieces[i].world, 3 * 64);
    }
    ExpectObject("nothing else");
}

LOADED_TEST(TestPoseWalkBlendsBothPairs) {
    MakeObject();
    object.mesh.weight = 0.5f; /* side A at 1 gives 2, 0, 1; side B at 2 gives 4, 0, 2 */
    Pose();
    ExpectMatrix("mesh", object.pieces[ARM].local, ROWS(1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 1.5f));
    Piece *arm = &object.pieces[ARM];
    arm->own_segment = 1;
    arm->a_first = arm->a_last = -1;
    arm->b_first = 0;
    arm->b_last = 4;
    arm->phase = 0.5f;
    arm->weight = 1;
    Pose();
    ExpectMatrix("its own", arm->local, ROWS(1, 0, 0, 4, 0, 1, 0, 0, 0, 0, 1, 2));
    assert_true(arm->cached_a == -1 && arm->cached_b == 2);
    assert_true(object.pieces[HAND].model[3] == 4);
}

LOADED_TEST(TestPoseWalkKeepsLocalMatricesOfTheSameTimes) {
    MakeObject();
    Pose();
    Piece *arm = &object.pieces[ARM];
    arm->local[3] = 100;
    object.mesh.weight = 0.5f; /* the reading pose-cache=times does not use the weight */
    Pose();
    ExpectMatrix("kept", arm->model, ROWS(1, 0, 0, 100, 0, 1, 0, 0, 0, 0, 1, 1));
    assert_true(object.pieces[HAND].model[3] == 100);
    arm->cached_b = 3;
    Pose();
    ExpectMatrix("another B", arm->model, ROWS(1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 1.5f));
    arm->local[3] = 100;
    arm->cached_a = NAN;
    Pose();
    assert_true(arm->model[3] == 3);
    arm->local[3] = 100;
    arm->cache_valid = 0;
    Pose();
    assert_true(arm->model[3] == 3);
}

LOADED_TEST(TestPoseWalkLeavesFlyingPiecesOut) {
    MakeObject();
    Piece *arm = &object.pieces[ARM];
    arm->flying = 1;
    for (int i = 0; i < 16; i++) {
        arm->model[i] = placement[i];
        arm->world[i] = placement[i];
    }
    before.pieces[ARM] = *arm;
    Pose();
    assert_memory_equal(arm, &before.pieces[ARM], sizeof *arm);
    /* The hand is placed relative to the matrix that was put there, at its 0, 2, 0. */
    assert_true(object.pieces[HAND].model[3] == 8 && object.pieces[HAND].model[7] == 20);
    assert_true(object.pieces[HAND].world[3] == -10 && object.pieces[HAND].world[7] == 28);
}

LOADED_TEST(TestPoseWalkScalesTranslationsAlone) {
    MakeObject();
    object.mesh.scaled = 1;             /* the scale is 2, 3, 4 */
    object.pieces[LEG].parent = PIECES; /* a parent outside of the object counts as -1 */
    Pose();
    ExpectMatrix("root", object.pieces[ROOT].local, ROWS(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0));
    ExpectMatrix("arm", object.pieces[ARM].model, ROWS(1, 0, 0, 4, 0, 1, 0, 0, 0, 0, 1, 4));
    assert_true(object.pieces[HAND].local[7] == 6 && object.pieces[HAND].local[5] == -1);
    ExpectMatrix("leg", object.pieces[LEG].model, ROWS(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0));
}

/* The tilt turns by 180 degrees about x, before the placement's 90 about z: the tilt's matrix is on
 * the left. */
LOADED_TEST(TestPoseWalkTiltsTheWorldMatrixAlone) {
    MakeObject();
    Piece *arm = &object.pieces[ARM];
    arm->tilted = 1;
    static const float about_x[4] = {0, 1, 0, 0};
    memcpy(arm->previous_tilt, about_x, sizeof about_x);
    memcpy(arm->tilt, about_x, sizeof about_x);
    Pose();
    static const float expected[12] = {0, -1, 0, 10, -1, 0, 0, 22, 0, 0, -1, 31};
    for (int i = 0; i < 12; i++)
        assert_true(arm->world[i] == expected[i]);
    ExpectMatrix("model", arm->model, ROWS(1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 1));
    assert_true(object.pieces[HAND].world[4] ==
                -1); /* by its model matrix, and not by its parent's world matrix */
}

LOADED_TEST(TestNodeMatrixPosesAndCopies) {
    float matrix[16];
    MakeObject();
    ANIMATION(4, ARM, 0, P(matrix));
    ExpectMatrix("model", matrix, ROWS(1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 1));
    ANIMATION(4, ARM, 2, P(matrix));
    ExpectMatrix("world", matrix, ROWS(0, -1, 0, 10, 1, 0, 0, 22, 0, 0, 1, 31));
    static const uint32_t others[] = {1, 3, UINT32_MAX};
    for (size_t i = 0; i < 3; i++) {
        object.mesh.phase = 0.5f;
        ANIMATION(4, ARM, others[i], P(matrix));
        ExpectMatrix("identity", matrix, ROWS(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0));
    }
    assert_true(object.pieces[ARM].model[3] == 4);
}

LOADED_TEST(TestRootTranslationIsNotZeroedAndPosesNothing) {
    float translation[3];
    MakeObject();
    ANIMATION(32, P(translation));
    Expect_Floats("plain", translation, (const float[]){5, 6, 7}, 3);
    object.mesh.scaled = before.mesh.scaled = 1;
    ANIMATION(32, P(translation));
    Expect_Floats("scaled", translation, (const float[]){10, 18, 28}, 3);
    object.mesh.piece_count = before.mesh.piece_count = 0;
    ANIMATION(32, P(translation));
    Expect_Floats("no pieces", translation, (const float[]){0, 0, 0}, 3);
    ExpectObject("RootTranslation");
}

static float halved[4], half_of[4], half_weight;

/* Takes the place of slot 17 and records its arguments. */
ABI_PROTO_ngi32_slot17(NoteHalf);
ABI_PROTO_ngi32_slot17(NoteHalf) {
    memcpy(halved, q0, sizeof halved);
    memcpy(half_of, q1, sizeof half_of);
    half_weight = t;
    for (int i = 0; i < 4; i++)
        result[i] = (float)(i + 1);
}

LOADED_TEST(TestTiltHalvesTheDoubleAngle) {
    static const float up[3] = {1, 2, 3}, normal[3] = {4, -5, 6}, identity[4] = {1, 0, 0, 0};
    uint32_t *table = (uint32_t *)(uintptr_t)Pair_FastProc(), original = table[17];
    MakeObject();
    Piece *leg = &object.pieces[LEG];
    for (int i = 0; i < 4; i++)
        leg->tilt[i] = (float)(7 + i);
    memcpy(before.pieces[LEG].previous_tilt, leg->tilt, 16);
    table[17] = (uint32_t)(uintptr_t)NoteHalf;
    ANIMATION(31, LEG, P(up), P(normal));
    table[17] = original;
    Expect_Floats("from", halved, identity, 4);
    /* the dot product and the cross product */
    Expect_Floats("to", half_of, (const float[]){12, 27, 6, -13}, 4);
    assert_true(half_weight == 0.5f);
    memcpy(before.pieces[LEG].tilt, (const float[]){1, 2, 3, 4}, 16);
    ExpectObject("tilted");
    ANIMATION(31, LEG, 0, P(normal));
    memcpy(before.pieces[LEG].previous_tilt, (const float[]){1, 2, 3, 4}, 16);
    memcpy(before.pieces[LEG].tilt, identity, 16);
    ExpectObject("no first vector");
    ANIMATION(31, LEG, P(up), 0);
    memcpy(before.pieces[LEG].previous_tilt, identity, 16);
    ExpectObject("no second vector");
    ANIMATION(31, LEG, P(up), P(up)); /* 1 + 4 + 9 = 14: not a unit, and slot 17 does not care */
    assert_true(leg->tilt[0] == 7.5f && leg->tilt[1] == 0);
}

/* ---- bounds -----------------------------------------------------------------------------------
 */

/* Writes the eight corners of an upright box in the order of the original. */
static void Corners(const float low[3], const float high[3], float corners[24]) {
    static const char *const highs[8] = {"", "x", "xy", "y", "yz", "z", "xz", "xyz"};
    for (int c = 0; c < 8; c++)
        for (int i = 0; i < 3; i++)
            corners[3 * c + i] = strchr(highs[c], "xyz"[i]) ? high[i] : low[i];
}

static void ExpectBox(const char *what, const float *got, const float low[3], const float high[3]) {
    float corners[24];
    Corners(low, high, corners);
    Expect_Floats(what, got, corners, 24);
}
#define POINT(...)                                                                                 \
    (const float[3]) {                                                                             \
        __VA_ARGS__                                                                                \
    }

LOADED_TEST(TestBoxCornersAreInTheOriginalsOrder) {
    static const float expected[24] = {1, 2,  3,  10, 2, 3,  10, 20, 3,  1,  20, 3,
                                       1, 20, 30, 1,  2, 30, 10, 2,  30, 10, 20, 30};
    float corners[24] = {1, 2, 3, 10, 20, 30};
    CALL("animesh.FillBoxCorners", animesh + 0x11850, CONTROL_SINGLE, P(corners), P(corners + 3),
         P(corners)); /* the corners overwrite the input */
    Expect_Floats("corners", corners, expected, 24);
}

static const JointRequest every = {0, 0, 0, 0}, single = {0, 0, 0, 1}, exterior = {0, 1, 0, 0};

/* The arm has slot 0, the hand has slot 1, and the leg has none. In the pose the arm is at 2, 0, 1,
 * and the hand is turned, at 2, 2, 1. */
static void PoseWithSlots(void) {
    MakeObject();
    nodes[ARM].slots[0] = 0;
    nodes[HAND].slots[0] = 1;
    Pose();
    for (int i = 0; i < 24; i++)
        object.mesh.box[i] = (float)i;
    for (int i = 0; i < 3; i++) {
        object.mesh.agent_centre[i] = (float)(i + 1);
        object.mesh.node_centre[i] = (float)(i + 11);
    }
    object.mesh.agent_radius = 4;
    object.mesh.node_radius = 14;
    for (int i = 0; i < 7; i++)
        object.mesh.capsule[i] = (float)(i + 1);
    before = object;
}

static void Box(int node, uint32_t mode, const JointRequest *request, float corners[24]) {
    JOINTS(4, (uint32_t)node, mode, P(request), P(corners));
}

LOADED_TEST(TestBoxOfOnePiece) {
    float corners[24];
    PoseWithSlots();
    Box(ARM, 0, &single, corners);
    ExpectBox("model", corners, POINT(3, 2, 4), POINT(7, 7, 10));
    Box(ARM, 1, &every, corners);
    ExpectBox("node", corners, POINT(1, 2, 3), POINT(5, 7, 9));
    Box(ARM, 7, &every, corners);
    ExpectBox("another mode", corners, POINT(1, 2, 3), POINT(5, 7, 9));
    Box(ARM, 2, &single, corners);
    Expect_Floats("world: 10 - y, 20 + x, 30 + z", corners, (const float[]){8, 23, 34}, 3);
    Expect_Floats("world, corner 1", corners + 3, (const float[]){8, 27, 34}, 3);
    Expect_Floats("world, corner 7", corners + 21, (const float[]){3, 27, 40}, 3);
    Box(LEG, 0, &single, corners);
    ExpectBox("no slot", corners, POINT(0, 0, -3), POINT(0, 0, -3));
    Box(LEG, 1, &single, corners);
    ExpectBox("no slot, no matrix", corners, POINT(0, 0, 0), POINT(0, 0, 0));
    Box(ROOT, 0, &single, corners);
    ExpectBox("root alone", corners, POINT(0, 0, 0), POINT(0, 0, 0));
    object.mesh.scaled = before.mesh.scaled = 1;
    Box(ARM, 1, &every, corners);
    ExpectBox("scaled", corners, POINT(2, 6, 12), POINT(10, 21, 36));
    ExpectObject("boxes");
}

LOADED_TEST(TestBoxOfASubtreeJoinsChildrenThatPass) {
    float corners[24];
    PoseWithSlots();
    Box(ARM, 0, &every, corners); /* the hand: 1..3, 1..3, 0..2 */
    ExpectBox("arm and hand", corners, POINT(1, 1, 0), POINT(7, 7, 10));
    Box(ARM, 0, &exterior, corners); /* the hand's flag 1 */
    ExpectBox("excluded", corners, POINT(3, 2, 4), POINT(7, 7, 10));
    Box(ARM, 0, &(JointRequest){3, 0, 0, 0}, corners);
    ExpectBox("required", corners, POINT(1, 1, 0), POINT(7, 7, 10));
    Box(ARM, 0, &(JointRequest){4, 0, 0, 0}, corners);
    ExpectBox("not all required", corners, POINT(3, 2, 4), POINT(7, 7, 10));
    nodes[ARM].flags |= 4;
    Box(ARM, 0, &every, corners);
    ExpectBox("4 stops in mode 0", corners, POINT(3, 2, 4), POINT(7, 7, 10));
    Box(ARM, 2, &every, corners); /* 10 - y, 20 + x, 30 + z */
    ExpectBox("4 does not stop in mode 2", corners, POINT(3, 21, 30), POINT(9, 27, 40));
    nodes[ARM].flags = 0x10;
    Box(ARM, 2, &every, corners);
    Expect_Floats("0x10 stops", corners, (const float[]){8, 23, 34}, 3);
    nodes[ARM].flags = 2;
    object.pieces[LEG].parent = HAND; /* 0, 0, -3 by its model matrix */
    Box(ARM, 0, &every, corners);
    ExpectBox("grandchild", corners, POINT(0, 0, -3), POINT(7, 7, 10));
    Box(ARM, 0, &(JointRequest){0, 0x8000, 0, 0}, corners);
    ExpectBox("without it", corners, POINT(1, 1, 0), POINT(7, 7, 10));
    nodes[HAND].flags |= 4;
    Box(ARM, 0, &every, corners);
    ExpectBox("the hand stops", corners, POINT(1, 1, 0), POINT(7, 7, 10));
}

LOADED_TEST(TestTheFirstOfTwoZerosStaysInABox) {
    float corners[24];
    PoseWithSlots();
    nodes[HAND].slots[0] = 0xFFFF; /* both are points then, copied out of the matrices */
    object.pieces[HAND].parent = ROOT;
    object.pieces[LEG].parent = HAND;
    for (int i = 0; i < 3; i++) {
        object.pieces[HAND].model[4 * i + 3] = i == 1 ? -0.0f : 0;
        object.pieces[LEG].model[4 * i + 3] = i == 1 ? 0 : -0.0f;
    }
    Box(HAND, 0, &every, corners);
    ExpectBox("zeros", corners, POINT(0, -0.0f, 0), POINT(0, -0.0f, 0));
}

LOADED_TEST(TestBoxOfTheMeshIsItsOwn) {
    float corners[24], expected[24];
    PoseWithSlots();
    Box(ROOT, 0, &every, corners);
    Expect_Floats("model", corners, object.mesh.box, 24);
    Box(ROOT, 2, &exterior, corners);
    for (int c = 0; c < 8; c++) {
        const float *p = object.mesh.box + 3 * c;
        expected[3 * c] = 10 - p[1];
        expected[3 * c + 1] = 20 + p[0];
        expected[3 * c + 2] = 30 + p[2];
    }
    Expect_Floats("world", corners, expected, 24);
}

static void Sphere(int node, uint32_t mode, const JointRequest *request, float sphere[4]) {
    JOINTS(3, (uint32_t)node, mode, P(request), P(sphere));
}

LOADED_TEST(TestSpheres) {
    float sphere[4];
    PoseWithSlots();
    Sphere(ARM, 0, &single, sphere);
    Expect_Floats("slot", sphere, (const float[]){5, 4, 6, 6}, 4);
    Sphere(ARM, 1, &every, sphere);
    Expect_Floats("node", sphere, (const float[]){3, 4, 5, 6}, 4);
    Sphere(ARM, 2, &single, sphere);
    Expect_Floats("world", sphere, (const float[]){6, 25, 36, 6}, 4);
    Sphere(LEG, 2, &single, sphere);
    Expect_Floats("no slot", sphere, (const float[]){10, 20, 27, 0}, 4);
    Sphere(LEG, 1, &single, sphere);
    Expect_Floats("no slot, no matrix", sphere, (const float[]){0, 0, 0, 0}, 4);
    Sphere(ROOT, 0, &every, sphere);
    Expect_Floats("exterior", sphere, (const float[]){11, 12, 13, 14}, 4);
    Sphere(ROOT, 0, &exterior, sphere);
    Expect_Floats("agent", sphere, (const float[]){1, 2, 3, 4}, 4);
    Sphere(ROOT, 2, &(JointRequest){0, 0, 1, 0}, sphere);
    Expect_Floats("agent, world", sphere, (const float[]){8, 21, 33, 4}, 4);
    nodes[LEG].slots[0] = 0; /* 1..5, 2..7, 0..6 */
    object.pieces[LEG].parent = HAND;
    Sphere(HAND, 0, &every, sphere); /* joined: 1..5, 1..7, 0..6 */
    Expect_Floats("subtree, centre", sphere, (const float[]){3, 4, 3}, 3);
    assert_true(sphere[3] == sqrtf(88) * 0.5f);
    object.mesh.scaled = 1;
    Sphere(ARM, 1, &every, sphere);
    Expect_Floats("scaled", sphere, (const float[]){6, 12, 20, 24}, 4);
    object.mesh.scale[0] = 5;
    Sphere(ARM, 1, &every, sphere);
    Expect_Floats("scaled by x most", sphere, (const float[]){15, 12, 20, 30}, 4);
}

static void Capsule(const float low[3], const float high[3], float capsule[7]) {
    Corners(low, high, object.mesh.box);
    JOINTS(5, ROOT, 0, P(&every), P(capsule));
}

LOADED_TEST(TestCapsulesStandOnTheLongestAxis) {
    float capsule[7];
    PoseWithSlots();
    Capsule(POINT(0, 0, 0), POINT(6, 8, 10), capsule);
    Expect_Floats("z", capsule, (const float[]){3, 4, 10, 3, 4, 0, 5}, 7);
    Capsule(POINT(0, 0, 0), POINT(10, 6, 8), capsule);
    Expect_Floats("x", capsule, (const float[]){10, 3, 4, 0, 3, 4, 5}, 7);
    Capsule(POINT(0, 0, 0), POINT(6, 10, 8), capsule);
    Expect_Floats("y", capsule, (const float[]){3, 10, 4, 3, 0, 4, 5}, 7);
    Capsule(POINT(0, 0, 0), POINT(8, 8, 8), capsule);
    Expect_Floats("all alike: z", capsule, (const float[]){4, 4, 8, 4, 4, 0}, 6);
    Capsule(POINT(0, 0, 0), POINT(8, 8, 6), capsule);
    Expect_Floats("x and y alike: x", capsule, (const float[]){8, 4, 3, 0, 4, 3, 5}, 7);
    Capsule(POINT(0, 0, NAN), POINT(8, 6, NAN), capsule);
    assert_true(capsule[0] == 4 && capsule[1] == 3 && capsule[3] == 4); /* a NaN: z */
    JOINTS(5, ARM, 1, P(&every), P(capsule));                           /* 1..5, 2..7, 3..9 */
    Expect_Floats("one piece", capsule, (const float[]){3, 4.5f, 9, 3, 4.5f, 3}, 6);
    assert_true(capsule[6] == sqrtf(4 + 6.25f));
}

LOADED_TEST(TestObjectBoundsAreCopiedOrPlaced) {
    float centre[3], radius, capsule[7], scale[3];
    PoseWithSlots();
    MESH2(9, 0, P(centre), P(&radius));
    Expect_Floats("sphere", centre, (const float[]){1, 2, 3}, 3);
    assert_true(radius == 4);
    MESH2(9, 2, P(centre), P(&radius));
    Expect_Floats("sphere, world", centre, (const float[]){8, 21, 33}, 3);
    assert_true(radius == 4);
    MESH2(12, 1, P(capsule));
    Expect_Floats("capsule", capsule, (const float[]){1, 2, 3, 4, 5, 6, 7}, 7);
    MESH2(12, 2, P(capsule));
    Expect_Floats("capsule, world", capsule, (const float[]){8, 21, 33, 5, 24, 36, 7}, 7);
    MESH2(14, P(scale));
    Expect_Floats("scale", scale, (const float[]){2, 3, 4}, 3);
    ExpectObject("bounds");
}

LOADED_TEST(TestSetScaleScalesEveryBound) {
    static const float scale[3] = {2, 5, 3}, one[3] = {1, 1, 1}, odd[3] = {1, NAN, 1};
    PoseWithSlots();
    for (int i = 0; i < 24; i++)
        object.mesh.box_b[i] = (float)(100 + i);
    before = object;
    MESH2(15, P(scale));
    const Mesh *mesh = &object.mesh;
    Expect_Floats("scale", mesh->scale, scale, 3);
    assert_int_equal(mesh->scaled, 1);
    for (int i = 0; i < 24; i++) {
        assert_true(mesh->box[i] == (float)i * scale[i % 3]);
        assert_true(mesh->box_b[i] == (float)(100 + i) * scale[i % 3]);
    }
    Expect_Floats("agent", mesh->agent_centre, (const float[]){2, 10, 9, 20}, 4);
    Expect_Floats("nodes", mesh->node_centre, (const float[]){22, 60, 39, 70}, 4);
    Expect_Floats("capsule", mesh->capsule, (const float[]){2, 10, 9, 8, 25, 18, 35}, 7);
    ExpectMatrix("posed anew", object.pieces[ARM].model, ROWS(1, 0, 0, 4, 0, 1, 0, 0, 0, 0, 1, 3));
    assert_int_equal(object.pieces[ARM].cache_valid, 1);
    MESH2(15, P(one));
    assert_int_equal(mesh->scaled, 0);
    Expect_Floats("by 1", mesh->capsule, (const float[]){2, 10, 9, 8, 25, 18, 35}, 7);
    ExpectMatrix("unscaled", object.pieces[ARM].model, ROWS(1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 1));
    MESH2(15, P(odd));
    assert_int_equal(mesh->scaled, 1);
}

static void Bounds(void) {
    CALL("animesh.MeshBounds", animesh + 0x09510, CONTROL_SINGLE, P(&object.mesh));
}

static void MakeHeader(const float low[3], const float high[3], const float sphere[4]) {
    Corners(low, high, header.corners);
    memcpy(header.sphere, sphere, sizeof header.sphere);
    for (int i = 0; i < 7; i++)
        header.capsule[i] = (float)(21 + i);
}

LOADED_TEST(TestBoundsOfOnePartAreItsHeaders) {
    PoseWithSlots();
    MakeHeader(POINT(-1, -2, -3), POINT(4, 5, 6), (const float[]){7, 8, 9, 10});
    object.pieces[ROOT].tag = 5;
    Bounds();
    ExpectBox("box", object.mesh.box, POINT(-1, -2, -3), POINT(4, 5, 6));
    ExpectBox("box B", object.mesh.box_b, POINT(-1, -2, -3), POINT(4, 5, 6));
    Expect_Floats("agent", object.mesh.agent_centre, header.sphere, 4);
    Expect_Floats("capsule", object.mesh.capsule, header.capsule, 7);
    object.mesh.scaled = 1; /* 2, 3, 4 */
    Bounds();
    ExpectBox("scaled", object.mesh.box, POINT(-2, -6, -12), POINT(8, 15, 24));
    ExpectBox("scaled, B", object.mesh.box_b, POINT(-2, -6, -12), POINT(8, 15, 24));
    Expect_Floats("scaled", object.mesh.agent_centre, (const float[]){14, 24, 36, 40}, 4);
    Expect_Floats("scaled", object.mesh.capsule, (const float[]){42, 66, 92, 48, 75, 104, 108}, 7);
    object.pieces[ROOT].flags = 0;
    before = object;
    Bounds();
    Expect_Floats("no part", object.mesh.box, before.mesh.box, 48);
    Expect_Floats("no part", object.mesh.agent_centre, before.mesh.agent_centre, 4);
    Expect_Floats("no part", object.mesh.capsule, before.mesh.capsule, 7);
}

/* The hand is a part with the same header. It is attached to the arm, which is at 2, 0, 1. */
LOADED_TEST(TestBoundsOfSeveralPartsAreJoined) {
    PoseWithSlots();
    MakeHeader(POINT(0, 0, 0), POINT(4, 6, 8), (const float[]){1, 2, 3, 10});
    object.pieces[HAND].tag = 5;
    object.pieces[HAND].flags = 0x01000000;
    Bounds();
    ExpectBox("box", object.mesh.box, POINT(0, 0, 0), POINT(6, 6, 9));
    ExpectBox("box B", object.mesh.box_b, POINT(0, 0, 0), POINT(6, 6, 9));
    Expect_Floats("centre", object.mesh.agent_centre, (const float[]){2, 2, 3.5f}, 3);
    float d = 1 + 0.25f;
    assert_true(object.mesh.agent_radius == sqrtf(d) + 10);
    Expect_Floats("capsule", object.mesh.capsule, (const float[]){3, 3, 9, 3, 3, 0}, 6);
    assert_true(object.mesh.capsule[6] == sqrtf(18));
    object.pieces[HAND].tag = 0;
    Bounds();
    ExpectBox("tag 0: where its header says", object.mesh.box, POINT(0, 0, 0), POINT(4, 6, 8));
    object.pieces[HAND].tag = 5;
    object.pieces[HAND].parent = -1;
    Bounds();
    ExpectBox("no parent", object.mesh.box, POINT(0, 0, 0), POINT(4, 6, 8));
    object.pieces[HAND].parent = ARM;
    object.mesh.scaled = 1; /* the arm is at 4, 0, 4 then */
    CacheAll(0);
    Bounds();
    /* The part's header is 8, 18, 32 wide in its own space, and is then put where the arm is. */
    ExpectBox("scaled", object.mesh.box, POINT(0, 0, 0), POINT(12, 18, 36));
    Expect_Floats("scaled", object.mesh.agent_centre, (const float[]){4, 6, 14}, 3);
}

LOADED_TEST(TestNodeSphereJoinsExteriorPieces) {
    PoseWithSlots();
    MakeHeader(POINT(0, 0, 0), POINT(1, 1, 1), (const float[]){0, 0, 0, 1});
    nodes[ROOT].slots[0] = 0; /* it is left out all the same */
    Bounds();
    /* The arm alone reaches from 3 to 7, 2 to 7 and 4 to 10. */
    float arm = 0.5f * sqrtf(16 + 25 + 36);
    Expect_Floats("arm", object.mesh.node_centre, (const float[]){5, 4.5f, 7, arm}, 4);
    nodes[HAND].flags = 0;   /* 1..3, 1..3, 0..2 */
    nodes[ARM].slots[0] = 1; /* 1..3, -1..1, 0..2 */
    Bounds();
    float both = 0.5f * sqrtf(12);
    Expect_Floats("both", object.mesh.node_centre, (const float[]){2, 1, 1, 1 + both}, 4);
    nodes[LEG].flags = 0; /* a point at 0, 0, -3 weighs nothing, but the sphere reaches it */
    Bounds();
    Expect_Floats("point", object.mesh.node_centre, (const float[]){2, 1, 1, sqrtf(21)}, 4);
    nodes[ARM].flags = nodes[HAND].flags = 1;
    Bounds();
    Expect_Floats("points alone", object.mesh.node_centre, (const float[]){0, 0, 0, 0}, 4);
}

/* ---- faces ------------------------------------------------------------------------------------
 */

/* Asks for the height and squared gap over a triangle that rises along x. Returns false if nothing
 * was written. */
static bool Over(const float triangle[9], float x, float y, float answer[2]) {
    const float point[3] = {x, y, 1000};
    answer[0] = answer[1] = -77;
    return CALL("animesh.PointOverTriangle", animesh + 0x0D220, CONTROL_SINGLE, P(triangle),
                P(point), P(answer))
               .eax == 1;
}

LOADED_TEST(TestPointOverTriangle) {
    static const float left[9] = {0, 0, 0, 4, 0, 8, 0, 4, 0}; /* z = 2x */
    static const float right[9] = {0, 0, 0, 0, 4, 0, 4, 0, 8};
    static const float flat[9] = {0, 0, 0, 2, 0, 5, 4, 0, 0}; /* no area in the plane xy */
    static const float nothing[9] = {NAN, 0, 0, 4, 0, 8, 0, 4, 0};
    static const struct {
        float x, y, height, gap;
    } cases[] = {
        {1, 1, 2, 0},   {0, 0, 0, 0},   {2, 0, 4, 0}, /* the point is on an edge */
        {2, -3, 4, 9},  {-1, -2, 0, 5},               /* along a to b, at a */
        {6, -3, 8, 13},                               /* at b */
        {4, 4, 4, 8},                                 /* along b to c */
        {-2, 3, 0, 4},  {-3, 8, 0, 25},               /* along c to a, at c */
    };
    float answer[2];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const float expected[2] = {cases[i].height, cases[i].gap};
        assert_true(Over(left, cases[i].x, cases[i].y, answer));
        Expect_Floats("left", answer, expected, 2);
        assert_true(Over(right, cases[i].x, cases[i].y, answer));
        Expect_Floats("right", answer, expected, 2);
    }
    assert_false(Over(flat, 1, 0, answer));
    assert_false(Over(nothing, 1, 1, answer));
    Expect_Floats("nothing written", answer, (const float[]){-77, -77}, 2);
}

static const MeshFace face = {.corners = {0, 0, 0, 8, 0, 0, 0, 8, 0}, .normal = {0, 0, 1}};

/* The triangle is obtuse at b. What lies on the line from a to b, beyond b, is nearest to the edge
 * from b to c. */
static const MeshFace obtuse = {.corners = {0, 0, 0, 4, 0, 0, 7, 4, 0}, .normal = {0, 0, 1}};

/* Returns the distance, or -1 if the sphere does not touch the face. */
static float TouchFace(const MeshFace *touched, const float centre[3], float radius) {
    float distance = -1;
    uint32_t touches = CALL("animesh.SphereTouchesFace", animesh + 0x0E900, CONTROL_SINGLE,
                            P(touched), P(centre), F(radius), P(&distance))
                           .eax;
    assert_int_equal(touches, distance != -1);
    return distance;
}

static float Touch(float x, float y, float z, float radius) {
    return TouchFace(&face, (const float[]){x, y, z}, radius);
}

LOADED_TEST(TestSphereTouchesFace) {
    assert_true(Touch(2, 2, 3, 5) == 3);
    assert_true(Touch(2, 2, 5, 5) == 5);
    assert_true(Touch(2, 2, 6, 5) == -1);  /* too high */
    assert_true(Touch(2, 2, -1, 5) == -1); /* below */
    assert_true(Touch(2, 2, 0, 5) == 0);
    assert_true(Touch(2, 0, 3, 5) == 3);  /* the foot is on an edge, which counts as inside */
    assert_true(Touch(2, -4, 3, 5) == 5); /* beside a to b: 3, 4, 5 */
    assert_true(Touch(2, -4.5f, 3, 5) == -1);
    assert_true(Touch(-4, 2, 3, 5) == 5);  /* beside c to a */
    assert_true(Touch(-3, -4, 0, 5) == 5); /* at a: beyond a to b, before its start */
    assert_true(Touch(-3, -4, 1, 5) == -1);
    assert_true(Touch(12, -3, 0, 5) == 5); /* at b */
    assert_true(Touch(12, -3, 0, 4.75f) == -1);
    assert_true(Touch(NAN, 2, 3, 5) == -1);
    assert_true(TouchFace(&obtuse, POINT(9, 0, 0), 4.5f) == 4); /* 3 along, 4 beside; b is 5 away */
}

static float TouchEdge(const float foot[3], float height, float radius) {
    static const float start[3] = {1, 1, 1}, end[3] = {5, 1, 1};
    const float centre[3] = {foot[0], foot[1], foot[2] + height};
    float distance = -1;
    uint32_t touches =
        CALL("animesh.SphereTouchesEdge", animesh + 0x0EB70, CONTROL_SINGLE, P(start), P(end),
             P(centre), P(foot), F(height), F(radius), P(&distance))
            .eax;
    assert_int_equal(touches, distance != -1);
    return distance;
}

LOADED_TEST(TestSphereTouchesEdge) {
    assert_true(TouchEdge(POINT(3, 4, 1), 4, 5) == 5); /* s = 3, h = 4 */
    assert_true(TouchEdge(POINT(3, 4, 1), 4, 4.75f) == -1);
    assert_true(TouchEdge(POINT(1, 4, 1), 4, 5) == 5);  /* at the start: along is 0 */
    assert_true(TouchEdge(POINT(-2, 1, 1), 4, 5) == 5); /* before it */
    assert_true(TouchEdge(POINT(-3, 1, 1), 4, 5) == -1);
    assert_true(TouchEdge(POINT(8, 1, 1), 4, 5) == 5); /* past the end */
    assert_true(TouchEdge(POINT(9, 1, 1), 4, 5) == -1);
    assert_true(TouchEdge(POINT(3, 1, 1), 2, 2) == 2); /* the centre is on the line */
}

LOADED_TEST(TestVtablesHaveTheDocumentedAddressesAndNoOthers) {
    static const struct {
        uint32_t rva;
        int slots;
        const char *interface;
    } tables[] = {{0x2057C, 36, "IAnimation"},
                  {0x2053C, 16, "IMesh2"},
                  {0x2050C, 12, "IJointMesh"},
                  {0x204FC, 4, "ICollisionMesh"}};
    uint32_t trap = Memory_Dword(animesh + 0x2057C);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (int slot = 0; slot < tables[t].slots; slot++) {
            char key[64];
            snprintf(key, sizeof key, "animesh.%s.%d", tables[t].interface, slot);
            const AbiFunction *f = Abi_Find(key);
            uint32_t entry = Memory_Dword(animesh + tables[t].rva + 4 * (uint32_t)slot);
            uint32_t expected = f && f->rva ? P(animesh + f->rva) : trap;
            if (entry != expected)
                fail_msg("%s: %08X, expected %08X", key, entry, expected);
        }
}
