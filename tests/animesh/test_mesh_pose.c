/* Tests of AniMesh 0x10008B30 and what belongs to it: times, cache, roots, products, tilt, strides
 * (facts/animesh.md E.7, E.10). */
#include "mesh_pose_fixture.h"

#include "animesh/column.h"
#include "core/random.h"
#include "exports/reading_table.h"

#include <math.h>
#include <string.h>

enum { CACHE_TIMES, CACHE_WEIGHT_CLEARS, CACHE_NEVER };

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const uint32_t signalling = 0x7FA12345;

/* ---- a small object -------------------------------------------------------------------------- */

/* Each test begins with this object. Piece 0 moves from (0, 0, 0) at frame 0 to (8, 16, 24) at
 * frame
 * 8. Piece 1 is a child of 0 and stands at (1, 2, 3), piece 2 is a child of 1 and stands at (10,
 * 20, 30). */
static TestModel model;
static TestMesh object;

static void MakeSmall(void) {
    static const ModelKey moving[2] = {{0, {0, 0, 0}, {0, 0, 0, 32767}},
                                       {8, {8, 16, 24}, {0, 0, 0, 32767}}};
    static const ModelKey standing[2] = {{0, {1, 2, 3}, {0, 0, 0, 32767}},
                                         {0, {10, 20, 30}, {0, 0, 0, 32767}}};
    TestModel_Begin(&model);
    TestModel_AddNode(&model, moving, 2, 0);
    TestModel_AddNode(&model, &standing[0], 1, 0);
    TestModel_AddNode(&model, &standing[1], 1, 0);
    TestModel_Finish(&model);
    TestMesh_Begin(&object);
    for (int32_t i = 0; i < 3; i++)
        TestMesh_Add(&object, &model, (uint32_t)i, i - 1);
}

static int Setup(void **state) {
    (void)state;
    MakeSmall();
    return 0;
}

static void Pose(void) {
    uint16_t before = ControlWord_Set(GAME_WORD);
    Mesh_Pose(&object.context, &object.mesh);
    ControlWord_Set(before);
}

static void AssertTranslation(const float matrix[16], float x, float y, float z) {
    const float expected[3] = {x, y, z};
    float actual[3];
    Matrix_GetColumn(matrix, TRANSLATION_COLUMN, actual);
    AssertNumbers(actual, expected, 3);
}

/* Puts a local matrix that no blend gives into the cache, for the present times. */
static void Plant(Piece *piece, float a, float b) {
    for (int i = 0; i < 16; i++)
        piece->local[i] = (float)(100 + i);
    piece->cache_valid = 1;
    piece->cached_a = a;
    piece->cached_b = b;
}

static bool IsPlanted(const Piece *piece) {
    return piece->local[0] == 100.0f && piece->local[15] == 115.0f;
}

/* ---- times ----------------------------------------------------------------------------------- */

static void SetFrames(int32_t a_first, int32_t a_last, int32_t b_first, int32_t b_last, float phase,
                      float weight) {
    const int32_t pairs[4] = {a_first, a_last, b_first, b_last};
    Mesh_SetFramePairs(&object.mesh, pairs);
    Mesh_SetPhase(&object.context, &object.mesh, &phase, &weight);
}

static void AssertTimes(const Piece *piece, float a, float b) {
    AssertNumbers(&piece->cached_a, &a, 1);
    AssertNumbers(&piece->cached_b, &b, 1);
}

TEST(TimesLieBetweenFirstAndLast) {
    TestMesh_Choose(&object, READING_ROOT_TRANSLATION, 1);
    SetFrames(2, 6, 8, 0, 0.25f, 0.0f);
    Pose();
    AssertTimes(&object.pieces[0], 3, 6);
    AssertTranslation(object.pieces[0].local, 3, 6, 9);
    SetFrames(2, 6, 8, 0, 0.25f, 1.0f);
    Mesh_ClearPoseCache(&object.mesh);
    Pose();
    AssertTranslation(object.pieces[0].local, 6, 12, 18);
    SetFrames(-1, -1, 0, 8, 0.5f, 1.0f); /* as a channel sets it */
    Pose();
    AssertTimes(&object.pieces[0], -1, 4);
    AssertTranslation(object.pieces[0].local, 4, 8, 12);
}

static float TimeOf(int choice, int32_t first, int32_t last, float phase) {
    MakeSmall();
    TestMesh_Choose(&object, READING_FRAME_LERP, choice);
    SetFrames(first, last, 0, 0, phase, 1.0f);
    Pose();
    return object.pieces[0].cached_a;
}

TEST(FramesAreLoadedWhole) {
    /* The first frame would become 16777216 in binary32, and so would the time. */
    assert_true(TimeOf(0, 16777217, 16777219, 0.25f) == 16777218.0f);
    assert_true(TimeOf(0, INT32_MIN, INT32_MAX, 1.0f) == 2147483648.0f);
    assert_true(TimeOf(1, INT32_MIN, INT32_MAX, 1.0f) == 2147483648.0f);
}

TEST(FrameLerpHasTwoForms) {
    uint64_t seed = 8;
    int different = 0;
    for (int i = 0; i < 200; i++) {
        int32_t first = (int32_t)Random_SplitMixBelow(&seed, 400),
                last = (int32_t)Random_SplitMixBelow(&seed, 400);
        float phase = (float)Random_SplitMixBelow(&seed, 0x1000000) * 0x1p-24f;
        volatile float whole = phase * (float)(last - first), rest = 1.0f - phase;
        volatile float from_first = rest * (float)first, from_last = phase * (float)last;
        volatile float by_delta = (float)first + whole, by_weights = from_first + from_last;
        assert_true(TimeOf(0, first, last, phase) == by_delta);
        assert_true(TimeOf(1, first, last, phase) == by_weights);
        different += by_delta != by_weights;
    }
    assert_true(different > 20);
}

TEST(OwnSegmentsFollowTheByteNotTheFlag) {
    Piece *piece = &object.pieces[0];
    SetFrames(1, 1, 2, 2, 0.5f, 1.0f);
    piece->a_first = piece->a_last = 5;
    piece->b_first = 4;
    piece->b_last = 8;
    piece->phase = 0.75f;
    piece->weight = 1.0f;
    piece->flags = PIECE_OWN_SEGMENT;
    Pose();
    AssertTimes(piece, 1, 2);
    piece->flags = 0;
    piece->own_segment = 0x80;
    Pose();
    AssertTimes(piece, 5, 7);
    AssertTimes(&object.pieces[1], 1, 2);
}

/* ---- flying ---------------------------------------------------------------------------------- */

TEST(FlyingPiecesAreLeftOut) {
    Piece *piece = &object.pieces[1];
    piece->flying = 0x40;
    piece->tilted = 1;
    Matrix_SetIdentity(piece->model);
    Matrix_SetIdentity(piece->world);
    piece->model[3] = 100;
    piece->world[3] = 1000;
    const Piece before = *piece;
    Pose();
    assert_memory_equal(piece, &before, sizeof before);
    /* A child of this piece is posed with the matrices that the piece has. */
    AssertTranslation(object.pieces[2].model, 110, 20, 30);
    AssertTranslation(object.pieces[2].world, 110, 20, 30);
    TestMesh_Choose(&object, READING_WORLD_PRODUCT, 1);
    Pose();
    AssertTranslation(object.pieces[2].model, 110, 20, 30);
    AssertTranslation(object.pieces[2].world, 1010, 20, 30);
}

TEST(TheFlyingFlagAloneLeavesNothingOut) {
    object.pieces[1].flags = PIECE_FLYING;
    Pose();
    AssertTranslation(object.pieces[1].model, 1, 2, 3);
}

/* ---- cache ----------------------------------------------------------------------------------- */

TEST(LocalIsKeptWhileBothTimesStay) {
    static const struct Case {
        uint8_t valid;
        float a, b;
        bool kept;
    } cases[] = {{1, 3, 6, true},  {0xFF, 3, 6, true}, {0, 3, 6, false},
                 {1, 3, 7, false}, {1, 4, 6, false},   {1, 6, 3, false}};
    for (int choice = CACHE_TIMES; choice <= CACHE_NEVER; choice++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            MakeSmall();
            TestMesh_Choose(&object, READING_POSE_CACHE, choice);
            SetFrames(3, 3, 6, 6, 0.5f, 0.5f);
            Piece *piece = &object.pieces[1];
            Plant(piece, cases[i].a, cases[i].b);
            piece->cache_valid = cases[i].valid;
            Pose();
            bool kept = cases[i].kept && choice != CACHE_NEVER;
            assert_int_equal(IsPlanted(piece), kept);
            assert_int_equal(piece->cache_valid, kept ? cases[i].valid : 1);
            AssertTimes(piece, 3, 6);
            assert_true(piece->model[3] == (kept ? 103.0f : 1.0f));
        }
}

/* Changes the weight by SetPhase and SetNodePhase, with times that stay the same. */
static void PlantAndChangeWeight(int choice, float weight, bool own, bool *root_kept,
                                 bool *leaf_kept) {
    MakeSmall();
    TestMesh_Choose(&object, READING_POSE_CACHE, choice);
    SetFrames(3, 3, 6, 6, 0.5f, 0.5f);
    for (int i = 0; i < 3; i++) {
        object.pieces[i].a_first = object.pieces[i].a_last = 3;
        object.pieces[i].b_first = object.pieces[i].b_last = 6;
        object.pieces[i].weight = 0.5f;
        object.pieces[i].own_segment = own;
        Plant(&object.pieces[i], 3, 6);
    }
    const float phase = 0.25f;
    if (own)
        Mesh_SetNodePhase(&object.context, &object.mesh, 2, &phase, &weight);
    else
        Mesh_SetPhase(&object.context, &object.mesh, &phase, &weight);
    Pose();
    *root_kept = IsPlanted(&object.pieces[0]);
    *leaf_kept = IsPlanted(&object.pieces[2]);
}

TEST(WhatAChangedWeightDoesIsAReading) {
    static const struct Case {
        int choice;
        bool own;
        float weight;
        bool root_kept, leaf_kept;
    } cases[] = {{CACHE_TIMES, false, 0.75f, true, true},
                 {CACHE_TIMES, true, 0.75f, true, true},
                 {CACHE_WEIGHT_CLEARS, false, 0.5f, true, true},
                 {CACHE_WEIGHT_CLEARS, false, 0.75f, false, false},
                 {CACHE_WEIGHT_CLEARS, true, 0.5f, true, true},
                 {CACHE_WEIGHT_CLEARS, true, 0.75f, true, false},
                 {CACHE_NEVER, false, 0.5f, false, false},
                 {CACHE_NEVER, true, 0.5f, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool root_kept, leaf_kept;
        PlantAndChangeWeight(cases[i].choice, cases[i].weight, cases[i].own, &root_kept,
                             &leaf_kept);
        if (root_kept != cases[i].root_kept || leaf_kept != cases[i].leaf_kept)
            fail_msg("case %zu: root %d, leaf %d", i, root_kept, leaf_kept);
    }
}

TEST(CachedTimesAreComparedAsNumbers) {
    const float minus_zero = -0.0f;
    Plant(&object.pieces[1], minus_zero, 0.0f);
    Pose();
    assert_true(IsPlanted(&object.pieces[1]));
    AssertSameBits(&object.pieces[1].cached_a, &minus_zero, 1); /* a hit writes nothing */
}

TEST(ATimeThatIsNoNumberIsNeverKept) {
    const float nan = NAN, weight = 0.5f;
    Mesh_SetPhase(&object.context, &object.mesh, &nan, &weight);
    Plant(&object.pieces[2], nan, nan);
    Pose();
    AssertNumbers(object.pieces[2].local, identity, 16);
    assert_true(isnan(object.pieces[2].cached_a));
    assert_int_equal(object.counters.undefined, 3);
    Pose();
    assert_int_equal(object.counters.undefined, 6);
}

TEST(ClearPoseCacheTouchesOneByteOfEachPiece) {
    for (int i = 0; i < 3; i++)
        object.pieces[i].cache_valid = (uint8_t)(i + 1);
    TestMesh before;
    TestMesh_Copy(&object, &before);
    Mesh_ClearPoseCache(&object.mesh);
    for (int i = 0; i < 3; i++)
        before.pieces[i].cache_valid = 0;
    assert_memory_equal(object.pieces, before.pieces, sizeof before.pieces);
}

/* ---- roots and parents ----------------------------------------------------------------------- */

TEST(RootsHaveNoTranslation) {
    static const int32_t no_parent[] = {-1, -2, INT32_MIN, 3, 1000, INT32_MAX};
    static const float zeros[3] = {0, 0, 0};
    for (size_t i = 0; i < sizeof no_parent / sizeof *no_parent; i++)
        for (int choice = 0; choice < 2; choice++) {
            MakeSmall();
            TestMesh_Choose(&object, READING_ROOT_TRANSLATION, choice);
            Piece *piece = &object.pieces[1];
            piece->parent = no_parent[i];
            object.mesh.scaled = 1;
            object.mesh.scale[0] = -2;
            Pose();
            AssertTranslation(piece->local, choice ? -2 : 0, choice ? 2 : 0, choice ? 3 : 0);
            AssertSameBits(piece->model, piece->local, 16);
            float translation[3];
            Matrix_GetColumn(object.pieces[0].local, TRANSLATION_COLUMN, translation);
            if (!choice)
                AssertSameBits(translation, zeros, 3); /* +0 */
        }
}

TEST(AKeptRootKeepsItsTranslation) {
    Plant(&object.pieces[0], 0, 0);
    Pose();
    AssertTranslation(object.pieces[0].model, 103, 107, 111);
}

TEST(AParentBehindItsChildGivesWhatItHas) {
    Piece *pieces = object.pieces;
    pieces[1].parent = 2;
    pieces[2].parent = 2;
    Matrix_SetIdentity(pieces[2].model);
    pieces[2].model[3] = 500;
    Pose();
    AssertTranslation(pieces[1].model, 501, 2, 3);
    AssertTranslation(pieces[2].model, 510, 20, 30); /* the piece is its own parent */
    Pose();
    AssertTranslation(pieces[1].model, 511, 22, 33);
    AssertTranslation(pieces[2].model, 520, 40, 60);
}

TEST(APieceWithoutReaderStandsStill) {
    object.pieces[1].reader = NULL;
    Pose();
    AssertNumbers(object.pieces[1].local, identity, 16);
    AssertTranslation(object.pieces[2].model, 10, 20, 30);
    assert_int_equal(object.counters.out_of_bounds, 1);
}

TEST(AnObjectWithoutPiecesIsPosed) {
    TestMesh before;
    TestMesh_Begin(&object);
    TestMesh_Copy(&object, &before);
    before.mesh.pieces = object.mesh.pieces;
    Pose();
    assert_memory_equal(&object.mesh, &before.mesh, sizeof before.mesh);
}

/* ---- ground tilt ----------------------------------------------------------------------------- */

static void MakeTurn(float quaternion[4], int axis) {
    for (int i = 0; i < 4; i++)
        quaternion[i] = i == 1 + axis ? 1.0f : 0.0f;
}

TEST(TiltTurnsTheWorldMatrixAboutThePiece) {
    /* The world matrix turns x to y, y to z and z to x, and the tilt negates y and z. */
    static const float placement[16] = {0, 0, 1, 7, 1, 0, 0, 8, 0, 1, 0, 9, 0, 0, 0, 1};
    static const float after[16] = {0, 0, 1, 8, -1, 0, 0, 10, 0, -1, 0, 12, 0, 0, 0, 1};
    static const float before[16] = {0, 0, -1, 8, 1, 0, 0, 10, 0, -1, 0, 12, 0, 0, 0, 1};
    for (int choice = 0; choice < 2; choice++) {
        MakeSmall();
        static const ModelKey key = {0, {2, 3, 1}, {0, 0, 0, 32767}};
        model.keys[model.nodes[1].first_key] = key;
        TestModel_Finish(&model);
        TestMesh_Choose(&object, READING_TILT_ORDER, choice);
        memcpy(object.mesh.placement, placement, sizeof placement);
        Piece *piece = &object.pieces[1];
        piece->tilted = 1;
        MakeTurn(piece->tilt, 0);
        MakeTurn(piece->previous_tilt, 0);
        Pose();
        AssertNumbers(piece->world, choice ? before : after, 16);
        AssertNumbers(piece->model, piece->local, 16);
        /* A child inherits the tilt only with world-product=parent. */
        AssertTranslation(object.pieces[2].world, 8 + 30, 10 + 10, 12 + 20);
        TestMesh_Choose(&object, READING_WORLD_PRODUCT, 1);
        Pose();
        AssertNumbers(piece->world, choice ? before : after, 16);
        if (choice)
            AssertTranslation(object.pieces[2].world, 8 - 30, 10 + 10, 12 - 20);
        else
            AssertTranslation(object.pieces[2].world, 8 + 30, 10 - 10, 12 - 20);
    }
}

TEST(TiltIsBlendedByTheObjectsPhase) {
    static const float phases[3] = {0, 0.5f, 1};
    for (int i = 0; i < 3; i++) {
        MakeSmall();
        Piece *piece = &object.pieces[1];
        piece->tilted = 1;
        piece->flags = 0; /* only the byte counts */
        piece->own_segment = 1;
        piece->phase = 0.9f; /* but not this one */
        MakeTurn(piece->tilt, 2);
        SetFrames(0, 0, 0, 0, phases[i], 0);
        Pose();
        /* this part of a turn by 180 degrees */
        const double turn = 3.14159265358979 * (double)phases[i];
        assert_true(fabs((double)piece->world[0] - cos(turn)) < 1e-6);
        assert_true(fabs((double)piece->world[1] - sin(turn)) < 1e-6);
        assert_true(fabs((double)piece->world[4] + sin(turn)) < 1e-6);
        AssertTranslation(piece->world, 1, 2, 3);
    }
}

TEST(TheTiltFlagAloneTiltsNothing) {
    object.pieces[1].flags = PIECE_TILTED;
    MakeTurn(object.pieces[1].tilt, 2);
    SetFrames(0, 0, 0, 0, 1.0f, 0);
    Pose();
    AssertSameBits(object.pieces[1].world, object.pieces[1].model, 16);
}

static void TiltNode(int32_t node, const float *from, const float *to) {
    uint16_t word = ControlWord_Set(GAME_WORD);
    Mesh_TiltNode(&object.context, &object.mesh, node, from, to);
    ControlWord_Set(word);
}

TEST(TiltNodeWithoutAVectorIsTheIdentity) {
    static const float up[3] = {0, 0, 1}, slope[3] = {0.6f, 0, 0.8f};
    const float *const cases[3][2] = {{NULL, NULL}, {up, NULL}, {NULL, slope}};
    for (int i = 0; i < 3; i++) {
        MakeSmall();
        Piece *piece = &object.pieces[1];
        memcpy(&piece->tilt[2], &signalling, sizeof signalling);
        piece->tilted = 1;
        Piece expected = *piece;
        memcpy(expected.previous_tilt, piece->tilt, sizeof piece->tilt); /* with all its bits */
        memcpy(expected.tilt, identity, sizeof expected.tilt);
        TiltNode(1, cases[i][0], cases[i][1]);
        assert_memory_equal(piece, &expected, sizeof expected);
    }
}

TEST(TiltNodeTurnsByTheAngleBetween) {
    static const float cases[][3][4] = {
        {{1, 0, 0}, {1, 0, 0}, {1, 0, 0, 0}},
        {{1, 0, 0}, {0, 1, 0}, {0.70710678f, 0, 0, 0.70710678f}},
        {{0, 1, 0}, {0, 0, 1}, {0.70710678f, 0.70710678f, 0, 0}},
        {{0, 0, 1}, {1, 0, 0}, {0.70710678f, 0, 0.70710678f, 0}},
        {{0, 1, 0}, {1, 0, 0}, {0.70710678f, 0, 0, -0.70710678f}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MakeSmall();
        Piece *piece = &object.pieces[2];
        MakeTurn(piece->tilt, 1);
        TiltNode(2, cases[i][0], cases[i][1]);
        float expected[4];
        MakeTurn(expected, 1);
        AssertNumbers(piece->previous_tilt, expected, 4);
        for (int k = 0; k < 4; k++)
            assert_true(fabs((double)piece->tilt[k] - (double)cases[i][2][k]) < 2e-7);
    }
}

TEST(TiltNodeIgnoresPiecesThatDoNotExist) {
    static const float up[3] = {0, 0, 1};
    TestMesh before;
    TestMesh_Copy(&object, &before);
    TiltNode(-1, up, up);
    TiltNode(3, up, up);
    assert_memory_equal(object.pieces, before.pieces, sizeof before.pieces);
}

/* ---- matrices handed over -------------------------------------------------------------------- */

TEST(NodeMatrixPosesFirst) {
    static const uint32_t other_modes[] = {1, 3, 4, 0xFFFFFFFF};
    object.mesh.placement[3] = 1000;
    float matrix[16];
    memset(object.pieces[1].model, 0, sizeof matrix);
    Mesh_NodeMatrix(&object.context, &object.mesh, 1, SPACE_MODEL, matrix);
    AssertTranslation(matrix, 1, 2, 3);
    memset(object.pieces[1].world, 0, sizeof matrix);
    Mesh_NodeMatrix(&object.context, &object.mesh, 1, SPACE_WORLD, matrix);
    AssertTranslation(matrix, 1001, 2, 3);
    for (size_t i = 0; i < sizeof other_modes / sizeof *other_modes; i++) {
        memset(object.pieces[2].world, 0, sizeof matrix);
        Mesh_NodeMatrix(&object.context, &object.mesh, 1, other_modes[i], matrix);
        AssertSameBits(matrix, identity, 16);
        AssertTranslation(object.pieces[2].world, 1011, 22, 33);
    }
    static const float zeros[16];
    Mesh_NodeMatrix(&object.context, &object.mesh, 3, SPACE_WORLD, matrix);
    AssertSameBits(matrix, zeros, 16);
    Mesh_NodeMatrix(&object.context, &object.mesh, -1, SPACE_NODE, matrix);
    AssertSameBits(matrix, zeros, 16);
}

TEST(SetNodeMatrixCopiesIntoTheWorldMatrix) {
    float matrix[16];
    for (int i = 0; i < 16; i++) {
        uint32_t bits = signalling + (uint32_t)i;
        memcpy(&matrix[i], &bits, sizeof bits);
    }
    TestMesh before;
    TestMesh_Copy(&object, &before);
    Mesh_SetNodeMatrix(&object.mesh, 1, matrix);
    memcpy(before.pieces[1].world, matrix, sizeof matrix);
    Mesh_SetNodeMatrix(&object.mesh, 3, matrix);
    Mesh_SetNodeMatrix(&object.mesh, -1, matrix);
    assert_memory_equal(object.pieces, before.pieces, sizeof before.pieces);
}

TEST(PieceMatrixKnowsTwoSpaces) {
    static const Piece piece;
    assert_ptr_equal(Piece_Matrix(&piece, SPACE_MODEL), piece.model);
    assert_ptr_equal(Piece_Matrix(&piece, SPACE_WORLD), piece.world);
    assert_null(Piece_Matrix(&piece, SPACE_NODE));
    assert_null(Piece_Matrix(&piece, 3));
}

/* ---- strides --------------------------------------------------------------------------------- */

static void RootTranslation(float translation[3]) {
    uint16_t word = ControlWord_Set(GAME_WORD);
    Mesh_RootTranslation(&object.context, &object.mesh, translation);
    ControlWord_Set(word);
}

TEST(RootTranslationIsOfTheBlendAndPosesNothing) {
    static const float expected[3] = {6, 12, 18}, scaled[3] = {12, 36, 9};
    static const float scale[3] = {2, 3, 0.5f};
    SetFrames(0, 8, 4, 4, 1.0f, 0.5f);
    object.pieces[0].own_segment = 1;
    object.pieces[0].flying = 1;
    Plant(&object.pieces[0], 8, 4);
    TestMesh before;
    TestMesh_Copy(&object, &before);
    float translation[3];
    RootTranslation(translation);
    AssertNumbers(translation, expected, 3);
    assert_memory_equal(object.pieces, before.pieces, sizeof before.pieces);
    memcpy(object.mesh.scale, scale, sizeof scale);
    RootTranslation(translation);
    AssertNumbers(translation, expected, 3);
    object.mesh.scaled = 1;
    RootTranslation(translation);
    AssertNumbers(translation, scaled, 3);
}

TEST(RootTranslationOfNoPieceIsZero) {
    static const float zeros[3];
    float translation[3] = {1, 2, 3};
    TestMesh_Begin(&object);
    RootTranslation(translation);
    AssertSameBits(translation, zeros, 3);
}

AROUND_EACH(Setup, NULL)
