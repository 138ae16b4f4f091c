/* Poses the pieces of a mesh (facts/animesh.md E.7, E.10), in the order of operations of
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

static bool Chosen(const MeshContext *context, int reading) {
    return Reading_IsAlternative(context->arithmetic, reading);
}

/* `model` may be null if only functions of Ngi32 are called, because these read no keys. */
static PoseContext PoseContextOf(const MeshContext *context, const MeshModel *model) {
    return (PoseContext){.skeleton = model ? &model->pose : NULL,
                         .bounded = model && model->bounded,
                         .arithmetic = context->arithmetic,
                         .math = &context->math->pose,
                         .counters = context->counters};
}

/* ---- times ----------------------------------------------------------------------------------- */

/* Points to the frame pairs, phase and weight of a piece or of the mesh, which have them at
 * different offsets. */
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

/* A piece whose reader has no model is undefined in the original, and so is a blend in which
 * neither side counts. It gets the identity here. */
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

/* Compares as the x87 does: zeros are equal, and NaNs are not. */
static inline bool SameTime(const float *a, const float *b) {
    const uint32_t of_a = Float_BitsOf(a), of_b = Float_BitsOf(b);
    return of_a == of_b ? !Bits_AreNan(of_a) : (of_a | of_b) << 1 == 0;
}

static inline bool IsCached(const MeshContext *context, const Piece *piece,
                            const SampleTimes *times) {
    enum { POSE_CACHE_NEVER = 2 };
    return piece->cache_valid && SameTime(&times->a, &piece->cached_a) &&
           SameTime(&times->b, &piece->cached_b) &&
           Reading_Choice(context->arithmetic, READING_POSE_CACHE) != POSE_CACHE_NEVER;
}

static void RememberTimes(Piece *piece, const SampleTimes *times) {
    memcpy(&piece->cached_a, &times->a, sizeof times->a);
    memcpy(&piece->cached_b, &times->b, sizeof times->b);
    piece->cache_valid = 1;
}

/* Does the steps that follow when the animation's matrix is in `local`. */
static void FinishLocal(const MeshContext *context, const Mesh *mesh, Piece *piece) {
    static const float origin[3] = {0.0f, 0.0f, 0.0f};
    const bool is_root = !Mesh_Piece(mesh, piece->parent);
    ScaleTranslation(mesh, &piece->local[3], &piece->local[7], &piece->local[11]);
    if (is_root && !Chosen(context, READING_ROOT_TRANSLATION))
        Matrix_SetColumn(piece->local, TRANSLATION_COLUMN, origin);
}

static SampleTimes TimesOfPiece(const MeshContext *context, const Mesh *mesh, const Piece *piece) {
    const Segment segment = piece->own_segment ? SegmentOfPiece(piece) : SegmentOfMesh(mesh);
    return TimesOf(context, &segment);
}

/* Turns a piece about its own origin, which stays in its place. */
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
    const Piece *parent = Mesh_Piece(mesh, piece->parent);
    if (parent)
        context->math->product(context, parent->model, piece->local, piece->model);
    else
        memcpy(piece->model, piece->local, sizeof piece->model);
    if (parent && Chosen(context, READING_WORLD_PRODUCT))
        context->math->product(context, parent->world, piece->local, piece->world);
    else
        context->math->product(context, mesh->placement, piece->model, piece->world);
    if (piece->tilted)
        TiltWorld(context, mesh, piece);
}

/* ---- many pieces at once --------------------------------------------------------------------- */

_Static_assert(offsetof(Piece, model) == offsetof(Piece, world) + offsetof(ExactPiece, model) &&
                   offsetof(Piece, local) == offsetof(Piece, world) + offsetof(ExactPiece, local),
               "the matrices of a piece lie together");

static inline ExactPiece *MatricesOf(Piece *piece) {
    return (ExactPiece *)(void *)piece->world;
}

static inline Piece *PieceOf(ExactPiece *matrices) {
    return (Piece *)(void *)((char *)matrices - offsetof(Piece, world));
}

/* Up to EXACT_MANY pieces that are posed together, in their order. Most pieces have the times of
 * the mesh, the pieces of a part share a model, and their nodes follow each other. So times and
 * models are not found anew for each piece: a stretch of consecutive nodes is collected first, and
 * then added to the run at once. */
typedef struct Batch {
    const MeshContext *context;
    const Mesh *mesh;
    const PoseMany *many;
    SampleTimes times; /* the times of the mesh */
    PoseTimes prepared;
    Layout_ref reader; /* the reader whose model was found last */
    const MeshModel *model;
    MeshModel scratch;
    PoseRun run; /* the pieces whose local matrices are out of date */
    int stale;   /* number of these, in the run and in the stretch, which is not yet in the run */
    uint64_t roots;                 /* bits of the stale pieces that have no parent */
    uint32_t next_node;             /* the node that would continue the stretch */
    ExactPiece *locals[EXACT_MANY]; /* matrices of the stale pieces */
    int count;                      /* number of all pieces in the batch */
    ExactPiece *pieces[EXACT_MANY];
    const ExactPiece *parents[EXACT_MANY];
    bool placed; /* false: all pieces of the mesh have to be placed one by one */
    bool tilted; /* a piece of the mesh is tilted */
} Batch;

/* Returns the skeleton of the model that was found last, or null when its nodes have to be posed
 * alone. */
static const RpSkeleton *SkeletonOf(const Batch *batch) {
    return batch->model && batch->model->bounded ? &batch->model->pose : NULL;
}

/* Adds the stretch to the run. */
static void EndStretch(Batch *batch) {
    const int nodes = batch->stale - batch->run.count;
    if (nodes > 0)
        PoseRun_Add(&batch->run, SkeletonOf(batch), &batch->prepared,
                    batch->next_node - (uint32_t)nodes, nodes);
}

static void FindModel(Batch *batch, const Piece *piece) {
    if (batch->model && piece->reader == batch->reader)
        return;
    batch->reader = piece->reader;
    batch->model = Mesh_ModelOf(batch->context, piece, &batch->scratch);
}

/* Adds a piece to be sampled, unless its local matrix is cached. */
static inline void AddLocal(Batch *batch, Piece *piece, bool is_root) {
    if (piece->own_segment) {
        const SampleTimes times = TimesOfPiece(batch->context, batch->mesh, piece);
        if (IsCached(batch->context, piece, &times))
            return;
        const PoseTimes own = PoseTimes_Of(times.a, times.b, times.weight);
        EndStretch(batch);
        FindModel(batch, piece);
        PoseRun_Add(&batch->run, SkeletonOf(batch), &own, piece->node, 1);
        RememberTimes(piece, &times);
    } else {
        if (IsCached(batch->context, piece, &batch->times))
            return;
        /* The piece becomes the last one of a stretch. If it does not continue the stretch, it
         * begins a new one. */
        if (piece->node != batch->next_node || piece->reader != batch->reader ||
            batch->stale == batch->run.count) {
            EndStretch(batch);
            FindModel(batch, piece);
            batch->next_node = piece->node;
        }
        batch->next_node++;
        RememberTimes(piece, &batch->times);
    }
    if (is_root)
        batch->roots |= UINT64_C(1) << batch->stale;
    batch->locals[batch->stale++] = MatricesOf(piece);
}

static void BeginBatch(Batch *batch) {
    PoseRun_Begin(&batch->run);
    batch->stale = batch->count = 0;
    batch->roots = 0;
}

static void EndBatch(Batch *batch) {
    /* The local matrices of the batch are brought up to date. */
    EndStretch(batch);
    if (batch->run.count > 0) {
        const uint64_t refused = PoseMany_LocalsOfPieces(batch->many, &batch->run, batch->locals);
        const uint64_t unfinished = batch->mesh->scaled ? UINT64_MAX : refused | batch->roots;
        for (int i = 0; i < batch->stale && unfinished >> i; i++) {
            Piece *piece = PieceOf(batch->locals[i]);
            if (refused >> i & 1) {
                const SampleTimes times = TimesOfPiece(batch->context, batch->mesh, piece);
                BlendPiece(batch->context, piece, &times, piece->local);
            }
            if (unfinished >> i & 1)
                FinishLocal(batch->context, batch->mesh, piece);
        }
    }

    /* Then the pieces are placed, unless their matrices have to be computed one by one. */
    if (batch->placed) {
        const uint32_t before = Exact_Enter();
        const bool is_usual = batch->many->width->place(batch->mesh->placement, batch->parents,
                                                        batch->pieces, batch->count);
        batch->placed = Exact_LeaveGuarded(before) && is_usual;
    }
    BeginBatch(batch);
}

enum { PIECES_AHEAD = 6, LINE_BYTES = 64 };

/* Poses the pieces of a mesh with the exact core, which must serve. */
static void PoseInLanes(const MeshContext *context, const Mesh *mesh, const PoseMany *many) {
    const Segment segment = SegmentOfMesh(mesh);
    Batch batch;
    batch.context = context;
    batch.mesh = mesh;
    batch.many = many;
    batch.times = TimesOf(context, &segment);
    batch.prepared = PoseTimes_Of(batch.times.a, batch.times.b, batch.times.weight);
    batch.model = NULL;
    batch.placed = Reading_IsServed(context->arithmetic, OF_WORLDS) && PoseMany_Multiplies(many);
    batch.tilted = false;

    /* In an object that we made, every piece follows its parent. In others, all pieces are placed
     * one by one as soon as a piece is met that does not. Until then no batch was placed whose
     * parents come later. */
    BeginBatch(&batch);
    Piece *piece = Mesh_Piece(mesh, 0);
    for (int32_t i = 0; i < (int32_t)mesh->piece_count; i++, piece++) {
        /* The memory of a later piece is prefetched, because the pieces of many objects do not fit
         * into the inner caches. Nothing is read, so the address may lie behind the last piece. */
        const uintptr_t ahead = (uintptr_t)piece + PIECES_AHEAD * sizeof *piece;
        for (size_t at = 0; at < sizeof *piece; at += LINE_BYTES)
            __builtin_prefetch((const void *)(ahead + at), 1);
        if (piece->parent >= i)
            batch.placed = false;
        if (piece->tilted)
            batch.tilted = true;
        if (piece->flying)
            continue;
        Piece *parent = Mesh_Piece(mesh, piece->parent);
        AddLocal(&batch, piece, !parent);
        batch.pieces[batch.count] = MatricesOf(piece);
        batch.parents[batch.count] = parent ? MatricesOf(parent) : NULL;
        if (++batch.count == EXACT_MANY)
            EndBatch(&batch);
    }
    if (batch.count > 0)
        EndBatch(&batch);

    for (uint32_t i = 0; (!batch.placed || batch.tilted) && i < mesh->piece_count; i++) {
        piece = Mesh_Piece(mesh, (int32_t)i);
        if (piece->flying)
            continue;
        if (!batch.placed)
            PlacePiece(context, mesh, piece);
        else if (piece->tilted)
            TiltWorld(context, mesh, piece);
    }
}

/* ---- the mesh -------------------------------------------------------------------------------- */

void Mesh_Pose(const MeshContext *context, Mesh *mesh) {
    const PoseContext pose = PoseContextOf(context, NULL);
    const PoseMany many = PoseMany_Begin(&pose, context->width);
    if (many.width)
        PoseInLanes(context, mesh, &many);
    else {
        /* Each piece does all its steps before the next one begins, so that functions of g_FastProc
         * are called in the original's order. */
        for (uint32_t i = 0; i < mesh->piece_count; i++) {
            Piece *piece = Mesh_Piece(mesh, (int32_t)i);
            if (piece->flying)
                continue;
            const SampleTimes times = TimesOfPiece(context, mesh, piece);
            if (!IsCached(context, piece, &times)) {
                BlendPiece(context, piece, &times, piece->local);
                FinishLocal(context, mesh, piece);
                RememberTimes(piece, &times);
            }
            PlacePiece(context, mesh, piece);
        }
    }
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
    float turn[4]; /* by twice the angle between the two vectors */
    X87_Store(Vector_Dot(from, to), &turn[0]);
    Vector_Cross(from, to, &turn[1]);
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
