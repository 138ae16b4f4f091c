/* LoadAniMesh, QueryInterface and the message handler of the mesh object (facts/animesh.md A.1,
 * C.4, C.5). */
#include "core/text.h"
#include "dll/animesh/diagnose.h"
#include "dll/animesh/loaded_mesh.h"
#include "dll/base/log.h"

#include <string.h>

/* ---- interfaces ------------------------------------------------------------------------------ */

/* A mesh knows its own interfaces only. */
static uintptr_t Query(uintptr_t self, uintptr_t interface, uint32_t id) {
    MeshObject *object = (MeshObject *)(self - interface);
    return MeshObject_IsOurs(&object->mesh) ? MeshObject_Interface(object, id) : 0;
}

ABI_PROTO_animesh_IAnimation_0(AniMesh_IAnimation_0) {
    return Query(self, INTERFACE_ANIMATION, id);
}
ABI_PROTO_animesh_IMesh2_0(AniMesh_IMesh2_0) {
    return Query(self, INTERFACE_MESH2, id);
}
ABI_PROTO_animesh_IJointMesh_0(AniMesh_IJointMesh_0) {
    return Query(self, INTERFACE_JOINT_MESH, id);
}
ABI_PROTO_animesh_ICollisionMesh_0(AniMesh_ICollisionMesh_0) {
    return Query(self, INTERFACE_COLLISION_MESH, id);
}
ABI_PROTO_animesh_IMeshSave_0(AniMesh_IMeshSave_0) {
    return Query(self, INTERFACE_SAVE, id);
}
ABI_PROTO_animesh_IMeshQuery_0(AniMesh_IMeshQuery_0) {
    return Query(self, INTERFACE_QUERY, id);
}

/* ---- messages -------------------------------------------------------------------------------- */

static void UpdateBounds(MeshObject *object) {
    AniMesh_MeshBounds(object);
}

/* The first pass looks up those interfaces that the original looks up and whose place in the object
 * is public. The second pass updates the bounds and makes the lights of the object's own view. */
static uint32_t Init(MeshObject *object, uintptr_t second) {
    if (second) {
        UpdateBounds(object);
        MeshObject_MakeLights(object);
    } else {
        object->mesh.material_manager = Object_Query(object->outer, ID_MATERIAL_MANAGER);
        object->mesh.life_system = Object_Query(object->outer, ID_LIFE_SYSTEM);
    }
    return 1;
}

static uint32_t Append(MeshObject *object, const MeshAppend *append) {
    RpError error;
    char message[LOG_LINE_BYTES];
    if (!append)
        return 0;
    if (MeshObject_Append(object, append, &error) != RP_OK) {
        RpError_Format(&error, message, sizeof message);
        Log_Write("part %u does not join: %s", append->part, message);
        return 0;
    }
    if (append->part != 0)
        UpdateBounds(object);
    return 1;
}

static uint32_t RemovePart(MeshObject *object, uint32_t part) {
    MeshObject_RemovePart(object, part);
    UpdateBounds(object);
    return 1;
}

/* Message 21 tells of an agent's children, for lights and shadows. As far as is public, it changes
 * nothing in the mesh. */
ABI_PROTO_animesh_IAnimation_2(AniMesh_IAnimation_2) {
    static long seen, foreign;
    MeshObject *object = (MeshObject *)self;
    if (!MeshObject_IsOurs(&object->mesh)) {
        Diagnose_Refused("IAnimation::HandleMessage", "the mesh is not ours", &foreign);
        return 0;
    }
    switch (message) {
    case MESSAGE_INIT:
        return Init(object, payload);
    case MESSAGE_APPEND:
        return Append(object, (const MeshAppend *)payload);
    case MESSAGE_REMOVE_PART:
        return RemovePart(object, payload);
    case MESSAGE_CHILD_EVENT:
        return 1;
    default:
        Diagnose_Refused("IAnimation::HandleMessage", "no public source tells of such a message",
                         &seen);
        return 0;
    }
}

/* ---- LoadAniMesh ----------------------------------------------------------------------------- */

bool MeshAppend_Set(MeshAppend *append, const char *archive, const char *member) {
    memset(append, 0, sizeof *append);
    if (!archive || !member || strlen(archive) > sizeof append->archive ||
        strlen(member) > sizeof append->member)
        return false;
    memcpy(append->archive, archive, strlen(archive));
    memcpy(append->member, member, strlen(member));
    return true;
}

RpStatus MeshObject_Load(const char *archive, const char *member, uintptr_t outer,
                         MeshObject **object, RpError *error) {
    MeshAppend root;
    if (!MeshAppend_Set(&root, archive, member))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "no name, or one of more than 32 letters",
                           "", "", "");
    root.piece = -1;
    *object = MeshObject_New(outer);
    if (!*object)
        return RpMemory_Refused(error, "a mesh");
    RpStatus status = MeshObject_Append(*object, &root, error);
    if (status != RP_OK)
        MeshObject_Destroy((uintptr_t)*object);
    return status;
}

/* 0x10016A70 makes the object, and then does the same as message 0x80000020 with part 0. */
ABI_PROTO_animesh_LoadAniMesh(LoadAniMesh) {
    (void)player;
    MeshObject *object;
    RpError error;
    char message[LOG_LINE_BYTES];
    if (MeshObject_Load(archive, member, outer, &object, &error) == RP_OK)
        return (uintptr_t)object;
    RpError_Format(&error, message, sizeof message);
    Log_Write("LoadAniMesh(%s, %s) returns null: %s", archive, member, message);
    return 0;
}
