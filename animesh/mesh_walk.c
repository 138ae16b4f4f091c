/* Walks over the triangles of level 0. All queries share this walk: AniMesh 0x10007E90 and
 * 0x10008120 (facts/animesh.md E.14). */
#include "animesh/mesh.h"
#include "animesh/mesh_prepared.h"
#include "animesh/vector.h"
#include "ngi32/exact/points.h"

/* ---- masks ----------------------------------------------------------------------------------- */

static bool Passes(uint32_t flags, uint32_t required, uint32_t excluded) {
    return (flags & required) == required && (flags & excluded) == 0;
}

bool MeshQuery_TakesBatch(const MeshQuery *query, uint32_t flags) {
    return !query || Passes(flags, query->required_batch, query->excluded_batch);
}

bool MeshQuery_TakesTriangle(const MeshQuery *query, uint32_t flags) {
    return !query || Passes(flags, query->required_triangle, query->excluded_triangle);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

bool Mesh_IsHidden(const Mesh *mesh, int32_t node) {
    const Piece *piece = Mesh_Piece(mesh, node);
    return piece && (piece->flags & PIECE_HIDDEN);
}

void Mesh_SlotSphere(const Mesh *mesh, int32_t node, const MeshSlot *slot, float sphere[4]) {
    const Piece *piece = Mesh_Piece(mesh, node);
    float local[4];
    memcpy(local, slot->sphere, sizeof local);
    if (mesh->scaled) {
        Vector_Scaled(local, mesh->scale, local);
        X87_Store(X87_Mul(X87_Load(&local[3]), X87_Load(Vector_Largest(mesh->scale))), &local[3]);
    }
    Bounds_Transform(piece->world, local, sphere);
    memcpy(&sphere[3], &local[3], sizeof local[3]);
}

/* ---- triangles ------------------------------------------------------------------------------- */

void MeshTriangle_Normal(const MeshTriangle *triangle, float normal[3]) {
    static const float limit = 32767.0f;
    for (int i = 0; i < 3; i++)
        X87_Store(X87_Div(X87_LoadI16(&triangle->normal[i]), X87_Load(&limit)), &normal[i]);
}

void Mesh_PlaneOffset(const float normal[3], const float corner[3], float *offset) {
    X87_Store(X87_Neg(Vector_Dot(normal, corner)), offset);
}

void Mesh_WorldTriangle(const Mesh *mesh, const MeshWalkTriangle *triangle, float corners[9],
                        float normal[3]) {
    const float *world = Mesh_Piece(mesh, triangle->node)->world;
    memcpy(corners, triangle->vertices, sizeof triangle->vertices);
    if (!Exact_MovePoints(world, corners, 3))
        for (int i = 0; i < 3; i++)
            Bounds_Transform(world, triangle->vertices[i], corners + 3 * i);
    Bounds_Turn(world, triangle->normal, normal);
}

void MeshHit_Set(MeshHit *hit, const MeshWalkTriangle *triangle, const float point[3],
                 float distance) {
    hit->node = triangle->node;
    hit->batch = triangle->batch_index;
    hit->batch_triangle = triangle->batch_triangle;
    hit->triangle = triangle->triangle;
    Vector_Copy(point, hit->point);
    hit->distance = distance;
}

uint32_t MeshBatch_TriangleCount(const MeshBatch *batch) {
    return ((uint32_t)batch->index_count + 2) / 3;
}

/* ---- the walk -------------------------------------------------------------------------------- */

typedef struct Walk {
    const MeshContext *context;
    const Mesh *mesh;
    const MeshQuery *query;
    MeshVisitor *visitor;
} Walk;

/* Bits of a slot's triangles, by their numbers in it. Null means all. */
typedef const uint64_t *Chosen;

/* Returns the first chosen triangle from `number` on, or `end`. */
static uint32_t NextChosen(Chosen chosen, uint32_t number, uint32_t end) {
    if (!chosen || number >= end)
        return number;
    uint64_t rest = chosen[number / 64] >> number % 64 << number % 64;
    uint32_t word = number / 64;
    while (!rest && ++word < (end + 63) / 64)
        rest = chosen[word];
    const uint32_t next = rest ? 64 * word + (uint32_t)__builtin_ctzll(rest) : end;
    return next < end ? next : end;
}

/* Visits the triangles of a batch. Returns false when the model has no more triangles. `triangle`
 * has the batch and the number of the batch's first triangle; `before` is the number of the slot's
 * triangles before that one. */
static bool VisitBatch(const Walk *walk, MeshWalkTriangle triangle, uint32_t count, Chosen chosen,
                       uint32_t before) {
    MeshTriangle record;
    const uint32_t first = triangle.triangle;
    triangle.record = &record;
    for (uint32_t i = 0; (i = NextChosen(chosen, before + i, before + count) - before) < count;
         i++) {
        triangle.batch_triangle = i;
        triangle.triangle = first + i;
        if (!MeshModel_Triangle(triangle.model, triangle.triangle, &record)) {
            Mesh_CountOutside(walk->context);
            return false;
        }
        if (!MeshQuery_TakesTriangle(walk->query, record.flags))
            continue;

        bool whole = true;
        for (uint32_t corner = 0; whole && corner < 3; corner++) {
            float *vertex = triangle.vertices[corner];
            whole = MeshModel_Corner(triangle.model, triangle.batch, 3 * i + corner, vertex);
            if (whole && walk->mesh->scaled)
                Vector_Scaled(vertex, walk->mesh->scale, vertex);
        }
        if (!whole) {
            Mesh_CountOutside(walk->context);
            continue;
        }
        MeshTriangle_Normal(&record, triangle.normal);
        walk->visitor->triangle(walk->visitor, walk->context, walk->mesh, &triangle);
    }
    return true;
}

static void VisitPiece(const Walk *walk, int32_t node) {
    const Piece *piece = Mesh_Piece(walk->mesh, node);
    MeshModel scratch;
    MeshSlot slot;
    if (!piece || !Mesh_FindSlot(walk->context, piece, 0, -1, &slot))
        return;
    const MeshModel *model = Mesh_ModelOf(walk->context, piece, &scratch);
    if (!model || !walk->visitor->node(walk->visitor, walk->context, walk->mesh, node, &slot))
        return;
    uint64_t chosen[EXACT_FACE_WORDS];

    /* All triangles of a scaled object have to be visited, because its corners are not those that
     * were prepared. */
    const bool narrowed = model->prepared && walk->visitor->choose && !walk->mesh->scaled &&
                          MeshPrepared_Has(model->prepared, slot.index) &&
                          walk->visitor->choose(walk->visitor, walk->context, walk->mesh, node,
                                                model->prepared, slot.index, chosen);

    /* A hostile slot can name 65535 batches of 21846 triangles each. This walk is bounded all the
     * same, because its triangles are numbered through, and it ends with their stream. */
    MeshBatch batch;
    MeshWalkTriangle triangle = {
        .model = model, .batch = &batch, .node = node, .triangle = slot.first_triangle};
    for (uint32_t i = 0; i < slot.batch_count; i++) {
        triangle.batch_index = (uint32_t)slot.first_batch + i;
        if (!MeshModel_Batch(model, triangle.batch_index, &batch)) {
            Mesh_CountOutside(walk->context);
            return;
        }
        const uint32_t count = MeshBatch_TriangleCount(&batch);
        if (MeshQuery_TakesBatch(walk->query, batch.flags) &&
            !VisitBatch(walk, triangle, count, narrowed ? chosen : NULL,
                        triangle.triangle - slot.first_triangle))
            return;
        triangle.triangle += count;
    }
}

void Mesh_WalkPiece(const MeshContext *context, const Mesh *mesh, int32_t node,
                    const MeshQuery *query, MeshVisitor *visitor) {
    const Walk walk = {context, mesh, query, visitor};
    VisitPiece(&walk, node);
}

void Mesh_WalkSubtree(const MeshContext *context, const Mesh *mesh, int32_t node,
                      const MeshQuery *query, MeshVisitor *visitor) {
    const Walk walk = {context, mesh, query, visitor};
    for (uint32_t i = 0; i < mesh->piece_count; i++)
        if (node == -1 || Mesh_IsWithin(mesh, (int32_t)i, node))
            VisitPiece(&walk, (int32_t)i);
}
