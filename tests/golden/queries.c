#include "draw.h"
#include "retropose/fastproc.h"
#include "sections.h"
#include "tests/animesh/mesh_fixture.h"

enum { MODELS = 50, TRIANGLES = 40, QUESTIONS = 30, FACES = 64 };

static void DrawPoint(uint64_t *seed, float reach, float point[3]) {
    for (int i = 0; i < 3; i++) {
        DrawUnit(seed, &point[i]);
        point[i] *= reach;
    }
}

static void DrawShape(uint64_t *seed, Shape *shape) {
    Shape_Begin(shape);
    const uint32_t slot = Shape_AddSlot(shape, Shape_AddNode(shape, 0), 0, 0);
    Shape_SetSphere(shape, slot, 0, 0, 0, 12);
    for (int i = 0; i < TRIANGLES; i++) {
        float corners[9], normal[3];
        if (i % 10 == 0)
            Shape_AddBatch(shape, DrawBelow(seed, 2) ? 0 : 1);
        DrawPoint(seed, 6, corners);
        DrawPoint(seed, 6, corners + 3);
        DrawPoint(seed, 6, corners + 6);
        DrawPoint(seed, 1, normal);
        Shape_AddTriangle(shape, corners, normal, 0);
    }
}

typedef struct QueryDigests {
    Digest segment, face, push, inside;
} QueryDigests;

static void AddHit(Digest *digest, bool found, const MeshHit *hit) {
    const uint32_t words[3] = {found, found ? (uint32_t)hit->node : 0, found ? hit->triangle : 0};
    Digest_Add(digest, words, sizeof words);
    digest->calls++;
    if (found) {
        Digest_Add(digest, hit->point, sizeof hit->point);
        Digest_Add(digest, &hit->distance, sizeof hit->distance);
    }
}

static void Ask(QueryDigests *digests, const Scene *scene, uint64_t *seed) {
    static struct PushOutFace faces[FACES];
    const PushOutFaces room = {faces, FACES};
    const PushOutFilters all = {NULL, NULL};
    float segment[6], push[3];
    MeshHit hit;
    DrawPoint(seed, 10, segment);
    DrawPoint(seed, 10, segment + 3);
    AddHit(&digests->segment, Mesh_Segment(&scene->context, &scene->mesh, segment, NULL, &hit),
           &hit);
    AddHit(&digests->face, Mesh_WalkFace(&scene->context, &scene->mesh, segment, NULL, &hit), &hit);
    AddHit(
        &digests->face,
        Mesh_WalkFaceWithMargin(&scene->context, &scene->mesh, segment + 3, 0.5f, WALK_BELOW, &hit),
        &hit);
    Mesh_PushOut(&scene->context, &scene->mesh, segment, 1.75f, &all, &room, push, NULL);
    AddNumbers(&digests->push, push, 3);
    const uint32_t inside = Mesh_IsInside(&scene->context, &scene->mesh, -1, segment, NULL);
    Digest_Add(&digests->inside, &inside, sizeof inside);
    digests->inside.calls++;
}

static void PrintBuild(const char *section, RpBuild build) {
    static Shape shape;
    static Scene scene;
    const char *name = RpBuild_Name(build);
    const Digest none = {0, HASH_FNV64_BEGIN};
    QueryDigests digests = {none, none, none, none};
    uint64_t seed = 3;
    for (int i = 0; i < MODELS; i++) {
        DrawShape(&seed, &shape);
        Scene_Begin(&scene);
        scene.arithmetic = (RpArithmetic){.build = build, .estimates = RP_ESTIMATES_INTEL};
        Scene_Add(&scene, &shape, 0, -1);
        Scene_Add(&scene, &shape, 0, 0);
        Scene_Turn(&scene, 1, 3, -2, 1);
        if (DrawBelow(&seed, 2))
            Scene_SetScale(&scene, 1.5f, 0.75f, 1.25f);
        for (int k = 0; k < QUESTIONS; k++)
            Ask(&digests, &scene, &seed);
    }
    Digest_Print(section, name, "segment", "exact", &digests.segment);
    Digest_Print(section, name, "walk-face", "exact", &digests.face);
    Digest_Print(section, name, "push-out", "exact", &digests.push);
    Digest_Print(section, name, "inside", "exact", &digests.inside);
}

void Queries_Print(const char *section) {
    PrintBuild(section, RP_BUILD_GENERIC);
    PrintBuild(section, RP_BUILD_SSE);
}
