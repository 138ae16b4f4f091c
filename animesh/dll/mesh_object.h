/* The object behind LoadAniMesh: the original's record first, ours behind it. */
#ifndef RETROPOSE_ANIMESH_DLL_MESH_OBJECT_H
#define RETROPOSE_ANIMESH_DLL_MESH_OBJECT_H

#include "animesh/dll/internals.h"
#include "animesh/mesh.h"

/* A model that pieces of one object use. */
typedef struct MeshReader {
    Reader reader; /* first: what a piece points to */
    MeshModel model;
    const void *archive; /* INResFile objects: the streams lie in the archive's mapped file */
    const void *image;   /* null where the archive itself is the model */
    struct MeshReader *next;
} MeshReader;

typedef struct MeshObject {
    Mesh mesh; /* first */
    MeshReader *readers;
    uintptr_t outer; /* as LoadAniMesh got it, or 0 */
    struct MeshObject *next;
} MeshObject;

enum { INTERFACE_ANIMATION = 0, INTERFACE_MESH2 = 4, INTERFACE_JOINT_MESH = 8 }; /* of the object */
enum { INTERFACE_COLLISION_MESH = 12, INTERFACE_SAVE = 16, INTERFACE_QUERY = 20 };

/* What interfaces are asked for by (facts/animesh.md C.1). */
enum {
    ID_GAME_OBJECT = 0x6,
    ID_CONTROL = 0xA,
    ID_ANIMATION = 0xB,
    ID_MATERIAL_MANAGER = 0xD,
    ID_LIGHT_MANAGER = 0xE,
    ID_BEHAVIOUR = 0x10,
    ID_EFFECT_MANAGER = 0x13,
    ID_AGENT = 0x15,
    ID_LIFE_SYSTEM = 0x16,
    ID_MESH2 = 0x18,
    ID_MAN_MANAGER = 0x19,
    ID_JOINT_MESH = 0x20,
    ID_COLLISION_MESH = 0x25,
    ID_SAVE = 0x26,
    ID_COLLISION_OBJECT = 0x28,
    ID_WIZARD = 0x201,
    ID_ITEM_MANAGER = 0x202,
    ID_COLLISION_MANAGER = 0x203,
    ID_DEVICE_MANAGER = 0x204,
    ID_HALLWAY = 0x303
};

/* (facts/animesh.md C.1) */
enum {
    MESSAGE_TICK = 1,
    MESSAGE_INIT = 4,
    MESSAGE_CONTAINER = 6,
    MESSAGE_REMOVE_PART = 20,
    MESSAGE_CHILD_EVENT = 21,
    MESSAGE_FRAME = 0x1C
};
#define MESSAGE_APPEND 0x80000020u

/* ---- objects --------------------------------------------------------------------------------- */

/* No pieces. Null when memory is short. */
MeshObject *MeshObject_New(uintptr_t outer);
/* Off the list, with everything it has; false for what is not on it. */
bool MeshObject_Destroy(uintptr_t object);

/* A model of an archive joins (E.8): RP_OK, or nothing has changed. */
RpStatus MeshObject_Append(MeshObject *object, const MeshAppend *append, RpError *error);
void MeshObject_RemovePart(MeshObject *object, uint32_t part);

void MeshObjects_Open(void);
/* Destroys what is left, unless the process ends. */
void MeshObjects_Close(bool process_ends);

/* Vtable pointers for a new object (vtables.c). */
typedef enum ObjectKind { OBJECT_Mesh, OBJECT_Agent } ObjectKind;
void Object_SetVtables(void *object, ObjectKind kind);
/* Whether an object is one of ours, whoever calls. */
bool MeshObject_IsOurs(const Mesh *mesh);

/* What LoadAniMesh does. */
RpStatus MeshObject_Load(const char *archive, const char *member, uintptr_t outer,
                         MeshObject **object, RpError *error);
/* False for names that have no room, or are null. */
bool MeshAppend_Set(MeshAppend *append, const char *archive, const char *member);

/* One of ours by an id of an interface, or 0. */
uintptr_t MeshObject_Interface(MeshObject *object, uint32_t id);

/* ---- calls ----------------------------------------------------------------------------------- */

/* A call of a method, on an object of ours or of an original. */
typedef struct MeshCall {
    Mesh *mesh;
    MeshContext context;
    RpPoseCounters counters;
} MeshCall;

/* `interface`: where in the object `self` points. */
void MeshCall_Begin(MeshCall *call, void *self, uintptr_t interface);
/* Reports what was read outside of streams. */
void MeshCall_End(const MeshCall *call, const char *method);

/* QueryInterface of another module's object; 0 for a null one. */
uintptr_t Object_Query(uintptr_t object, uint32_t id);
/* The code of a slot. */
uintptr_t Object_Method(uintptr_t object, int slot);
/* Slot 2 of IAnimation, IControl and the like: the message handler. */
uint32_t Object_Message(uintptr_t object, uint32_t message, uintptr_t payload);

#endif
