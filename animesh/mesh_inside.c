/* Finds out whether a point is inside closed geometry: IJointMesh method 7, AniMesh 0x10010550
 * (facts/animesh.md C.7). It counts how often a ray crosses the geometry. The direction of the
 * original's ray is not published; docs/reference/arithmetic.md defines the one used here and what
 * counts where it meets an edge. */
#include "animesh/mesh.h"
#include "animesh/mesh_prepared.h"
#include "animesh/vector.h"

typedef struct InsideVisitor { /* 0x10020A20 */
    MeshVisitor visitor;
    const float *point;
    uint32_t crossings;
} InsideVisitor;

static bool TakeNode(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh,
                     int32_t node, const MeshSlot *slot) {
    (void)visitor;
    (void)context;
    (void)slot;
    return !Mesh_IsHidden(mesh, node); /* 0x100106D9 */
}

/* Returns whether the line y = point.y meets the edge beyond the point's x. The edge is taken from
 * its lower to its upper end, so that both faces of an edge give the same answer. Its upper end
 * does not belong to it, so that a line through a corner meets only one of the edges there. */
static bool IsLeftOfEdge(const float start[3], const float end[3], const float point[3]) {
    bool start_above = Number_Less(point[1], start[1]), end_above = Number_Less(point[1], end[1]);
    float way[3], to[3], nothing = 0.0f;
    if (start_above == end_above)
        return false;
    const float *low = start_above ? end : start, *high = start_above ? start : end;
    Vector_Difference(high, low, way);
    Vector_Difference(point, low, to);
    return X87_Less(X87_Load(&nothing), Vector_Minor(way, to, 0, 1));
}

/* The point is below the plane if (0 < n.z) == (n . (point - corner) < 0). */
static bool IsBelowPlane(const float corners[9], const float point[3]) {
    float ab[3], ac[3], n[3], d[3], nothing = 0.0f;
    Vector_Difference(corners + 3, corners, ab);
    Vector_Difference(corners + 6, corners, ac);
    Vector_Cross(ab, ac, n);
    Vector_Difference(point, corners, d);
    X87 height = Vector_Dot(n, d), zero = X87_Load(&nothing);
    return X87_Less(zero, X87_Load(&n[2]))   ? X87_Less(height, zero)
           : X87_Less(X87_Load(&n[2]), zero) ? X87_Less(zero, height)
                                             : false;
}

static void TakeTriangle(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh,
                         const MeshWalkTriangle *triangle) {
    InsideVisitor *self = (InsideVisitor *)visitor;
    float corners[9], normal[3];
    (void)context;
    Mesh_WorldTriangle(mesh, triangle, corners, normal);
    bool under = false;
    for (int i = 0; i < 3; i++)
        under ^= IsLeftOfEdge(corners + 3 * i, corners + 3 * ((i + 1) % 3), self->point);
    if (under && IsBelowPlane(corners, self->point))
        self->crossings++;
}

static bool Choose(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh, int32_t node,
                   const MeshPrepared *prepared, uint32_t slot, uint64_t *chosen) {
    const InsideVisitor *self = (const InsideVisitor *)visitor;
    (void)context;
    return prepared->chooser->across(prepared, slot, Mesh_Piece(mesh, node)->world, self->point,
                                     chosen);
}

bool Mesh_IsInside(const MeshContext *context, const Mesh *mesh, int32_t node, const float point[3],
                   const MeshQuery *query) {
    InsideVisitor visitor = {.visitor = {TakeNode, TakeTriangle, Choose}, .point = point};
    Mesh_WalkSubtree(context, mesh, node, query, &visitor.visitor);
    return visitor.crossings & 1;
}
