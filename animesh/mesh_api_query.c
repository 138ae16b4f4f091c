/* The queries and the geometry of the library's mesh objects (retropose/mesh_object.h), as a thin
 * layer over animesh/mesh.h. */
#include "animesh/mesh_api.h"
#include "animesh/mesh_structs.h"
#include "animesh/streams.h"
#include "ngi32/sums.h"

#include <string.h>

/* ---- questions and answers ------------------------------------------------------------------- */

static MeshQuery QueryOf(const RpMeshFilter *filter) {
    if (!filter)
        return (MeshQuery){.class_mask = 0};
    return (MeshQuery){.required_batch = filter->required_batch,
                       .excluded_batch = filter->excluded_batch,
                       .required_triangle = filter->required_triangle,
                       .excluded_triangle = filter->excluded_triangle};
}

static bool Answer(bool found, const MeshHit *from, RpMeshHit *hit) {
    if (found) {
        *hit = (RpMeshHit){.piece = from->node,
                           .batch = from->batch,
                           .batch_triangle = from->batch_triangle,
                           .triangle = from->triangle};
        memcpy(hit->point, from->point, sizeof hit->point);
        memcpy(&hit->distance, &from->distance, sizeof hit->distance);
    } else {
        memset(hit, 0, sizeof *hit);
        hit->piece = -1;
    }

    return found;
}

/* ---- segments -------------------------------------------------------------------------------- */

bool RpMeshObject_Segment(const RpMeshObject *mesh, int32_t piece, const float start[3],
                          const float end[3], const RpMeshFilter *filter, RpMeshHit *hit) {
    enum { SUBTREE = 0 };
    MeshContext context = MeshApi_Context(mesh, NULL);
    MeshQuery query = QueryOf(filter);
    float segment[6];
    MeshHit found = {0};
    memcpy(segment, start, 3 * sizeof *segment);
    memcpy(segment + 3, end, 3 * sizeof *segment);
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    bool any;
    if (piece == -1) {
        any = Mesh_Segment(&context, &mesh->mesh, segment, &query, &found);
    } else {
        float way[3], length; /* the square of its length */
        for (int i = 0; i < 3; i++)
            X87_Store(X87_Sub(X87_Load(&end[i]), X87_Load(&start[i])), &way[i]);
        X87_Store(X87_Dot3(SUM3_SEQUENTIAL, way, 1, way, 1), &length);
        any = Mesh_NodeSegment(&context, &mesh->mesh, piece, SUBTREE, segment, &query, length,
                               &found);
    }
    Arithmetic_Leave(scope);
    return Answer(any, &found, hit);
}

/* ---- walking --------------------------------------------------------------------------------- */

bool RpMeshObject_WalkFace(const RpMeshObject *mesh, const float point[3],
                           const RpMeshFilter *filter, RpMeshHit *hit) {
    MeshContext context = MeshApi_Context(mesh, NULL);
    MeshQuery query = QueryOf(filter);
    MeshHit found = {0};
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    const bool any = Mesh_WalkFace(&context, &mesh->mesh, point, &query, &found);
    Arithmetic_Leave(scope);
    return Answer(any, &found, hit);
}

bool RpMeshObject_WalkFaceWithMargin(const RpMeshObject *mesh, const float point[3], float margin,
                                     uint32_t direction, RpMeshHit *hit) {
    MeshContext context = MeshApi_Context(mesh, NULL);
    MeshHit found = {0};
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    const bool any =
        Mesh_WalkFaceWithMargin(&context, &mesh->mesh, point, margin, direction, &found);
    Arithmetic_Leave(scope);
    return Answer(any, &found, hit);
}

/* ---- spheres and points ---------------------------------------------------------------------- */

size_t RpMeshObject_PushOutRoom(uint32_t face_count) {
    const size_t each = sizeof(struct PushOutFace);
    return face_count <= SIZE_MAX / each ? face_count * each : SIZE_MAX;
}

bool RpMeshObject_PushOut(const RpMeshObject *mesh, const float centre[3], float radius,
                          const RpMeshFilter *filter, void *faces, uint32_t face_count,
                          float push[3], uint32_t *dropped) {
    MeshContext context = MeshApi_Context(mesh, NULL);
    MeshQuery query = QueryOf(filter);
    const PushOutFilters filters = {.gather = NULL, .push = &query};
    const PushOutFaces room = {faces, face_count};
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    const bool pushes =
        Mesh_PushOut(&context, &mesh->mesh, centre, radius, &filters, &room, push, dropped);
    Arithmetic_Leave(scope);
    return pushes;
}

bool RpMeshObject_IsInside(const RpMeshObject *mesh, int32_t piece, const float point[3],
                           const RpMeshFilter *filter) {
    MeshContext context = MeshApi_Context(mesh, NULL);
    MeshQuery query = QueryOf(filter);
    const ArithmeticScope scope = Arithmetic_Enter(context.arithmetic);
    const bool is_inside = Mesh_IsInside(&context, &mesh->mesh, piece, point, &query);
    Arithmetic_Leave(scope);
    return is_inside;
}

/* ---- geometry -------------------------------------------------------------------------------- */

static RpDrawBatch BatchOf(const Mesh *mesh, const BatchDescriptor *from) {
    /* A portal gives its number in the part, to which the game adds the part's first piece,
     * whatever the file says. A sum that is no piece of the object counts as no portal. */
    const bool leads = from->portal != NO_INDEX && from->portal < mesh->piece_count;
    return (RpDrawBatch){.flags = from->flags,
                         .material = from->material,
                         .lightmap = from->lightmap,
                         .portal = leads ? (int32_t)from->portal : -1,
                         .first_index = from->first_index,
                         .index_count = from->index_count,
                         .base_vertex = from->base_vertex,
                         .vertex_count = from->vertex_count};
}

bool RpMeshObject_Batch(const RpMeshObject *mesh, int32_t piece, uint32_t batch,
                        RpDrawBatch *description) {
    MeshContext context = MeshApi_Context(mesh, NULL);
    BatchDescriptor found;
    memset(description, 0, sizeof *description);
    if (!Mesh_DescribeBatch(&context, &mesh->mesh, piece, batch, &found))
        return false;
    *description = BatchOf(&mesh->mesh, &found);
    return true;
}

typedef struct Drawing {
    const RpMeshObject *mesh;
    RpDrawVisit *draw;
    void *user;
} Drawing;

static void DrawBatch(void *user, int32_t node, uint32_t draw_mode, const float world[16],
                      const BatchDescriptor *batch) {
    const Drawing *drawing = user;
    const RpDrawBatch description = BatchOf(&drawing->mesh->mesh, batch);
    drawing->draw(drawing->user, node, draw_mode, world, &description);
}

void RpMeshObject_Draw(const RpMeshObject *mesh, int32_t level, RpDrawVisit *draw, void *user) {
    MeshContext context = MeshApi_Context(mesh, NULL);
    Drawing drawing = {mesh, draw, user};
    const MeshDraw call = {.level = level, .subtree = -1, .batch = DrawBatch, .user = &drawing};
    if (level >= 0 && level < NODE_LEVELS)
        Mesh_Draw(&context, &mesh->mesh, &call);
}
