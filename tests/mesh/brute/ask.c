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
#include "random_model.h"
#include "tests/of_thread.h"

#include "retropose/mesh_object.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MODELS = 4,
    AIMS = 4000,
    SEGMENTS = 1000,
    WALKS = 200,
    PUSHES = 75,
    POINTS = 400,
    ROOM = 512
};

typedef struct Aim {
    float corners[3][3], normal[3]; /* in world space */
} Aim;

typedef struct Scene {
    Random random;
    bool exact;
    RpArithmetic settings;
    RandomModel models[MODELS];
    RpModel *loaded[MODELS];
    uint32_t model_count, next_part;
    RpMeshObject *mesh;
    float scale[3], phase[2];
    int32_t frames[4];
    RpBuffer text;
    Aim aims[AIMS];
    uint32_t aim_count;
} Scene;

/* ---- chunks ---------------------------------------------------------------------------------- */

static void Fail(const char *what, const RpError *error) {
    fprintf(stderr, "ask: %s: %s %s\n", what, error ? error->where : "", error ? error->what : "");
    exit(2);
}

static void Write(const char *tag, RpBuffer *payload) {
    const uint8_t size[4] = {(uint8_t)payload->size, (uint8_t)(payload->size >> 8),
                             (uint8_t)(payload->size >> 16), (uint8_t)(payload->size >> 24)};
    if (payload->failed || fwrite(tag, 1, 4, stdout) != 4 || fwrite(size, 1, 4, stdout) != 4 ||
        fwrite(payload->bytes, 1, payload->size, stdout) != payload->size)
        Fail("cannot write", NULL);
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

/* ---- operations: done, and written down ------------------------------------------------------ */

static void Note(Scene *scene, const char *name, const double *values, int count) {
    RpBuffer_Print(&scene->text, ",\n[\"%s\"", name);
    for (int i = 0; i < count; i++)
        RpBuffer_Print(&scene->text, ",%.17g", values[i]);
    RpBuffer_Print(&scene->text, "]");
}

static void NoteFloats(Scene *scene, const char *name, int32_t piece, const float *values,
                       int count) {
    double noted[17];
    const int first = piece >= 0;
    noted[0] = piece;
    for (int i = 0; i < count; i++)
        noted[first + i] = values[i];
    Note(scene, name, noted, first + count);
}

static void Create(Scene *scene) {
    RpError error;
    if (RpMeshObject_Create(scene->loaded[0], &scene->settings, NULL, &scene->mesh, &error))
        Fail("create", &error);
    Note(scene, "create", (double[]){0}, 1);
}

static int32_t RandomPiece(Scene *scene) {
    return (int32_t)Random_Below(&scene->random, RpMeshObject_PieceCount(scene->mesh));
}

static void Attach(Scene *scene) {
    RpError error;
    const uint32_t model = Random_Below(&scene->random, scene->model_count);
    const uint32_t part = scene->next_part++;
    const int32_t piece = RandomPiece(scene);
    if (RpMeshObject_Attach(scene->mesh, scene->loaded[model], part, piece, 0, &error))
        Fail("attach", &error);
    Note(scene, "attach", (double[]){model, part, piece}, 3);
}

static void Detach(Scene *scene) {
    RpError error;
    const uint32_t part = 1 + Random_Below(&scene->random, scene->next_part - 1);
    if (RpMeshObject_FirstPieceOfPart(scene->mesh, part) < 0)
        return;
    if (RpMeshObject_Detach(scene->mesh, part, &error))
        Fail("detach", &error);
    Note(scene, "detach", (double[]){part}, 1);
}

static void RandomFrames(Scene *scene, int32_t frames[4]) {
    for (int i = 0; i < 4; i++) {
        const bool none = Random_OneIn(&scene->random, 12);
        const int32_t frame = Random_Between(&scene->random, 0, 12);
        frames[i] = none ? -1 : frame;
    }
}

static void RandomPhase(Scene *scene, float phase[2]) {
    for (int i = 0; i < 2; i++) {
        const uint32_t eighths = Random_Below(&scene->random, 9);
        const float any = (float)Random_Below(&scene->random, 1u << 20) / (1u << 20);
        phase[i] = Random_OneIn(&scene->random, 2) ? (float)eighths / 8 : any;
    }
}

static void UseTimes(Scene *scene) {
    const int32_t *f = scene->frames;
    RpMeshObject_SetFrames(scene->mesh, f[0], f[1], f[2], f[3]);
    Note(scene, "setFrames", (double[]){f[0], f[1], f[2], f[3]}, 4);
    RpMeshObject_SetPhase(scene->mesh, scene->phase[0], scene->phase[1]);
    NoteFloats(scene, "setPhase", -1, scene->phase, 2);
}

static void SetTimes(Scene *scene) {
    RandomFrames(scene, scene->frames);
    RandomPhase(scene, scene->phase);
    UseTimes(scene);
}

/* Changes all times, those of side B alone, or the weight alone: each decides differently whether
 * an earlier pose may be kept. */
static void ChangeTimes(Scene *scene) {
    int32_t frames[4];
    float phase[2];
    RandomFrames(scene, frames);
    RandomPhase(scene, phase);
    const uint32_t kind = Random_Below(&scene->random, 3);
    if (kind == 0)
        memcpy(scene->frames, frames, sizeof scene->frames);
    if (kind == 1)
        memcpy(&scene->frames[2], &frames[2], 2 * sizeof frames[2]);
    else
        scene->phase[1] = phase[1];
    UseTimes(scene);
}

static void SetPieceTimes(Scene *scene, int32_t piece) {
    int32_t f[4];
    float phase[2];
    RandomFrames(scene, f);
    RpMeshObject_SetPieceFrames(scene->mesh, piece, f[0], f[1], f[2], f[3]);
    Note(scene, "setPieceFrames", (double[]){piece, f[0], f[1], f[2], f[3]}, 5);
    RandomPhase(scene, phase);
    RpMeshObject_SetPiecePhase(scene->mesh, piece, phase[0], phase[1]);
    NoteFloats(scene, "setPiecePhase", piece, phase, 2);
}

static void ChangeFlags(Scene *scene, int32_t piece, uint32_t flags) {
    const bool set = !Random_OneIn(&scene->random, 5), subtree = Random_OneIn(&scene->random, 4);
    RpMeshObject_ChangeFlags(scene->mesh, piece, flags, set, subtree);
    Note(scene, "changeFlags", (double[]){piece, flags, set, subtree}, 4);
}

/* Makes a rotation with a translation. In an exact scene it is a quarter turn about an axis, with
 * whole numbers. */
static void RandomMatrix(Scene *scene, float matrix[16]) {
    int32_t units[4];
    float quaternion[4];
    const uint32_t turn = Random_Below(&scene->random, 3);
    Quaternion_Unit(&scene->random, units);
    for (int i = 0; i < 4; i++)
        quaternion[i] = (float)units[i] / QUATERNION_ONE;
    RpQuaternion_ToMatrix(OF_THREAD(RP_BUILD_GENERIC), quaternion, matrix);
    for (uint32_t i = 0; scene->exact && i < 9; i++)
        matrix[i / 3 * 4 + i % 3] = (i / 3 + turn) % 3 == i % 3;
    for (int axis = 0; axis < 3; axis++)
        matrix[4 * axis + 3] = Random_Coordinate(&scene->random, scene->exact, 8);
}

static void SetPlacement(Scene *scene) {
    float matrix[16];
    RandomMatrix(scene, matrix);
    RpMeshObject_SetPlacement(scene->mesh, matrix);
    NoteFloats(scene, "setPlacement", -1, matrix, 16);
}

static void SetScale(Scene *scene) {
    static const float exact[] = {0.5f, 1, 2, 3};
    const bool uniform = Random_OneIn(&scene->random, 3);
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t whole = Random_Below(&scene->random, 4);
        const float any = 0.5f + (float)Random_Below(&scene->random, 65536) / 65536;
        scene->scale[axis] = uniform && axis ? scene->scale[0] : scene->exact ? exact[whole] : any;
    }
    RpMeshObject_SetScale(scene->mesh, scene->scale);
    NoteFloats(scene, "setScale", -1, scene->scale, 3);
}

/* Makes a vector that points about upwards. Now and then its length is not 1, which makes the tilt
 * no rotation. */
static void RandomVector(Scene *scene, float vector[3]) {
    float square = 0;
    for (int axis = 0; axis < 3; axis++) {
        vector[axis] = Random_Coordinate(&scene->random, false, 1) + (axis == 2 ? 2.0f : 0);
        square += vector[axis] * vector[axis];
    }
    const bool any = Random_OneIn(&scene->random, 8);
    for (int axis = 0; axis < 3 && !any; axis++)
        vector[axis] /= sqrtf(square);
}

/* Tilts twice, so that the earlier tilt, from which is blended, is known, too. */
static void Tilt(Scene *scene, int32_t piece) {
    for (int i = 0; i < 2; i++) {
        float from[3], to[3];
        RandomVector(scene, from);
        RandomVector(scene, to);
        RpMeshObject_Tilt(scene->mesh, piece, from, to);
        RpBuffer_Print(&scene->text, ",\n[\"setTilt\",%d,[%.9g,%.9g,%.9g],[%.9g,%.9g,%.9g]]",
                       (int)piece, (double)from[0], (double)from[1], (double)from[2], (double)to[0],
                       (double)to[1], (double)to[2]);
    }
    RpMeshObject_ChangeFlags(scene->mesh, piece, RP_MESH_TILTED, true, false);
    Note(scene, "changeFlags", (double[]){piece, RP_MESH_TILTED, 1, 0}, 4);
}

static void Fly(Scene *scene, int32_t piece) {
    float matrix[16];
    RandomMatrix(scene, matrix);
    RpMeshObject_ChangeFlags(scene->mesh, piece, RP_MESH_FLYING, true, false);
    Note(scene, "changeFlags", (double[]){piece, RP_MESH_FLYING, 1, 0}, 4);
    RpMeshObject_SetPieceMatrix(scene->mesh, piece, matrix);
    NoteFloats(scene, "setPieceMatrix", piece, matrix, 16);
}

static void ChangePiece(Scene *scene, int32_t piece) {
    const int32_t stage = Random_Between(&scene->random, 0, 2);
    if (Random_OneIn(&scene->random, 3)) {
        RpMeshObject_SetStage(scene->mesh, piece, stage);
        Note(scene, "setStage", (double[]){piece, stage}, 2);
    }
    if (Random_OneIn(&scene->random, 8))
        ChangeFlags(scene, piece, RP_MESH_HIDDEN);
    if (Random_OneIn(&scene->random, 4)) {
        SetPieceTimes(scene, piece);
        ChangeFlags(scene, piece, RP_MESH_OWN_SEGMENT);
    }
    if (!scene->exact && Random_OneIn(&scene->random, 10))
        Tilt(scene, piece);
    if (Random_OneIn(&scene->random, 12))
        Fly(scene, piece);
}

/* ---- scenes ---------------------------------------------------------------------------------- */

static void MakeModels(Scene *scene) {
    scene->model_count = 1 + Random_Below(&scene->random, MODELS);
    for (uint32_t i = 0; i < scene->model_count; i++) {
        const RandomModelSpec spec = {scene->exact, 2 + Random_Below(&scene->random, i ? 4 : 7)};
        RandomModel *model = &scene->models[i];
        RpBuffer payload;
        RpError error;
        RandomModel_Make(&scene->random, &spec, model);
        RpBuffer_Init(&payload, NULL);
        RpBuffer_Append(&payload, model->image.bytes, model->image.size);
        Write("modl", &payload);
        if (RpModel_FromNRes(model->image.bytes, model->image.size, NULL, &scene->loaded[i],
                             &error))
            Fail("model", &error);
    }
}

static void Choose(Scene *scene) {
    static const char *const choices[] = {"",
                                          "key-order=wxyz",
                                          "tilt-order=before",
                                          "world-product=parent",
                                          "root-translation=kept",
                                          "key-order=wxyz,root-translation=kept,tilt-order=before"};
    const uint32_t choice = Random_Below(&scene->random, sizeof choices / sizeof *choices);
    RpError error;
    scene->settings.build = Random_OneIn(&scene->random, 3) ? RP_BUILD_SSE : RP_BUILD_GENERIC;
    if (RpReadings_Parse(&scene->settings.readings, RP_READS_RUNTIME, choices[choice], &error))
        Fail("hypotheses", &error);
    RpBuffer_Print(
        &scene->text,
        "{\"exact\":%s,\"build\":\"%s\",\"hypotheses\":\"%s\",\"operations\":[[\"nothing\"]",
        scene->exact ? "true" : "false", RpBuild_Name(scene->settings.build), choices[choice]);
}

static void Furnish(Scene *scene) {
    for (uint32_t i = Random_Below(&scene->random, 4); i > 0; i--)
        Attach(scene);
    if (scene->next_part > 1 && Random_OneIn(&scene->random, 4))
        Detach(scene);
    SetPlacement(scene);
    if (Random_OneIn(&scene->random, 2))
        SetScale(scene);
    SetTimes(scene);
    const int32_t pieces = (int32_t)RpMeshObject_PieceCount(scene->mesh);
    for (int32_t piece = 0; piece < pieces; piece++)
        ChangePiece(scene, piece);
    RpMeshObject_UpdateBounds(scene->mesh);
    Note(scene, "updateBounds", NULL, 0);
    if (!Random_OneIn(&scene->random, 3)) {
        ChangeTimes(scene);
        RpMeshObject_UpdateBounds(scene->mesh);
        Note(scene, "updateBounds", NULL, 0);
    }
}

/* ---- answers that need no question ----------------------------------------------------------- */

static void WritePose(Scene *scene) {
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

static void WriteBounds(Scene *scene) {
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

/* ---- what to aim at -------------------------------------------------------------------------- */

static void AimAt(Scene *scene, int32_t piece, const RandomTriangle *triangle) {
    const float *world = RpMeshObject_Matrix(scene->mesh, piece, RP_MESH_WORLD);
    Aim *aim = &scene->aims[scene->aim_count++];
    float a[3], b[3];
    for (int corner = 0; corner < 3; corner++)
        for (int row = 0; row < 3; row++) {
            float sum = world[4 * row + 3];
            for (int axis = 0; axis < 3; axis++)
                sum += world[4 * row + axis] * triangle->corners[corner][axis] * scene->scale[axis];
            aim->corners[corner][row] = sum;
        }
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = aim->corners[1][axis] - aim->corners[0][axis];
        b[axis] = aim->corners[2][axis] - aim->corners[0][axis];
    }
    for (int axis = 0; axis < 3; axis++)
        aim->normal[axis] =
            a[(axis + 1) % 3] * b[(axis + 2) % 3] - a[(axis + 2) % 3] * b[(axis + 1) % 3];
    const float length = sqrtf(aim->normal[0] * aim->normal[0] + aim->normal[1] * aim->normal[1] +
                               aim->normal[2] * aim->normal[2]);
    for (int axis = 0; axis < 3 && length > 0; axis++)
        aim->normal[axis] /= length;
}

static void CollectAims(Scene *scene) {
    RpMeshPiece piece;
    scene->aim_count = 0;
    for (int32_t i = 0; RpMeshObject_Piece(scene->mesh, i, &piece); i++)
        for (uint32_t m = 0; m < scene->model_count; m++)
            for (uint32_t t = 0;
                 piece.model == scene->loaded[m] && t < scene->models[m].triangle_count; t++) {
                const RandomTriangle *triangle = &scene->models[m].triangles[t];
                if (triangle->node == piece.node && (int32_t)triangle->variant == piece.stage &&
                    scene->aim_count < AIMS)
                    AimAt(scene, i, triangle);
            }
}

static const Aim *RandomAim(Scene *scene) {
    static const Aim nothing;
    return scene->aim_count ? &scene->aims[Random_Below(&scene->random, scene->aim_count)]
                            : &nothing;
}

/* Returns a number from 0 to 1. */
static float RandomPart(Scene *scene) {
    const uint32_t parts = scene->exact ? 16 : 1 << 20;
    return (float)Random_Below(&scene->random, parts + 1) / (float)parts;
}

/* Chooses a corner, a point of an edge, a point within the triangle, or one somewhere near. Corners
 * and edges are ties. They are what exact scenes ask about; other scenes ask about a few. */
static void PointOf(Scene *scene, const Aim *aim, float point[3]) {
    const uint32_t kind = Random_Below(&scene->random, scene->exact ? 8 : 64);
    const uint32_t corner = Random_Below(&scene->random, 3);
    float u = RandomPart(scene), v = RandomPart(scene) * (1 - u);
    if (kind == 0)
        u = v = 0;
    else if (kind == 1)
        v = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float *const c[3] = {aim->corners[corner], aim->corners[(corner + 1) % 3],
                                   aim->corners[(corner + 2) % 3]};
        point[axis] = c[0][axis] + u * (c[1][axis] - c[0][axis]) + v * (c[2][axis] - c[0][axis]);
        if (kind % 4 == 3)
            point[axis] += Random_Coordinate(&scene->random, scene->exact, 2);
    }
}

static float PowerOfTwo(Scene *scene, int least, int most) {
    return ldexpf(1, Random_Between(&scene->random, least, most));
}

/* ---- questions ------------------------------------------------------------------------------- */

static RpMeshFilter RandomFilter(Scene *scene) {
    static const uint32_t batch[] = {0, 0, 2, 0x102, 8, 0x100};
    static const uint32_t triangle[] = {0, 0, 2, 2 | 4, 4, 0x10};
    RpMeshFilter filter;
    const bool all = Random_OneIn(&scene->random, 2);
    filter.required_batch = all ? 0 : batch[Random_Below(&scene->random, 4)];
    filter.excluded_batch = all ? 0 : batch[Random_Below(&scene->random, 6)];
    filter.required_triangle = all ? 0 : triangle[Random_Below(&scene->random, 4)];
    filter.excluded_triangle = all ? 0 : triangle[Random_Below(&scene->random, 6)];
    return filter;
}

/* Goes from somewhere through the target: to its other side, or just to it. In an exact scene the
 * segment runs along an axis. */
static void RandomSegment(Scene *scene, float start[3], float end[3]) {
    float target[3];
    PointOf(scene, RandomAim(scene), target);
    const uint32_t along = Random_Below(&scene->random, 3);
    const float before =
        PowerOfTwo(scene, -1, 4) * (Random_OneIn(&scene->random, 2) ? -1.0f : 1.0f);
    const bool axial = Random_OneIn(&scene->random, scene->exact ? 1 : 8);
    const uint32_t reach = Random_Below(&scene->random, 8);
    const float beyond = reach == 0 ? 0 : reach == 1 ? -0.5f : reach == 2 ? 0.25f : 1;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const float any = Random_Coordinate(&scene->random, false, 12);
        const float step = !axial ? any : axis == along ? before : 0;
        start[axis] = target[axis] + step;
        end[axis] = target[axis] - step * beyond;
    }
}

static void AskSegments(Scene *scene, int32_t piece) {
    const RpMeshFilter filter = RandomFilter(scene);
    RpBuffer payload;
    RpBuffer_Init(&payload, NULL);
    RpBuffer_AppendU32(&payload, (uint32_t)piece);
    PutFilter(&payload, &filter);
    for (int i = 0; i < SEGMENTS; i++) {
        float start[3], end[3];
        RpMeshHit hit = {0};
        RandomSegment(scene, start, end);
        const bool found = RpMeshObject_Segment(scene->mesh, piece, start, end, &filter, &hit);
        PutFloats(&payload, start, 3);
        PutFloats(&payload, end, 3);
        PutHit(&payload, found, &hit);
    }
    Write("segm", &payload);
}

/* Chooses a point above or below what it is aimed at, or exactly on it. */
static void RandomStand(Scene *scene, float point[3]) {
    PointOf(scene, RandomAim(scene), point);
    const float height = Random_Coordinate(&scene->random, scene->exact, 4);
    if (!Random_OneIn(&scene->random, scene->exact ? 4 : 32))
        point[2] += height;
}

static void AskWalks(Scene *scene) {
    const RpMeshFilter filter = RandomFilter(scene);
    RpBuffer payload;
    RpBuffer_Init(&payload, NULL);
    PutFilter(&payload, &filter);
    for (int i = 0; i < WALKS; i++) {
        float point[3];
        RpMeshHit hit = {0};
        RandomStand(scene, point);
        const bool found = RpMeshObject_WalkFace(scene->mesh, point, &filter, &hit);
        PutFloats(&payload, point, 3);
        PutHit(&payload, found, &hit);
    }
    Write("walk", &payload);
}

static void AskMargins(Scene *scene) {
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
        RandomStand(scene, point);
        const bool found =
            RpMeshObject_WalkFaceWithMargin(scene->mesh, point, margin, direction, &hit);
        PutFloats(&payload, point, 3);
        PutHit(&payload, found, &hit);
    }
    Write("marg", &payload);
}

/* Chooses a sphere whose centre is about as far from a face as its radius. */
static float RandomSphere(Scene *scene, float centre[3]) {
    const Aim *aim = RandomAim(scene);
    const uint32_t size = Random_Below(&scene->random, 8);
    const float radius = scene->exact ? (float)(1u << size % 3) : 0.25f + (float)size / 3;
    const float part = (float)(Random_Below(&scene->random, 8) + 1) / 8;
    PointOf(scene, aim, centre);
    for (int axis = 0; axis < 3; axis++)
        centre[axis] += aim->normal[axis] * radius * part;
    return radius;
}

static void AskPushes(Scene *scene, void *room) {
    const RpMeshFilter filter = RandomFilter(scene);
    RpBuffer payload;
    RpBuffer_Init(&payload, NULL);
    PutFilter(&payload, &filter);
    RpBuffer_AppendU32(&payload, ROOM);
    for (int i = 0; i < PUSHES; i++) {
        float centre[3], push[3] = {0};
        uint32_t dropped = 0;
        const float radius = RandomSphere(scene, centre);
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

static void AskPoints(Scene *scene, int32_t piece) {
    const RpMeshFilter filter = RandomFilter(scene);
    RpBuffer payload;
    RpBuffer_Init(&payload, NULL);
    RpBuffer_AppendU32(&payload, (uint32_t)piece);
    PutFilter(&payload, &filter);
    for (int i = 0; i < POINTS; i++) {
        float point[3];
        PointOf(scene, RandomAim(scene), point);
        for (int axis = 0; axis < 3; axis++)
            point[axis] += Random_Coordinate(&scene->random, scene->exact, 1);
        PutFloats(&payload, point, 3);
        RpBuffer_AppendU32(&payload, RpMeshObject_IsInside(scene->mesh, piece, point, &filter));
    }
    Write("insd", &payload);
}

static void Ask(Scene *scene, void *room) {
    CollectAims(scene);
    AskSegments(scene, -1);
    AskSegments(scene, -1);
    AskSegments(scene, RandomPiece(scene));
    AskWalks(scene);
    AskMargins(scene);
    AskPushes(scene, room);
    AskPushes(scene, room);
    AskPoints(scene, -1);
    AskPoints(scene, RandomPiece(scene));
}

static void Free(Scene *scene) {
    RpMeshObject_Free(scene->mesh);
    for (uint32_t i = 0; i < scene->model_count; i++) {
        RpModel_Free(scene->loaded[i]);
        RandomModel_Free(&scene->models[i]);
    }
}

static void RunScene(Scene *scene, uint64_t seed, uint64_t index, void *room) {
    memset(scene, 0, sizeof *scene);
    scene->random = Random_Start("brute", seed, index);
    scene->exact = Random_OneIn(&scene->random, 3);
    scene->next_part = 1;
    for (int axis = 0; axis < 3; axis++)
        scene->scale[axis] = 1;
    RpBuffer_Init(&scene->text, NULL);
    Choose(scene);
    MakeModels(scene);
    Create(scene);
    Furnish(scene);
    RpBuffer_Print(&scene->text, "]}\n");
    Write("scen", &scene->text);
    WritePose(scene);
    WriteBounds(scene);
    Ask(scene, room);
    Free(scene);
}

int main(int argc, char **argv) {
    static Scene scene;
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
