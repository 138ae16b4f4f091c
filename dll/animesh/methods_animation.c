/* The methods of IAnimation, whose interface is at +0x00 of the mesh object (facts/animesh.md C.5).
 * Each body finds the object and calls the function of animesh/mesh.h. */
#include "dll/animesh/diagnose.h"
#include "dll/animesh/loaded_mesh.h"

#include <string.h>

#define BEGIN(call) MeshCall_Begin(&(call), self, INTERFACE_ANIMATION)

ABI_PROTO_animesh_IAnimation_3(AniMesh_IAnimation_3) {
    MeshCall call;
    BEGIN(call);
    Mesh_QueryNode(&call.context, call.mesh, node, id, answer);
    MeshCall_End(&call, "IAnimation::QueryNode");
}

ABI_PROTO_animesh_IAnimation_4(AniMesh_IAnimation_4) {
    MeshCall call;
    BEGIN(call);
    Mesh_NodeMatrix(&call.context, call.mesh, node, mode, matrix);
    MeshCall_End(&call, "IAnimation::NodeMatrix");
}

ABI_PROTO_animesh_IAnimation_5(AniMesh_IAnimation_5) {
    Mesh_SetNodeMatrix(self, node, matrix);
}

ABI_PROTO_animesh_IAnimation_6(AniMesh_IAnimation_6) {
    const Piece *piece = Mesh_Piece(self, node);
    return piece ? AniMesh_NodeString(piece) : NULL;
}

ABI_PROTO_animesh_IAnimation_7(AniMesh_IAnimation_7) {
    return Mesh_NodeFlags(self, node);
}

ABI_PROTO_animesh_IAnimation_8(AniMesh_IAnimation_8) {
    (void)unknown;
    Mesh_ChangeNodeFlags(self, node, mask, operation);
}

ABI_PROTO_animesh_IAnimation_9(AniMesh_IAnimation_9) {
    return Mesh_NodePhase(self, node);
}

ABI_PROTO_animesh_IAnimation_10(AniMesh_IAnimation_10) {
    MeshCall call;
    BEGIN(call);
    Mesh_SetNodePhase(&call.context, call.mesh, node, &phase, &weight);
}

ABI_PROTO_animesh_IAnimation_12(AniMesh_IAnimation_12) {
    const int32_t pairs[4] = {a_first, a_last, b_first, b_last};
    Mesh_SetNodeFramePairs(self, node, pairs);
}

ABI_PROTO_animesh_IAnimation_14(AniMesh_IAnimation_14) {
    return Mesh_FirstPieceOfPart(self, part);
}

ABI_PROTO_animesh_IAnimation_15(AniMesh_IAnimation_15) {
    return Mesh_PieceCountOfPart(self, part);
}

ABI_PROTO_animesh_IAnimation_16(AniMesh_IAnimation_16) {
    return Mesh_NodeStage(self, node);
}

ABI_PROTO_animesh_IAnimation_17(AniMesh_IAnimation_17) {
    Mesh_SetNodeStage(self, node, stage);
}

ABI_PROTO_animesh_IAnimation_18(AniMesh_IAnimation_18) {
    MeshCall call;
    BEGIN(call);
    const uint32_t stages = Mesh_StageCount(&call.context, call.mesh, node);
    MeshCall_End(&call, "IAnimation::StageCount");
    return stages;
}

ABI_PROTO_animesh_IAnimation_19(AniMesh_IAnimation_19) {
    const Mesh *mesh = self;
    return mesh->piece_count;
}

ABI_PROTO_animesh_IAnimation_25(AniMesh_IAnimation_25) {
    MeshCall call;
    BEGIN(call);
    Mesh_SetPhase(&call.context, call.mesh, &phase, &weight);
}

ABI_PROTO_animesh_IAnimation_26(AniMesh_IAnimation_26) {
    const int32_t pairs[4] = {a_first, a_last, b_first, b_last};
    Mesh_SetFramePairs(self, pairs);
}

/* Only removing a worn face is known. It is not published how a face is referred to, and how the
 * owner's material manager turns such a reference into a handle. */
ABI_PROTO_animesh_IAnimation_27(AniMesh_IAnimation_27) {
    static long seen;
    Mesh *mesh = (Mesh *)self;
    if (reference) {
        Diagnose_Refused("IAnimation::WearMaterial",
                         "the form of a face's reference is unpublished", &seen);
        return;
    }
    mesh->worn_manager = 0;
    mesh->worn_handle = (uintptr_t)-1;
}

/* This is a static variable, as in the original. It serves one thread at a time. */
ABI_PROTO_animesh_IAnimation_29(AniMesh_IAnimation_29) {
    static uint32_t record[6];
    Mesh_NodeRecord(self, node, record);
    return (uintptr_t)record;
}

ABI_PROTO_animesh_IAnimation_31(AniMesh_IAnimation_31) {
    MeshCall call;
    BEGIN(call);
    Mesh_TiltNode(&call.context, call.mesh, node, from, to);
}

ABI_PROTO_animesh_IAnimation_32(AniMesh_IAnimation_32) {
    MeshCall call;
    BEGIN(call);
    Mesh_RootTranslation(&call.context, call.mesh, translation);
    MeshCall_End(&call, "IAnimation::RootTranslation");
}

/* ---- first-person views ---------------------------------------------------------------------- */

ABI_PROTO_animesh_IAnimation_33(AniMesh_IAnimation_33) {
    static long seen;
    MeshCall call;
    MeshCall_Begin(&call, (void *)self, INTERFACE_ANIMATION);
    /* It is not published how an original keeps its list of views. */
    if (!MeshObject_IsOurs(call.mesh))
        Diagnose_Refused("IAnimation::AddFirstPersonView", "the mesh is not ours", &seen);
    else if (Mesh_AddView(&call.context, call.mesh, view, NULL) != RP_OK)
        Diagnose_Refused("IAnimation::AddFirstPersonView", "out of memory", &seen);
}

ABI_PROTO_animesh_IAnimation_34(AniMesh_IAnimation_34) {
    const Mesh *mesh = (const Mesh *)self;
    return MeshObject_IsOurs(mesh) && Mesh_IsView(mesh, view);
}

ABI_PROTO_animesh_IAnimation_35(AniMesh_IAnimation_35) {
    Mesh *mesh = (Mesh *)self;
    if (MeshObject_IsOurs(mesh))
        Mesh_RemoveView(mesh, view);
}

/* ---- internal functions ---------------------------------------------------------------------- */

ABI_PROTO_animesh_InitPiece(AniMesh_InitPiece) {
    Piece_Init(piece, part);
}

ABI_PROTO_animesh_ClearPoseCache(AniMesh_ClearPoseCache) {
    Mesh_ClearPoseCache(self);
}

ABI_PROTO_animesh_PoseWalk(AniMesh_PoseWalk) {
    MeshCall call;
    BEGIN(call);
    Mesh_Pose(&call.context, call.mesh);
    MeshCall_End(&call, "PoseWalk");
}
