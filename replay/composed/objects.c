/* Poses objects, and asks questions about their faces. */
#include "animesh/mesh_prepared.h"
#include "animesh/mesh_structs.h"
#include "replay/composed/kinds.h"
#include "replay/composed/random_scene.h"

#include <string.h>

enum { ROOM = 256, ROUNDS = 6, QUESTIONS = 36 };

typedef struct Objects {
    Composed *composed;
    /* The same object twice. Each keeps the poses that it had, and has settings of its own. */
    RandomScene scene, other;
    ComposedCall call;
    void *room;
} Objects;

/* The answer to a question; unused words are 0. */
typedef struct Answer {
    uint32_t found, dropped;
    RpMeshHit hit;
    float push[3];
} Answer;

typedef struct Question {
    uint32_t kind, direction;
    int32_t piece;
    RpMeshFilter filter;
    float point[3], end[3], size;
} Question;

/* ---- choices of faces ------------------------------------------------------------------------ */

/* This chooser of faces, for the models of both scenes, is the library's own, but it counts how
 * often the core chose. */
static uint64_t choices; /* one counter is enough, because a shard is one thread */

static bool Counted(bool chosen) {
    choices += chosen;
    return chosen;
}

static bool CountSegment(const MeshContext *context, const MeshPrepared *prepared, uint32_t slot,
                         const float local[6], uint64_t *chosen) {
    return Counted(Mesh_Chooser.segment(context, prepared, slot, local, chosen));
}

static bool CountSphere(const MeshPrepared *prepared, uint32_t slot, const float world[16],
                        const float centre[3], float radius, uint64_t *chosen) {
    return Counted(Mesh_Chooser.sphere(prepared, slot, world, centre, radius, chosen));
}

static bool CountOver(const MeshPrepared *prepared, uint32_t slot, const float world[16],
                      const MeshOver *over, uint64_t *chosen) {
    return Counted(Mesh_Chooser.over(prepared, slot, world, over, chosen));
}

static bool CountAcross(const MeshPrepared *prepared, uint32_t slot, const float world[16],
                        const float point[3], uint64_t *chosen) {
    return Counted(Mesh_Chooser.across(prepared, slot, world, point, chosen));
}

static void CountChoices(RandomScene *scene) {
    static const MeshChooser counting = {CountSegment, CountSphere, CountOver, CountAcross};
    for (uint32_t i = 0; i < scene->model_count; i++)
        if (scene->loaded[i]->model.prepared)
            scene->loaded[i]->model.prepared->chooser = &counting;
}

/* ---- poses ----------------------------------------------------------------------------------- */

/* Poses both objects at new times. Each draws its times with a generator of its own; the two
 * generators are in the same state. */
static void ComparePoses(Objects *objects) {
    const Rounding before = Rounding_Get();
    const int32_t pieces = (int32_t)RpMeshObject_PieceCount(objects->scene.mesh);
    RandomScene_ChangeTimes(&objects->scene);
    RandomScene_ChangeTimes(&objects->other);
    RpPoseCounters before_found, before_expected, found, expected;
    RpMeshObject_Counters(objects->scene.mesh, &before_found);
    RpMeshObject_Counters(objects->other.mesh, &before_expected);
    Rounding_Set(objects->call.rounding);
    RpMeshObject_Pose(objects->scene.mesh);
    Rounding_Set(objects->call.reference);
    RpMeshObject_Pose(objects->other.mesh);
    Rounding_Set(before);
    for (int32_t piece = 0; piece < pieces; piece++) {
        for (int space = RP_MESH_LOCAL; space <= RP_MESH_WORLD; space++) {
            const float *matrix =
                RpMeshObject_Matrix(objects->scene.mesh, piece, (RpMeshSpace)space);
            const float *reference =
                RpMeshObject_Matrix(objects->other.mesh, piece, (RpMeshSpace)space);
            RpBuffer text;
            if (memcmp(matrix, reference, 16 * sizeof *matrix) == 0 ||
                !Composed_Differs(objects->composed, COMPOSED_OBJECT, COMPOSED_MANY, &objects->call,
                                  &text))
                continue;
            RpBuffer_Print(&text, " piece %d space %d", (int)piece, space);
            Composed_PrintWords(&text, "frames", objects->scene.frames, 4);
            Composed_PrintWords(&text, "phase and weight", objects->scene.phase, 2);
            Composed_PrintWords(&text, "found", matrix, 16);
            Composed_PrintWords(&text, "expected", reference, 16);
            Composed_Describe(objects->composed, &text);
        }
    }
    RpMeshObject_Counters(objects->scene.mesh, &found);
    RpMeshObject_Counters(objects->other.mesh, &expected);
    Composed_Count(objects->composed, COMPOSED_OBJECT, COMPOSED_MANY, (uint64_t)pieces,
                   found.by_core - before_found.by_core);
    objects->composed->report->reference_by_core += expected.by_core - before_expected.by_core;
    objects->composed->report->calls += (uint64_t)pieces;
}

/* ---- questions ------------------------------------------------------------------------------- */

enum { SEGMENT, WALK, WALK_WITH_MARGIN, PUSH, INSIDE, QUESTION_KINDS };

/* Asks one of the two objects, which a question does not change. Adds to *by_core how often the
 * core chose faces. */
static Answer Ask(const Objects *objects, const RandomScene *scene, Rounding rounding,
                  const Question *question, uint64_t *by_core) {
    const RpMeshObject *mesh = scene->mesh;
    Answer answer;
    choices = 0;
    Rounding_Set(rounding);
    memset(&answer, 0, sizeof answer);
    switch (question->kind) {
    case SEGMENT:
        answer.found = RpMeshObject_Segment(mesh, question->piece, question->point, question->end,
                                            &question->filter, &answer.hit);
        break;
    case WALK:
        answer.found = RpMeshObject_WalkFace(mesh, question->point, &question->filter, &answer.hit);
        break;
    case WALK_WITH_MARGIN:
        answer.found = RpMeshObject_WalkFaceWithMargin(mesh, question->point, question->size,
                                                       question->direction, &answer.hit);
        break;
    case PUSH:
        answer.found =
            RpMeshObject_PushOut(mesh, question->point, question->size, &question->filter,
                                 objects->room, ROOM, answer.push, &answer.dropped);
        break;
    default:
        answer.found =
            RpMeshObject_IsInside(mesh, question->piece, question->point, &question->filter);
    }
    *by_core += choices;
    return answer;
}

/* Asks the object that the core serves and the other one the same questions. Their poses have been
 * compared already. */
static void CompareAnswers(Objects *objects) {
    const Rounding before = Rounding_Get();
    RandomScene *scene = &objects->scene;
    static const uint32_t directions[] = {RP_MESH_ABOVE, RP_MESH_BELOW,
                                          RP_MESH_ABOVE | RP_MESH_BELOW};
    const uint32_t kind = Random_Below(&scene->random, 8);
    Question question = {.kind = kind < QUESTION_KINDS ? kind : SEGMENT, .piece = -1};
    question.direction = directions[Random_Below(&scene->random, 3)];
    question.filter = RandomScene_Filter(scene);
    if (Random_OneIn(&scene->random, 3))
        question.piece = RandomScene_Piece(scene);
    if (question.kind == SEGMENT)
        RandomScene_Segment(scene, question.point, question.end);
    else if (question.kind == PUSH)
        question.size = RandomScene_Sphere(scene, question.point);
    else if (question.kind == INSIDE)
        RandomScene_Point(scene, question.point);
    else
        RandomScene_Stand(scene, question.point);
    if (question.kind == WALK_WITH_MARGIN)
        question.size = (float)Random_Below(&scene->random, 4) / 4;
    uint64_t by_core = 0;
    RpBuffer text;
    const Answer found = Ask(objects, scene, objects->call.rounding, &question, &by_core);
    const Answer expected = Ask(objects, &objects->other, objects->call.reference, &question,
                                &objects->composed->report->reference_by_core);
    Rounding_Set(before);
    Composed_Count(objects->composed, COMPOSED_QUERY, COMPOSED_MANY, 1, by_core);
    objects->composed->report->calls++;
    if (memcmp(&found, &expected, sizeof found) == 0 ||
        !Composed_Differs(objects->composed, COMPOSED_QUERY, COMPOSED_MANY, &objects->call, &text))
        return;
    Composed_PrintWords(&text, "question", &question, sizeof question / 4);
    Composed_PrintWords(&text, "found", &found, sizeof found / 4);
    Composed_PrintWords(&text, "expected", &expected, sizeof expected / 4);
    Composed_Describe(objects->composed, &text);
}

/* ---- all of it ------------------------------------------------------------------------------- */

RpStatus Composed_Objects(Composed *composed, uint32_t poses, uint32_t queries) {
    static Objects objects; /* static because it is large; a shard is one thread */
    memset(&objects, 0, sizeof objects);
    objects.composed = composed;
    objects.room = RpMemory_Resize(NULL, NULL, RpMeshObject_PushOutRoom(ROOM));
    RpStatus status = objects.room ? RP_OK : RP_NO_MEMORY;

    const uint64_t *posed = &composed->report->tallies[COMPOSED_OBJECT][COMPOSED_MANY].calls;
    const uint64_t *asked = &composed->report->tallies[COMPOSED_QUERY][COMPOSED_MANY].calls;
    const uint64_t last_pose = *posed + poses, last_query = *asked + queries;
    while (!status && (*posed < last_pose || *asked < last_query)) {
        /* Both objects are made under the game's control word, because an object keeps poses that
         * it got when it was made, under the word of that time. */
        const uint64_t index = Random_Next(&composed->random);
        ComposedCall *call = &objects.call;
        do
            *call = ComposedCall_Draw(&composed->random);
        while (call->reference.control_word != COMPOSED_GAMES_WORD);
        const RpStatus one =
            RandomScene_Make(composed->seed, index, &call->settings, &objects.scene);
        const RpStatus other =
            RandomScene_Make(composed->seed, index, &call->reference_settings, &objects.other);
        CountChoices(&objects.scene);
        CountChoices(&objects.other);
        const bool made = one == RP_OK && other == RP_OK;
        for (int round = 0; made && round < ROUNDS; round++)
            ComparePoses(&objects);
        /* The SSE build's queries divide, so there is no reference for them (composed.h). */
        const bool asks = made && call->settings.build != RP_BUILD_SSE;
        if (asks)
            RandomScene_CollectAims(&objects.scene);
        for (int i = 0; asks && i < QUESTIONS; i++)
            CompareAnswers(&objects);
        RandomScene_Free(&objects.scene);
        RandomScene_Free(&objects.other);
        if (!made)
            status = RP_NO_MEMORY;
    }
    RpMemory_Free(NULL, objects.room);
    return status;
}
