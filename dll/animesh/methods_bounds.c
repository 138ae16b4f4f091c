/* The methods of IMesh2, at +0x04 of the mesh object, and of IJointMesh, at +0x08, that are about
 * bounds (facts/animesh.md C.6, C.7, E.11, E.12), and the internal functions behind them. */
#include "dll/animesh/loaded_mesh.h"

ABI_PROTO_animesh_IMesh2_9(AniMesh_IMesh2_9) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_MESH2);
    Mesh_AgentSphere(call.mesh, mode, centre, radius);
}

ABI_PROTO_animesh_IMesh2_12(AniMesh_IMesh2_12) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_MESH2);
    Mesh_Capsule(call.mesh, mode, capsule);
}

ABI_PROTO_animesh_IMesh2_14(AniMesh_IMesh2_14) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_MESH2);
    Mesh_Scale(call.mesh, scale);
}

ABI_PROTO_animesh_IMesh2_15(AniMesh_IMesh2_15) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_MESH2);
    Mesh_SetScale(&call.context, call.mesh, scale);
    MeshCall_End(&call, "IMesh2::SetScale");
}

ABI_PROTO_animesh_IJointMesh_3(AniMesh_IJointMesh_3) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_JOINT_MESH);
    Mesh_Sphere(&call.context, call.mesh, node, mode, request, sphere);
    MeshCall_End(&call, "IJointMesh::Sphere");
}

ABI_PROTO_animesh_IJointMesh_4(AniMesh_IJointMesh_4) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_JOINT_MESH);
    Mesh_Box(&call.context, call.mesh, node, mode, request, corners);
    MeshCall_End(&call, "IJointMesh::Box");
}

ABI_PROTO_animesh_IJointMesh_5(AniMesh_IJointMesh_5) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_JOINT_MESH);
    Mesh_NodeCapsule(&call.context, call.mesh, node, mode, request, capsule);
    MeshCall_End(&call, "IJointMesh::NodeCapsule");
}

ABI_PROTO_animesh_FillBoxCorners(AniMesh_FillBoxCorners) {
    Bounds_FillCorners(low, high, corners);
}

ABI_PROTO_animesh_MeshBounds(AniMesh_MeshBounds) {
    MeshCall call;
    MeshCall_Begin(&call, self, INTERFACE_ANIMATION);
    Mesh_UpdateBounds(&call.context, call.mesh);
    MeshCall_End(&call, "MeshBounds");
}
