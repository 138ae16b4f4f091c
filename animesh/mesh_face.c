/* Finds the face above or below a point: IMesh2 method 7, AniMesh 0x10013FE0, and slot 2 of
 * interface 0x25, 0x1000CCB0 (facts/animesh.md C.6, E.15), in the order of operations of
 * docs/reference/arithmetic.md. */
#include "animesh/mesh.h"
#include "animesh/mesh_prepared.h"
#include "animesh/vector.h"

#include <math.h>

static const float zero = 0.0f;

/* ---- a point over a triangle, 0x1000D220 ----------------------------------------------------- */

typedef struct Edge {
    const float *start, *end;
    float along[3]; /* end - start */
    float to[3];    /* point - start */
} Edge;

static void AtCorner(const float corner[3], const float point[3], float answer[2]) {
    float d[3];
    Vector_Difference(point, corner, d);
    memcpy(&answer[0], &corner[2], sizeof corner[2]);
    X87_Store(Vector_Dot2(d, d), &answer[1]);
}

static void BesideEdge(const Edge *edge, const float point[3], float answer[2]) {
    X87 along = Vector_Dot2(edge->to, edge->along);
    X87 whole = Vector_Dot2(edge->along, edge->along);
    if (X87_Less(along, X87_Load(&zero))) {
        AtCorner(edge->start, point, answer);
    } else if (X87_Less(whole, along)) {
        AtCorner(edge->end, point, answer);
    } else {
        X87 u = X87_Div(along, whole);
        float gap[2];
        for (int i = 0; i < 2; i++)
            X87_Store(X87_Sub(X87_Load(&edge->to[i]), X87_Mul(u, X87_Load(&edge->along[i]))),
                      &gap[i]);
        X87_Store(X87_Add(X87_Load(&edge->start[2]), X87_Mul(u, X87_Load(&edge->along[2]))),
                  &answer[0]);
        X87_Store(Vector_Dot2(gap, gap), &answer[1]);
    }
}

typedef enum Over { OVER_NOTHING, OVER_INSIDE, OVER_OUTSIDE } Over;

static Over PointOver(const float triangle[9], const float point[3], float answer[2]) {
    float ab[3], ac[3];
    Vector_Difference(triangle + 3, triangle, ab);
    Vector_Difference(triangle + 6, triangle, ac);
    X87 area = Vector_Minor(ab, ac, 0, 1), nothing = X87_Load(&zero);
    if (!X87_Less(nothing, area) && !X87_Less(area, nothing))
        return OVER_NOTHING;
    for (int i = 0; i < 3; i++) {
        Edge edge = {.start = triangle + 3 * i, .end = triangle + 3 * ((i + 1) % 3)};
        Vector_Difference(edge.end, edge.start, edge.along);
        Vector_Difference(point, edge.start, edge.to);
        X87 side = Vector_Minor(edge.along, edge.to, 0, 1);
        if (!(X87_Less(nothing, area) ? X87_Less(side, nothing) : X87_Less(nothing, side)))
            continue;
        BesideEdge(&edge, point, answer);
        return OVER_OUTSIDE;
    }

    /* Inside of the triangle the height is that of its plane. */
    float n[3], d[3];
    Vector_Cross(ab, ac, n);
    Vector_Difference(point, triangle, d);
    X87 fall = X87_Div(Vector_Dot2(n, d), X87_Load(&n[2]));
    X87_Store(X87_Sub(X87_Load(&triangle[2]), fall), &answer[0]);
    answer[1] = 0.0f;
    return OVER_INSIDE;
}

int Face_PointOver(const float triangle[9], const float point[3], float answer[2]) {
    return PointOver(triangle, point, answer) != OVER_NOTHING;
}

/* ---- walkable faces -------------------------------------------------------------------------- */

typedef struct FaceVisitor { /* 0x10020954, 0x10020B84 */
    MeshVisitor visitor;
    const float *point;
    float margin;
    bool inside_only;
    uint32_t direction;
    bool found;
    float best;
    MeshHit *hit;
} FaceVisitor;

/* 0x1000CE90, 0x10015B60: visits a node if the point, seen from above, lies in the circle of the
 * slot's sphere, widened by the margin. */
static bool TakeNode(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh,
                     int32_t node, const MeshSlot *slot) {
    const FaceVisitor *self = (const FaceVisitor *)visitor;
    float sphere[4], way[3];
    (void)context;
    if (Mesh_IsHidden(mesh, node)) /* 0x1000CE99, 0x10015B69 */
        return false;
    Mesh_SlotSphere(mesh, node, slot, sphere);
    Vector_Difference(self->point, sphere, way);
    X87 reach = X87_Add(X87_Load(&sphere[3]), X87_Load(&self->margin));
    return X87_LessOrEqual(Vector_Dot2(way, way), X87_Mul(reach, reach));
}

static const float steepest = 0.173648f; /* cosine of 80 degrees: 0x1002096C */

static bool IsWalkable(const float normal[3]) {
    return Number_LessOrEqual(steepest, normal[2]);
}

static bool IsInDirection(const FaceVisitor *self, float height) {
    switch (self->direction & (WALK_ABOVE | WALK_BELOW)) {
    case WALK_BELOW:
        return Number_LessOrEqual(height, self->point[2]);
    case WALK_ABOVE:
        return Number_LessOrEqual(self->point[2], height);
    default:
        return true;
    }
}

/* The original's functions are 0x1000CFA0 and 0x10015CA0. */
static void TakeTriangle(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh,
                         const MeshWalkTriangle *triangle) {
    FaceVisitor *self = (FaceVisitor *)visitor;
    float corners[9], normal[3], foot[3], distance;
    (void)context;
    Mesh_WorldTriangle(mesh, triangle, corners, normal);
    Vector_Copy(self->point, foot);
    if (!IsWalkable(normal))
        return;

    /* The foot is at the height at which the point meets the face, if the face counts. */
    float answer[2];
    Over over = PointOver(corners, self->point, answer);
    if (over == OVER_NOTHING || (over == OVER_OUTSIDE && self->inside_only) ||
        !Number_LessOrEqual(answer[1], self->margin) || !IsInDirection(self, answer[0]))
        return;
    memcpy(&foot[2], &answer[0], sizeof foot[2]);
    X87 gap = X87_Sub(X87_Load(&foot[2]), X87_Load(&self->point[2]));
    X87_Store(X87_Mul(gap, gap), &distance);
    if (!Number_Less(distance, self->best))
        return;
    self->found = true;
    self->best = distance;
    MeshHit_Set(self->hit, triangle, foot, distance);
}

static bool Choose(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh, int32_t node,
                   const MeshPrepared *prepared, uint32_t slot, uint64_t *chosen) {
    const FaceVisitor *self = (const FaceVisitor *)visitor;
    (void)context;
    const MeshOver over = {self->point, steepest, self->inside_only ? NULL : &self->margin};
    return prepared->chooser->over(prepared, slot, Mesh_Piece(mesh, node)->world, &over, chosen);
}

static bool Walk(const MeshContext *context, const Mesh *mesh, const MeshQuery *query,
                 FaceVisitor *self) {
    self->visitor = (MeshVisitor){TakeNode, TakeTriangle, Choose};
    self->best = INFINITY;
    Mesh_WalkSubtree(context, mesh, -1, query, &self->visitor);
    return self->found;
}

bool Mesh_WalkFace(const MeshContext *context, const Mesh *mesh, const float point[3],
                   const MeshQuery *query, MeshHit *hit) {
    FaceVisitor visitor = {.point = point, .inside_only = true, .hit = hit};
    return Walk(context, mesh, query, &visitor);
}

bool Mesh_WalkFaceWithMargin(const MeshContext *context, const Mesh *mesh, const float point[3],
                             float margin, uint32_t direction, MeshHit *hit) {
    FaceVisitor visitor = {.point = point, .margin = margin, .direction = direction, .hit = hit};
    return Walk(context, mesh, NULL, &visitor);
}
