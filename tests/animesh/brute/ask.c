/* Asks random objects random questions and writes down questions and answers, for check.mjs.
 *
 *     ask SEED SCENES >answers
 *
 * Chunks of a tag (4 characters), the payload's byte count (u32) and the payload, little-endian.
 * Floats are binary32. `filter` is the four words of RpMeshFilter, `hit` is u32 found, i32 piece,
 * u32 batch, batch_triangle, triangle, 3 floats point, float distance (zeros when not found).
 *
 * modl  NRes image; number 0, 1, ... of the scene that follows
 * scen  JSON: what was done to the object, in order (SceneObject in object.mjs does the same)
 * pose  u32 count, each: u32 part, node, i32 parent, u32 flags, i32 stage, 3 matrices in the order
 *       of RpMeshSpace
 * bnds  for each piece, space and subtree (0, 1): 24 floats box, 4 sphere, 7 capsule; at the end
 *       RpMeshBounds, 39 floats
 * segm  i32 piece, filter; then each: 6 floats start and end, hit
 * walk  filter; then each: 3 floats point, hit
 * marg  float margin, u32 direction; then each: 3 floats point, hit
 * push  filter, u32 room; then each: 3 floats centre, float radius, u32 found, 3 floats push,
 *       u32 dropped
 * insd  i32 piece, filter; then each: 3 floats point, u32 inside
 */
#include "replay/composed/random_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 1000, WALKS = 200, PUSHES = 75, POINTS = 400, ROOM = 512 };

/* ---- chunks ---------------------------------------------------------------------------------- */

static void Fail(const char *what) {
    fprintf(stderr, "ask: %s\n", what);
    exit(2);
}

static void Write(const char *tag, RpBuffer *payload) {
    const uint8_t size[4] = {(uint8_t)payload->size, (uint8_t)(payload->size >> 8),
                             (uint8_t)(payload->size >> 16), (uint8_t)(payload->size >> 24)};
    if (payload->failed || fwrite(tag, 1, 4, stdout) != 4 || fwrite(size, 1, 4, stdout) != 4 ||
        fwrite(payload->bytes, 1, payload->size, stdout) != payload->size)
        Fail("cannot write");
    RpBuffer_Free(payload);
}

static void PutFloats(RpBuffer *payload, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        RpBuffer_AppendU32(payload, bits);
    }
}

static void PutFilter(RpBuffer *payload, const RpMeshFilter *filter) {
    RpBuffer_AppendU32(payload, filter->required_batch);
    RpBuffer_AppendU32(payload, filter->excluded_batch);
    RpBuffer_AppendU32(payload, filter->required_triangle);
    RpBuffer_AppendU32(payload, filter->excluded_triangle);
}

static void PutHit(RpBuffer *payload, bool found, const RpMeshHit *hit) {
    RpBuffer_AppendU32(payload, found);
    RpBuffer_AppendU32(payload, (uint32_t)hit->piece);
    RpBuffer_AppendU32(payload, hit->batch);
    RpBuffer_AppendU32(payload, hit->batch_triangle);
    RpBuffer_AppendU32(payload, hit->triangle);
    PutFloats(payload, hit->point, 3);
    PutFloats(payload, &hit->distance, 1);
}

/* ---- answers that need no question ----------------------------------------------------------- */

static void WritePose(RandomScene *scene) {
    RpBuffer payload;
    RpMeshPiece piece;
    RpBuffer_Init(&payload, NULL);
    RpBuffer_AppendU32(&payload, RpMeshObject_PieceCount(scene->mesh));
    for (int32_t i = 0; RpMeshObject_Piece(scene->mesh, i, &piece); i++) {
        RpBuffer_AppendU32(&payload, piece.part);
        RpBuffer_AppendU32(&payload, piece.node);
        RpBuffer_AppendU32(&payload, (uint32_t)piece.parent);
        RpBuffer_AppendU32(&payload, piece.flags);
        RpBuffer_AppendU32(&payload, (uint32_t)piece.stage);
        for (int space = RP_MESH_LOCAL; space <= RP_MESH_WORLD; space++)
            PutFloats(&payload, RpMeshObject_Matrix(scene->mesh, i, (RpMeshSpace)space), 16);
    }
    Write("pose", &payload);
}

static void PutPieceBounds(RpBuffer *payload, const RpMeshObject *mesh, int32_t piece,
                           RpMeshSpace space, bool subtree) {
    float corners[8][3], sphere[4], capsule[7];
    RpMeshObject_Box(mesh, piece, space, subtree, corners);
    RpMeshObject_Sphere(mesh, piece, space, subtree, sphere);
    RpMeshObject_NodeCapsule(mesh, piece, space, subtree, capsule);
    PutFloats(payload, corners[0], 24);
    PutFloats(payload, sphere, 4);
    PutFloats(payload, capsule, 7);
}

static void WriteBounds(RandomScene *scene) {
    RpBuffer payload;
    RpMeshBounds bounds;
    RpBuffer_Init(&payload, NULL);
    for (int32_t i = 0; i < (int32_t)RpMeshObject_PieceCount(scene->mesh); i++)
        for (int space = RP_MESH_LOCAL; space <= RP_MESH_WORLD; space++)
            for (int subtree = 0; subtree < 2; subtree++)
                PutPieceBounds(&payload, scene->mesh, i, (RpMeshSpace)space, subtree);
    RpMeshObject_Bounds(scene->mesh, &bounds);
    PutFloats(&payload, bounds.corners[0], 24);
    PutFloats(&payload, bounds.agent_sphere, 4);
    PutFloats(&payload, bounds.node_sphere, 4);
    PutFloats(&payload, bounds.capsule, 7);
    Write("bnds", &payload);
}

/* ---- questions ------------------------------------------------------------------------------- */

static void AskSegments(RandomScene *scene, int32_t piece) {
    const RpMeshFilter filter = RandomScene_Filter(scene);
    RpBuffer payload;
    RpBuffer_Init(&payload, NULL);
    RpBuffer_AppendU32(&payload, (uint32_t)piece);
    PutFilter(&payload, &filter);
    for (int i = 0; i < SEGMENTS; i++) {
        float start[3], end[3];
        RpMeshHit hit = {0};
        RandomScene_Segment(scene, start, end);
        const bool found = RpMeshObject_Segment(scene->mesh, piece, start, end, &filter, &hit);
        PutFloats(&payload, start, 3);
        PutFloats(&payload, end, 3);
        PutHit(&payload, found, &hit);
    }
    Write("segm", &payload);
}

static void AskWalks(RandomScene *scene) {
    const RpMeshFilter filter = RandomScene_Filter(scene);
    RpBuffer payload;
    RpBuffer_Init(&payload, NULL);
    PutFilter(&payload, &filter);
    for (int i = 0; i < WALKS; i++) {
        float point[3];
        RpMeshHit hit = {0};
        RandomScene_Stand(scene, point);
        const bool found = RpMeshObject_WalkFace(scene->mesh, point, &filter, &hit);
        PutFloats(&payload, point, 3);
        PutHit(&payload, found, &hit);
    }
    Write("walk", &payload);
}

static void AskMargins(RandomScene *scene) {
    static const float margins[] = {0.5f, 0.5f, 0.25f, 0, 2};
    static const uint32_t directions[] = {RP_MESH_ABOVE, RP_MESH_BELOW,
                                          RP_MESH_ABOVE | RP_MESH_BELOW};
    const float margin = margins[Random_Below(&scene->random, 5)];
    const uint32_t direction = directions[Random_Below(&scene->random, 3)];
    RpBuffer payload;
    RpBuffer_Init(&payload, NULL);
    PutFloats(&payload, &margin, 1);
    RpBuffer_AppendU32(&payload, direction);
    for (int i = 0; i < WALKS; i++) {
        float point[3];
        RpMeshHit hit = {0};
        RandomScene_Stand(scene, point);
        const bool found =
            RpMeshObject_WalkFaceWithMargin(scene->mesh, point, margin, direction, &hit);
        PutFloats(&payload, point, 3);
        PutHit(&payload, found, &hit);
    }
    Write("marg", &payload);
}

static void AskPushes(RandomScene *scene, void *room) {
    const RpMeshFilter filter = RandomScene_Filter(scene);
    RpBuffer payload;
    RpBuffer_Init(&payload, NULL);
    PutFilter(&payload, &filter);
    RpBuffer_AppendU32(&payload, ROOM);
    for (int i = 0; i < PUSHES; i++) {
        float centre[3], push[3] = {0};
        uint32_t dropped = 0;
        const float radius = RandomScene_Sphere(scene, centre);
        const bool found =
            RpMeshObject_PushOut(scene->mesh, centre, radius, &filter, room, ROOM, push, &dropped);
        PutFloats(&payload, centre, 3);
        PutFloats(&payload, &radius, 1);
        RpBuffer_AppendU32(&payload, found);
        PutFloats(&payload, push, 3);
        RpBuffer_AppendU32(&payload, dropped);
    }
    Write("push", &payload);
}

static void AskPoints(RandomScene *scene, int32_t piece) {
    const RpMeshFilter filter = RandomScene_Filter(scene);
    RpBuffer payload;
    RpBuffer_Init(&payload, NULL);
    RpBuffer_AppendU32(&payload, (uint32_t)piece);
    PutFilter(&payload, &filter);
    for (int i = 0; i < POINTS; i++) {
        float point[3];
        RandomScene_Point(scene, point);
        for (int axis = 0; axis < 3; axis++)
            point[axis] += Random_Coordinate(&scene->random, scene->exact, 1);
        PutFloats(&payload, point, 3);
        RpBuffer_AppendU32(&payload, RpMeshObject_IsInside(scene->mesh, piece, point, &filter));
    }
    Write("insd", &payload);
}

static void Ask(RandomScene *scene, void *room) {
    RandomScene_CollectAims(scene);
    AskSegments(scene, -1);
    AskSegments(scene, -1);
    AskSegments(scene, RandomScene_Piece(scene));
    AskWalks(scene);
    AskMargins(scene);
    AskPushes(scene, room);
    AskPushes(scene, room);
    AskPoints(scene, -1);
    AskPoints(scene, RandomScene_Piece(scene));
}

static void RunScene(RandomScene *scene, uint64_t seed, uint64_t index, void *room) {
    if (RandomScene_Make(seed, index, NULL, scene))
        Fail("no scene");
    for (uint32_t i = 0; i < scene->model_count; i++) {
        RpBuffer payload;
        RpBuffer_Init(&payload, NULL);
        RpBuffer_Append(&payload, scene->models[i].image.bytes, scene->models[i].image.size);
        Write("modl", &payload);
    }
    Write("scen", &scene->text);
    WritePose(scene);
    WriteBounds(scene);
    Ask(scene, room);
    RandomScene_Free(scene);
}

int main(int argc, char **argv) {
    static RandomScene scene;
    void *room = malloc(RpMeshObject_PushOutRoom(ROOM));
    if (argc != 3 || !room) {
        fputs("usage: ask SEED SCENES\n", stderr);
        return 2;
    }
    const uint64_t seed = strtoull(argv[1], NULL, 10), scenes = strtoull(argv[2], NULL, 10);
    const uint16_t control_word = RpFpu_SetControlWord();
    for (uint64_t index = 0; index < scenes; index++)
        RunScene(&scene, seed, index, room);
    RpFpu_Restore(control_word);
    free(room);
    return 0;
}
