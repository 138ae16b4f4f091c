/* The walk over level-0 triangles that all queries share: AniMesh 0x10007E90 and 0x10008120
 * (facts/animesh.md E.14). */
#include "animesh/mesh.h"
#include "animesh/vector.h"

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

void Mesh_WorldTriangle(const Mesh *mesh, const MeshWalkTriangle *triangle, float corners[9],
                        float normal[3]) {
    const float *world = Mesh_Piece(mesh, triangle->node)->world;
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

static bool ReadCorner(const MeshModel *model, const MeshBatch *batch, uint32_t corner,
                       float position[3]) {
    uint16_t index;
    if (corner > UINT32_MAX - batch->first_index ||
        !MeshModel_Index(model, batch->first_index + corner, &index))
        return false;
    return index <= UINT32_MAX - batch->base_vertex &&
           MeshModel_Vertex(model, batch->base_vertex + index, position);
}

static bool ReadVertices(const Mesh *mesh, MeshWalkTriangle *triangle) {
    for (uint32_t i = 0; i < 3; i++) {
        float *vertex = triangle->vertices[i];
        if (!ReadCorner(triangle->model, triangle->batch, 3 * triangle->batch_triangle + i, vertex))
            return false;
        if (mesh->scaled)
            Vector_Scaled(vertex, mesh->scale, vertex);
    }
    return true;
}

/* ---- the walk -------------------------------------------------------------------------------- */

typedef struct Walk {
    const MeshContext *context;
    const Mesh *mesh;
    const MeshQuery *query;
    MeshVisitor *visitor;
} Walk;

static void VisitTriangle(const Walk *walk, MeshWalkTriangle *triangle) {
    if (!MeshQuery_TakesTriangle(walk->query, triangle->record->flags))
        return;
    if (!ReadVertices(walk->mesh, triangle)) {
        Mesh_CountOutside(walk->context);
        return;
    }
    MeshTriangle_Normal(triangle->record, triangle->normal);
    walk->visitor->triangle(walk->visitor, walk->context, walk->mesh, triangle);
}

/* Returns false when the model has no more triangles. `triangle` carries the batch and the number
 * of the batch's first triangle. */
static bool VisitBatch(const Walk *walk, MeshWalkTriangle triangle, uint32_t count) {
    MeshTriangle record;
    triangle.record = &record;
    for (; triangle.batch_triangle < count; triangle.batch_triangle++, triangle.triangle++) {
        if (!MeshModel_Triangle(triangle.model, triangle.triangle, &record)) {
            Mesh_CountOutside(walk->context);
            return false;
        }
        VisitTriangle(walk, &triangle);
    }
    return true;
}

/* A hostile slot can name 65535 batches of 21846 triangles each. The triangles are numbered
 * through, so the end of their stream bounds the walk. */
static void VisitSlot(const Walk *walk, const MeshModel *model, int32_t node,
                      const MeshSlot *slot) {
    MeshBatch batch;
    MeshWalkTriangle triangle = {
        .model = model, .batch = &batch, .node = node, .triangle = slot->first_triangle};
    for (uint32_t i = 0; i < slot->batch_count; i++) {
        triangle.batch_index = (uint32_t)slot->first_batch + i;
        if (!MeshModel_Batch(model, triangle.batch_index, &batch)) {
            Mesh_CountOutside(walk->context);
            return;
        }
        uint32_t count = ((uint32_t)batch.index_count + 2) / 3;
        if (MeshQuery_TakesBatch(walk->query, batch.flags) && !VisitBatch(walk, triangle, count))
            return;
        triangle.triangle += count;
    }
}

static void VisitPiece(const Walk *walk, int32_t node) {
    const Piece *piece = Mesh_Piece(walk->mesh, node);
    MeshModel scratch;
    MeshSlot slot;
    if (!piece || !Mesh_FindSlot(walk->context, piece, 0, -1, &slot))
        return;
    const MeshModel *model = Mesh_ModelOf(walk->context, piece, &scratch);
    if (model && walk->visitor->node(walk->visitor, walk->context, walk->mesh, node, &slot))
        VisitSlot(walk, model, node, &slot);
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
