/* Pushes a sphere out of faces: slot 3 of interface 0x25, AniMesh 0x1000D410 (facts/animesh.md
 * E.16), in the order of operations of docs/reference/arithmetic.md. */
#include "animesh/mesh.h"
#include "animesh/mesh_prepared.h"
#include "animesh/mesh_touch.h"
#include "animesh/vector.h"
#include "ngi32/reading.h"

typedef struct PushOutFace PushOutFace;

/* ---- 1 to 3: gather the faces that the sphere touches, nearest first ------------------------- */

typedef struct PushVisitor { /* 0x10020980 */
    MeshVisitor visitor;
    const float *centre;
    float radius;
    PushOutFace *faces;
    uint32_t count, capacity, dropped;
} PushVisitor;

/* The original's function is 0x1000DFE0. */
static bool TakeNode(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh,
                     int32_t node, const MeshSlot *slot) {
    const PushVisitor *self = (const PushVisitor *)visitor;
    float sphere[4], way[3];
    (void)context;
    if (Mesh_IsHidden(mesh, node)) /* 0x1000DFE9 */
        return false;
    Mesh_SlotSphere(mesh, node, slot, sphere);
    Vector_Difference(self->centre, sphere, way);
    X87 reach = X87_Add(X87_Load(&sphere[3]), X87_Load(&self->radius));
    return X87_LessOrEqual(Vector_Dot(way, way), X87_Mul(reach, reach));
}

/* Returns the place after all faces that are as near or nearer, so that faces at the same distance
 * keep the order of the walk. */
static uint32_t PlaceOf(const PushVisitor *self, float distance) {
    uint32_t low = 0, high = self->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (Number_LessOrEqual(self->faces[middle].distance, distance))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void Insert(PushVisitor *self, const PushOutFace *face) {
    uint32_t place = PlaceOf(self, face->distance);
    if (self->count == self->capacity) {
        self->dropped++;
        if (place == self->count)
            return;
        self->count--;
    }
    memmove(self->faces + place + 1, self->faces + place,
            (self->count - place) * sizeof *self->faces);
    self->faces[place] = *face;
    self->count++;
}

static void MakeFace(const Mesh *mesh, const MeshWalkTriangle *triangle, MeshFace *face) {
    Mesh_WorldTriangle(mesh, triangle, face->corners, face->normal);
    Vector_Copy(face->normal, face->plane_normal);
    X87_Store(X87_Neg(Vector_Dot(face->normal, face->corners)), &face->plane_offset);
    face->batch_flags = triangle->batch->flags;
    face->triangle_flags = triangle->record->flags;
}

/* The original's function is 0x1000E0C0. */
static void TakeTriangle(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh,
                         const MeshWalkTriangle *triangle) {
    PushVisitor *self = (PushVisitor *)visitor;
    PushOutFace face = {.hidden = false};
    Touch touch;
    (void)context;
    MakeFace(mesh, triangle, &face.face);
    if (!Touch_Face(&face.face, self->centre, self->radius, &touch))
        return;
    memcpy(&face.distance, &touch.distance, sizeof face.distance);
    Vector_Copy(touch.direction, face.direction);
    Insert(self, &face);
}

static bool Choose(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh, int32_t node,
                   const MeshPrepared *prepared, uint32_t slot, uint64_t *chosen) {
    const PushVisitor *self = (const PushVisitor *)visitor;
    (void)context;
    return prepared->chooser->sphere(prepared, slot, Mesh_Piece(mesh, node)->world, self->centre,
                                     self->radius, chosen);
}

/* ---- 4: hide, 0x1000D7A5 to 0x1000DAC0 ------------------------------------------------------- */

typedef struct Axes {
    int dropped, u, v;
} Axes;

/* Drops the axis of the normal's greatest component. mrnPointInPoly of Ngi32 chooses the axis in
 * another way. */
static Axes AxesOf(const float normal[3]) {
    static const Axes axes[3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    int dropped = 0;
    for (int i = 1; i < 3; i++)
        if (X87_Less(X87_Abs(X87_Load(&normal[dropped])), X87_Abs(X87_Load(&normal[i]))))
            dropped = i;
    return axes[dropped];
}

static X87 SideOf(const MeshFace *face, Axes axes, int edge, const float point[3]) {
    const float *start = face->corners + 3 * edge, *end = face->corners + 3 * ((edge + 1) % 3);
    float way[3], to[3];
    Vector_Difference(end, start, way);
    Vector_Difference(point, start, to);
    return X87_Mul(Vector_Minor(way, to, axes.u, axes.v), X87_Load(&face->normal[axes.dropped]));
}

/* Returns whether the face covers the point. If the point lies on an edge, the first such edge
 * decides, and later edges are not looked at. */
static bool IsCovered(const MeshFace *face, const float point[3]) {
    static const float width = 1e-5f, zero = 0.0f; /* 0x1002097C */
    static const int order[3] = {2, 0, 1};         /* c to a, a to b, b to c */
    const Axes axes = AxesOf(face->normal);
    for (int i = 0; i < 3; i++) {
        X87 side = SideOf(face, axes, order[i], point);
        if (X87_LessOrEqual(X87_Abs(side), X87_Load(&width)))
            return true;
        if (!X87_Less(X87_Load(&zero), side))
            return false;
    }
    return true;
}

static void Centroid(const MeshFace *face, float centroid[3]) {
    static const float three = 3.0f;
    const float *corners = face->corners;
    for (int i = 0; i < 3; i++) {
        X87 sum = X87_Add(X87_Load(&corners[i]), X87_Load(&corners[3 + i]));
        sum = X87_Add(sum, X87_Load(&corners[6 + i]));
        X87_Store(X87_Div(sum, X87_Load(&three)), &centroid[i]);
    }
}

/* Returns whether the face stands between the sphere's centre and the centroid of another face. A
 * two-sided face may be crossed from the centroid, which is tested first; any face may be crossed
 * from the centre. */
static bool Stands(const MeshContext *context, const MeshFace *face, const float centre[3],
                   const float centroid[3]) {
    const float plane[4] = {face->plane_normal[0], face->plane_normal[1], face->plane_normal[2],
                            face->plane_offset};
    const MeshMath *math = context->math;
    float crossing[3];
    const bool crosses = ((face->batch_flags & BATCH_TWO_SIDED) &&
                          math->segment_plane(context, centroid, centre, plane, crossing)) ||
                         math->segment_plane(context, centre, centroid, plane, crossing);
    return crosses && IsCovered(face, crossing);
}

static bool IsBehindAnother(const MeshContext *context, const PushVisitor *self, uint32_t index) {
    float centroid[3];
    Centroid(&self->faces[index].face, centroid);
    for (uint32_t i = 0; i < self->count; i++)
        if (i != index && !self->faces[i].hidden &&
            Stands(context, &self->faces[i].face, self->centre, centroid))
            return true;
    return false;
}

static void Hide(const MeshContext *context, PushVisitor *self) {
    for (uint32_t i = self->count; i-- > 0;)
        self->faces[i].hidden = IsBehindAnother(context, self, i);
}

/* ---- 5: filter, 0x1000DB93 to 0x1000DC19 ----------------------------------------------------- */

static bool Passes(const MeshQuery *query, const PushOutFace *face) {
    return !face->hidden && MeshQuery_TakesBatch(query, face->face.batch_flags) &&
           MeshQuery_TakesTriangle(query, face->face.triangle_flags);
}

/* ---- 6: accumulate, 0x1000DD7D to 0x1000DEF8 ------------------------------------------------- */

/* Returns the part of a direction that is perpendicular to the push so far. */
static void SquarePart(const float push[3], X87 along, const float direction[3], float part[3]) {
    static const float least = 1e-4f;
    X87 squared = Vector_Dot(push, push);
    Vector_Copy(direction, part);
    if (X87_LessOrEqual(squared, X87_Load(&least)))
        return;
    X87 share = X87_Div(along, squared);
    for (int i = 0; i < 3; i++)
        X87_Store(X87_Sub(X87_Load(&direction[i]), X87_Mul(X87_Load(&push[i]), share)), &part[i]);
}

static void MoveBy(const float part[3], X87 factor, float push[3]) {
    for (int i = 0; i < 3; i++)
        X87_Store(X87_Add(X87_Load(&push[i]), X87_Mul(X87_Load(&part[i]), factor)), &push[i]);
}

/* Adds part x missing / (part . direction) to the push. If the two are nearly perpendicular, the
 * part is made a unit vector and multiplied by `missing`. */
static void Move(const float part[3], const float direction[3], X87 missing, float push[3]) {
    static const float least = 0.002f, zero = 0.0f;
    X87 facing = Vector_Dot(part, direction);
    if (!X87_LessOrEqual(X87_Abs(facing), X87_Load(&least))) {
        MoveBy(part, X87_Div(missing, facing), push);
        return;
    }
    X87 length = X87_Sqrt(Vector_Dot(part, part));
    if (X87_Less(X87_Load(&zero), length))
        MoveBy(part, X87_Div(missing, length), push);
}

/* Returns false if the push so far is already long enough for this face. */
static bool Accumulate(const PushOutFace *face, float radius, float push[3]) {
    float part[3];
    X87 depth = X87_Sub(X87_Load(&radius), X87_Load(&face->distance));
    X87 along = Vector_Dot(push, face->direction);
    if (!X87_Less(along, depth))
        return false;
    SquarePart(push, along, face->direction, part);
    Move(part, face->direction, X87_Sub(depth, along), push);
    return true;
}

/* ---- 7: clamp, 0x1000DF50 -------------------------------------------------------------------- */

static void Clamp(float radius, float push[3]) {
    static const float times = 4.0f; /* 0x10020970 */
    X87 limit = X87_Mul(X87_Load(&times), X87_Load(&radius));
    X87 length = X87_Sqrt(Vector_Dot(push, push));
    if (!X87_Less(limit, length))
        return;
    X87 share = X87_Div(limit, length);
    for (int i = 0; i < 3; i++)
        X87_Store(X87_Mul(X87_Load(&push[i]), share), &push[i]);
}

bool Mesh_PushOut(const MeshContext *context, const Mesh *mesh, const float centre[3], float radius,
                  const PushOutFilters *filters, const PushOutFaces *room, float push[3],
                  uint32_t *dropped) {
    PushVisitor visitor = {.visitor = {TakeNode, TakeTriangle, Choose},
                           .centre = centre,
                           .radius = radius,
                           .faces = room->faces,
                           .capacity = room->capacity};
    const bool gathers_all = Reading_IsAlternative(context->arithmetic, READING_PUSH_GATHER);
    float sum[3] = {0.0f, 0.0f, 0.0f};
    bool moved = false;
    Mesh_WalkSubtree(context, mesh, -1, gathers_all ? NULL : filters->gather, &visitor.visitor);
    Hide(context, &visitor);
    for (uint32_t i = 0; i < visitor.count; i++)
        if (Passes(filters->push, &visitor.faces[i]) && Accumulate(&visitor.faces[i], radius, sum))
            moved = true;
    Clamp(radius, sum);
    Vector_Copy(sum, push);
    if (dropped)
        *dropped = visitor.dropped;
    return moved;
}
