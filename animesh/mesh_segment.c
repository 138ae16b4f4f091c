/* Tests segments against faces: IJointMesh method 10, AniMesh 0x10010A50, and IMesh2 method 6,
 * 0x10013EF0 (facts/animesh.md E.14), in the order of operations of
 * docs/reference/arithmetic.md. */
#include "animesh/mesh.h"
#include "animesh/mesh_prepared.h"
#include "animesh/vector.h"

typedef struct SegmentVisitor { /* 0x10020A2C */
    MeshVisitor visitor;
    float segment[6]; /* in world space */
    float local[6];   /* in the space of the node that is being walked */
    bool found;
    float best;
    MeshHit *hit;
} SegmentVisitor;

static bool TakeNode(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh,
                     int32_t node, const MeshSlot *slot) {
    SegmentVisitor *self = (SegmentVisitor *)visitor;
    (void)slot;
    if (Mesh_IsHidden(mesh, node)) /* 0x10010DCD */
        return false;
    const float *world = Mesh_Piece(mesh, node)->world;
    context->math->to_frame(context, world, self->segment, self->local);
    context->math->to_frame(context, world, self->segment + 3, self->local + 3);
    return true;
}

static void TakeTriangle(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh,
                         const MeshWalkTriangle *triangle) {
    SegmentVisitor *self = (SegmentVisitor *)visitor;
    const float *const vertices[3] = {triangle->vertices[0], triangle->vertices[1],
                                      triangle->vertices[2]};
    const float *local = self->local;
    const MeshMath *math = context->math;
    float plane[4], crossing[3], point[3], way[3], distance;

    /* 0x10011090: a face is crossed from its front, and a face of a two-sided batch also from
     * behind. */
    Vector_Copy(triangle->normal, plane);
    Mesh_PlaneOffset(plane, triangle->vertices[0], &plane[3]);
    if (!math->segment_plane(context, local, local + 3, plane, crossing) &&
        !((triangle->batch->flags & BATCH_TWO_SIDED) &&
          math->segment_plane(context, local + 3, local, plane, crossing)))
        return;
    if (!math->point_in_polygon(context, plane, vertices, 3, crossing))
        return;

    Bounds_Transform(Mesh_Piece(mesh, triangle->node)->world, crossing, point);
    Vector_Difference(point, self->segment, way);
    X87_Store(Vector_Dot(way, way), &distance);
    if (!Number_LessOrEqual(distance, self->best))
        return;
    self->found = true;
    self->best = distance;
    MeshHit_Set(self->hit, triangle, point, distance);
}

static bool Choose(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh, int32_t node,
                   const MeshPrepared *prepared, uint32_t slot, uint64_t *chosen) {
    const SegmentVisitor *self = (const SegmentVisitor *)visitor;
    (void)mesh;
    (void)node;
    return prepared->chooser->segment(context, prepared, slot, self->local, chosen);
}

static void Begin(SegmentVisitor *self, const float segment[6], float most, MeshHit *hit) {
    self->visitor = (MeshVisitor){TakeNode, TakeTriangle, Choose};
    memcpy(self->segment, segment, sizeof self->segment);
    self->found = false;
    self->best = most;
    self->hit = hit;
}

bool Mesh_NodeSegment(const MeshContext *context, const Mesh *mesh, int32_t node, uint32_t mode,
                      const float segment[6], const MeshQuery *query, float most, MeshHit *hit) {
    SegmentVisitor visitor;
    Begin(&visitor, segment, most, hit);
    if (mode == 1)
        Mesh_WalkPiece(context, mesh, node, query, &visitor.visitor);
    else
        Mesh_WalkSubtree(context, mesh, node, query, &visitor.visitor);
    return visitor.found;
}

bool Mesh_Segment(const MeshContext *context, const Mesh *mesh, const float segment[6],
                  const MeshQuery *query, MeshHit *hit) {
    SegmentVisitor visitor;
    float way[3], most;
    Vector_Difference(segment + 3, segment, way);
    X87_Store(Vector_Dot(way, way), &most);
    Begin(&visitor, segment, most, hit);
    Mesh_WalkSubtree(context, mesh, -1, query, &visitor.visitor);
    return visitor.found;
}
