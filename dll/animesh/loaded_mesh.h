/* The object that LoadAniMesh makes: first the original's record, then fields of our own. */
#ifndef RETROPOSE_DLL_ANIMESH_LOADED_MESH_H
#define RETROPOSE_DLL_ANIMESH_LOADED_MESH_H

#include "animesh/mesh.h"
#include "dll/animesh/internals.h"

/* A model that pieces of one object use. */
typedef struct MeshReader {
    Reader reader; /* must be first: a piece points to it */
    MeshModel model;
    const void *archive; /* INResFile objects; the streams lie in the mapped file of `archive` */
    const void *image;   /* null if the archive itself is the model */
    struct MeshReader *next;
} MeshReader;

typedef struct MeshObject {
    Mesh mesh; /* must be first: it is the original's record */
    MeshReader *readers;
    uintptr_t outer; /* the pointer that LoadAniMesh got, or 0 */
    struct MeshObject *next;
} MeshObject;

/* Offsets of the interfaces in the object. */
enum { INTERFACE_ANIMATION = 0, INTERFACE_MESH2 = 4, INTERFACE_JOINT_MESH = 8 };
enum { INTERFACE_COLLISION_MESH = 12, INTERFACE_SAVE = 16, INTERFACE_QUERY = 20 };

/* The ids that QueryInterface takes (facts/animesh.md C.1). */
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
    ID_PART_NAMES = 0x24,
    ID_COLLISION_MESH = 0x25,
    ID_SAVE = 0x26,
    ID_COLLISION_OBJECT = 0x28,
    ID_WIZARD = 0x201,
    ID_ITEM_MANAGER = 0x202,
    ID_COLLISION_MANAGER = 0x203,
    ID_DEVICE_MANAGER = 0x204,
    ID_HALLWAY = 0x303
};

/* Messages of the game (facts/animesh.md C.1). */
enum {
    MESSAGE_TICK = 1,
    MESSAGE_INIT = 4,
    MESSAGE_CONTAINER = 6,
    MESSAGE_MODE = 7,
    MESSAGE_REMOVE_PART = 20,
    MESSAGE_CHILD_EVENT = 21,
    MESSAGE_FRAME = 0x1C
};
#define MESSAGE_APPEND 0x80000020u

/* ---- objects --------------------------------------------------------------------------------- */

/* Makes an object without pieces. Null means that memory is short. */
MeshObject *MeshObject_New(uintptr_t outer);
/* Takes an object off the list and frees everything that belongs to it. Returns false for anything
 * that is not on the list. */
bool MeshObject_Destroy(uintptr_t object);

/* Attaches a model of an archive (E.8). On failure nothing has changed. */
RpStatus MeshObject_Append(MeshObject *object, const MeshAppend *append, RpError *error);
void MeshObject_RemovePart(MeshObject *object, uint32_t part);

/* Makes the two lights of a weapon, a building or a unit (mesh_lights.c). */
void MeshObject_MakeLights(const MeshObject *object);

void MeshObjects_Open(void);
/* Destroys all remaining objects, unless the process ends. */
void MeshObjects_Close(bool process_ends);

/* Sets the vtable pointers of a new object (vtables.c). */
typedef enum ObjectKind { OBJECT_Mesh, OBJECT_Agent } ObjectKind;
void Object_SetVtables(void *object, ObjectKind kind);
/* Returns whether an object was made by this DLL. Anyone may call it. */
bool MeshObject_IsOurs(const Mesh *mesh);

/* Does what LoadAniMesh does. */
RpStatus MeshObject_Load(const char *archive, const char *member, uintptr_t outer,
                         MeshObject **object, RpError *error);
/* Sets the names. Returns false for names that are null or too long. */
bool MeshAppend_Set(MeshAppend *append, const char *archive, const char *member);

/* Returns one of the object's interfaces by its id, or 0. */
uintptr_t MeshObject_Interface(MeshObject *object, uint32_t id);

/* ---- calls ----------------------------------------------------------------------------------- */

/* A call of a method. The object may have been made by this DLL or by an original. */
typedef struct MeshCall {
    Mesh *mesh;
    MeshContext context;
    RpPoseCounters counters;
} MeshCall;

/* `interface` is the offset of the interface in the object. `self` points there. */
void MeshCall_Begin(MeshCall *call, void *self, uintptr_t interface);
/* Reports reads outside of streams. */
void MeshCall_End(const MeshCall *call, const char *method);

/* Calls QueryInterface of another module's object. Returns 0 for a null object. */
uintptr_t Object_Query(uintptr_t object, uint32_t id);
/* Returns the code of a method in the object's vtable. */
uintptr_t Object_Method(uintptr_t object, int method);
/* The calling convention of methods of other modules' objects. That it is the same as for ours is
 * assumed. */
#define METHOD_CC ABI_PASTE(ABI_CC_, ABI_CONV_METHOD)
/* Asks World3D's registry of settings, which knows a setting by page | index << 16. Without a
 * registry, returns 0 and writes one line to the log. */
uint32_t Settings_Read(uint32_t key);
/* Calls method 2 of IAnimation, IControl and similar interfaces: the message handler. */
uint32_t Object_Message(uintptr_t object, uint32_t message, uintptr_t payload);

#endif
