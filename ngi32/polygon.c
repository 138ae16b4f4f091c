/* mrnPointInPoly, Ngi32 0x10001E60 (facts/ngi32.md B.5), in the order of operations of
 * docs/reference/arithmetic.md. */
#include "ngi32/polygon.h"

#include "ngi32/processor/scope.h"
#include "ngi32/processor/x87.h"
#include "retropose/fastproc.h"

static const float zero = 0.0f;

/* Projects along one axis of the normal onto the other two. */
typedef struct Projection {
    int dropped, u, v;
} Projection;

/* Chooses the axis by two comparisons, which do not always find the greatest component: for (3, 1,
 * 2) it is z that is dropped. */
static Projection ChooseProjection(const float normal[3]) {
    static const Projection along_x = {0, 1, 2}, along_y = {1, 2, 0}, along_z = {2, 0, 1};
    X87 x = X87_Abs(X87_Load(&normal[0]));
    X87 y = X87_Abs(X87_Load(&normal[1]));
    X87 z = X87_Abs(X87_Load(&normal[2]));
    if (!X87_LessOrEqual(z, y))
        return along_z;
    if (X87_LessOrEqual(y, x))
        return along_x;
    return X87_Less(x, y) ? along_y : along_z;
}

int Polygon_DroppedAxis(const float normal[3]) {
    return ChooseProjection(normal).dropped;
}

static X87 Difference(const float *a, const float *b, int axis) {
    return X87_Sub(X87_Load(&a[axis]), X87_Load(&b[axis]));
}

static bool IsInsideEdge(Projection axes, const float normal[3], const float from[3],
                         const float to[3], const float point[3]) {
    X87 left = X87_Mul(Difference(to, from, axes.u), Difference(point, from, axes.v));
    X87 right = X87_Mul(Difference(to, from, axes.v), Difference(point, from, axes.u));
    X87 side = X87_Mul(X87_Sub(left, right), X87_Load(&normal[axes.dropped]));
    return X87_LessOrEqual(X87_Load(&zero), side);
}

static bool Contains(const float plane[4], const float *const *vertices, uint32_t count,
                     const float point[3]) {
    const Projection axes = ChooseProjection(plane);
    for (uint32_t i = 0; i < count; i++) {
        const float *next = vertices[i + 1 < count ? i + 1 : 0];
        if (!IsInsideEdge(axes, plane, vertices[i], next, point))
            return false;
    }
    return true;
}

bool RpPolygon_Contains(const RpArithmetic *arithmetic, const float plane[4],
                        const float *const *vertices, uint32_t count, const float point[3]) {
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    const bool contains = Contains(plane, vertices, count, point);
    Arithmetic_Leave(scope);
    return contains;
}
