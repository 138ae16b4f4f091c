/* Tests of the public library: what an engine does with it, that only creating, attaching and
 * detaching allocate, and what an object costs. The models are those of images.h, and the expected
 * values were worked out by hand. */
#include "cli/bench/measure/counted_memory.h"
#include "mesh_images.h"
#include "retropose/mesh_object.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <pthread.h>
#endif

/* ---- fixture --------------------------------------------------------------------------------- */

static const RpArithmetic settings = {.build = RP_BUILD_GENERIC};

static Image body_image, gun_image;
static RpModel *body, *gun;
static CountedMemory counted;
static RpAllocator counting;
static RpMeshObject *object; /* one body, in counted memory */
static uint16_t control_word_before;

static RpModel *Load(const Image *image) {
    RpModel *model = NULL;
    assert_int_equal(RpModel_FromNRes(image->bytes, image->size, NULL, &model, NULL), RP_OK);
    return model;
}

static int Setup(void **state) {
    (void)state;
    counted = (CountedMemory){0};
    control_word_before = RpFpu_SetControlWord();
    body_image = Image_Body();
    gun_image = Image_Gun();
    body = Load(&body_image);
    gun = Load(&gun_image);
    counting = CountedMemory_Allocator(&counted);
    assert_int_equal(RpMeshObject_Create(body, &settings, &counting, &object, NULL), RP_OK);
    return 0;
}

static int Teardown(void **state) {
    (void)state;
    RpMeshObject_Free(object);
    assert_int_equal(counted.blocks, 0);
    assert_int_equal(counted.bytes, 0);
    RpModel_Free(body);
    RpModel_Free(gun);
    Image_Free(&body_image);
    Image_Free(&gun_image);
    RpFpu_Restore(control_word_before);
    return 0;
}

static void Attach(uint32_t part, int32_t piece) {
    assert_int_equal(RpMeshObject_Attach(object, gun, part, piece, 0, NULL), RP_OK);
}

static void AssertNumbers(const float *actual, const float *expected, int count) {
    for (int i = 0; i < count; i++)
        if (!(fabsf(actual[i] - expected[i]) <= 1e-5f))
            fail_msg("number %d is %.9g instead of %.9g", i, (double)actual[i],
                     (double)expected[i]);
}

static void AssertPlace(int32_t piece, RpMeshSpace space, float x, float y, float z) {
    const float *matrix = RpMeshObject_Matrix(object, piece, space);
    assert_non_null(matrix);
    assert_true(matrix[3] == x && matrix[7] == y && matrix[11] == z);
}

static void AssertBox(const float low[3], const float high[3]) {
    RpMeshBounds bounds;
    RpMeshObject_Bounds(object, &bounds);
    AssertNumbers(bounds.corners[0], low, 3);
    AssertNumbers(bounds.corners[7], high, 3);
}

/* ---- models, objects ------------------------------------------------------------------------- */

TEST(ModelsAreFreedByTheirAllocator) {
    CountedMemory heap = {0};
    const RpAllocator allocator = CountedMemory_Allocator(&heap);
    RpModel *model;
    assert_int_equal(RpModel_FromNRes(body_image.bytes, body_image.size, &allocator, &model, NULL),
                     RP_OK);
    assert_int_equal(heap.blocks, 1); /* the image's contents are not copied */
    assert_true(heap.bytes < 1024);
    assert_int_equal(RpModel_NodeCount(model), 3);
    assert_int_equal(RpModel_FrameCount(model), 9);
    RpModel_Free(model);
    assert_int_equal(heap.blocks, 0);
    heap.refuse = SIZE_MAX;
    RpError error = {0};
    assert_int_equal(
        RpModel_FromNRes(body_image.bytes, body_image.size, &allocator, &model, &error),
        RP_NO_MEMORY);
    assert_string_equal(error.where, "a model");
    RpModel_Free(NULL);
    RpMeshObject_Free(NULL);
}

TEST(NewObjectsArePosedAndMeasured) {
    static const float low[3] = {-2, -2, 0}, high[3] = {2, 2, 3.5f};
    AssertPlace(0, RP_MESH_WORLD, 0, 0, 0);
    AssertPlace(1, RP_MESH_WORLD, 0, 0, 1);
    AssertPlace(2, RP_MESH_MODEL, 0, 1, 3);
    AssertPlace(2, RP_MESH_LOCAL, 0, 1, 2);
    AssertBox(low, high);
    assert_null(RpMeshObject_Matrix(object, 3, RP_MESH_WORLD));
    assert_null(RpMeshObject_Matrix(object, -1, RP_MESH_WORLD));
    assert_null(RpMeshObject_Matrix(object, 0, (RpMeshSpace)7));
    RpMeshObject *mesh;
    assert_int_equal(RpMeshObject_Create(body, NULL, NULL, &mesh, NULL),
                     RP_OK); /* with default settings */
    assert_memory_equal(RpMeshObject_Matrix(mesh, 2, RP_MESH_WORLD),
                        RpMeshObject_Matrix(object, 2, RP_MESH_WORLD), 64);
    RpMeshObject_Free(mesh);
}

TEST(PiecesAreDescribed) {
    RpMeshPiece piece;
    assert_int_equal(RpMeshObject_Attach(object, gun, 4, 1, 0xABCD, NULL), RP_OK);
    assert_int_equal(RpMeshObject_PieceCount(object), 5);
    assert_true(RpMeshObject_Piece(object, 4, &piece));
    assert_int_equal(piece.part, 4);
    assert_int_equal(piece.node, 2);
    assert_int_equal(piece.parent, 3);
    assert_int_equal(piece.material, 0xABCD);
    assert_int_equal(piece.stage, 0);
    assert_ptr_equal(piece.model, gun);
    assert_true(RpMeshObject_Piece(object, 3, &piece)); /* the socket's text has "central" */
    assert_int_equal(piece.flags & RP_MESH_HIDDEN, RP_MESH_HIDDEN);
    assert_true(RpMeshObject_Piece(object, 0, &piece));
    assert_int_equal(piece.parent, -1);
    assert_ptr_equal(piece.model, body);
    assert_false(RpMeshObject_Piece(object, 5, &piece));
    assert_null(piece.model);
    assert_int_equal(RpMeshObject_FirstPieceOfPart(object, 4), 3);
    assert_int_equal(RpMeshObject_FirstPieceOfPart(object, 1), -1);
}

TEST(RefusalsSayWhyAndChangeNothing) {
    RpError error = {0};
    assert_int_equal(RpMeshObject_Attach(object, gun, 0, 0, 0, &error), RP_INVALID);
    assert_string_equal(error.what, "a part is there already");
    assert_int_equal(RpMeshObject_Attach(object, gun, 1, 3, 0, &error), RP_INVALID);
    assert_string_equal(error.found, "piece 3");
    assert_int_equal(RpMeshObject_Attach(object, gun, 1, 0, 0x10000, &error), RP_INVALID);
    assert_string_equal(error.what, "a material handle is too large");
    assert_int_equal(RpMeshObject_Detach(object, 0, &error), RP_INVALID);
    assert_string_equal(error.what, "the root cannot be taken off");
    assert_int_equal(RpMeshObject_Detach(object, 1, &error), RP_NOT_FOUND);
    assert_int_equal(RpMeshObject_Detach(object, 1, NULL), RP_NOT_FOUND);
    assert_int_equal(RpMeshObject_PieceCount(object), 3);
}

TEST(EveryRefusedAllocationIsSurvived) {
    for (size_t refuse_from = 0;; refuse_from++) {
        CountedMemory heap = {.refuse_from = refuse_from, .refuse = SIZE_MAX};
        const RpAllocator allocator = CountedMemory_Allocator(&heap);
        RpMeshObject *mesh = NULL;
        RpError error = {0};
        RpStatus status = RpMeshObject_Create(body, &settings, &allocator, &mesh, &error);
        assert_true((status == RP_OK) == (mesh != NULL));
        if (status == RP_OK) {
            status = RpMeshObject_Attach(mesh, gun, 1, 2, 0, &error);
            assert_int_equal(RpMeshObject_PieceCount(mesh), status == RP_OK ? 5 : 3);
        }
        RpMeshObject_Free(mesh);
        assert_int_equal(heap.blocks, 0);
        if (status == RP_OK) {
            assert_int_equal(refuse_from, 3); /* the object, its pieces, the larger pieces */
            return;
        }
        assert_int_equal(status, RP_NO_MEMORY);
        assert_string_equal(error.what, "out of memory");
    }
}

/* ---- state and poses ------------------------------------------------------------------------- */

TEST(FramesAndPhasesPoseTheObject) {
    RpMeshObject_SetFrames(object, 0, 8, -1, -1);
    RpMeshObject_SetPhase(object, 0.5f, 0);
    AssertPlace(1, RP_MESH_WORLD, 0, 0, 1); /* it has not been posed yet */
    RpMeshObject_Pose(object);
    AssertPlace(1, RP_MESH_WORLD, 0, 0, 3); /* frame 4 of 8: 1 + 4 / 2 */
    AssertPlace(2, RP_MESH_WORLD, 0, 1, 5);
    RpMeshObject_SetPhase(object, 1, 0);
    RpMeshObject_Pose(object);
    AssertPlace(1, RP_MESH_WORLD, 0, 0, 5);
    RpMeshObject_SetFrames(object, 0, 0, 8, 8); /* half of frame 0, half of frame 8 */
    RpMeshObject_SetPhase(object, 0, 0.5f);
    RpMeshObject_Pose(object);
    AssertPlace(1, RP_MESH_WORLD, 0, 0, 3);
}

/* Both times stay, so under the reading `pose-cache=times`, which is the default, the DLL keeps the
 * pose. */
TEST(AWeightThatChangesAloneIsPosed) {
    RpMeshObject_SetFrames(object, 0, 0, 8, 8);
    for (int eighths = 0; eighths <= 8; eighths += 4) {
        RpMeshObject_SetPhase(object, 0, (float)eighths / 8);
        RpMeshObject_Pose(object);
        AssertPlace(1, RP_MESH_LOCAL, 0, 0, 1 + (float)eighths / 2);
    }
    RpMeshObject_SetPieceFrames(object, 1, 0, 0, 8, 8);
    RpMeshObject_ChangeFlags(object, 1, RP_MESH_OWN_SEGMENT, true, false);
    for (int eighths = 0; eighths <= 8; eighths += 4) {
        RpMeshObject_SetPiecePhase(object, 1, 0, (float)eighths / 8);
        RpMeshObject_Pose(object);
        AssertPlace(1, RP_MESH_LOCAL, 0, 0, 1 + (float)eighths / 2);
    }
}

TEST(PiecesHaveSegmentsOfTheirOwn) {
    RpMeshObject_SetPieceFrames(object, 1, 0, 8, -1, -1);
    RpMeshObject_SetPiecePhase(object, 1, 0.25f, 0);
    RpMeshObject_Pose(object);
    AssertPlace(1, RP_MESH_MODEL, 0, 0, 1); /* its own segment is not in use yet */
    RpMeshObject_ChangeFlags(object, 1, RP_MESH_OWN_SEGMENT, true, false);
    RpMeshObject_Pose(object);
    AssertPlace(1, RP_MESH_MODEL, 0, 0, 2);
    RpMeshObject_ChangeFlags(object, 1, RP_MESH_OWN_SEGMENT, false, false);
    RpMeshObject_Pose(object);
    AssertPlace(1, RP_MESH_MODEL, 0, 0, 1);
}

TEST(FlyingPiecesGoWhereTheyAreTold) {
    static const float away[16] = {1, 0, 0, 10, 0, 1, 0, 20, 0, 0, 1, 30, 0, 0, 0, 1};
    RpMeshObject_ChangeFlags(object, 1, RP_MESH_FLYING, true, true);
    RpMeshObject_SetPieceMatrix(object, 1, away);
    RpMeshObject_SetFrames(object, 8, 8, -1, -1);
    RpMeshObject_Pose(object);
    AssertPlace(1, RP_MESH_WORLD, 10, 20, 30);
    AssertPlace(2, RP_MESH_WORLD, 0, 1, 3); /* it is in the subtree, and left where it was */
    RpMeshPiece piece;
    RpMeshObject_Piece(object, 2, &piece);
    assert_int_equal(piece.flags, RP_MESH_FLYING);
}

TEST(OtherFlagsAreNotTheCallersToChange) {
    RpMeshPiece piece;
    RpMeshObject_ChangeFlags(object, 0, UINT32_MAX, false, false);
    RpMeshObject_Piece(object, 0, &piece);
    assert_int_equal(piece.flags, 0x01000000); /* it is the first of its part */
    RpMeshObject_ChangeFlags(object, 1, UINT32_MAX, true, false);
    RpMeshObject_Piece(object, 1, &piece);
    assert_int_equal(piece.flags, 0x1D);
}

TEST(PlacementMovesTheWorldOnly) {
    static const float placement[16] = {0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30, 0, 0, 0, 1};
    RpMeshObject_SetPlacement(object, placement);
    RpMeshObject_Pose(object);
    AssertPlace(2, RP_MESH_WORLD, 9, 20, 33); /* (0, 1, 3) turned to (-1, 0, 3) */
    AssertPlace(2, RP_MESH_MODEL, 0, 1, 3);
}

TEST(ScaleIsNotMultipliedTwice) {
    static const float scale[3] = {2, 3, 4}, one[3] = {1, 1, 1};
    static const float low[3] = {-4, -6, 0}, high[3] = {4, 6, 14};
    static const float plain_low[3] = {-2, -2, 0}, plain_high[3] = {2, 2, 3.5f};
    RpMeshBounds before, after;
    RpMeshObject_Bounds(object, &before);
    for (int i = 0; i < 3; i++) {
        RpMeshObject_SetScale(object, scale);
        AssertBox(low, high);
        AssertPlace(2, RP_MESH_WORLD, 0, 3, 12); /* (0, 1, 3) without the scale */
        RpMeshObject_Bounds(object, &after);
        assert_true(after.agent_sphere[3] == before.agent_sphere[3] * 4);
        assert_true(after.agent_sphere[2] == 7 && after.capsule[5] == 14);
    }
    RpMeshObject_SetScale(object, one);
    AssertBox(plain_low, plain_high);
    RpMeshObject_Bounds(object, &after);
    assert_memory_equal(&after, &before, sizeof after);
}

TEST(StagesChooseTheSlot) {
    RpMeshPiece piece;
    float sphere[4];
    static const int32_t wrong[] = {-1, 3, INT32_MAX, INT32_MIN};
    RpMeshObject_Sphere(object, 1, RP_MESH_LOCAL, false, sphere);
    assert_true(sphere[3] > 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        RpMeshObject_SetStage(object, 1, wrong[i]);
    RpMeshObject_Piece(object, 1, &piece);
    assert_int_equal(piece.stage, 0);
    RpMeshObject_SetStage(object, 1, 1); /* the head has no such slot */
    RpMeshObject_Piece(object, 1, &piece);
    assert_int_equal(piece.stage, 1);
    RpMeshObject_Sphere(object, 1, RP_MESH_LOCAL, false, sphere);
    assert_true(sphere[3] == 0);
}

/* A tilt is half of the double angle, which is the angle itself. */
TEST(TiltTurnsTheWorldMatrix) {
    static const float up[3] = {0, 0, 1}, ahead[3] = {0, 1, 0};
    RpMeshObject_Tilt(object, 0, up, ahead);
    RpMeshObject_Tilt(object, 0, up, ahead); /* the earlier turn is now the same */
    RpMeshObject_Pose(object);
    assert_true(RpMeshObject_Matrix(object, 0, RP_MESH_WORLD)[10] == 1);
    RpMeshObject_ChangeFlags(object, 0, RP_MESH_TILTED, true, false);
    RpMeshObject_Pose(object);
    const float *world = RpMeshObject_Matrix(object, 0, RP_MESH_WORLD);
    assert_true(fabsf(world[10]) < 1e-6f && fabsf(fabsf(world[6]) - 1) < 1e-6f);
    RpMeshObject_Tilt(object, 0, NULL, NULL);
    RpMeshObject_Tilt(object, 0, NULL, up);
    RpMeshObject_Pose(object);
    assert_true(RpMeshObject_Matrix(object, 0, RP_MESH_WORLD)[10] == 1);
}

TEST(CountersTellOfUndefinedPoses) {
    RpPoseCounters counters;
    RpMeshObject_Counters(object, &counters);
    assert_int_equal(counters.undefined, 0);
    RpMeshObject_SetFrames(object, -1, -1, -1, -1);
    RpMeshObject_Pose(object);
    RpMeshObject_Counters(object, &counters);
    assert_int_equal(counters.undefined, 3); /* neither side, for each piece */
    assert_int_equal(counters.out_of_bounds, 0);
}

/* ---- parts ----------------------------------------------------------------------------------- */

TEST(PartsCountInTheBounds) {
    static const float low[3] = {-2, -2, 0}, with_gun[3] = {2, 8, 3.5f}, alone[3] = {2, 2, 3.5f};
    static const float moved[3] = {2, 8, 6};
    Attach(1, 1);
    AssertPlace(3, RP_MESH_WORLD, 0, 2, 1);
    AssertPlace(4, RP_MESH_WORLD, 0, 8, 1);
    AssertBox(low, with_gun); /* the gun reaches from 0 to 1, 0 to 8, and 1 to 2 */
    RpMeshObject_SetFrames(object, 8, 8, -1, -1);
    RpMeshObject_Pose(object);
    AssertPlace(4, RP_MESH_WORLD, 0, 8, 5);
    AssertBox(low, with_gun); /* these are the bounds of the last update */
    RpMeshObject_UpdateBounds(object);
    AssertBox(low, moved); /* now from 5 to 6 */
    Attach(2, 4);
    Attach(3, 0);
    assert_int_equal(RpMeshObject_PieceCount(object), 9);
    /* part 2 is removed with it */
    assert_int_equal(RpMeshObject_Detach(object, 1, NULL), RP_OK);
    assert_int_equal(RpMeshObject_PieceCount(object), 5);
    assert_int_equal(RpMeshObject_FirstPieceOfPart(object, 3), 3);
    assert_int_equal(RpMeshObject_Detach(object, 3, NULL), RP_OK);
    AssertBox(low, alone);
}

TEST(AttachingAndDetachingLeavesNothingBehind) {
    uint64_t before = counted.bytes;
    for (int i = 0; i < 100; i++) {
        Attach(1, i % 3);
        Attach(2, 4);
        assert_int_equal(counted.bytes, RpMeshObject_Bytes(7));
        assert_int_equal(RpMeshObject_Detach(object, 1, NULL), RP_OK);
        assert_int_equal(counted.bytes, before);
        assert_int_equal(counted.blocks, 2);
    }
}

/* ---- measures and queries -------------------------------------------------------------------- */

TEST(PiecesAreMeasuredInEverySpace) {
    static const float placement[16] = {1, 0, 0, 10, 0, 1, 0, 20, 0, 0, 1, 30, 0, 0, 0, 1};
    static const float local[2][3] = {{-1, -1, 0}, {1, 1, 2}};
    static const float model[2][3] = {{-1, -1, 1}, {1, 1, 3}};
    static const float world[2][3] = {{9, 19, 31}, {11, 21, 33}};
    static const float with_eye[2][3] = {{-1, -1, 1}, {1, 1, 3}}; /* a point in the box's side */
    static const float sphere[4] = {10, 20, 32, 1.7320508f};
    static const float capsule[7] = {0, 0, 3, 0, 0, 1, 1.4142135f};
    float corners[8][3], numbers[7];
    RpMeshObject_SetPlacement(object, placement);
    RpMeshObject_Pose(object);
    RpMeshObject_Box(object, 1, RP_MESH_LOCAL, false, corners);
    AssertNumbers(corners[0], local[0], 3);
    AssertNumbers(corners[7], local[1], 3);
    RpMeshObject_Box(object, 1, RP_MESH_MODEL, false, corners);
    AssertNumbers(corners[0], model[0], 3);
    AssertNumbers(corners[7], model[1], 3);
    RpMeshObject_Box(object, 1, RP_MESH_WORLD, false, corners);
    AssertNumbers(corners[0], world[0], 3);
    AssertNumbers(corners[7], world[1], 3);
    RpMeshObject_Box(object, 1, RP_MESH_MODEL, true, corners);
    AssertNumbers(corners[0], with_eye[0], 3);
    AssertNumbers(corners[7], with_eye[1], 3);
    RpMeshObject_Box(object, 0, RP_MESH_WORLD, true, corners); /* the bounds of the object itself */
    assert_true(corners[7][2] == 33.5f && corners[0][0] == 8);
    RpMeshObject_Sphere(object, 1, RP_MESH_WORLD, false, numbers);
    AssertNumbers(numbers, sphere, 4);
    RpMeshObject_NodeCapsule(object, 1, RP_MESH_MODEL, false, numbers);
    AssertNumbers(numbers, capsule, 7);
    RpMeshObject_Box(object, 9, RP_MESH_WORLD, false, corners);
    assert_true(corners[7][2] == 0);
}

static bool Shoot(int32_t piece, const RpMeshFilter *filter, RpMeshHit *hit) {
    static const float from[3] = {0.25f, 0.5f, 10}, to[3] = {0.25f, 0.5f, -10};
    memset(hit, 0xCD, sizeof *hit);
    return RpMeshObject_Segment(object, piece, from, to, filter, hit);
}

TEST(SegmentsHitTheNearestFace) {
    static const RpMeshFilter not_walkable = {.excluded_triangle = 2},
                              walkable = {.required_triangle = 2};
    static const float on_head[3] = {0.25f, 0.5f, 3}, on_body[3] = {0.25f, 0.5f, 1};
    RpMeshHit hit;
    assert_true(Shoot(-1, NULL, &hit));
    assert_int_equal(hit.piece, 1);
    assert_int_equal(hit.batch, 1);
    assert_int_equal(hit.triangle, 12 + 11); /* y is greater than x, so it is in the last face */
    assert_int_equal(hit.batch_triangle, 11);
    AssertNumbers(hit.point, on_head, 3);
    assert_true(hit.distance == 49);
    assert_true(Shoot(1, NULL, &hit) && hit.piece == 1);
    /* the head is in the subtree of the body */
    assert_true(Shoot(0, NULL, &hit) && hit.piece == 1);
    assert_false(Shoot(2, NULL, &hit)); /* the eye has no geometry */
    assert_int_equal(hit.piece, -1);
    assert_true(hit.distance == 0);
    assert_false(Shoot(3, NULL, &hit));
    assert_false(Shoot(-1, &not_walkable, &hit)); /* bottoms turn away, sides are not met */
    assert_true(Shoot(-1, &walkable, &hit));
    RpMeshObject_ChangeFlags(object, 1, RP_MESH_HIDDEN, true, false);
    assert_true(Shoot(-1, NULL, &hit));
    assert_int_equal(hit.piece, 0);
    AssertNumbers(hit.point, on_body, 3);
    assert_true(hit.distance == 81);
}

TEST(WalkingFindsTheFaceBelow) {
    static const float point[3] = {1.5f, 0.5f, 9}, beside[3] = {2.25f, 0.5f, 9};
    static const float below[3] = {1.5f, 0.5f, 0.5f};
    RpMeshHit hit;
    assert_true(RpMeshObject_WalkFace(object, point, NULL, &hit));
    assert_int_equal(hit.piece, 0);
    assert_true(hit.point[2] == 1 && hit.distance == 64);
    assert_false(RpMeshObject_WalkFace(object, beside, NULL, &hit));
    assert_int_equal(hit.piece, -1);
    assert_true(RpMeshObject_WalkFaceWithMargin(object, beside, 0.5f, RP_MESH_BELOW, &hit));
    assert_int_equal(hit.piece, 0);
    assert_false(RpMeshObject_WalkFaceWithMargin(object, point, 0.5f, RP_MESH_ABOVE, &hit));
    assert_true(RpMeshObject_WalkFaceWithMargin(object, below, 0.5f, RP_MESH_ABOVE, &hit));
    assert_true(hit.distance == 0.25f);
}

TEST(SpheresArePushedOut) {
    static const float centre[3] = {1.5f, 0.5f, 1.25f}, high[3] = {1.5f, 0.5f, 5};
    static const float up[3] = {0, 0, 0.15f};
    float push[3] = {7, 7, 7};
    uint32_t dropped = 7;
    void *room = malloc(RpMeshObject_PushOutRoom(16));
    assert_non_null(room);
    assert_true(RpMeshObject_PushOut(object, centre, 0.4f, NULL, room, 16, push, &dropped));
    AssertNumbers(push, up, 3);
    assert_int_equal(dropped, 0);
    assert_false(RpMeshObject_PushOut(object, high, 0.4f, NULL, room, 16, push, &dropped));
    assert_true(RpMeshObject_PushOutRoom(0) == 0 &&
                RpMeshObject_PushOutRoom(3) == 3 * RpMeshObject_PushOutRoom(1));
    assert_true(RpMeshObject_PushOutRoom(UINT32_MAX) >= UINT32_MAX);
    free(room);
}

TEST(PointsAreInsideOrNot) {
    static const float in_body[3] = {1.3f, 0.7f, 0.4f}, in_head[3] = {0.3f, 0.7f, 2.4f};
    static const float outside[3] = {1.3f, 0.7f, 2.4f};
    assert_true(RpMeshObject_IsInside(object, -1, in_body, NULL));
    assert_true(RpMeshObject_IsInside(object, -1, in_head, NULL));
    assert_false(RpMeshObject_IsInside(object, -1, outside, NULL));
    assert_true(RpMeshObject_IsInside(object, 1, in_head, NULL));
    assert_false(RpMeshObject_IsInside(object, 1, in_body, NULL));
}

/* ---- geometry -------------------------------------------------------------------------------- */

typedef struct Drawn {
    int32_t pieces[8];
    uint32_t modes[8], materials[8], count;
} Drawn;

static void TakeBatch(void *user, int32_t piece, uint32_t draw_mode, const float world[16],
                      const RpDrawBatch *batch) {
    Drawn *drawn = user;
    assert_true(drawn->count < 8);
    assert_memory_equal(world, RpMeshObject_Matrix(object, piece, RP_MESH_WORLD), 64);
    drawn->pieces[drawn->count] = piece;
    drawn->modes[drawn->count] = draw_mode;
    drawn->materials[drawn->count++] = batch->material;
}

TEST(WhatIsDrawnIsHandedOver) {
    Drawn drawn = {.count = 0};
    static const int32_t none[] = {1, 4, -1, 5, INT32_MAX};
    assert_int_equal(RpMeshObject_Attach(object, gun, 1, 0, 3, NULL), RP_OK);
    RpMeshObject_Draw(object, 0, TakeBatch, &drawn);
    assert_int_equal(drawn.count, 3);
    assert_int_equal(drawn.pieces[2], 3);
    assert_int_equal(drawn.materials[1], 1);
    assert_int_equal(drawn.materials[2], 0x30001);
    assert_int_equal(drawn.modes[0], 0);
    drawn.count = 0;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        RpMeshObject_Draw(object, none[i], TakeBatch, &drawn);
    assert_int_equal(drawn.count, 0);
}

TEST(BatchesAreDescribed) {
    RpDrawBatch batch;
    assert_true(RpMeshObject_Batch(object, 1, 1, &batch));
    assert_int_equal(batch.first_index, 36);
    assert_int_equal(batch.index_count, 36);
    assert_int_equal(batch.base_vertex, 8);
    assert_int_equal(batch.vertex_count, 8);
    assert_int_equal(batch.material, 1);
    assert_int_equal(batch.portal, -1);
    uint8_t *record = Image_Stream(&body_image, 13) + 20;
    record[0] = 8; /* a portal */
    Bytes_PutU16(record + 6, 2);
    assert_true(RpMeshObject_Batch(object, 1, 1, &batch));
    assert_int_equal(batch.portal, 2);
    assert_int_equal(batch.flags, 0x28);
    Bytes_PutU16(record + 6, 3); /* no such piece */
    assert_true(RpMeshObject_Batch(object, 1, 1, &batch));
    assert_int_equal(batch.portal, -1);
    assert_false(RpMeshObject_Batch(object, 1, 3, &batch));
    assert_false(RpMeshObject_Batch(object, 3, 0, &batch));
    assert_int_equal(batch.index_count, 0);
}

/* ---- many objects ---------------------------------------------------------------------------- */

enum { OBJECTS = 5000, FACES = 8 };

static void DrawNothing(void *user, int32_t piece, uint32_t draw_mode, const float world[16],
                        const RpDrawBatch *batch) {
    (void)piece;
    (void)draw_mode;
    (void)world;
    (void)batch;
    ++*(uint32_t *)user;
}

/* Makes all the calls that an engine makes in a frame. */
static void UseObject(RpMeshObject *mesh, uint32_t index, void *faces) {
    static const float from[3] = {0.25f, 0.5f, 20}, to[3] = {0.25f, 0.5f, -20};
    static const float centre[3] = {1.5f, 0.5f, 1.25f}, up[3] = {0, 0, 1};
    float push[3], corners[8][3], sphere[4], capsule[7];
    const float scale[3] = {1 + (float)(index % 2), 1, 1};
    uint32_t dropped, drawn = 0;
    RpMeshBounds bounds;
    RpDrawBatch batch;
    RpMeshHit hit;
    RpMeshObject_SetFrames(mesh, 0, 8, -1, -1);
    RpMeshObject_SetPhase(mesh, (float)(index % 9) / 8, 0);
    RpMeshObject_SetPieceFrames(mesh, 2, 0, 8, 0, 8);
    RpMeshObject_SetPiecePhase(mesh, 2, 0.5f, 0.5f);
    RpMeshObject_ChangeFlags(mesh, 2, RP_MESH_OWN_SEGMENT, true, true);
    RpMeshObject_Tilt(mesh, 2, up, up);
    RpMeshObject_SetScale(mesh, scale);
    RpMeshObject_Pose(mesh);
    RpMeshObject_UpdateBounds(mesh);
    RpMeshObject_Bounds(mesh, &bounds);
    RpMeshObject_Box(mesh, 1, RP_MESH_WORLD, true, corners);
    RpMeshObject_Sphere(mesh, 1, RP_MESH_WORLD, true, sphere);
    RpMeshObject_NodeCapsule(mesh, 1, RP_MESH_WORLD, true, capsule);
    assert_true(RpMeshObject_Segment(mesh, -1, from, to, NULL, &hit));
    assert_true(hit.piece == 1 && hit.point[2] == (float)(3 + index % 9 / 2.0));
    RpMeshObject_WalkFace(mesh, centre, NULL, &hit);
    RpMeshObject_WalkFaceWithMargin(mesh, centre, 0.5f, RP_MESH_BELOW, &hit);
    RpMeshObject_PushOut(mesh, centre, 0.4f, NULL, faces, FACES, push, &dropped);
    RpMeshObject_IsInside(mesh, -1, centre, NULL);
    RpMeshObject_Batch(mesh, 0, 0, &batch);
    RpMeshObject_Draw(mesh, 0, DrawNothing, &drawn);
    assert_int_equal(drawn, 3);
}

static RpMeshObject **MakeObjects(uint32_t count) {
    RpMeshObject **objects = calloc(count, sizeof *objects);
    assert_non_null(objects);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(RpMeshObject_Create(body, &settings, &counting, &objects[i], NULL), RP_OK);
        assert_int_equal(RpMeshObject_Attach(objects[i], gun, 1, 0, 0, NULL), RP_OK);
    }
    return objects;
}

static void FreeObjects(RpMeshObject **objects, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        RpMeshObject_Free(objects[i]);
    free(objects);
}

TEST(ThousandsShareAModelAndNothingAllocates) {
    const uint64_t one = RpMeshObject_Bytes(3);
    RpMeshObject **objects = MakeObjects(OBJECTS);
    void *faces = malloc(RpMeshObject_PushOutRoom(FACES));
    assert_non_null(faces);
    assert_int_equal(counted.bytes, one + OBJECTS * (uint64_t)RpMeshObject_Bytes(5));
    counted.refuse = SIZE_MAX; /* any allocation from here on is refused */
    const uint64_t calls = counted.calls;
    for (uint32_t frame = 0; frame < 2; frame++)
        for (uint32_t i = 0; i < OBJECTS; i++)
            UseObject(objects[i], i + frame, faces);
    assert_int_equal(counted.calls, calls);
    counted.refuse = 0;
    free(faces);
    FreeObjects(objects, OBJECTS);
    assert_int_equal(counted.bytes, one);
}

/* Memory is at its peak while the pieces move, because the old and the new ones exist at the same
 * time. */
TEST(AnObjectCostsWhatItSaysItCosts) {
    const uint64_t piece = RpMeshObject_Bytes(1) - RpMeshObject_Bytes(0);
    assert_int_equal(counted.bytes, RpMeshObject_Bytes(3));
    assert_int_equal(counted.peak, RpMeshObject_Bytes(3));
    Attach(1, 0);
    assert_int_equal(counted.bytes, RpMeshObject_Bytes(5));
    assert_int_equal(counted.peak, RpMeshObject_Bytes(5) + 3 * piece);
    assert_true(piece >= 0x130 && piece <= 0x138);
    assert_true(RpMeshObject_Bytes(0) <= 1024);
}

/* ---- threads --------------------------------------------------------------------------------- */

#ifndef _WIN32

enum { THREADS = 4, PER_THREAD = 100 };

typedef struct Worker {
    pthread_t thread;
    RpMeshObject **objects;
    const RpMeshObject *shared;
    uint32_t first, hits;
} Worker;

/* Each thread uses objects of its own, and one object that all threads only ask. */
static void *Work(void *argument) {
    static const float from[3] = {0.25f, 0.5f, 20}, to[3] = {0.25f, 0.5f, -20};
    Worker *worker = argument;
    uint16_t control_word = RpFpu_SetControlWord();
    for (uint32_t i = 0; i < PER_THREAD; i++) {
        RpMeshObject *mesh = worker->objects[worker->first + i];
        RpMeshHit hit;
        RpMeshObject_SetFrames(mesh, 0, 8, -1, -1);
        RpMeshObject_SetPhase(mesh, (float)(i % 9) / 8, 0);
        RpMeshObject_Pose(mesh);
        worker->hits += RpMeshObject_Segment(mesh, -1, from, to, NULL, &hit) &&
                        hit.point[2] == (float)(3 + i % 9 / 2.0);
        worker->hits +=
            RpMeshObject_Segment(worker->shared, -1, from, to, NULL, &hit) && hit.point[2] == 3;
    }
    RpFpu_Restore(control_word);
    return NULL;
}

TEST(ThreadsShareModelsAndPosedObjects) {
    RpMeshObject **objects = MakeObjects(THREADS * PER_THREAD);
    Worker workers[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i] = (Worker){.objects = objects, .shared = object, .first = i * PER_THREAD};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, Work, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_int_equal(workers[i].hits, 2 * PER_THREAD);
    }
    FreeObjects(objects, THREADS * PER_THREAD);
}

#endif

AROUND_EACH(Setup, Teardown)
