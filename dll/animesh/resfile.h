/* The part of Ngi32's INResFile that the loader calls. An archive is reached through its vtable
 * (facts/ngi32.md E.4). The rows of ngi32.abi.h give the numbers and signatures of methods. */
#ifndef RETROPOSE_DLL_ANIMESH_RESFILE_H
#define RETROPOSE_DLL_ANIMESH_RESFILE_H

#include "prototypes.h"

#include <stddef.h>

/* One record of the directory (facts/ngi32.md E.5). */
typedef struct ResRecord {
    uint32_t type;
    uint32_t attr1;
    uint32_t attr2;
    uint32_t size;
    uint32_t attr3;
    char name[36];
    uint32_t data_offset;
    uint32_t sort_index;
} ResRecord;

_Static_assert(sizeof(ResRecord) == 64, "ResRecord");

enum { RES_ABSENT = -1 };

typedef ABI_PROTO_ngi32_INResFile_1((*ResFileRelease));
typedef ABI_PROTO_ngi32_INResFile_3((*ResFileFind));
typedef ABI_PROTO_ngi32_INResFile_4((*ResFileDirectory));
typedef ABI_PROTO_ngi32_INResFile_6((*ResFileData));
typedef ABI_PROTO_ngi32_INResFile_8((*ResFileFindType));

static inline uintptr_t ResFile_Method(const void *file, int method) {
    return (*(const uintptr_t *const *)file)[method];
}

static inline const ResRecord *ResFile_Directory(const void *file) {
    ResFileDirectory method = (ResFileDirectory)ResFile_Method(file, 4);
    return (const ResRecord *)method((uintptr_t)file);
}

/* Returns the payload without touching its pages. */
static inline const uint8_t *ResFile_Data(const void *file, int32_t index) {
    ResFileData method = (ResFileData)ResFile_Method(file, 6);
    return (const uint8_t *)method((uintptr_t)file, index, 0);
}

static inline void ResFile_Release(const void *file) {
    ((ResFileRelease)ResFile_Method(file, 1))((uintptr_t)file);
}

/* Returns the entry of that name, or RES_ABSENT. */
static inline int32_t ResFile_Find(const void *file, const char *name) {
    return ((ResFileFind)ResFile_Method(file, 3))((uintptr_t)file, name);
}

/* Returns the first entry of a type, or RES_ABSENT. */
static inline int32_t ResFile_FindType(const void *file, uint32_t type) {
    ResFileFindType method = (ResFileFindType)ResFile_Method(file, 8);
    return method((uintptr_t)file, type);
}

#endif
