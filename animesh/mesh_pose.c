/* Poses of a mesh's pieces (facts/animesh.md E.7, E.10), in the order of operations of
 * docs/reference/arithmetic.md, "The mesh object". */
#include "animesh/column.h"
#include "animesh/float_bits.h"
#include "animesh/lerp.h"
#include "animesh/mesh.h"
#include "animesh/pose_many.h"
#include "animesh/vector.h"
#include "ngi32/reading.h"

#include <string.h>

static const float one = 1.0f, half = 0.5f;
static const float identity_quaternion[4] = {1.0f, 0.0f, 0.0f, 0.0f};

static bool Chosen(const MeshContext *context, int hypothesis) {
    return Reading_IsAlternative(context->arithmetic, hypothesis);
}

/* `model` is null if only functions of Ngi32 are called, because they read no keys. */
static PoseContext PoseContextOf(const MeshContext *context, const MeshModel *model) {
    return (PoseContext){.skeleton = model ? &model->pose : NULL,
                         .bounded = model && model->bounded,
                         .arithmetic = context->arithmetic,
                         .math = &context->math->pose,
                         .counters = context->counters};
}

/* ---- times ----------------------------------------------------------------------------------- */

/* A piece and the mesh have the same frame pairs, phase and weight, but at different offsets. A
 * segment refers to either. */
typedef struct Segment {
    const int32_t *a_first, *a_last, *b_first, *b_last;
    const float *phase, *weight;
} Segment;

typedef struct SampleTimes {
    float a, b, weight;
} SampleTimes;

static Segment SegmentOfMesh(const Mesh *mesh) {
    return (Segment){&mesh->a_first, &mesh->a_last, &mesh->b_first,
                     &mesh->b_last,  &mesh->phase,  &mesh->weight};
}

static Segment SegmentOfPiece(const Piece *piece) {
    return (Segment){&piece->a_first, &piece->a_last, &piece->b_first,
                     &piece->b_last,  &piece->phase,  &piece->weight};
}

static void TimeByDelta(const int32_t *first, const int32_t *last, const float *phase,
                        float *time) {
    X87 step = X87_Sub(X87_LoadI32(last), X87_LoadI32(first));
    X87_Store(X87_Add(X87_LoadI32(first), X87_Mul(X87_Load(phase), step)), time);
}

static void TimeByWeights(const int32_t *first, const int32_t *last, const float *phase,
                          float *time) {
    X87 from_first = X87_Mul(X87_Sub(X87_Load(&one), X87_Load(phase)), X87_LoadI32(first));
    X87_Store(X87_Add(from_first, X87_Mul(X87_Load(phase), X87_LoadI32(last))), time);
}

static SampleTimes TimesOf(const MeshContext *context, const Segment *segment) {
    bool by_weights = Chosen(context, READING_FRAME_LERP);
    SampleTimes times;
    (by_weights ? TimeByWeights : TimeByDelta)(segment->a_first, segment->a_last, segment->phase,
                                               &times.a);
    (by_weights ? TimeByWeights : TimeByDelta)(segment->b_first, segment->b_last, segment->phase,
                                               &times.b);
    memcpy(&times.weight, segment->weight, sizeof times.weight);
    return times;
}

/* ---- one piece ------------------------------------------------------------------------------- */

/* A piece whose reader has no model is undefined in the original, as is a blend without sides. It
 * gets the identity here. */
static void BlendPiece(const MeshContext *context, const Piece *piece, const SampleTimes *times,
                       float matrix[16]) {
    MeshModel scratch;
    const MeshModel *model = Mesh_ModelOf(context, piece, &scratch);
    if (!model) {
        Matrix_SetIdentity(matrix);
        Mesh_CountOutside(context);
        return;
    }
    PoseContext pose = PoseContextOf(context, model);
    Pose_Blend(&pose, piece->node, times->a, times->b, times->weight, matrix);
}

static void ScaleTranslation(const Mesh *mesh, float *x, float *y, float *z) {
    if (!mesh->scaled)
        return;
    X87_Store(X87_Mul(X87_Load(x), X87_Load(&mesh->scale[0])), x);
    X87_Store(X87_Mul(X87_Load(y), X87_Load(&mesh->scale[1])), y);
    X87_Store(X87_Mul(X87_Load(z), X87_Load(&mesh->scale[2])), z);
}

static bool SameTime(const float *a, const float *b) {
    if (Bits_Differ(Float_BitsOf(a), Float_BitsOf(b)))
        return false;
    return X87_Equal(X87_Load(a), X87_Load(b));
}

static bool IsCached(const MeshContext *context, const Piece *piece, const SampleTimes *times) {
    enum { POSE_CACHE_NEVER = 2 };
    return Reading_Choice(context->arithmetic, READING_POSE_CACHE) != POSE_CACHE_NEVER &&
           piece->cache_valid && SameTime(&times->a, &piece->cached_a) &&
           SameTime(&times->b, &piece->cached_b);
}

/* Does what follows once the animation's matrix is in `local`. */
static void FinishLocal(const MeshContext *context, const Mesh *mesh, Piece *piece,
                        const SampleTimes *times) {
    static const float origin[3] = {0.0f, 0.0f, 0.0f};
    const bool is_root = !Mesh_Piece(mesh, piece->parent);
    ScaleTranslation(mesh, &piece->local[3], &piece->local[7], &piece->local[11]);
    if (is_root && !Chosen(context, READING_ROOT_TRANSLATION))
        Matrix_SetColumn(piece->local, TRANSLATION_COLUMN, origin);
    memcpy(&piece->cached_a, &times->a, sizeof times->a);
    memcpy(&piece->cached_b, &times->b, sizeof times->b);
    piece->cache_valid = 1;
}

static void UpdateLocal(const MeshContext *context, const Mesh *mesh, Piece *piece) {
    const Segment segment = piece->own_segment ? SegmentOfPiece(piece) : SegmentOfMesh(mesh);
    const SampleTimes times = TimesOf(context, &segment);
    if (IsCached(context, piece, &times))
        return;
    BlendPiece(context, piece, &times, piece->local);
    FinishLocal(context, mesh, piece, &times);
}

static void UpdateModelAndWorld(const MeshContext *context, const Mesh *mesh, Piece *piece,
                                const Piece *parent) {
    if (parent)
        context->math->product(context, parent->model, piece->local, piece->model);
    else
        memcpy(piece->model, piece->local, sizeof piece->model);
    if (parent && Chosen(context, READING_WORLD_PRODUCT))
        context->math->product(context, parent->world, piece->local, piece->world);
    else
        context->math->product(context, mesh->placement, piece->model, piece->world);
}

/* Turns a piece about its own origin, which keeps its place. */
static void TiltWorld(const MeshContext *context, const Mesh *mesh, Piece *piece) {
    PoseContext pose = PoseContextOf(context, NULL);
    float quaternion[4], rotation[16], translation[3];
    context->math->pose.interpolate(&pose, piece->previous_tilt, piece->tilt, mesh->phase,
                                    quaternion);
    context->math->pose.to_matrix(&pose, quaternion, rotation);
    Matrix_GetColumn(piece->world, TRANSLATION_COLUMN, translation);
    if (Chosen(context, READING_TILT_ORDER))
        context->math->product(context, piece->world, rotation, piece->world);
    else
        context->math->product(context, rotation, piece->world, piece->world);
    Matrix_SetColumn(piece->world, TRANSLATION_COLUMN, translation);
}

static void PlacePiece(const MeshContext *context, const Mesh *mesh, Piece *piece) {
    UpdateModelAndWorld(context, mesh, piece, Mesh_Piece(mesh, piece->parent));
    if (piece->tilted)
        TiltWorld(context, mesh, piece);
}

/* ---- local matrices of many pieces at once ----------------------------------------------------
 */

/* Pieces whose local matrices are out of date. The times of most pieces are the mesh's, a part's
 * pieces share their model, and their nodes follow each other. So times and models are not found
 * anew for each, and whole stretches of nodes are added to the run at once. */
typedef struct Locals {
    const MeshContext *context;
    const Mesh *mesh;
    const PoseMany *many;
    SampleTimes times; /* the mesh's */
    PoseTimes prepared;
    Layout_ref reader; /* whose model was found last */
    const MeshModel *model;
    MeshModel scratch;
    PoseRun run;
    int count; /* of the run and the stretch, which is not yet in the run */
    uint32_t first_node;
    Piece *pieces[EXACT_MANY];
    SampleTimes times_of[EXACT_MANY];
} Locals;

/* Returns the skeleton that was found last, or null where nodes have to be posed alone. */
static const RpSkeleton *SkeletonOf(const Locals *locals) {
    return locals->model && locals->model->bounded ? &locals->model->pose : NULL;
}

/* Adds the stretch to the run. */
static void EndStretch(Locals *locals) {
    const int nodes = locals->count - locals->run.count;
    if (nodes > 0)
        PoseRun_Add(&locals->run, SkeletonOf(locals), &locals->prepared, locals->first_node, nodes);
}

static void FinishLocals(Locals *locals) {
    float matrices[EXACT_MANY][16];
    PoseRun *run = &locals->run;
    EndStretch(locals);
    if (run->count == 0)
        return;
    const uint64_t refused = PoseMany_Locals(locals->many, run, matrices);
    for (int i = 0; i < run->count; i++) {
        Piece *piece = locals->pieces[i];
        if (refused >> i & 1)
            BlendPiece(locals->context, piece, &locals->times_of[i], piece->local);
        else
            memcpy(piece->local, matrices[i], sizeof piece->local);
        FinishLocal(locals->context, locals->mesh, piece, &locals->times_of[i]);
    }
    PoseRun_Begin(run);
    locals->count = 0;
}

static void FindModel(Locals *locals, const Piece *piece) {
    locals->reader = piece->reader;
    locals->model = Mesh_ModelOf(locals->context, piece, &locals->scratch);
}

/* Makes the piece the last one of a stretch, which may be a new one. */
static void AddToStretch(Locals *locals, const Piece *piece) {
    const uint32_t nodes = (uint32_t)(locals->count - locals->run.count);
    const bool is_known = locals->model && piece->reader == locals->reader;
    if (is_known && nodes > 0 && piece->node == locals->first_node + nodes)
        return;
    EndStretch(locals);
    if (!is_known)
        FindModel(locals, piece);
    locals->first_node = piece->node;
}

/* Adds a piece with times of its own. */
static void AddAlone(Locals *locals, const Piece *piece, const SampleTimes *times) {
    const PoseTimes own = PoseTimes_Of(times->a, times->b, times->weight);
    EndStretch(locals);
    if (!locals->model || piece->reader != locals->reader)
        FindModel(locals, piece);
    PoseRun_Add(&locals->run, SkeletonOf(locals), &own, piece->node, 1);
}

static void AddLocal(Locals *locals, Piece *piece) {
    SampleTimes times = locals->times;
    if (piece->own_segment) {
        const Segment segment = SegmentOfPiece(piece);
        times = TimesOf(locals->context, &segment);
    }
    if (IsCached(locals->context, piece, &times))
        return;
    locals->pieces[locals->count] = piece;
    locals->times_of[locals->count] = times;
    if (piece->own_segment)
        AddAlone(locals, piece, &times);
    else
        AddToStretch(locals, piece);
    locals->count++;
    if (locals->count == EXACT_MANY)
        FinishLocals(locals);
}

enum { PIECES_AHEAD = 6, LINE_BYTES = 64 };

/* Asks for the memory of a piece that comes later: the pieces of many objects are too much for the
 * inner caches. */
static inline void Prefetch(const Piece *piece) {
    for (size_t at = 0; piece && at < sizeof *piece; at += LINE_BYTES)
        __builtin_prefetch((const char *)piece + at, 1);
}

/* What the walk learns about the pieces on its way. */
typedef struct Seen {
    bool follow; /* every piece follows its parent, so that all can be placed twice */
    bool tilted; /* one of them is */
} Seen;

static Seen UpdateLocals(const MeshContext *context, const Mesh *mesh, const PoseMany *many) {
    const Segment segment = SegmentOfMesh(mesh);
    Locals locals;
    locals.context = context;
    locals.mesh = mesh;
    locals.many = many;
    locals.times = TimesOf(context, &segment);
    locals.prepared = PoseTimes_Of(locals.times.a, locals.times.b, locals.times.weight);
    locals.model = NULL;
    locals.count = 0;
    PoseRun_Begin(&locals.run);
    Seen seen = {.follow = true, .tilted = false};
    for (uint32_t i = 0; i < mesh->piece_count; i++) {
        Piece *piece = Mesh_Piece(mesh, (int32_t)i);
        Prefetch(Mesh_Piece(mesh, (int32_t)i + PIECES_AHEAD));
        seen.follow &= piece->parent < (int32_t)i;
        seen.tilted |= piece->tilted != 0;
        if (!piece->flying)
            AddLocal(&locals, piece);
    }
    FinishLocals(&locals);
    return seen;
}

/* ---- the other matrices of many pieces at once ------------------------------------------------
 */

/* Returns false where the matrices have to be computed one by one. Of an object that we made every
 * piece follows its parent. */
static bool TryPlaces(const MeshContext *context, const Mesh *mesh, const PoseMany *many,
                      bool follow) {
    if (Chosen(context, READING_WORLD_PRODUCT) || !PoseMany_Multiplies(many) || !follow)
        return false;
    const uint32_t before = Exact_Enter();
    bool finite = true;
    for (uint32_t i = 0; i < mesh->piece_count; i++) {
        Piece *piece = Mesh_Piece(mesh, (int32_t)i);
        const Piece *parent = Mesh_Piece(mesh, piece->parent);
        if (!piece->flying)
            finite &= many->width->place(mesh->placement, parent ? parent->model : NULL,
                                         piece->local, piece->model, piece->world);
    }
    return Exact_LeaveGuarded(before) && finite;
}

/* Poses the pieces of a mesh where the core serves. */
static void PoseInLanes(const MeshContext *context, const Mesh *mesh, const PoseMany *many) {
    const Seen seen = UpdateLocals(context, mesh, many);
    const bool placed = TryPlaces(context, mesh, many, seen.follow);
    for (uint32_t i = 0; (!placed || seen.tilted) && i < mesh->piece_count; i++) {
        Piece *piece = Mesh_Piece(mesh, (int32_t)i);
        if (piece->flying)
            continue;
        if (!placed)
            PlacePiece(context, mesh, piece);
        else if (piece->tilted)
            TiltWorld(context, mesh, piece);
    }
}

/* ---- the mesh -------------------------------------------------------------------------------- */

/* One after the other, each with all it needs, functions of g_FastProc are called in the original's
 * order. */
static void PoseOneByOne(const MeshContext *context, const Mesh *mesh) {
    for (uint32_t i = 0; i < mesh->piece_count; i++) {
        Piece *piece = Mesh_Piece(mesh, (int32_t)i);
        if (piece->flying)
            continue;
        UpdateLocal(context, mesh, piece);
        PlacePiece(context, mesh, piece);
    }
}

void Mesh_Pose(const MeshContext *context, Mesh *mesh) {
    const PoseContext pose = PoseContextOf(context, NULL);
    const PoseMany many = PoseMany_Begin(&pose, context->width);
    if (many.width)
        PoseInLanes(context, mesh, &many);
    else
        PoseOneByOne(context, mesh);
}

const float *Piece_Matrix(const Piece *piece, uint32_t space) {
    if (space == SPACE_MODEL)
        return piece->model;
    return space == SPACE_WORLD ? piece->world : NULL;
}

void Mesh_NodeMatrix(const MeshContext *context, Mesh *mesh, int32_t node, uint32_t mode,
                     float matrix[16]) {
    Mesh_Pose(context, mesh);
    const Piece *piece = Mesh_Piece(mesh, node);
    const float *stored = piece ? Piece_Matrix(piece, mode) : NULL;
    if (stored)
        memcpy(matrix, stored, sizeof piece->world);
    else if (piece)
        Matrix_SetIdentity(matrix);
    else
        memset(matrix, 0, sizeof piece->world);
}

void Mesh_SetNodeMatrix(Mesh *mesh, int32_t node, const float matrix[16]) {
    Piece *piece = Mesh_Piece(mesh, node);
    if (piece)
        memcpy(piece->world, matrix, sizeof piece->world);
}

/* ---- ground tilt ----------------------------------------------------------------------------- */

/* Writes the quaternion of twice the angle between two vectors. */
static void DoubleTurn(const float from[3], const float to[3], float quaternion[4]) {
    X87_Store(Vector_Dot(from, to), &quaternion[0]);
    Vector_Cross(from, to, &quaternion[1]);
}

void Mesh_TiltNode(const MeshContext *context, Mesh *mesh, int32_t node, const float *from,
                   const float *to) {
    Piece *piece = Mesh_Piece(mesh, node);
    if (!piece)
        return;
    memcpy(piece->previous_tilt, piece->tilt, sizeof piece->tilt);
    memcpy(piece->tilt, identity_quaternion, sizeof piece->tilt);
    if (!from || !to)
        return;
    PoseContext pose = PoseContextOf(context, NULL);
    float turn[4];
    DoubleTurn(from, to, turn);
    context->math->pose.interpolate(&pose, identity_quaternion, turn, half, piece->tilt);
}

/* ---- strides --------------------------------------------------------------------------------- */

void Mesh_RootTranslation(const MeshContext *context, const Mesh *mesh, float translation[3]) {
    const Piece *root = Mesh_Piece(mesh, 0);
    if (!root) {
        memset(translation, 0, 3 * sizeof *translation);
        return;
    }
    const Segment segment = SegmentOfMesh(mesh);
    const SampleTimes times = TimesOf(context, &segment);
    float matrix[16];
    BlendPiece(context, root, &times, matrix);
    Matrix_GetColumn(matrix, TRANSLATION_COLUMN, translation);
    ScaleTranslation(mesh, &translation[0], &translation[1], &translation[2]);
}
