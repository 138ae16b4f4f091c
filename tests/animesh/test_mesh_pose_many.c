/* Tests that an object whose pieces are posed in lanes has the bits of one whose pieces are posed
 * one after the other, for every width of vectors that the processor has: matrices, caches and
 * counters are compared. In the generic build, one after the other means by the x87, whose bits
 * come from an MXCSR that rounds toward zero: the core refuses under it, and the x87 does not obey
 * it. The SSE build obeys MXCSR. */
#include "core/random.h"
#include "mesh_pose_fixture.h"
#include "tests/ngi32/floats.h"

#include <math.h>
#include <string.h>

enum { STANDARD = 0x1F80, TOWARD_ZERO = 0x7F80, FLUSHED = 0x9FC0 /* FTZ and DAZ */ };

typedef struct Scene {
    TestModel root, part;
    TestMesh test;
} Scene;

/* ---- inputs ---------------------------------------------------------------------------------- */

static bool Once(uint64_t *seed, uint32_t in) {
    return Random_SplitMixBelow(seed, in) == 0;
}

static void PutSpecial(uint64_t *seed, float *to) {
    Float_Put(to, special_bits[Random_SplitMixBelow(seed, SPECIAL_COUNT)]);
}

static void Damage(TestModel *model, uint64_t *seed) {
    uint8_t *node =
        model->res1 + (size_t)Random_SplitMixBelow(seed, model->node_count) * NODE_BYTES;
    uint8_t *key = model->res8 + (size_t)Random_SplitMixBelow(seed, model->key_count) * KEY_BYTES;
    const uint16_t word = (uint16_t)Random_SplitMix(seed);
    const uint32_t special = special_bits[Random_SplitMixBelow(seed, SPECIAL_COUNT)];
    switch (Random_SplitMixBelow(seed, 5)) {
    case 0:
        memcpy(node + NODE_AT_map_start, &word, sizeof word);
        break;
    case 1:
        memcpy(node + NODE_AT_fallback, &word, sizeof word);
        break;
    case 2: /* a rotation of any length */
        memcpy(key + KEY_AT_rotation, seed, 8);
        break;
    default:
        memcpy(key + 4 * Random_SplitMixBelow(seed, 4), &special, sizeof special);
    }
}

/* Puts numbers of every class, and pieces in states that no object of ours has. */
static void MakeStrange(Scene *scene, uint64_t *seed) {
    Mesh *mesh = &scene->test.mesh;
    Piece *piece = &scene->test.pieces[Random_SplitMixBelow(seed, mesh->piece_count)];
    switch (Random_SplitMixBelow(seed, 12)) {
    case 0:
        PutSpecial(seed, &mesh->phase);
        break;
    case 1:
        PutSpecial(seed, &mesh->weight);
        break;
    case 2:
        PutSpecial(seed, Once(seed, 2) ? &piece->phase : &piece->weight);
        break;
    case 3:
        PutSpecial(seed, &mesh->placement[Random_SplitMixBelow(seed, 16)]);
        break;
    case 4:
        mesh->scaled = 1;
        PutSpecial(seed, &mesh->scale[Random_SplitMixBelow(seed, 3)]);
        break;
    case 5: /* a flying piece is the parent of others as it is */
        piece->flying = 1;
        PutSpecial(seed, &piece->model[Random_SplitMixBelow(seed, 16)]);
        break;
    case 6: /* and so are the matrices in the cache */
        piece->cache_valid = 1;
        PutSpecial(seed, Once(seed, 2) ? &piece->cached_a
                                       : &piece->local[Random_SplitMixBelow(seed, 16)]);
        break;
    case 7:
        PutSpecial(seed, &piece->tilt[Random_SplitMixBelow(seed, 4)]);
        break;
    case 8:
        piece->node = Once(seed, 2) ? (uint32_t)Random_SplitMix(seed) : piece->node + 30;
        break;
    case 9:
        piece->reader = NULL;
        break;
    case 10: /* its parent may be any piece, none, or the piece itself */
        piece->parent = (int32_t)Random_SplitMixBelow(seed, mesh->piece_count + 4);
        break;
    default:
        Damage(Once(seed, 2) ? &scene->root : &scene->part, seed);
    }
}

/* Adds as many pieces as fit into one run, or more. */
static void AddPieces(Scene *scene, uint64_t *seed) {
    TestMesh *test = &scene->test;
    const uint32_t count = Random_SplitMixBelow(seed, MESH_PIECES + 1);
    while (test->mesh.piece_count < count) {
        TestModel *model = Once(seed, 8) ? &scene->part : &scene->root;
        TestMesh_Add(test, model, Random_SplitMixBelow(seed, model->node_count),
                     (int32_t)Random_SplitMixBelow(seed, test->mesh.piece_count));
    }
}

static void MakeScene(Scene *scene, uint64_t *seed) {
    TestModel_MakeRandom(&scene->root, seed);
    TestModel_MakeRandom(&scene->part, seed);
    TestMesh_MakeRandom(&scene->test, seed, &scene->root, &scene->part);
    if (Once(seed, 4))
        AddPieces(scene, seed);
}

/* ---- both ways ------------------------------------------------------------------------------- */

static void PoseUnder(TestMesh *test, const ExactWidth *width, uint32_t mxcsr) {
    const Rounding before = Rounding_Get();
    Rounding_Set((Rounding){GAME_WORD, mxcsr});
    test->context.width = width;
    Mesh_Pose(&test->context, &test->mesh);
    assert_int_equal(Rounding_Get().mxcsr & ~0x3Fu, mxcsr);
    Rounding_Set(before);
}

/* Poses the object in all widths and leaves it posed one by one. */
static void ComparePoses(TestMesh *test, uint32_t mxcsr) {
    static TestMesh before, found;
    TestMesh_Copy(test, &before);
    PoseUnder(test, NULL, test->arithmetic.build == RP_BUILD_SSE ? mxcsr : TOWARD_ZERO);
    for (const ExactWidth *const *width = Exact_Widths(); *width; width++) {
        TestMesh_Copy(&before, &found);
        PoseUnder(&found, *width, mxcsr);
        for (uint32_t i = 0; i < test->mesh.piece_count; i++) {
            const Piece *piece = &test->pieces[i];
            AssertSameBits(found.pieces[i].local, piece->local, 16);
            AssertSameBits(found.pieces[i].model, piece->model, 16);
            AssertSameBits(found.pieces[i].world, piece->world, 16);
        }
        assert_memory_equal(found.pieces, test->pieces, sizeof test->pieces);
        assert_int_equal(found.counters.out_of_bounds, test->counters.out_of_bounds);
        assert_int_equal(found.counters.undefined, test->counters.undefined);
    }
}

static void CompareScenes(const RpArithmetic *arithmetic, uint64_t seed, int scenes, uint32_t mxcsr,
                          bool strange) {
    static Scene scene;
    for (int i = 0; i < scenes; i++) {
        MakeScene(&scene, &seed);
        scene.test.arithmetic = *arithmetic;
        for (int walk = 0; walk < 3; walk++) {
            for (uint32_t k = strange ? 1 + Random_SplitMixBelow(&seed, 3) : 0; k > 0; k--)
                MakeStrange(&scene, &seed);
            ComparePoses(&scene.test, mxcsr);
            if (Once(&seed, 2))
                TestMesh_Disturb(&scene.test, &seed);
        }
    }
}

static RpArithmetic Build(RpBuild build, const char *words) {
    RpArithmetic arithmetic = {.build = build, .control_word = RP_THREADS_CONTROL_WORD};
    assert_int_equal(RpReadings_Parse(&arithmetic.readings, RP_READS_RUNTIME, words, NULL), RP_OK);
    return arithmetic;
}

/* ---- tests ----------------------------------------------------------------------------------- */

TEST(ObjectsInLanesHaveTheSameBits) {
    for (int build = 0; build < RP_BUILD_COUNT; build++) {
        const RpArithmetic arithmetic = Build((RpBuild)build, "");
        const uint64_t seed = 10 * (uint64_t)build;
        CompareScenes(&arithmetic, seed, 400, STANDARD, false);
        CompareScenes(&arithmetic, seed + 1, 1500, STANDARD, true);
        CompareScenes(&arithmetic, seed + 2, 400, FLUSHED, true);
    }
}

TEST(EveryReadingHasTheSameBits) {
    static const char *const readings[] = {"frame-lerp=weights",   "pose-cache=weight-clears",
                                           "pose-cache=never",     "root-translation=kept",
                                           "world-product=parent", "tilt-order=before",
                                           "dot4=reverse",         "dot4-sse=pairs",
                                           "key-order=wxyz",       "key-scale=divide",
                                           "key-lerp=weights",     "key-alpha=reciprocal",
                                           "key-alpha-bits=kept",  "nan-equal=c3",
                                           "blend-lerp=delta",     "flip-sum=pairs",
                                           "slerp-acos=half",      "slerp-weights=stored",
                                           "quat-diagonal=chain",  "quat-diagonal-sse=reverse",
                                           "matrix-sum=pairs",     "matrix-sum-sse=reverse",
                                           "sse-slots=published"};
    for (size_t r = 0; r < sizeof readings / sizeof *readings; r++)
        for (int b = 0; b < 2; b++) {
            const RpArithmetic arithmetic = Build(b ? RP_BUILD_SSE : RP_BUILD_GENERIC, readings[r]);
            CompareScenes(&arithmetic, 100 + r, 25, STANDARD, r % 2);
        }
}

/* A model of unknown size is read in every place in which the original would read. */
TEST(ModelsWithoutSizesHaveTheSameBits) {
    static Scene scene;
    uint64_t seed = 5;
    for (int i = 0; i < 50; i++) {
        MakeScene(&scene, &seed);
        scene.root.model.bounded = false;
        scene.test.arithmetic = Build(i % 2 ? RP_BUILD_SSE : RP_BUILD_GENERIC, "");
        ComparePoses(&scene.test, STANDARD);
    }
}

/* Under an MXCSR that flushes, an exact result of the last step that is not a normal number becomes
 * 0. The placement moves by -2^-126 what the root's scale has moved by 1.5 * 2^-126. */
TEST(ExactDenormalsAreFlushed) {
    static Scene scene;
    static const uint32_t modes[2] = {STANDARD, FLUSHED};
    const ModelKey key = {0, {0, 0, 0}, {0, 0, 0, 32767}};
    for (int m = 0; m < 2; m++) {
        TestModel_Begin(&scene.root);
        TestModel_AddNode(&scene.root, &key, 1, 0);
        TestModel_AddNode(&scene.root, &key, 1, 0);
        TestModel_Finish(&scene.root);
        Float_Put((float *)(void *)(scene.root.res8 + KEY_BYTES), 0x00C00000);
        TestMesh_Begin(&scene.test);
        TestMesh_Add(&scene.test, &scene.root, 0, -1);
        TestMesh_Add(&scene.test, &scene.root, 1, 0);
        Float_Put(&scene.test.mesh.placement[3], 0x80800000);
        scene.test.arithmetic = Build(RP_BUILD_SSE, "");
        ComparePoses(&scene.test, modes[m]);
        assert_int_equal(Float_Bits(&scene.test.pieces[1].world[3]), m ? 0 : 0x00400000);
    }
}
