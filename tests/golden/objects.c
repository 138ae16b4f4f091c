#include "digest.h"
#include "sections.h"

#include "core/random.h"
#include "exports/reading_table.h"
#include "tests/animesh/mesh_pose_fixture.h"

typedef struct Digests {
    Digest bounds_of_nodes, pose, tilt, stride, bounds;
} Digests;

static void AddNumbers(Digest *digest, const float *numbers, int count) {
    Digest_Add(digest, numbers, (size_t)count * sizeof *numbers);
}

/* The matrices of these objects are random instead of posed. */
static void AddBoundsOfNodes(Digest *digest, TestMesh *test, uint64_t *seed) {
    for (uint32_t node = 0; node < test->mesh.piece_count; node++) {
        const JointRequest request = {.required = Random_SplitMixBelow(seed, 2),
                                      .single = Random_SplitMixBelow(seed, 2)};
        const uint32_t mode = Random_SplitMixBelow(seed, 3);
        float corners[24], sphere[4], capsule[7];
        Mesh_Box(&test->context, &test->mesh, (int32_t)node, mode, &request, corners);
        Mesh_Sphere(&test->context, &test->mesh, (int32_t)node, mode, &request, sphere);
        Mesh_NodeCapsule(&test->context, &test->mesh, (int32_t)node, mode, &request, capsule);
        AddNumbers(digest, corners, 24);
        AddNumbers(digest, sphere, 4);
        AddNumbers(digest, capsule, 7);
        digest->calls += 3;
    }
}

static void AddPose(Digest *digest, TestMesh *test) {
    Mesh_Pose(&test->context, &test->mesh);
    for (uint32_t i = 0; i < test->mesh.piece_count; i++) {
        const Piece *piece = &test->pieces[i];
        AddNumbers(digest, piece->world, 16);
        AddNumbers(digest, piece->model, 16);
        AddNumbers(digest, piece->local, 16);
        AddNumbers(digest, &piece->cached_a, 1);
        AddNumbers(digest, &piece->cached_b, 1);
    }
    digest->calls++;
}

static void AddTilt(Digest *digest, TestMesh *test, uint64_t *seed) {
    float from[3], to[3];
    for (int i = 0; i < 3; i++) {
        from[i] = Draw_Number(seed, 1);
        to[i] = Draw_Number(seed, 1);
    }
    Mesh_TiltNode(&test->context, &test->mesh, 1, from, to);
    AddNumbers(digest, test->pieces[1].tilt, 4);
    digest->calls++;
}

static void AddStride(Digest *digest, const TestMesh *test) {
    float translation[3];
    Mesh_RootTranslation(&test->context, &test->mesh, translation);
    AddNumbers(digest, translation, 3);
    digest->calls++;
}

static void AddBounds(Digest *digest, TestMesh *test, uint64_t *seed) {
    const float scale[3] = {1.5f, 0.75f, 1.0f + (float)Random_SplitMixBelow(seed, 9) * 0.125f};
    Mesh_UpdateBounds(&test->context, &test->mesh);
    Mesh_SetScale(&test->context, &test->mesh, scale);
    const Mesh *mesh = &test->mesh;
    AddNumbers(digest, mesh->box, 24);
    AddNumbers(digest, mesh->agent_centre, 3);
    AddNumbers(digest, &mesh->agent_radius, 1);
    AddNumbers(digest, mesh->node_centre, 3);
    AddNumbers(digest, &mesh->node_radius, 1);
    AddNumbers(digest, mesh->capsule, 7);
    digest->calls += 2;
}

static void Choose(TestMesh *test, uint64_t *seed) {
    TestMesh_Choose(test, READING_FRAME_LERP, (int)Random_SplitMixBelow(seed, 2));
    TestMesh_Choose(test, READING_POSE_CACHE, (int)Random_SplitMixBelow(seed, 3));
    TestMesh_Choose(test, READING_ROOT_TRANSLATION, (int)Random_SplitMixBelow(seed, 2));
    TestMesh_Choose(test, READING_WORLD_PRODUCT, (int)Random_SplitMixBelow(seed, 2));
    TestMesh_Choose(test, READING_TILT_ORDER, (int)Random_SplitMixBelow(seed, 2));
}

static void AddObject(Digests *digests, RpBuild build, uint64_t *seed) {
    static TestModel root, part;
    static TestMesh test;
    TestModel_MakeRandom(&root, seed);
    TestModel_MakeRandom(&part, seed);
    TestMesh_MakeRandom(&test, seed, &root, &part);
    test.arithmetic.build = build;
    for (int i = 0; i < 24; i++)
        test.mesh.box[i] = Draw_Number(seed, 20);
    for (int i = 0; i < 3; i++)
        test.mesh.agent_centre[i] = test.mesh.node_centre[i] = Draw_Number(seed, 20);
    test.mesh.agent_radius = test.mesh.node_radius = 7.25f;
    Choose(&test, seed);
    const uint16_t word = ControlWord_Set(GAME_WORD);
    AddBoundsOfNodes(&digests->bounds_of_nodes, &test, seed);
    AddPose(&digests->pose, &test);
    /* The library must compute under the game's control word on 32 bits, too. */
    ControlWord_Set(word);
    TestMesh_Disturb(&test, seed);
    ControlWord_Set(GAME_WORD);
    AddTilt(&digests->tilt, &test, seed);
    AddPose(&digests->pose, &test);
    AddStride(&digests->stride, &test);
    AddBounds(&digests->bounds, &test, seed);
    ControlWord_Set(word);
}

static void PrintBuild(const char *section, RpBuild build, int objects) {
    const char *name = RpBuild_Name(build);
    const Digest none = {0, HASH_FNV64_BEGIN};
    Digests digests = {none, none, none, none, none};
    uint64_t seed = 1;
    for (int i = 0; i < objects; i++)
        AddObject(&digests, build, &seed);
    Digest_Print(section, name, "nodes", "exact", &digests.bounds_of_nodes);
    Digest_Print(section, name, "pose", "exact", &digests.pose);
    Digest_Print(section, name, "tilt", "exact", &digests.tilt);
    Digest_Print(section, name, "stride", "exact", &digests.stride);
    Digest_Print(section, name, "bounds", "exact", &digests.bounds);
}

void Objects_Print(const char *section, int objects) {
    PrintBuild(section, RP_BUILD_GENERIC, objects);
    PrintBuild(section, RP_BUILD_SSE, objects);
}
