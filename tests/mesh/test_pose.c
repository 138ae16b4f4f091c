/* Tests of AniMesh 0x10008B30 and what belongs to it: times, cache, roots, products, tilt, strides
 * (facts/animesh.md E.7, E.10). */
#include "pose_fixture.h"

#include "animesh/column.h"
#include "core/random.h"
#include "exports/reading_table.h"

#include <math.h>
#include <string.h>

enum { CACHE_TIMES, CACHE_WEIGHT_CLEARS, CACHE_NEVER };

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const uint32_t signalling = 0x7FA12345;

static void Pose(TestMesh *test) {
    uint16_t before = ControlWord_Set(GAME_WORD);
    Mesh_Pose(&test->context, &test->mesh);
    ControlWord_Set(before);
}

/* ---- a small object -------------------------------------------------------------------------- */

/* Piece 0 moves from (0, 0, 0) at frame 0 to (8, 16, 24) at frame 8. Piece 1 is a child of 0 and
 * stands at (1, 2, 3), piece 2 is a child of 1 and stands at (10, 20, 30). */
typedef struct Small {
    TestModel model;
    TestMesh test;
} Small;

static void MakeSmall(Small *small) {
    static const ModelKey moving[2] = {{0, {0, 0, 0}, {0, 0, 0, 32767}},
                                       {8, {8, 16, 24}, {0, 0, 0, 32767}}};
    static const ModelKey standing[2] = {{0, {1, 2, 3}, {0, 0, 0, 32767}},
                                         {0, {10, 20, 30}, {0, 0, 0, 32767}}};
    TestModel_Begin(&small->model);
    TestModel_AddNode(&small->model, moving, 2, 0);
    TestModel_AddNode(&small->model, &standing[0], 1, 0);
    TestModel_AddNode(&small->model, &standing[1], 1, 0);
    TestModel_Finish(&small->model);
    TestMesh_Begin(&small->test);
    for (int32_t i = 0; i < 3; i++)
        TestMesh_Add(&small->test, &small->model, (uint32_t)i, i - 1);
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

static void SetFrames(TestMesh *test, int32_t a_first, int32_t a_last, int32_t b_first,
                      int32_t b_last, float phase, float weight) {
    const int32_t pairs[4] = {a_first, a_last, b_first, b_last};
    Mesh_SetFramePairs(&test->mesh, pairs);
    Mesh_SetPhase(&test->context, &test->mesh, &phase, &weight);
}

static void AssertTimes(const Piece *piece, float a, float b) {
    AssertNumbers(&piece->cached_a, &a, 1);
    AssertNumbers(&piece->cached_b, &b, 1);
}

TEST(TimesLieBetweenFirstAndLast) {
    Small small;
    MakeSmall(&small);
    TestMesh_Choose(&small.test, READING_ROOT_TRANSLATION, 1);
    SetFrames(&small.test, 2, 6, 8, 0, 0.25f, 0.0f);
    Pose(&small.test);
    AssertTimes(&small.test.pieces[0], 3, 6);
    AssertTranslation(small.test.pieces[0].local, 3, 6, 9);
    SetFrames(&small.test, 2, 6, 8, 0, 0.25f, 1.0f);
    Mesh_ClearPoseCache(&small.test.mesh);
    Pose(&small.test);
    AssertTranslation(small.test.pieces[0].local, 6, 12, 18);
    SetFrames(&small.test, -1, -1, 0, 8, 0.5f, 1.0f); /* as a channel sets it */
    Pose(&small.test);
    AssertTimes(&small.test.pieces[0], -1, 4);
    AssertTranslation(small.test.pieces[0].local, 4, 8, 12);
}

static float TimeOf(int choice, int32_t first, int32_t last, float phase) {
    Small small;
    MakeSmall(&small);
    TestMesh_Choose(&small.test, READING_FRAME_LERP, choice);
    SetFrames(&small.test, first, last, 0, 0, phase, 1.0f);
    Pose(&small.test);
    return small.test.pieces[0].cached_a;
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
    Small small;
    MakeSmall(&small);
    Piece *piece = &small.test.pieces[0];
    SetFrames(&small.test, 1, 1, 2, 2, 0.5f, 1.0f);
    piece->a_first = piece->a_last = 5;
    piece->b_first = 4;
    piece->b_last = 8;
    piece->phase = 0.75f;
    piece->weight = 1.0f;
    piece->flags = PIECE_OWN_SEGMENT;
    Pose(&small.test);
    AssertTimes(piece, 1, 2);
    piece->flags = 0;
    piece->own_segment = 0x80;
    Pose(&small.test);
    AssertTimes(piece, 5, 7);
    AssertTimes(&small.test.pieces[1], 1, 2);
}

/* ---- flying ---------------------------------------------------------------------------------- */

TEST(FlyingPiecesAreLeftOut) {
    Small small;
    MakeSmall(&small);
    Piece *piece = &small.test.pieces[1];
    piece->flying = 0x40;
    piece->tilted = 1;
    Matrix_SetIdentity(piece->model);
    Matrix_SetIdentity(piece->world);
    piece->model[3] = 100;
    piece->world[3] = 1000;
    const Piece before = *piece;
    Pose(&small.test);
    assert_memory_equal(piece, &before, sizeof before);
    /* A child of this piece is posed with the matrices that the piece has. */
    AssertTranslation(small.test.pieces[2].model, 110, 20, 30);
    AssertTranslation(small.test.pieces[2].world, 110, 20, 30);
    TestMesh_Choose(&small.test, READING_WORLD_PRODUCT, 1);
    Pose(&small.test);
    AssertTranslation(small.test.pieces[2].model, 110, 20, 30);
    AssertTranslation(small.test.pieces[2].world, 1010, 20, 30);
}

TEST(TheFlyingFlagAloneLeavesNothingOut) {
    Small small;
    MakeSmall(&small);
    small.test.pieces[1].flags = PIECE_FLYING;
    Pose(&small.test);
    AssertTranslation(small.test.pieces[1].model, 1, 2, 3);
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
            Small small;
            MakeSmall(&small);
            TestMesh_Choose(&small.test, READING_POSE_CACHE, choice);
            SetFrames(&small.test, 3, 3, 6, 6, 0.5f, 0.5f);
            Piece *piece = &small.test.pieces[1];
            Plant(piece, cases[i].a, cases[i].b);
            piece->cache_valid = cases[i].valid;
            Pose(&small.test);
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
    Small small;
    MakeSmall(&small);
    TestMesh *test = &small.test;
    TestMesh_Choose(test, READING_POSE_CACHE, choice);
    SetFrames(test, 3, 3, 6, 6, 0.5f, 0.5f);
    for (int i = 0; i < 3; i++) {
        test->pieces[i].a_first = test->pieces[i].a_last = 3;
        test->pieces[i].b_first = test->pieces[i].b_last = 6;
        test->pieces[i].weight = 0.5f;
        test->pieces[i].own_segment = own;
        Plant(&test->pieces[i], 3, 6);
    }
    const float phase = 0.25f;
    if (own)
        Mesh_SetNodePhase(&test->context, &test->mesh, 2, &phase, &weight);
    else
        Mesh_SetPhase(&test->context, &test->mesh, &phase, &weight);
    Pose(test);
    *root_kept = IsPlanted(&test->pieces[0]);
    *leaf_kept = IsPlanted(&test->pieces[2]);
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
    Small small;
    MakeSmall(&small);
    const float minus_zero = -0.0f;
    Plant(&small.test.pieces[1], minus_zero, 0.0f);
    Pose(&small.test);
    assert_true(IsPlanted(&small.test.pieces[1]));
    AssertSameBits(&small.test.pieces[1].cached_a, &minus_zero, 1); /* a hit writes nothing */
}

TEST(ATimeThatIsNoNumberIsNeverKept) {
    Small small;
    MakeSmall(&small);
    const float nan = NAN, weight = 0.5f;
    Mesh_SetPhase(&small.test.context, &small.test.mesh, &nan, &weight);
    Plant(&small.test.pieces[2], nan, nan);
    Pose(&small.test);
    AssertNumbers(small.test.pieces[2].local, identity, 16);
    assert_true(isnan(small.test.pieces[2].cached_a));
    assert_int_equal(small.test.counters.undefined, 3);
    Pose(&small.test);
    assert_int_equal(small.test.counters.undefined, 6);
}

TEST(ClearPoseCacheTouchesOneByteOfEachPiece) {
    Small small;
    MakeSmall(&small);
    for (int i = 0; i < 3; i++)
        small.test.pieces[i].cache_valid = (uint8_t)(i + 1);
    TestMesh before;
    TestMesh_Copy(&small.test, &before);
    Mesh_ClearPoseCache(&small.test.mesh);
    for (int i = 0; i < 3; i++)
        before.pieces[i].cache_valid = 0;
    assert_memory_equal(small.test.pieces, before.pieces, sizeof before.pieces);
}

/* ---- roots and parents ----------------------------------------------------------------------- */

TEST(RootsHaveNoTranslation) {
    static const int32_t no_parent[] = {-1, -2, INT32_MIN, 3, 1000, INT32_MAX};
    static const float zeros[3] = {0, 0, 0};
    for (size_t i = 0; i < sizeof no_parent / sizeof *no_parent; i++)
        for (int choice = 0; choice < 2; choice++) {
            Small small;
            MakeSmall(&small);
            TestMesh_Choose(&small.test, READING_ROOT_TRANSLATION, choice);
            Piece *piece = &small.test.pieces[1];
            piece->parent = no_parent[i];
            small.test.mesh.scaled = 1;
            small.test.mesh.scale[0] = -2;
            Pose(&small.test);
            AssertTranslation(piece->local, choice ? -2 : 0, choice ? 2 : 0, choice ? 3 : 0);
            AssertSameBits(piece->model, piece->local, 16);
            float translation[3];
            Matrix_GetColumn(small.test.pieces[0].local, TRANSLATION_COLUMN, translation);
            if (!choice)
                AssertSameBits(translation, zeros, 3); /* +0 */
        }
}

TEST(AKeptRootKeepsItsTranslation) {
    Small small;
    MakeSmall(&small);
    Plant(&small.test.pieces[0], 0, 0);
    Pose(&small.test);
    AssertTranslation(small.test.pieces[0].model, 103, 107, 111);
}

TEST(AParentBehindItsChildGivesWhatItHas) {
    Small small;
    MakeSmall(&small);
    Piece *pieces = small.test.pieces;
    pieces[1].parent = 2;
    pieces[2].parent = 2;
    Matrix_SetIdentity(pieces[2].model);
    pieces[2].model[3] = 500;
    Pose(&small.test);
    AssertTranslation(pieces[1].model, 501, 2, 3);
    AssertTranslation(pieces[2].model, 510, 20, 30); /* the piece is its own parent */
    Pose(&small.test);
    AssertTranslation(pieces[1].model, 511, 22, 33);
    AssertTranslation(pieces[2].model, 520, 40, 60);
}

TEST(APieceWithoutReaderStandsStill) {
    Small small;
    MakeSmall(&small);
    small.test.pieces[1].reader = NULL;
    Pose(&small.test);
    AssertNumbers(small.test.pieces[1].local, identity, 16);
    AssertTranslation(small.test.pieces[2].model, 10, 20, 30);
    assert_int_equal(small.test.counters.out_of_bounds, 1);
}

TEST(AnObjectWithoutPiecesIsPosed) {
    TestMesh test, before;
    TestMesh_Begin(&test);
    TestMesh_Copy(&test, &before);
    before.mesh.pieces = test.mesh.pieces;
    Pose(&test);
    assert_memory_equal(&test.mesh, &before.mesh, sizeof test.mesh);
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
        Small small;
        MakeSmall(&small);
        static const ModelKey key = {0, {2, 3, 1}, {0, 0, 0, 32767}};
        small.model.keys[small.model.nodes[1].first_key] = key;
        TestModel_Finish(&small.model);
        TestMesh_Choose(&small.test, READING_TILT_ORDER, choice);
        memcpy(small.test.mesh.placement, placement, sizeof placement);
        Piece *piece = &small.test.pieces[1];
        piece->tilted = 1;
        MakeTurn(piece->tilt, 0);
        MakeTurn(piece->previous_tilt, 0);
        Pose(&small.test);
        AssertNumbers(piece->world, choice ? before : after, 16);
        AssertNumbers(piece->model, piece->local, 16);
        /* A child inherits the tilt only with world-product=parent. */
        AssertTranslation(small.test.pieces[2].world, 8 + 30, 10 + 10, 12 + 20);
        TestMesh_Choose(&small.test, READING_WORLD_PRODUCT, 1);
        Pose(&small.test);
        AssertNumbers(piece->world, choice ? before : after, 16);
        if (choice)
            AssertTranslation(small.test.pieces[2].world, 8 - 30, 10 + 10, 12 - 20);
        else
            AssertTranslation(small.test.pieces[2].world, 8 + 30, 10 - 10, 12 - 20);
    }
}

TEST(TiltIsBlendedByTheObjectsPhase) {
    static const float phases[3] = {0, 0.5f, 1};
    for (int i = 0; i < 3; i++) {
        Small small;
        MakeSmall(&small);
        Piece *piece = &small.test.pieces[1];
        piece->tilted = 1;
        piece->flags = 0; /* only the byte counts */
        piece->own_segment = 1;
        piece->phase = 0.9f; /* but not this one */
        MakeTurn(piece->tilt, 2);
        SetFrames(&small.test, 0, 0, 0, 0, phases[i], 0);
        Pose(&small.test);
        /* this part of a turn by 180 degrees */
        const double turn = 3.14159265358979 * (double)phases[i];
        assert_true(fabs((double)piece->world[0] - cos(turn)) < 1e-6);
        assert_true(fabs((double)piece->world[1] - sin(turn)) < 1e-6);
        assert_true(fabs((double)piece->world[4] + sin(turn)) < 1e-6);
        AssertTranslation(piece->world, 1, 2, 3);
    }
}

TEST(TheTiltFlagAloneTiltsNothing) {
    Small small;
    MakeSmall(&small);
    small.test.pieces[1].flags = PIECE_TILTED;
    MakeTurn(small.test.pieces[1].tilt, 2);
    SetFrames(&small.test, 0, 0, 0, 0, 1.0f, 0);
    Pose(&small.test);
    AssertSameBits(small.test.pieces[1].world, small.test.pieces[1].model, 16);
}

static void TiltNode(TestMesh *test, int32_t node, const float *from, const float *to) {
    uint16_t word = ControlWord_Set(GAME_WORD);
    Mesh_TiltNode(&test->context, &test->mesh, node, from, to);
    ControlWord_Set(word);
}

TEST(TiltNodeWithoutAVectorIsTheIdentity) {
    static const float up[3] = {0, 0, 1}, slope[3] = {0.6f, 0, 0.8f};
    const float *const cases[3][2] = {{NULL, NULL}, {up, NULL}, {NULL, slope}};
    for (int i = 0; i < 3; i++) {
        Small small;
        MakeSmall(&small);
        Piece *piece = &small.test.pieces[1];
        memcpy(&piece->tilt[2], &signalling, sizeof signalling);
        piece->tilted = 1;
        Piece expected = *piece;
        memcpy(expected.previous_tilt, piece->tilt, sizeof piece->tilt); /* with all its bits */
        memcpy(expected.tilt, identity, sizeof expected.tilt);
        TiltNode(&small.test, 1, cases[i][0], cases[i][1]);
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
        Small small;
        MakeSmall(&small);
        Piece *piece = &small.test.pieces[2];
        MakeTurn(piece->tilt, 1);
        TiltNode(&small.test, 2, cases[i][0], cases[i][1]);
        float expected[4];
        MakeTurn(expected, 1);
        AssertNumbers(piece->previous_tilt, expected, 4);
        for (int k = 0; k < 4; k++)
            assert_true(fabs((double)piece->tilt[k] - (double)cases[i][2][k]) < 2e-7);
    }
}

TEST(TiltNodeIgnoresPiecesThatDoNotExist) {
    static const float up[3] = {0, 0, 1};
    Small small;
    MakeSmall(&small);
    TestMesh before;
    TestMesh_Copy(&small.test, &before);
    TiltNode(&small.test, -1, up, up);
    TiltNode(&small.test, 3, up, up);
    assert_memory_equal(small.test.pieces, before.pieces, sizeof before.pieces);
}

/* ---- matrices handed over -------------------------------------------------------------------- */

TEST(NodeMatrixPosesFirst) {
    static const uint32_t other_modes[] = {1, 3, 4, 0xFFFFFFFF};
    Small small;
    MakeSmall(&small);
    small.test.mesh.placement[3] = 1000;
    float matrix[16];
    memset(small.test.pieces[1].model, 0, sizeof matrix);
    Mesh_NodeMatrix(&small.test.context, &small.test.mesh, 1, SPACE_MODEL, matrix);
    AssertTranslation(matrix, 1, 2, 3);
    memset(small.test.pieces[1].world, 0, sizeof matrix);
    Mesh_NodeMatrix(&small.test.context, &small.test.mesh, 1, SPACE_WORLD, matrix);
    AssertTranslation(matrix, 1001, 2, 3);
    for (size_t i = 0; i < sizeof other_modes / sizeof *other_modes; i++) {
        memset(small.test.pieces[2].world, 0, sizeof matrix);
        Mesh_NodeMatrix(&small.test.context, &small.test.mesh, 1, other_modes[i], matrix);
        AssertSameBits(matrix, identity, 16);
        AssertTranslation(small.test.pieces[2].world, 1011, 22, 33);
    }
    static const float zeros[16];
    Mesh_NodeMatrix(&small.test.context, &small.test.mesh, 3, SPACE_WORLD, matrix);
    AssertSameBits(matrix, zeros, 16);
    Mesh_NodeMatrix(&small.test.context, &small.test.mesh, -1, SPACE_NODE, matrix);
    AssertSameBits(matrix, zeros, 16);
}

TEST(SetNodeMatrixCopiesIntoTheWorldMatrix) {
    Small small;
    MakeSmall(&small);
    float matrix[16];
    for (int i = 0; i < 16; i++) {
        uint32_t bits = signalling + (uint32_t)i;
        memcpy(&matrix[i], &bits, sizeof bits);
    }
    TestMesh before;
    TestMesh_Copy(&small.test, &before);
    Mesh_SetNodeMatrix(&small.test.mesh, 1, matrix);
    memcpy(before.pieces[1].world, matrix, sizeof matrix);
    Mesh_SetNodeMatrix(&small.test.mesh, 3, matrix);
    Mesh_SetNodeMatrix(&small.test.mesh, -1, matrix);
    assert_memory_equal(small.test.pieces, before.pieces, sizeof before.pieces);
}

TEST(PieceMatrixKnowsTwoSpaces) {
    static const Piece piece;
    assert_ptr_equal(Piece_Matrix(&piece, SPACE_MODEL), piece.model);
    assert_ptr_equal(Piece_Matrix(&piece, SPACE_WORLD), piece.world);
    assert_null(Piece_Matrix(&piece, SPACE_NODE));
    assert_null(Piece_Matrix(&piece, 3));
}

/* ---- strides --------------------------------------------------------------------------------- */

static void RootTranslation(const TestMesh *test, float translation[3]) {
    uint16_t word = ControlWord_Set(GAME_WORD);
    Mesh_RootTranslation(&test->context, &test->mesh, translation);
    ControlWord_Set(word);
}

TEST(RootTranslationIsOfTheBlendAndPosesNothing) {
    static const float expected[3] = {6, 12, 18}, scaled[3] = {12, 36, 9};
    static const float scale[3] = {2, 3, 0.5f};
    Small small;
    MakeSmall(&small);
    SetFrames(&small.test, 0, 8, 4, 4, 1.0f, 0.5f);
    small.test.pieces[0].own_segment = 1;
    small.test.pieces[0].flying = 1;
    Plant(&small.test.pieces[0], 8, 4);
    TestMesh before;
    TestMesh_Copy(&small.test, &before);
    float translation[3];
    RootTranslation(&small.test, translation);
    AssertNumbers(translation, expected, 3);
    assert_memory_equal(small.test.pieces, before.pieces, sizeof before.pieces);
    memcpy(small.test.mesh.scale, scale, sizeof scale);
    RootTranslation(&small.test, translation);
    AssertNumbers(translation, expected, 3);
    small.test.mesh.scaled = 1;
    RootTranslation(&small.test, translation);
    AssertNumbers(translation, scaled, 3);
}

TEST(RootTranslationOfNoPieceIsZero) {
    static const float zeros[3];
    TestMesh test;
    TestMesh_Begin(&test);
    float translation[3] = {1, 2, 3};
    RootTranslation(&test, translation);
    AssertSameBits(translation, zeros, 3);
}
