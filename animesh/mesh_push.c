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

/* The original's function is 0x1000E0C0. */
static void TakeTriangle(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh,
                         const MeshWalkTriangle *triangle) {
    PushVisitor *self = (PushVisitor *)visitor;
    PushOutFace face = {.hidden = false};
    MeshFace *made = &face.face;
    Touch touch;
    (void)context;
    Mesh_WorldTriangle(mesh, triangle, made->corners, made->normal);
    Vector_Copy(made->normal, made->plane_normal);
    X87_Store(X87_Neg(Vector_Dot(made->normal, made->corners)), &made->plane_offset);
    made->batch_flags = triangle->batch->flags;
    made->triangle_flags = triangle->record->flags;
    if (!Touch_Face(made, self->centre, self->radius, &touch))
        return;
    memcpy(&face.distance, &touch.distance, sizeof face.distance);
    Vector_Copy(touch.direction, face.direction);
    /* Its place is after all faces that are as near or nearer, so that faces at the same distance
     * keep the order of the walk. */
    uint32_t place = 0, high = self->count;
    while (place < high) {
        uint32_t middle = place + (high - place) / 2;
        if (Number_LessOrEqual(self->faces[middle].distance, face.distance))
            place = middle + 1;
        else
            high = middle;
    }
    if (self->count == self->capacity) {
        self->dropped++;
        if (place == self->count)
            return;
        self->count--;
    }
    memmove(self->faces + place + 1, self->faces + place,
            (self->count - place) * sizeof *self->faces);
    self->faces[place] = face;
    self->count++;
}

static bool Choose(MeshVisitor *visitor, const MeshContext *context, const Mesh *mesh, int32_t node,
                   const MeshPrepared *prepared, uint32_t slot, uint64_t *chosen) {
    const PushVisitor *self = (const PushVisitor *)visitor;
    (void)context;
    return prepared->chooser->sphere(prepared, slot, Mesh_Piece(mesh, node)->world, self->centre,
                                     self->radius, chosen);
}

/* ---- 4: hide, 0x1000D7A5 to 0x1000DAC0 ------------------------------------------------------- */

/* Returns whether the face covers the point. If the point lies on an edge, the first such edge
 * decides, and later edges are not looked at. */
static bool IsCovered(const MeshFace *face, const float point[3]) {
    static const float width = 1e-5f, zero = 0.0f; /* 0x1002097C */
    static const int order[3] = {2, 0, 1};         /* c to a, a to b, b to c */

    /* The axis of the normal's greatest component is dropped. mrnPointInPoly of Ngi32 chooses the
     * axis in another way. */
    int dropped = 0;
    for (int i = 1; i < 3; i++)
        if (X87_Less(X87_Abs(X87_Load(&face->normal[dropped])),
                     X87_Abs(X87_Load(&face->normal[i]))))
            dropped = i;
    for (int i = 0; i < 3; i++) {
        const float *start = face->corners + 3 * order[i];
        const float *end = face->corners + 3 * ((order[i] + 1) % 3);
        float way[3], to[3];
        Vector_Difference(end, start, way);
        Vector_Difference(point, start, to);
        X87 side = X87_Mul(Vector_Minor(way, to, (dropped + 1) % 3, (dropped + 2) % 3),
                           X87_Load(&face->normal[dropped]));
        if (X87_LessOrEqual(X87_Abs(side), X87_Load(&width)))
            return true;
        if (!X87_Less(X87_Load(&zero), side))
            return false;
    }
    return true;
}

static bool IsBehindAnother(const MeshContext *context, const PushVisitor *self, uint32_t index) {
    static const float three = 3.0f;
    float centroid[3];
    const float *corners = self->faces[index].face.corners;
    for (int i = 0; i < 3; i++) {
        X87 sum = X87_Add(X87_Load(&corners[i]), X87_Load(&corners[3 + i]));
        sum = X87_Add(sum, X87_Load(&corners[6 + i]));
        X87_Store(X87_Div(sum, X87_Load(&three)), &centroid[i]);
    }

    /* Another face may stand between the sphere's centre and the centroid. A two-sided face may be
     * crossed from the centroid, which is tested first; any face may be crossed from the centre. */
    const MeshMath *math = context->math;
    for (uint32_t i = 0; i < self->count; i++) {
        if (i == index || self->faces[i].hidden)
            continue;
        const MeshFace *face = &self->faces[i].face;
        const float plane[4] = {face->plane_normal[0], face->plane_normal[1], face->plane_normal[2],
                                face->plane_offset};
        float crossing[3];
        const bool crosses =
            ((face->batch_flags & BATCH_TWO_SIDED) &&
             math->segment_plane(context, centroid, self->centre, plane, crossing)) ||
            math->segment_plane(context, self->centre, centroid, plane, crossing);
        if (crosses && IsCovered(face, crossing))
            return true;
    }
    return false;
}

/* ---- 6: accumulate, 0x1000DD7D to 0x1000DEF8 ------------------------------------------------- */

static void MoveBy(const float part[3], X87 factor, float push[3]) {
    for (int i = 0; i < 3; i++)
        X87_Store(X87_Add(X87_Load(&push[i]), X87_Mul(X87_Load(&part[i]), factor)), &push[i]);
}

/* Returns false if the push so far is already long enough for this face. */
static bool Accumulate(const PushOutFace *face, float radius, float push[3]) {
    static const float least_push = 1e-4f, least_facing = 0.002f, zero = 0.0f;
    float part[3];
    X87 depth = X87_Sub(X87_Load(&radius), X87_Load(&face->distance));
    X87 along = Vector_Dot(push, face->direction);
    if (!X87_Less(along, depth))
        return false;

    /* `part` is the part of the direction that is perpendicular to the push so far. */
    X87 squared = Vector_Dot(push, push), missing = X87_Sub(depth, along);
    Vector_Copy(face->direction, part);
    if (!X87_LessOrEqual(squared, X87_Load(&least_push))) {
        X87 share = X87_Div(along, squared);
        for (int i = 0; i < 3; i++)
            X87_Store(X87_Sub(X87_Load(&face->direction[i]), X87_Mul(X87_Load(&push[i]), share)),
                      &part[i]);
    }

    /* Adds part x missing / (part . direction) to the push. If the two are nearly perpendicular,
     * the part is made a unit vector and multiplied by `missing`. */
    X87 facing = Vector_Dot(part, face->direction);
    if (!X87_LessOrEqual(X87_Abs(facing), X87_Load(&least_facing))) {
        MoveBy(part, X87_Div(missing, facing), push);
        return true;
    }
    X87 length = X87_Sqrt(Vector_Dot(part, part));
    if (X87_Less(X87_Load(&zero), length))
        MoveBy(part, X87_Div(missing, length), push);
    return true;
}

/* ---- all of it, and 7: clamp, 0x1000DF50 ----------------------------------------------------- */

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
    for (uint32_t i = visitor.count; i-- > 0;)
        visitor.faces[i].hidden = IsBehindAnother(context, &visitor, i);

    /* 5: filter, 0x1000DB93 to 0x1000DC19. */
    for (uint32_t i = 0; i < visitor.count; i++) {
        const PushOutFace *face = &visitor.faces[i];
        if (!face->hidden && MeshQuery_TakesBatch(filters->push, face->face.batch_flags) &&
            MeshQuery_TakesTriangle(filters->push, face->face.triangle_flags) &&
            Accumulate(face, radius, sum))
            moved = true;
    }

    /* A push is at most four radii long. */
    static const float times = 4.0f; /* 0x10020970 */
    X87 limit = X87_Mul(X87_Load(&times), X87_Load(&radius));
    X87 length = X87_Sqrt(Vector_Dot(sum, sum));
    if (X87_Less(limit, length)) {
        X87 share = X87_Div(limit, length);
        for (int i = 0; i < 3; i++)
            X87_Store(X87_Mul(X87_Load(&sum[i]), share), &sum[i]);
    }
    Vector_Copy(sum, push);
    if (dropped)
        *dropped = visitor.dropped;
    return moved;
}
