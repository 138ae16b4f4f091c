/* The functions of Ngi32 that the mesh object calls, taken from the build of the library that its
 * caller chose. */
#include "animesh/mesh.h"

static void Product(const MeshContext *context, const float a[16], const float b[16],
                    float product[16]) {
    RpMatrix_PoseProduct(context->arithmetic, a, b, product);
}

static void ToFrame(const MeshContext *context, const float frame[16], const float point[3],
                    float result[3]) {
    RpMatrix_PointToFrame(context->arithmetic, frame, point, result);
}

static int SegmentPlane(const MeshContext *context, const float start[3], const float end[3],
                        const float plane[4], float hit[3]) {
    return (int)RpSegment_Plane(context->arithmetic, start, end, plane, hit);
}

static int PointInPolygon(const MeshContext *context, const float plane[4],
                          const float *const *vertices, uint32_t count, const float point[3]) {
    return RpPolygon_Contains(context->arithmetic, plane, vertices, count, point);
}

const MeshMath Mesh_LibraryMath = {.pose = POSE_LIBRARY_MATH,
                                   .product = Product,
                                   .to_frame = ToFrame,
                                   .segment_plane = SegmentPlane,
                                   .point_in_polygon = PointInPolygon};
