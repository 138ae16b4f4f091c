/* Measures poses and queries of mesh objects: the library's x87 build (the straightforward one,
 * which gives the game's bits on every processor) and its SSE build, beside a plain C++
 * implementation with glm (bench/mesh_glm.cpp; without glm its columns are empty).
 *
 * `number` is the number of objects, of an object's pieces, or of triangles. The bytes of a model
 * include the faces that are prepared for queries. */
#include "cli/bench/measure/benches.h"
#include "cli/bench/measure/counted_memory.h"
#include "cli/bench/measure/timing.h"
#include "core/random.h"
#include "retropose/corpus.h"
#include "retropose/mesh_object.h"
#include "retropose/msh_make.h"

#ifdef BENCH_WITH_GLM
#include "bench/mesh_glm.h"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPETITIONS = 11, QUESTIONS = 256, PUSH_ROOM = 256, MOST_OBJECTS = 1000 };
enum { GENERIC, SSE, GLM, BUILDS };

static const RpBuild builds[] = {RP_BUILD_GENERIC, RP_BUILD_SSE};
static volatile float sink; /* keeps the compiler from removing the results */

typedef struct Subject {
    RpBuffer image;
    RpNRes archive;
    RpMsh msh;
    RpModel *model;
    uint32_t object_count;
    RpMeshObject *objects[2][MOST_OBJECTS]; /* for each of the two builds */
#ifdef BENCH_WITH_GLM
    GlmModel *glm;
    GlmObject *glm_objects[MOST_OBJECTS];
#endif
    float questions[QUESTIONS][7]; /* two points, or a point in 0 to 2 and a radius in 6 */
} Subject;

static void Require(bool holds, const char *what, const RpError *error) {
    if (holds)
        return;
    fprintf(stderr, "bench_mesh: %s: %s %s\n", what, error ? error->where : "",
            error ? error->what : "");
    exit(1);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static uint64_t seed = 1;

/* Returns a random number from 0 to 1. */
static float Draw(void) {
    return (float)(Random_Lcg64(&seed) >> 40) * 0x1p-24f;
}

/* ---- subjects -------------------------------------------------------------------------------- */

static void Open(Subject *subject, RpNResArchive *members) {
    RpError error = {0};
    RpBuffer_Init(&subject->image, NULL);
    Require(!RpNResArchive_Write(members, RP_NRES_CANONICAL, &subject->image, &error), "write",
            &error);
    RpNResArchive_Free(members);
    Require(!RpNRes_Open(subject->image.bytes, subject->image.size, RP_STRICT, &subject->archive,
                         &error),
            "archive", &error);
    Require(!RpMsh_Open(RpNRes_Entries(&subject->archive), RP_STRICT, &subject->msh, &error),
            "model", &error);
    Require(
        !RpModel_FromNRes(subject->image.bytes, subject->image.size, NULL, &subject->model, &error),
        "mesh model", &error);
    Require(!RpModel_PrepareQueries(subject->model, &error), "prepare", &error);
#ifdef BENCH_WITH_GLM
    subject->glm = Glm_Load(&subject->msh);
#endif
}

static void MakeObjects(Subject *subject, uint32_t count) {
    RpError error = {0};
    for (int build = GENERIC; build <= SSE; build++) {
        const RpArithmetic settings = {.build = builds[build]};
        for (uint32_t i = 0; i < count; i++)
            Require(!RpMeshObject_Create(subject->model, &settings, NULL,
                                         &subject->objects[build][i], &error),
                    "object", &error);
    }
#ifdef BENCH_WITH_GLM
    for (uint32_t i = 0; i < count; i++) {
        subject->glm_objects[i] = Glm_NewObject(subject->glm);
        Glm_Pose(subject->glm_objects[i], 0);
    }
#endif
    subject->object_count = count;
}

static void Close(Subject *subject) {
    for (uint32_t i = 0; i < subject->object_count; i++) {
        RpMeshObject_Free(subject->objects[GENERIC][i]);
        RpMeshObject_Free(subject->objects[SSE][i]);
#ifdef BENCH_WITH_GLM
        Glm_FreeObject(subject->glm_objects[i]);
#endif
    }
#ifdef BENCH_WITH_GLM
    Glm_FreeModel(subject->glm);
#endif
    RpModel_Free(subject->model);
    RpBuffer_Free(&subject->image);
}

static void OpenBenchmarkModel(Subject *subject) {
    RpCorpus *corpus;
    RpNResArchive members;
    RpError error = {0};
    RpNResArchive_Init(&members, NULL);
    Require(!RpCorpus_New(NULL, NULL, &corpus, &error), "corpus", &error);
    Require(!RpCorpus_Model(corpus, RpCorpus_Benchmark(), &members, &error), "corpus", &error);
    Open(subject, &members);
    RpCorpus_Free(corpus);
}

/* Makes rough ground of `side` by `side` squares of length 1. */
static void OpenGround(Subject *subject, uint32_t side) {
    const uint32_t across = side + 1, vertices = across * across;
    float(*positions)[3] = calloc(vertices, sizeof *positions);
    int8_t(*normals)[4] = calloc(vertices, sizeof *normals);
    uint16_t(*uv)[2] = calloc(vertices, sizeof *uv);
    uint16_t *indices = calloc((size_t)side * side * 6, sizeof *indices), *next = indices;
    Require(positions && normals && uv && indices, "no memory", NULL);
    for (uint32_t i = 0; i < vertices; i++) {
        positions[i][0] = (float)(i % across);
        positions[i][1] = (float)(i - i % across) / (float)across;
        positions[i][2] = Draw();
    }
    for (uint32_t i = 0; i < side * side; i++) {
        const uint32_t a = i / side * across + i % side;
        const uint32_t corners[6] = {a, a + 1, a + across, a + 1, a + across + 1, a + across};
        for (int k = 0; k < 6; k++)
            *next++ = (uint16_t)corners[k];
    }
    const RpMshBatchDescription batch = {.portal = RP_MSH_NONE,
                                         .lightmap = 0xFF,
                                         .indices = indices,
                                         .index_count = side * side * 6};
    const RpMshSlotDescription slot = {.batch_count = 1};
    const RpMshKey key = {.rotation = {0, 0, 0, 32767}};
    RpMshNodeDescription node = {
        .name = "ground", .parent = RP_MSH_NONE, .keys = &key, .key_count = 1};
    memset(node.slots, 0xFF, sizeof node.slots);
    node.slots[0] = 0;
    const RpMshDescription model = {.name = "ground.msh",
                                    .nodes = &node,
                                    .node_count = 1,
                                    .slots = &slot,
                                    .slot_count = 1,
                                    .batches = &batch,
                                    .batch_count = 1,
                                    .vertex_count = vertices,
                                    .positions = (const float(*)[3])positions,
                                    .normals = (const int8_t(*)[4])normals,
                                    .uv0 = (const uint16_t(*)[2])uv};
    RpNResArchive members;
    RpError error = {0};
    RpNResArchive_Init(&members, NULL);
    Require(!RpMsh_Make(&model, &members, &error), "ground", &error);
    Open(subject, &members);
    free(positions);
    free(normals);
    free(uv);
    free(indices);
}

/* ---- operations: nanoseconds of one ---------------------------------------------------------- */

typedef double Measure(Subject *subject, int build, uint32_t count);

/* Poses at a new time in each round, so that nothing is cached. */
static double Pose(Subject *subject, int build, uint32_t rounds) {
    const int32_t last = (int32_t)RpModel_FrameCount(subject->model) - 1;
    const int64_t start = Bench_ProcessNanoseconds();
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t i = 0; i < subject->object_count; i++) {
            const float phase = (float)(round * 7919u % 1000u + 1) / 1002.0f;
            if (build != GLM) {
                RpMeshObject *object = subject->objects[build][i];
                RpMeshObject_SetFrames(object, 0, last, -1, -1);
                RpMeshObject_SetPhase(object, phase, 0);
                RpMeshObject_Pose(object);
            }
#ifdef BENCH_WITH_GLM
            if (build == GLM)
                Glm_Pose(subject->glm_objects[i], phase * (float)last);
#endif
        }
    return (double)(Bench_ProcessNanoseconds() - start) / rounds / subject->object_count;
}

/* Asks one question. Returns 1 for a hit. */
typedef uint32_t Ask(const Subject *subject, int build, const float question[7]);

static uint32_t AskSegment(const Subject *subject, int build, const float question[7]) {
#ifdef BENCH_WITH_GLM
    float distance;
    if (build == GLM)
        return Glm_Segment(subject->glm_objects[0], question, question + 3, &distance);
#endif
    RpMeshHit hit;
    return RpMeshObject_Segment(subject->objects[build][0], -1, question, question + 3, NULL, &hit);
}

static uint32_t AskPushOut(const Subject *subject, int build, const float question[7]) {
    static void *room;
    float push[3] = {0, 0, 0};
    uint32_t hit;
    if (!room)
        room = malloc(RpMeshObject_PushOutRoom(PUSH_ROOM));
    Require(room != NULL, "no memory", NULL);
#ifdef BENCH_WITH_GLM
    if (build == GLM)
        hit = Glm_PushOut(subject->glm_objects[0], question, question[6], push);
    else
#endif
        hit = RpMeshObject_PushOut(subject->objects[build][0], question, question[6], NULL, room,
                                   PUSH_ROOM, push, NULL);
    sink = push[0];
    return hit;
}

static uint32_t AskFace(const Subject *subject, int build, const float question[7]) {
#ifdef BENCH_WITH_GLM
    float height;
    if (build == GLM)
        return Glm_WalkFace(subject->glm_objects[0], question, &height);
#endif
    RpMeshHit hit;
    return RpMeshObject_WalkFace(subject->objects[build][0], question, NULL, &hit);
}

static uint32_t AskInside(const Subject *subject, int build, const float question[7]) {
#ifdef BENCH_WITH_GLM
    if (build == GLM)
        return Glm_IsInside(subject->glm_objects[0], question);
#endif
    return RpMeshObject_IsInside(subject->objects[build][0], -1, question, NULL);
}

static uint32_t hits[BUILDS]; /* hits of the last measurement */

static inline double Questions(Subject *subject, int build, uint32_t rounds, Ask *ask) {
    const int64_t start = Bench_ProcessNanoseconds();
    hits[build] = 0;
    for (uint32_t i = 0; i < rounds; i++)
        hits[build] += ask(subject, build, subject->questions[i % QUESTIONS]);
    return (double)(Bench_ProcessNanoseconds() - start) / rounds;
}

static double Segments(Subject *subject, int build, uint32_t rounds) {
    return Questions(subject, build, rounds, AskSegment);
}

static double PushOuts(Subject *subject, int build, uint32_t rounds) {
    return Questions(subject, build, rounds, AskPushOut);
}

/* Looks for the face under a point. */
static double Faces(Subject *subject, int build, uint32_t rounds) {
    return Questions(subject, build, rounds, AskFace);
}

static double Insides(Subject *subject, int build, uint32_t rounds) {
    return Questions(subject, build, rounds, AskInside);
}

/* Measures the box of each piece in the world, alone or with what is below it. */
static double BoxesOf(Subject *subject, int build, uint32_t rounds, bool subtree) {
    const RpMeshObject *object = subject->objects[GENERIC][0];
    const uint32_t pieces = RpMeshObject_PieceCount(object);
    const int64_t start = Bench_ProcessNanoseconds();
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t piece = 1; piece < pieces; piece++) {
            float corners[8][3] = {{0}};
            if (build != GLM)
                RpMeshObject_Box(subject->objects[build][0], (int32_t)piece, RP_MESH_WORLD, subtree,
                                 corners);
#ifdef BENCH_WITH_GLM
            if (build == GLM)
                Glm_Box(subject->glm_objects[0], piece, subtree, corners);
#endif
            sink = corners[0][0];
        }
    return (double)(Bench_ProcessNanoseconds() - start) / rounds / (pieces - 1);
}

static double Boxes(Subject *subject, int build, uint32_t rounds) {
    return BoxesOf(subject, build, rounds, false);
}

static double SubtreeBoxes(Subject *subject, int build, uint32_t rounds) {
    return BoxesOf(subject, build, rounds, true);
}

/* ---- printing -------------------------------------------------------------------------------- */

static bool WithGlm(void) {
#ifdef BENCH_WITH_GLM
    return true;
#else
    return false;
#endif
}

static BenchTable *table; /* table of the present run */

/* Measures all builds in turn, so that a change of the machine's speed meets all of them. Returns
 * whether it was wanted. */
static bool Print(const char *operation, uint32_t number, Subject *subject, Measure *measure,
                  uint32_t rounds) {
    static const char *const names[BUILDS] = {"generic", "sse", "glm"};
    static double times[BUILDS][REPETITIONS];
    if (!BenchTable_Wants(table, operation, number))
        return false;
    const int count = WithGlm() ? BUILDS : GLM, runs = BenchTable_Runs(table, REPETITIONS);
    BenchWay ways[BUILDS];
    for (int r = -1; r < runs; r++) /* the first round is for warming up */
        for (int build = GENERIC; build < count; build++) {
            const double time = measure(subject, build, rounds);
            if (r >= 0)
                times[build][r] = time;
        }
    for (int build = GENERIC; build < count; build++)
        ways[build] = (BenchWay){names[build], times[build], runs};
    BenchTable_Ways(table, operation, number, ways, count);
    return true;
}

/* The builds must give the same answers, except for a few at an edge. */
static void RequireSameHits(const char *what, uint32_t asked) {
    for (int build = SSE; build < (WithGlm() ? BUILDS : GLM); build++)
        Require(labs((long)hits[build] - (long)hits[GENERIC]) <= (long)(asked / 50) &&
                    hits[GENERIC] > asked / 10,
                what, NULL);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Prints how many bytes a model with prepared faces takes, without its image, in all and for each
 * triangle. */
static void PrintModelMemory(const Subject *of) {
    const size_t bytes = RpModel_Bytes(of->model);
    const uint32_t triangles = RpMsh_Count(&of->msh, RP_MSH_TRIANGLES);
    BenchTable_Amount(table, "memory of a prepared model", triangles, "ours", "bytes",
                      (double)bytes);
    BenchTable_Amount(table, "memory of a triangle", triangles, "ours", "bytes",
                      (double)bytes / triangles);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static Subject subject;

/* Uses segments from above the ground to below it, some of them beside it, and spheres on it. */
static void MeasureQueries(uint32_t side) {
    const uint32_t triangles = 2 * side * side;
    memset(&subject, 0, sizeof subject);
    OpenGround(&subject, side);
    MakeObjects(&subject, 1);
    for (int i = 0; i < QUESTIONS; i++)
        for (int axis = 0; axis < 3; axis++) {
            subject.questions[i][axis] = axis == 2 ? 3 : Draw() * (float)side;
            subject.questions[i][3 + axis] = axis == 2 ? -2 : Draw() * (float)side * 1.3f;
        }
    const uint32_t rounds = QUESTIONS * (triangles < 2000 ? 8 : 1);
    if (Print("segment", triangles, &subject, Segments, rounds))
        RequireSameHits("segments hit differently", rounds);
    for (int i = 0; i < QUESTIONS; i++) {
        subject.questions[i][2] = 0.5f + Draw();
        subject.questions[i][6] = 0.8f;
    }
    if (Print("push-out", triangles, &subject, PushOuts, rounds))
        RequireSameHits("push-outs differ", rounds);
    if (Print("walk-face", triangles, &subject, Faces, rounds))
        RequireSameHits("faces differ", rounds);
    for (int i = 0; i < QUESTIONS; i++)
        subject.questions[i][2] = Draw();
    if (Print("inside", triangles, &subject, Insides, rounds))
        RequireSameHits("insides differ", rounds);
    PrintModelMemory(&subject);
    Close(&subject);
}

/* Returns whether any of these operations is wanted. If not, the thousand objects or the large
 * ground for them need not be made, which takes long. */
static bool WantsAny(const char *const *operations, size_t count, uint64_t number) {
    for (size_t i = 0; i < count; i++)
        if (BenchTable_Wants(table, operations[i], number))
            return true;
    return false;
}

static bool Run(BenchTable *of, long number, bool given) {
    static const char *const poses[] = {"pose 38 nodes", "box of a piece", "box of a subtree"};
    static const char *const queries[] = {"segment", "push-out", "walk-face", "inside"};
    static const uint32_t sides[] = {7, 22, 71}; /* these give 98, 968 and 10 082 triangles */
    (void)number;
    (void)given;
    table = of;
    seed = 1;
    if (WantsAny(poses, 3, 1)) {
        memset(&subject, 0, sizeof subject);
        OpenBenchmarkModel(&subject);
        MakeObjects(&subject, 1);
        Print("pose 38 nodes", 1, &subject, Pose, 2000);
        Print("box of a piece", 1, &subject, Boxes, 500);
        Print("box of a subtree", 1, &subject, SubtreeBoxes, 500);
        CountedMemory counted = {0};
        const RpAllocator allocator = CountedMemory_Allocator(&counted);
        RpMeshObject *mesh;
        RpError error = {0};
        Require(!RpMeshObject_Create(subject.model, NULL, &allocator, &mesh, &error), "object",
                &error);
        const uint32_t pieces = RpMeshObject_PieceCount(mesh);
        BenchTable_Amount(table, "memory at its peak", pieces, "ours", "bytes",
                          (double)counted.peak);
        BenchTable_Amount(table, "memory", pieces, "ours", "bytes",
                          (double)RpMeshObject_Bytes(pieces));
#ifdef BENCH_WITH_GLM
        BenchTable_Amount(table, "memory", pieces, "glm", "bytes",
                          (double)Glm_ObjectBytes(subject.glm_objects[0]));
#endif
        RpMeshObject_Free(mesh);
        PrintModelMemory(&subject);
        Close(&subject);
    }

    if (BenchTable_Wants(table, poses[0], MOST_OBJECTS)) {
        memset(&subject, 0, sizeof subject);
        OpenBenchmarkModel(&subject);
        MakeObjects(&subject, MOST_OBJECTS);
        Print("pose 38 nodes", MOST_OBJECTS, &subject, Pose, 3);
        Close(&subject);
    }

    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (WantsAny(queries, 4, 2 * sides[i] * sides[i]))
            MeasureQueries(sides[i]);
    return true;
}

const Bench bench_mesh = {"mesh", NULL, 0, 0, 0, Run};
