/* Finds out how a sphere touches a face: AniMesh 0x1000E900 and 0x1000EB70 (facts/animesh.md E.16),
 * in the order of operations of docs/reference/arithmetic.md. */
#include "animesh/mesh_touch.h"

#include "animesh/vector.h"

static const float zero = 0.0f;

/* ---- an edge --------------------------------------------------------------------------------- */

typedef struct Sphere {
    const float *centre;
    const float *foot;   /* projection of the centre on the face */
    const float *height; /* height of the centre above the face */
    const float *radius;
} Sphere;

typedef struct Edge {
    const float *start, *end;
    float way[3]; /* end - start */
    float to[3];  /* foot - start */
} Edge;

static void EdgeOf(const float *start, const float *end, const float foot[3], Edge *edge) {
    edge->start = start;
    edge->end = end;
    Vector_Difference(end, start, edge->way);
    Vector_Difference(foot, start, edge->to);
}

/* Gives the direction from the nearest point to the centre. If these are the same point, it has no
 * direction, and the face's normal is used. */
static void DirectionFrom(const float nearest[3], const float centre[3], Touch *touch) {
    float way[3];
    if (X87_Equal(X87_Load(&touch->distance), X87_Load(&zero)))
        return;
    Vector_Difference(centre, nearest, way);
    for (int i = 0; i < 3; i++)
        X87_Store(X87_Div(X87_Load(&way[i]), X87_Load(&touch->distance)), &touch->direction[i]);
}

static bool TouchCorner(const float corner[3], const Sphere *sphere, Touch *touch) {
    float way[3];
    Vector_Difference(sphere->centre, corner, way);
    X87 distance = X87_Sqrt(Vector_Dot(way, way));
    if (!X87_LessOrEqual(distance, X87_Load(sphere->radius)))
        return false;
    X87_Store(distance, &touch->distance);
    DirectionFrom(corner, sphere->centre, touch);
    return true;
}

static bool TouchEdge(const Edge *edge, const Sphere *sphere, Touch *touch) {
    X87 radius = X87_Load(sphere->radius), height = X87_Load(sphere->height);
    X87 length = X87_Sqrt(Vector_Dot(edge->way, edge->way));
    X87 along = X87_Div(Vector_Dot(edge->to, edge->way), length);
    X87 gap = X87_Sub(Vector_Dot(edge->to, edge->to), X87_Mul(along, along));
    X87 reach = X87_Sub(X87_Mul(radius, radius), X87_Mul(height, height));
    if (!X87_LessOrEqual(gap, reach))
        return false;
    if (X87_Less(along, X87_Load(&zero)))
        return TouchCorner(edge->start, sphere, touch);
    if (X87_Less(length, along))
        return TouchCorner(edge->end, sphere, touch);

    /* The nearest point is between the corners. */
    X87 fraction = X87_Div(along, length), nothing = X87_Load(&zero);
    float nearest[3];
    if (X87_Less(gap, nothing))
        gap = nothing;
    X87_Store(X87_Sqrt(X87_Add(gap, X87_Mul(height, height))), &touch->distance);
    for (int i = 0; i < 3; i++) {
        X87 step = X87_Mul(X87_Load(&edge->way[i]), fraction);
        X87_Store(X87_Add(X87_Load(&edge->start[i]), step), &nearest[i]);
    }
    DirectionFrom(nearest, sphere->centre, touch);
    return true;
}

/* ---- a face ---------------------------------------------------------------------------------- */

bool Touch_Face(const MeshFace *face, const float centre[3], float radius, Touch *touch) {
    float way[3], foot[3], height;
    Edge edge;
    Touch found;
    Vector_Difference(centre, face->corners, way);
    X87 h = Vector_Dot(face->normal, way);
    if (!X87_LessOrEqual(X87_Load(&zero), h) || !X87_LessOrEqual(h, X87_Load(&radius)))
        return false;
    for (int i = 0; i < 3; i++) {
        X87 fall = X87_Mul(X87_Load(&face->normal[i]), h);
        X87_Store(X87_Sub(X87_Load(&centre[i]), fall), &foot[i]);
    }
    X87_Store(h, &height);
    Vector_Copy(face->normal, found.direction);
    memcpy(&found.distance, &height, sizeof height);
    const Sphere sphere = {centre, foot, &height, &radius};

    /* If the foot is outside of the face, the first edge that it is beyond is touched, or none. */
    for (int i = 0; i < 3; i++) {
        float outward[3];
        EdgeOf(face->corners + 3 * i, face->corners + 3 * ((i + 1) % 3), foot, &edge);
        Vector_Cross(edge.way, face->normal, outward);
        if (!X87_Less(X87_Load(&zero), Vector_Dot(outward, edge.to)))
            continue;
        if (!TouchEdge(&edge, &sphere, &found))
            return false;
        break;
    }
    *touch = found;
    return true;
}

/* ---- the routines as they are called --------------------------------------------------------- */

int Face_TouchesSphere(const MeshFace *face, const float centre[3], float radius, float *distance) {
    Touch touch;
    if (!Touch_Face(face, centre, radius, &touch))
        return 0;
    memcpy(distance, &touch.distance, sizeof *distance);
    return 1;
}

int Face_EdgeTouchesSphere(const float start[3], const float end[3], const float centre[3],
                           const float foot[3], float height, float radius, float *distance) {
    const Sphere sphere = {centre, foot, &height, &radius};
    Edge edge;
    Touch touch = {.direction = {0.0f, 0.0f, 0.0f}};
    EdgeOf(start, end, foot, &edge);
    if (!TouchEdge(&edge, &sphere, &touch))
        return 0;
    memcpy(distance, &touch.distance, sizeof *distance);
    return 1;
}
