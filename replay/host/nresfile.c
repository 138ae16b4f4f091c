/* Sources: facts/ngi32.md E.4 (methods), E.5 (the file), E.6 (the object's first fields). */
#include "replay/host/nresfile.h"

#include "core/bytes.h"
#include "prototypes.h"
#include "replay/host/memory.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS        32
#define HEADER_BYTES 16u
#define ENTRY_BYTES  64u
#define ENTRY_SIZE   12u
#define ENTRY_NAME   20u
#define ENTRY_OFFSET 56u
#define NAME_BYTES   36u

typedef struct NResFile {
    const void *const *methods;
    uint32_t count;
    const uint8_t *image;
    const uint8_t *directory;
    uint32_t size; /* from here on the original's object has other fields */
    uint32_t id;
    struct NResFile *next;
} NResFile;

static const uint8_t *Entry(const NResFile *file, uint32_t index) {
    return index < file->count ? file->directory + (size_t)ENTRY_BYTES * index : NULL;
}

/* Compares as _stricmp does in the C locale, for a name that may lack its NUL. */
static bool SameName(const char *a, const char *b) {
    for (uint32_t i = 0; i < NAME_BYTES; i++) {
        int x = a[i], y = b[i];
        x += x >= 'A' && x <= 'Z' ? 'a' - 'A' : 0;
        y += y >= 'A' && y <= 'Z' ? 'a' - 'A' : 0;
        if (x != y)
            return false;
        if (x == 0)
            return true;
    }
    return true;
}

static ABI_PROTO_ngi32_INResFile_3(Find) {
    const NResFile *file = (const NResFile *)self;
    for (uint32_t i = 0; i < file->count; i++)
        if (SameName((const char *)Entry(file, i) + ENTRY_NAME, name))
            return (int32_t)i;
    return -1;
}

static ABI_PROTO_ngi32_INResFile_4(Directory) {
    return (uintptr_t)((const NResFile *)self)->directory;
}

static ABI_PROTO_ngi32_INResFile_6(Data) {
    const NResFile *file = (const NResFile *)self;
    const uint8_t *entry = Entry(file, (uint32_t)index);
    (void)touch;
    if (!entry || Bytes_U32(entry + ENTRY_OFFSET) > file->size)
        return 0;
    return (uintptr_t)(file->image + Bytes_U32(entry + ENTRY_OFFSET));
}

static ABI_PROTO_ngi32_INResFile_8(FindType) {
    const NResFile *file = (const NResFile *)self;
    for (uint32_t i = 0; i < file->count; i++)
        if (Bytes_U32(Entry(file, i)) == type)
            return (int32_t)i;
    return -1;
}

/* A method without a public signature. Nobody knows how many bytes it pops, so it cannot return. */
static void Unknown(void) {
    __builtin_trap();
}

static const void *const *Methods(void) {
    static const void *methods[SLOTS];
    for (int i = 0; i < SLOTS; i++)
        methods[i] = (const void *)(uintptr_t)Unknown;
    methods[3] = (const void *)(uintptr_t)Find;
    methods[4] = (const void *)(uintptr_t)Directory;
    methods[6] = (const void *)(uintptr_t)Data;
    methods[8] = (const void *)(uintptr_t)FindType;
    return methods;
}

static NResFile *Create(uint32_t id) {
    const uint8_t *image = Memory_Address(id, 0);
    uint32_t size = Memory_Size(id);
    NResFile *file = image ? calloc(1, sizeof *file) : NULL;
    if (!file)
        return NULL;
    uint32_t count = size >= HEADER_BYTES ? Bytes_U32(image + 8) : 0;
    *file = (NResFile){.methods = Methods(), .image = image, .size = size, .id = id};
    if (count <= (size - HEADER_BYTES) / ENTRY_BYTES && size >= HEADER_BYTES) {
        file->count = count;
        file->directory = image + size - (size_t)ENTRY_BYTES * count;
    }
    return file;
}

static NResFile *files;

void NResFile_Forget(void) {
    while (files) {
        NResFile *next = files->next;
        free(files);
        files = next;
    }
}

void *NResFile_Object(uint32_t id) {
    for (NResFile *file = files; file; file = file->next)
        if (file->id == id)
            return file;
    NResFile *file = Create(id);
    if (file) {
        file->next = files;
        files = file;
    }
    return file;
}
