/* Tests that mesh objects do not touch exceptions that their caller has unmasked: no step raises
 * one, and the modes and flags of the thread come back as they were. */
#include "replay/composed/random_scene.h"
#include "tests/unmasked.h"

#include <stdlib.h>
#include <string.h>

enum { FACES = 16, FUNCTIONS = 14, NUMBERS = 24 };

/* The arguments of a call. */
typedef struct Arguments {
    float numbers[NUMBERS];
    int32_t piece;
    RpMeshFilter filter;
} Arguments;

/* The answer of a call, and everything that it may have changed in the object. */
typedef struct Answer {
    float numbers[NUMBERS];
    RpMeshHit hit;
    uint32_t found;
    RpMeshBounds bounds;
    float matrices[3][16];
    RpPoseCounters counters;
} Answer;

static void CountBatch(void *user, int32_t piece, uint32_t draw_mode, const float world[16],
                       const RpDrawBatch *batch) {
    (void)piece, (void)draw_mode, (void)world, (void)batch;
    ++*(uint32_t *)user;
}

static void Call(int function, RandomScene *scene, const Arguments *with, void *room,
                 Answer *answer) {
    RpMeshObject *mesh = scene->mesh;
    const float *n = with->numbers;
    RpMeshObject *made = NULL;
    switch (function) {
    case 0:
        RpMeshObject_SetPlacement(mesh, n);
        RpMeshObject_Pose(mesh);
        break;
    case 1:
        RpMeshObject_UpdateBounds(mesh);
        break;
    case 2:
        RpMeshObject_Tilt(mesh, with->piece, n, n + 3);
        break;
    case 3:
        RpMeshObject_Box(mesh, with->piece, RP_MESH_WORLD, true, (float(*)[3])answer->numbers);
        break;
    case 4:
        RpMeshObject_Sphere(mesh, with->piece, RP_MESH_WORLD, true, answer->numbers);
        break;
    case 5:
        RpMeshObject_NodeCapsule(mesh, with->piece, RP_MESH_WORLD, true, answer->numbers);
        break;
    case 6:
        answer->found = RpMeshObject_Segment(mesh, -1, n, n + 3, &with->filter, &answer->hit);
        break;
    case 7:
        answer->found = RpMeshObject_WalkFace(mesh, n, &with->filter, &answer->hit);
        break;
    case 8:
        answer->found = RpMeshObject_WalkFaceWithMargin(
            mesh, n, n[3], RP_MESH_ABOVE | RP_MESH_BELOW, &answer->hit);
        break;
    case 9:
        answer->found =
            RpMeshObject_PushOut(mesh, n, n[3], &with->filter, room, FACES, answer->numbers, NULL);
        break;
    case 10:
        answer->found = RpMeshObject_IsInside(mesh, with->piece, n, &with->filter);
        break;
    case 11:
        RpMeshObject_Draw(mesh, 0, CountBatch, &answer->found);
        break;
    case 12:
        answer->found =
            (uint32_t)RpMeshObject_Create(scene->loaded[0], &scene->settings, NULL, &made, NULL);
        RpMeshObject_Free(made);
        break;
    default:
        RpMeshObject_SetPhase(mesh, n[0], n[1]);
        RpMeshObject_SetPiecePhase(mesh, with->piece, n[2], n[3]);
        RpMeshObject_SetScale(mesh, n + 4);
        break;
    }
}

static void Look(const RpMeshObject *mesh, int32_t piece, Answer *answer) {
    RpMeshObject_Bounds(mesh, &answer->bounds);
    RpMeshObject_Counters(mesh, &answer->counters);
    for (int space = 0; space < 3; space++)
        memcpy(answer->matrices[space], RpMeshObject_Matrix(mesh, piece, (RpMeshSpace)space),
               sizeof answer->matrices[space]);
}

/* Aims a segment, a point or a sphere at a face, or takes any numbers. */
static void Draw(RandomScene *scene, int round, int function, Arguments *with) {
    memset(with, 0, sizeof *with);
    with->piece = RandomScene_Piece(scene);
    with->filter = RandomScene_Filter(scene);
    for (int i = 0; i < NUMBERS; i++)
        with->numbers[i] = Random_Coordinate(&scene->random, false, 2);
    if (function == 6)
        RandomScene_Segment(scene, with->numbers, with->numbers + 3);
    else if (function == 7 || function == 8)
        RandomScene_Stand(scene, with->numbers);
    else if (function == 9)
        with->numbers[3] = RandomScene_Sphere(scene, with->numbers);
    for (int i = 0; round % 4 == 3 && i < 3; i++) {
        const uint32_t special = Value_Special(&scene->random);
        memcpy(&with->numbers[Random_Below(&scene->random, 7)], &special, sizeof special);
    }
}

TEST(UnmaskedExceptionsStayTheCallers) {
    static RandomScene plain, unmasked_scene;
    static Answer expected, found;
    void *room = malloc(RpMeshObject_PushOutRoom(FACES));
    assert_non_null(room);
    for (unsigned unmasked = 1; unmasked <= EXCEPTIONS; unmasked++) {
        assert_int_equal(RandomScene_Make(87, unmasked, NULL, &plain), RP_OK);
        assert_int_equal(RandomScene_Make(87, unmasked, NULL, &unmasked_scene), RP_OK);
        RandomScene_CollectAims(&plain);
        for (int round = 0; round < 8; round++)
            for (int function = 0; function < FUNCTIONS; function++) {
                Arguments with;
                Draw(&plain, round, function, &with);
                const unsigned sticky =
                    round % 2 ? Random_Below(&plain.random, EXCEPTIONS + 1) & ~unmasked : 0;
                memset(&expected, 0, sizeof expected);
                memset(&found, 0, sizeof found);
                Call(function, &plain, &with, room, &expected);
                Look(plain.mesh, with.piece, &expected);
                const Unmasked thread = Unmasked_Begin(unmasked, sticky);
                Call(function, &unmasked_scene, &with, room, &found);
                Unmasked_End(thread, function);
                Look(unmasked_scene.mesh, with.piece, &found);
                assert_memory_equal(&found, &expected, sizeof found);
            }
        RandomScene_Free(&plain);
        RandomScene_Free(&unmasked_scene);
    }
    free(room);
}

/* ---- the caller's memory --------------------------------------------------------------------- */

/* A program may leave its allocator by a jump, so the allocator must be called under the program's
 * own modes. */
static void *ResizeAsTheCaller(void *context, void *block, size_t size) {
    const Rounding *callers = context, now = Rounding_Get();
    assert_int_equal(now.control_word, callers->control_word);
    assert_int_equal(now.mxcsr & ~0x3Fu, callers->mxcsr & ~0x3Fu);
    if (size > 0)
        return realloc(block, size);
    free(block);
    return NULL;
}

TEST(MemoryIsAskedForUnderTheCallersModes) {
    static RandomScene scene;
    Rounding callers = Rounding_Get();
    const RpAllocator allocator = {ResizeAsTheCaller, &callers};
    const RpArithmetic arithmetic = {.build = RP_BUILD_GENERIC};
    RpSkeleton skeleton;
    RpModel *model;
    RpClip *clip;
    assert_int_equal(RandomScene_Make(87, 1, NULL, &scene), RP_OK);
    const RpBuffer *image = &scene.models[0].image;
    assert_int_equal(RpModel_FromNRes(image->bytes, image->size, &allocator, &model, NULL), RP_OK);
    assert_int_equal(RpModel_PrepareQueries(model, NULL), RP_OK);
    RpModel_Free(model);
    assert_int_equal(RpSkeleton_FromNRes(image->bytes, image->size, &skeleton, NULL), RP_OK);
    assert_int_equal(RpClip_Prepare(&skeleton, &arithmetic, &allocator, &clip, NULL), RP_OK);
    RpClip_Free(clip);
    RandomScene_Free(&scene);
}
