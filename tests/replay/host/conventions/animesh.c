/* An AniMesh.dll for tests of thiscall, of references in both directions, of a structure and of the
 * archive object. */
#include "prototypes.h"

#include <string.h>

typedef struct Archive {
    const void *const *methods;
} Archive;

typedef ABI_PROTO_ngi32_INResFile_3((*FindName));
typedef ABI_PROTO_ngi32_INResFile_4((*Directory));
typedef ABI_PROTO_ngi32_INResFile_6((*Data));
typedef ABI_PROTO_ngi32_INResFile_8((*FindType));

static uint32_t Word(const void *base, uint32_t offset) {
    uint32_t word;
    memcpy(&word, (const char *)base + offset, sizeof word);
    return word;
}

static ABI_PROTO_animesh_SampleNode(SampleNode) {
    quaternion[0] = t;
    quaternion[1] = (float)Word(piece, 8);
    position[2] = -t;
}

/* Returns the address `level` bytes into the piece's reader, an unrelated address, or null. */
static ABI_PROTO_animesh_FindSlot(FindSlot) {
    static const char elsewhere;
    const char *reader = (const char *)(uintptr_t)Word(piece, 0x12C);
    return variant == 0 ? reader + level : variant == 1 ? &elsewhere : NULL;
}

static ABI_PROTO_animesh_NodeString(NodeString) {
    return piece;
}

static ABI_PROTO_animesh_LoadReader(LoadReader) {
    const Archive *archive = (const Archive *)file;
    uint32_t *fields = (uint32_t *)reader;
    uintptr_t self = (uintptr_t)file;
    FindType find_type = (FindType)(uintptr_t)archive->methods[8];
    FindName find_name = (FindName)(uintptr_t)archive->methods[3];
    Data data = (Data)(uintptr_t)archive->methods[6];
    Directory directory = (Directory)(uintptr_t)archive->methods[4];
    int32_t found = find_type(self, 19);
    fields[0] = (uint32_t)data(self, found, 1);
    fields[1] = (uint32_t)directory(self);
    fields[0x40 / 4] = (uint32_t)found;
    fields[0x48 / 4] = (uint32_t)find_type(self, 77);
    fields[0x50 / 4] = (uint32_t)find_name(self, "SECOND");
    fields[0x58 / 4] = (uint32_t)find_name(self, "third");
    fields[0xA0 / 4] = *(const uint32_t *)(uintptr_t)fields[0];
}

static ABI_PROTO_animesh_SetColumn(SetColumn) {
    matrix[0] += 1;
    matrix[column] = vector[1];
}

ABI_PROTO_animesh_RetroposeInternal(RetroposeInternal) {
    switch (address) {
    case 0x10012880:
        return (uintptr_t)SampleNode;
    case 0x100124D0:
        return (uintptr_t)FindSlot;
    case 0x10012530:
        return (uintptr_t)NodeString;
    case 0x10015FD0:
        return (uintptr_t)LoadReader;
    case 0x1000B8E0:
        return (uintptr_t)SetColumn;
    default:
        return 0;
    }
}
