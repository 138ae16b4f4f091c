/* Plays an INResFile object. Sources: facts/ngi32.md E.4 (methods), E.5 (the file), E.6 (the
 * object's first fields). */
#include "replay/host/nresfile.h"

#include "core/bytes.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 16u
#define ENTRY_BYTES  64u
#define ENTRY_SIZE   12u
#define ENTRY_NAME   20u
#define ENTRY_OFFSET 56u

/* The object as the pair sees it. */
typedef struct NResObject {
    /* the first fields of the original's object; addresses */
    uint32_t methods, count, image, directory;
} NResObject;

static const NResFile *FileOf(const NResFiles *files, uint32_t self) {
    for (uint32_t i = 0; i < files->file_count; i++)
        if (files->all[i].object == self)
            return &files->all[i];
    return NULL;
}

/* Returns the address of an entry of the directory, or 0. */
static uint32_t EntryOf(const NResFile *file, uint32_t index) {
    return index < file->count ? file->directory + ENTRY_BYTES * index : 0;
}

/* Compares as _stricmp does in the C locale, for a name that may lack its NUL. */
static bool SameName(const char *a, const char *b) {
    for (uint32_t i = 0; i < NRESFILE_NAME_BYTES; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        x += x >= 'A' && x <= 'Z' ? 'a' - 'A' : 0;
        y += y >= 'A' && y <= 'Z' ? 'a' - 'A' : 0;
        if (x != y)
            return false;
        if (x == 0)
            return true;
    }
    return true;
}

int32_t NResFile_Find(const NResFiles *files, uint32_t self, const char *name) {
    const NResFile *file = FileOf(files, self);
    for (uint32_t i = 0; file && i < file->count; i++)
        if (SameName((const char *)Guest_At(files->memory->guest, EntryOf(file, i)) + ENTRY_NAME,
                     name))
            return (int32_t)i;
    return -1;
}

uint32_t NResFile_Directory(const NResFiles *files, uint32_t self) {
    const NResFile *file = FileOf(files, self);
    return file ? file->directory : 0;
}

uint32_t NResFile_Data(const NResFiles *files, uint32_t self, int32_t index) {
    const NResFile *file = FileOf(files, self);
    const uint32_t entry = file ? EntryOf(file, (uint32_t)index) : 0;
    const uint32_t offset =
        entry ? Bytes_U32((uint8_t *)Guest_At(files->memory->guest, entry) + ENTRY_OFFSET) : 0;
    return entry && offset <= file->size ? file->image + offset : 0;
}

int32_t NResFile_FindType(const NResFiles *files, uint32_t self, uint32_t type) {
    const NResFile *file = FileOf(files, self);
    for (uint32_t i = 0; file && i < file->count; i++)
        if (Bytes_U32(Guest_At(files->memory->guest, EntryOf(file, i))) == type)
            return (int32_t)i;
    return -1;
}

uint32_t NResFile_Object(NResFiles *files, uint32_t id) {
    for (uint32_t i = 0; i < files->file_count; i++)
        if (files->all[i].id == id)
            return files->all[i].object;
    const uint32_t image = Memory_Address(files->memory, id, 0),
                   size = Memory_Size(files->memory, id);
    const uint32_t methods = NResFile_Methods(files);
    if (!image || !methods)
        return 0;

    /* Memory of an object of an earlier trace is used again. */
    if (files->file_count == files->made_count) {
        NResFile *grown = realloc(files->all, (files->made_count + 1) * sizeof *grown);
        const uint32_t object =
            grown ? Guest_Allocate(files->memory->guest, sizeof(NResObject)) : 0;
        if (grown)
            files->all = grown;
        if (!object)
            return 0;
        files->all[files->made_count++].object = object;
    }
    NResFile *file = &files->all[files->file_count];

    const uint32_t count =
        size >= HEADER_BYTES ? Bytes_U32((uint8_t *)Guest_At(files->memory->guest, image) + 8) : 0;
    *file = (NResFile){.object = file->object, .id = id, .image = image, .size = size};
    if (size >= HEADER_BYTES && count <= (size - HEADER_BYTES) / ENTRY_BYTES) {
        file->count = count;
        file->directory = file->image + size - ENTRY_BYTES * count;
    }
    const NResObject object = {methods, file->count, file->image, file->directory};
    memcpy(Guest_At(files->memory->guest, file->object), &object, sizeof object);
    files->file_count++;
    return file->object;
}

void NResFile_Forget(NResFiles *files) {
    files->file_count = 0;
}

void NResFile_Free(NResFiles *files) {
    free(files->all);
}
