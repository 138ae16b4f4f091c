/* The vtables of our objects, as long as the ABI table says. A method that has a body is a gate.
 * Any other method ends the game with a message that names it, because no source tells how many
 * bytes of arguments it removes from the stack. */
#include "dll/animesh/loaded_mesh.h"

#include "dll/unserved.h"
#include "vtables-animesh.h"

#define GATE_DECLARE(interface, method) extern const char gate_animesh_##interface##_##method[];
#define UNKNOWN_DEFINE(interface, method)                                                          \
    static void interface##_##method(void) {                                                       \
        Live_EndUnserved(#interface " method " #method, __builtin_return_address(0));              \
    }
#define GATE_ENTRY(interface, method)    (uintptr_t) gate_animesh_##interface##_##method,
#define UNKNOWN_ENTRY(interface, method) (uintptr_t)(interface##_##method),

#define DEFINE_VTABLE(interface, id, object, offset, rva, methods, evidence)                       \
    VTABLE_##interface(GATE_DECLARE,                                                               \
                       UNKNOWN_DEFINE) static const uintptr_t vtable_##interface[methods] = {      \
        VTABLE_##interface(GATE_ENTRY, UNKNOWN_ENTRY)};
ABI_ANIMESH_INTERFACES(DEFINE_VTABLE)

#define VTABLE_POINTER(interface, id, object, offset, rva, methods, evidence)                      \
    {OBJECT_##object, offset, vtable_##interface},
static const struct {
    ObjectKind object;
    uint32_t offset;
    const uintptr_t *vtable;
} vtables[] = {ABI_ANIMESH_INTERFACES(VTABLE_POINTER)};

void Object_SetVtables(void *object, ObjectKind kind) {
    for (size_t i = 0; i < sizeof vtables / sizeof *vtables; i++)
        if (vtables[i].object == kind)
            *(uintptr_t *)(void *)((uint8_t *)object + vtables[i].offset) =
                (uintptr_t)vtables[i].vtable;
}

bool MeshObject_IsOurs(const Mesh *mesh) {
    return mesh->animation == (uintptr_t)vtable_IAnimation;
}
