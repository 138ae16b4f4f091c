#include "replay/composed/random_scene.h"

#include <math.h>
#include <string.h>

/* Keeps the status of the first failure. An operation that fails changes nothing. */
static void Keep(RandomScene *scene, RpStatus status) {
    if (scene->status == RP_OK)
        scene->status = status;
}

/* ---- operations: done, and written down ------------------------------------------------------ */

static void Note(RandomScene *scene, const char *name, const double *values, int count) {
    RpBuffer_Print(&scene->text, ",\n[\"%s\"", name);
    for (int i = 0; i < count; i++)
        RpBuffer_Print(&scene->text, ",%.17g", values[i]);
    RpBuffer_Print(&scene->text, "]");
}

static void NoteFloats(RandomScene *scene, const char *name, int32_t piece, const float *values,
                       int count) {
    double noted[17];
    const int first = piece >= 0;
    noted[0] = piece;
    for (int i = 0; i < count; i++)
        noted[first + i] = values[i];
    Note(scene, name, noted, first + count);
}

int32_t RandomScene_Piece(RandomScene *scene) {
    return (int32_t)Random_Below(&scene->random, RpMeshObject_PieceCount(scene->mesh));
}

static void Detach(RandomScene *scene) {
    const uint32_t part = 1 + Random_Below(&scene->random, scene->next_part - 1);
    if (RpMeshObject_FirstPieceOfPart(scene->mesh, part) < 0)
        return;
    Keep(scene, RpMeshObject_Detach(scene->mesh, part, NULL));
    Note(scene, "detach", (double[]){part}, 1);
}

static void RandomFrames(RandomScene *scene, int32_t frames[4]) {
    for (int i = 0; i < 4; i++) {
        const bool none = Random_OneIn(&scene->random, 12);
        const int32_t frame = Random_Between(&scene->random, 0, 12);
        frames[i] = none ? -1 : frame;
    }
}

static void RandomPhase(RandomScene *scene, float phase[2]) {
    for (int i = 0; i < 2; i++) {
        const uint32_t eighths = Random_Below(&scene->random, 9);
        const float any = (float)Random_Below(&scene->random, 1u << 20) / (1u << 20);
        phase[i] = Random_OneIn(&scene->random, 2) ? (float)eighths / 8 : any;
    }
}

static void UseTimes(RandomScene *scene) {
    const int32_t *f = scene->frames;
    RpMeshObject_SetFrames(scene->mesh, f[0], f[1], f[2], f[3]);
    Note(scene, "setFrames", (double[]){f[0], f[1], f[2], f[3]}, 4);
    RpMeshObject_SetPhase(scene->mesh, scene->phase[0], scene->phase[1]);
    NoteFloats(scene, "setPhase", -1, scene->phase, 2);
}

/* Changes all times, those of side B alone, or the weight alone. Each of these leads to another
 * decision whether an earlier pose may be kept. */
void RandomScene_ChangeTimes(RandomScene *scene) {
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

static void ChangeFlags(RandomScene *scene, int32_t piece, uint32_t flags) {
    const bool set = !Random_OneIn(&scene->random, 5), subtree = Random_OneIn(&scene->random, 4);
    RpMeshObject_ChangeFlags(scene->mesh, piece, flags, set, subtree);
    Note(scene, "changeFlags", (double[]){piece, flags, set, subtree}, 4);
}

/* Makes a rotation with a translation. In an exact scene it is a quarter turn about an axis, with
 * whole numbers. */
static void RandomMatrix(RandomScene *scene, float matrix[16]) {
    int32_t units[4];
    float quaternion[4];
    const uint32_t turn = Random_Below(&scene->random, 3);
    Quaternion_Unit(&scene->random, units);
    for (int i = 0; i < 4; i++)
        quaternion[i] = (float)units[i] / QUATERNION_ONE;
    RpQuaternion_ToMatrix(NULL, quaternion, matrix);
    for (uint32_t i = 0; scene->exact && i < 9; i++)
        matrix[i / 3 * 4 + i % 3] = (i / 3 + turn) % 3 == i % 3;
    for (int axis = 0; axis < 3; axis++)
        matrix[4 * axis + 3] = Random_Coordinate(&scene->random, scene->exact, 8);
}

/* Makes a vector that points about upwards. Now and then its length is not 1, which makes the tilt
 * no rotation. */
static void RandomVector(RandomScene *scene, float vector[3]) {
    float square = 0;
    for (int axis = 0; axis < 3; axis++) {
        vector[axis] = Random_Coordinate(&scene->random, false, 1) + (axis == 2 ? 2.0f : 0);
        square += vector[axis] * vector[axis];
    }
    const bool any = Random_OneIn(&scene->random, 8);
    for (int axis = 0; axis < 3 && !any; axis++)
        vector[axis] /= sqrtf(square);
}

/* Tilts a piece twice, so that the earlier tilt, from which the game blends, is known, too. */
static void Tilt(RandomScene *scene, int32_t piece) {
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

/* ---- scenes ---------------------------------------------------------------------------------- */

static void Furnish(RandomScene *scene) {
    for (uint32_t i = Random_Below(&scene->random, 4); i > 0; i--) {
        const uint32_t model = Random_Below(&scene->random, scene->model_count);
        const uint32_t part = scene->next_part++;
        const int32_t piece = RandomScene_Piece(scene);
        Keep(scene, RpMeshObject_Attach(scene->mesh, scene->loaded[model], part, piece, 0, NULL));
        Note(scene, "attach", (double[]){model, part, piece}, 3);
    }
    if (scene->next_part > 1 && Random_OneIn(&scene->random, 4))
        Detach(scene);
    float placement[16];
    RandomMatrix(scene, placement);
    RpMeshObject_SetPlacement(scene->mesh, placement);
    NoteFloats(scene, "setPlacement", -1, placement, 16);
    if (Random_OneIn(&scene->random, 2)) {
        static const float exact[] = {0.5f, 1, 2, 3};
        const bool uniform = Random_OneIn(&scene->random, 3);
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t whole = Random_Below(&scene->random, 4);
            const float any = 0.5f + (float)Random_Below(&scene->random, 65536) / 65536;
            scene->scale[axis] = uniform && axis ? scene->scale[0]
                                 : scene->exact  ? exact[whole]
                                                 : any;
        }
        RpMeshObject_SetScale(scene->mesh, scene->scale);
        NoteFloats(scene, "setScale", -1, scene->scale, 3);
    }

    RandomFrames(scene, scene->frames);
    RandomPhase(scene, scene->phase);
    UseTimes(scene);

    const int32_t pieces = (int32_t)RpMeshObject_PieceCount(scene->mesh);
    for (int32_t piece = 0; piece < pieces; piece++) {
        const int32_t stage = Random_Between(&scene->random, 0, 2);
        if (Random_OneIn(&scene->random, 3)) {
            RpMeshObject_SetStage(scene->mesh, piece, stage);
            Note(scene, "setStage", (double[]){piece, stage}, 2);
        }
        if (Random_OneIn(&scene->random, 8))
            ChangeFlags(scene, piece, RP_MESH_HIDDEN);
        if (Random_OneIn(&scene->random, 4)) {
            int32_t f[4];
            float phase[2];
            RandomFrames(scene, f);
            RpMeshObject_SetPieceFrames(scene->mesh, piece, f[0], f[1], f[2], f[3]);
            Note(scene, "setPieceFrames", (double[]){piece, f[0], f[1], f[2], f[3]}, 5);
            RandomPhase(scene, phase);
            RpMeshObject_SetPiecePhase(scene->mesh, piece, phase[0], phase[1]);
            NoteFloats(scene, "setPiecePhase", piece, phase, 2);
            ChangeFlags(scene, piece, RP_MESH_OWN_SEGMENT);
        }
        if (!scene->exact && Random_OneIn(&scene->random, 10))
            Tilt(scene, piece);
        if (Random_OneIn(&scene->random, 12)) {
            float matrix[16];
            RandomMatrix(scene, matrix);
            RpMeshObject_ChangeFlags(scene->mesh, piece, RP_MESH_FLYING, true, false);
            Note(scene, "changeFlags", (double[]){piece, RP_MESH_FLYING, 1, 0}, 4);
            RpMeshObject_SetPieceMatrix(scene->mesh, piece, matrix);
            NoteFloats(scene, "setPieceMatrix", piece, matrix, 16);
        }
    }
    RpMeshObject_UpdateBounds(scene->mesh);
    Note(scene, "updateBounds", NULL, 0);
    if (!Random_OneIn(&scene->random, 3)) {
        RandomScene_ChangeTimes(scene);
        RpMeshObject_UpdateBounds(scene->mesh);
        Note(scene, "updateBounds", NULL, 0);
    }
}

RpStatus RandomScene_Make(uint64_t seed, uint64_t index, const RpArithmetic *settings,
                          RandomScene *scene) {
    memset(scene, 0, sizeof *scene);
    scene->random = Random_Start("brute", seed, index);
    scene->exact = Random_OneIn(&scene->random, 3);
    scene->next_part = 1;
    for (int axis = 0; axis < 3; axis++)
        scene->scale[axis] = 1;
    RpBuffer_Init(&scene->text, NULL);

    static const char *const choices[] = {"",
                                          "key-order=wxyz",
                                          "tilt-order=before",
                                          "world-product=parent",
                                          "root-translation=kept",
                                          "key-order=wxyz,root-translation=kept,tilt-order=before"};
    const uint32_t choice = Random_Below(&scene->random, sizeof choices / sizeof *choices);
    scene->settings.build = Random_OneIn(&scene->random, 3) ? RP_BUILD_SSE : RP_BUILD_GENERIC;
    Keep(scene,
         RpReadings_Parse(&scene->settings.readings, RP_READS_RUNTIME, choices[choice], NULL));
    RpBuffer_Print(
        &scene->text,
        "{\"exact\":%s,\"build\":\"%s\",\"readings\":\"%s\",\"operations\":[[\"nothing\"]",
        scene->exact ? "true" : "false", RpBuild_Name(scene->settings.build), choices[choice]);

    if (settings)
        scene->settings = *settings;

    scene->model_count = 1 + Random_Below(&scene->random, RANDOM_SCENE_MODELS);
    for (uint32_t i = 0; i < scene->model_count; i++) {
        const RandomModelSpec spec = {scene->exact, 2 + Random_Below(&scene->random, i ? 4 : 7)};
        RandomModel *model = &scene->models[i];
        Keep(scene, RandomModel_Make(&scene->random, &spec, model));
        if (scene->status == RP_OK)
            Keep(scene, RpModel_FromNRes(model->image.bytes, model->image.size, NULL,
                                         &scene->loaded[i], NULL));
        /* The answers do not depend on whether a model is prepared, which is checked by asking
         * models of both kinds. */
        if (scene->status == RP_OK && i % 2 == 0)
            Keep(scene, RpModel_PrepareQueries(scene->loaded[i], NULL));
    }

    if (scene->status == RP_OK) {
        Keep(scene,
             RpMeshObject_Create(scene->loaded[0], &scene->settings, NULL, &scene->mesh, NULL));
        Note(scene, "create", (double[]){0}, 1);
    }
    if (scene->status == RP_OK)
        Furnish(scene);
    RpBuffer_Print(&scene->text, "]}\n");
    if (scene->text.failed)
        Keep(scene, RP_NO_MEMORY);
    return scene->status;
}

void RandomScene_Free(RandomScene *scene) {
    RpMeshObject_Free(scene->mesh);
    for (uint32_t i = 0; i < scene->model_count; i++) {
        RpModel_Free(scene->loaded[i]);
        RandomModel_Free(&scene->models[i]);
    }
    RpBuffer_Free(&scene->text);
}

/* ---- what to aim at -------------------------------------------------------------------------- */

static void AimAt(RandomScene *scene, int32_t piece, const RandomTriangle *triangle) {
    const float *world = RpMeshObject_Matrix(scene->mesh, piece, RP_MESH_WORLD);
    RandomAim *aim = &scene->aims[scene->aim_count++];
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

void RandomScene_CollectAims(RandomScene *scene) {
    RpMeshPiece piece;
    scene->aim_count = 0;
    for (int32_t i = 0; RpMeshObject_Piece(scene->mesh, i, &piece); i++)
        for (uint32_t m = 0; m < scene->model_count; m++)
            for (uint32_t t = 0;
                 piece.model == scene->loaded[m] && t < scene->models[m].triangle_count; t++) {
                const RandomTriangle *triangle = &scene->models[m].triangles[t];
                if (triangle->node == piece.node && (int32_t)triangle->variant == piece.stage &&
                    scene->aim_count < RANDOM_SCENE_AIMS)
                    AimAt(scene, i, triangle);
            }
}

static const RandomAim *AnyAim(RandomScene *scene) {
    static const RandomAim nothing;
    return scene->aim_count ? &scene->aims[Random_Below(&scene->random, scene->aim_count)]
                            : &nothing;
}

/* Returns a random number from 0 to 1. */
static float RandomPart(RandomScene *scene) {
    const uint32_t parts = scene->exact ? 16 : 1 << 20;
    return (float)Random_Below(&scene->random, parts + 1) / (float)parts;
}

/* Chooses a corner, a point of an edge, a point within the triangle, or one somewhere near. Corners
 * and edges are ties; exact scenes ask about them often, other scenes rarely. */
static void PointOf(RandomScene *scene, const RandomAim *aim, float point[3]) {
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

void RandomScene_Point(RandomScene *scene, float point[3]) {
    PointOf(scene, AnyAim(scene), point);
}

static float PowerOfTwo(RandomScene *scene, int least, int most) {
    return ldexpf(1, Random_Between(&scene->random, least, most));
}

/* ---- questions ------------------------------------------------------------------------------- */

RpMeshFilter RandomScene_Filter(RandomScene *scene) {
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
void RandomScene_Segment(RandomScene *scene, float start[3], float end[3]) {
    float target[3];
    RandomScene_Point(scene, target);
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

/* Chooses a point above or below what it is aimed at, or exactly on it. */
void RandomScene_Stand(RandomScene *scene, float point[3]) {
    RandomScene_Point(scene, point);
    const float height = Random_Coordinate(&scene->random, scene->exact, 4);
    if (!Random_OneIn(&scene->random, scene->exact ? 4 : 32))
        point[2] += height;
}

/* Chooses a sphere whose centre is about as far from a face as its radius. */
float RandomScene_Sphere(RandomScene *scene, float centre[3]) {
    const RandomAim *aim = AnyAim(scene);
    const uint32_t size = Random_Below(&scene->random, 8);
    const float radius = scene->exact ? (float)(1u << size % 3) : 0.25f + (float)size / 3;
    const float part = (float)(Random_Below(&scene->random, 8) + 1) / 8;
    PointOf(scene, aim, centre);
    for (int axis = 0; axis < 3; axis++)
        centre[axis] += aim->normal[axis] * radius * part;
    return radius;
}
