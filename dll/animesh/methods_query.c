/* Queries of IMesh2, IJointMesh and interface 0x25 (facts/animesh.md C.6 to C.8, E.13 to E.16), and
 * the internal functions behind them. */
#include "dll/animesh/diagnose.h"
#include "dll/animesh/loaded_mesh.h"

#include <string.h>

/* ---- segments, points ------------------------------------------------------------------------ */

ABI_PROTO_animesh_IMesh2_6(AniMesh_IMesh2_6) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_MESH2);
    const bool is_hit = Mesh_Segment(&call.context, call.mesh, segment, query, hit);
    MeshCall_End(&call, "IMesh2::SegmentQuery");
    return is_hit;
}

/* The original calls the walk 0x10007E90 here, which tests no masks. */
ABI_PROTO_animesh_IMesh2_7(AniMesh_IMesh2_7) {
    MeshCall call;
    (void)query;
    MeshCall_Begin(&call, self, INTERFACE_MESH2);
    const bool is_hit = Mesh_WalkFace(&call.context, call.mesh, point, NULL, hit);
    MeshCall_End(&call, "IMesh2::WalkFaceQuery");
    return is_hit;
}

ABI_PROTO_animesh_IJointMesh_7(AniMesh_IJointMesh_7) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_JOINT_MESH);
    const bool is_inside = Mesh_IsInside(&call.context, call.mesh, node, point, query);
    MeshCall_End(&call, "IJointMesh::PointInside");
    return is_inside;
}

ABI_PROTO_animesh_IJointMesh_10(AniMesh_IJointMesh_10) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_JOINT_MESH);
    const bool is_hit =
        Mesh_NodeSegment(&call.context, call.mesh, node, mode, segment, query, most, hit);
    MeshCall_End(&call, "IJointMesh::NodeSegmentQuery");
    return is_hit;
}

ABI_PROTO_animesh_ICollisionMesh_2(AniMesh_ICollisionMesh_2) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_COLLISION_MESH);
    const bool is_hit =
        Mesh_WalkFaceWithMargin(&call.context, call.mesh, point, margin, direction, hit);
    MeshCall_End(&call, "ICollisionMesh::WalkFaceWithMargin");
    return is_hit;
}

/* ---- the sphere ------------------------------------------------------------------------------ */

enum { ROOM_ON_STACK = 64 };

/* `sphere` is a centre followed by a radius. */
static bool PushOut(const MeshCall *call, const float sphere[4], const PushOutFilters *filters,
                    const PushOutFaces *room, float push[3], uint32_t *dropped) {
    *dropped = 0;
    return Mesh_PushOut(&call->context, call->mesh, sphere, sphere[3], filters, room, push,
                        dropped);
}

/* If the sphere touches more faces than there is room for on the stack, the query is made again
 * with enough room. */
ABI_PROTO_animesh_ICollisionMesh_3(AniMesh_ICollisionMesh_3) {
    static long seen;
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_COLLISION_MESH);
    /* The original poses the mesh before it gathers faces (docs/reference/mesh.md). */
    Mesh_Pose(&call.context, call.mesh);
    const PushOutFilters filters = {gather, faces};
    struct PushOutFace first[ROOM_ON_STACK], *more = NULL;
    uint32_t dropped;
    bool is_pushed =
        PushOut(&call, sphere, &filters, &(PushOutFaces){first, ROOM_ON_STACK}, push, &dropped);
    const uint32_t wanted = ROOM_ON_STACK + dropped;
    if (dropped && (more = RpMemory_Resize(NULL, NULL, wanted * sizeof *more)))
        is_pushed = PushOut(&call, sphere, &filters, &(PushOutFaces){more, wanted}, push, &dropped);
    if (dropped)
        Diagnose_Refused("ICollisionMesh::PushOutSphere", "no memory for all faces", &seen);
    RpMemory_Free(NULL, more);
    MeshCall_End(&call, "ICollisionMesh::PushOutSphere");
    return is_pushed;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

/* The original answers with statics at 0x100270F8 and 0x10026ED8, and so does this DLL. Words whose
 * meaning is not published stay 0. Like the original's, these serve one thread at a time. */
static uint32_t batch_record[16];
static TriangleDescriptor triangle_record;
/* Indices of dwords in batch_record. */
enum { BATCH_FLAGS = 0, BATCH_LIGHTMAP = 2, BATCH_ROOM = 6, BATCH_MATERIAL = 13 };

ABI_PROTO_animesh_IMesh2_3(AniMesh_IMesh2_3) {
    MeshCall call;
    BatchDescriptor batch_descriptor;
    MeshCall_Begin(&call, self, INTERFACE_MESH2);
    const bool exists =
        Mesh_DescribeBatch(&call.context, call.mesh, node, batch, &batch_descriptor);
    MeshCall_End(&call, "IMesh2::BatchDescriptor");
    if (!exists)
        return 0;
    batch_record[BATCH_FLAGS] = batch_descriptor.flags;
    batch_record[BATCH_LIGHTMAP] = batch_descriptor.lightmap;
    batch_record[BATCH_ROOM] = batch_descriptor.portal;
    batch_record[BATCH_MATERIAL] = batch_descriptor.material;
    return (uintptr_t)batch_record;
}

ABI_PROTO_animesh_IMesh2_5(AniMesh_IMesh2_5) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_MESH2);
    const bool exists = Mesh_DescribeTriangle(&call.context, call.mesh, node, batch, triangle,
                                              flags, &triangle_record);
    MeshCall_End(&call, "IMesh2::TriangleDescriptor");
    return exists ? (uintptr_t)&triangle_record : 0;
}

/* ---- what needs other modules ---------------------------------------------------------------- */

ABI_PROTO_animesh_IMesh2_4(AniMesh_IMesh2_4) {
    (void)self, (void)a;
}

ABI_PROTO_animesh_IMesh2_8(AniMesh_IMesh2_8) {
    (void)self, (void)segment, (void)radius, (void)list, (void)room;
    static long seen;
    Diagnose_Refused("IMesh2::ChildrenNearSphere",
                     "which methods of its children it asks is unpublished", &seen);
    return 0;
}

ABI_PROTO_animesh_IMesh2_11(AniMesh_IMesh2_11) {
    (void)self, (void)flags, (void)camera;
    static long seen;
    Diagnose_Refused("IMesh2::Draw", "how Terrain's shade is called is unpublished", &seen);
}

ABI_PROTO_animesh_IJointMesh_6(AniMesh_IJointMesh_6) {
    (void)self, (void)node, (void)level, (void)camera;
    static long seen;
    Diagnose_Refused("IJointMesh::DrawSubtree", "how Terrain's shade is called is unpublished",
                     &seen);
}

/* ---- internal functions ---------------------------------------------------------------------- */

ABI_PROTO_animesh_PointOverTriangle(AniMesh_PointOverTriangle) {
    return (uint32_t)Face_PointOver(triangle, point, answer);
}

ABI_PROTO_animesh_SphereTouchesFace(AniMesh_SphereTouchesFace) {
    return (uint32_t)Face_TouchesSphere(face, centre, radius, distance);
}

ABI_PROTO_animesh_SphereTouchesEdge(AniMesh_SphereTouchesEdge) {
    return (uint32_t)Face_EdgeTouchesSphere(start, end, centre, foot, height, radius, distance);
}
