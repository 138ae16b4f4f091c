/* Sources: facts/ngi32.md E.4 (methods), E.5 (the file), E.6 (the object's first fields). */
#include "replay/host/nresfile.h"

#include "core/bytes.h"
#include "replay/host/guest.h"
#include "replay/host/memory.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 16u
#define ENTRY_BYTES  64u
#define ENTRY_SIZE   12u
#define ENTRY_NAME   20u
#define ENTRY_OFFSET 56u

/* The object as the pair has it. */
typedef struct NResObject {
    uint32_t methods, count, image, directory; /* the original's first fields; addresses */
} NResObject;

/* An object that there is or was. The pair may write into its own part of it, so the methods look
 * only at what is here. */
typedef struct NResFile {
    uint32_t object;
    uint32_t id; /* of the memory with the image */
    uint32_t image, size, count, directory;
} NResFile;

static NResFile *files;
static uint32_t file_count; /* those that there are now */
static uint32_t made_count; /* those whose object has memory */

static const NResFile *FileOf(uint32_t self) {
    for (uint32_t i = 0; i < file_count; i++)
        if (files[i].object == self)
            return &files[i];
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

int32_t NResFile_Find(uint32_t self, const char *name) {
    const NResFile *file = FileOf(self);
    for (uint32_t i = 0; file && i < file->count; i++)
        if (SameName((const char *)Guest_At(EntryOf(file, i)) + ENTRY_NAME, name))
            return (int32_t)i;
    return -1;
}

uint32_t NResFile_Directory(uint32_t self) {
    const NResFile *file = FileOf(self);
    return file ? file->directory : 0;
}

uint32_t NResFile_Data(uint32_t self, int32_t index) {
    const NResFile *file = FileOf(self);
    const uint32_t entry = file ? EntryOf(file, (uint32_t)index) : 0;
    const uint32_t offset = entry ? Bytes_U32((uint8_t *)Guest_At(entry) + ENTRY_OFFSET) : 0;
    return entry && offset <= file->size ? file->image + offset : 0;
}

int32_t NResFile_FindType(uint32_t self, uint32_t type) {
    const NResFile *file = FileOf(self);
    for (uint32_t i = 0; file && i < file->count; i++)
        if (Bytes_U32(Guest_At(EntryOf(file, i))) == type)
            return (int32_t)i;
    return -1;
}

/* Makes room for one more object; what an earlier trace had is used again. */
static NResFile *Next(void) {
    if (file_count < made_count)
        return &files[file_count];
    NResFile *grown = realloc(files, (made_count + 1) * sizeof *grown);
    const uint32_t object = grown ? Guest_Allocate(sizeof(NResObject)) : 0;
    if (grown)
        files = grown;
    if (!object)
        return NULL;
    files[made_count].object = object;
    return &files[made_count++];
}

uint32_t NResFile_Object(uint32_t id) {
    for (uint32_t i = 0; i < file_count; i++)
        if (files[i].id == id)
            return files[i].object;
    const uint32_t image = Memory_Address(id, 0), size = Memory_Size(id);
    const uint32_t methods = NResFile_Methods();
    NResFile *file = image && methods ? Next() : NULL;
    if (!file)
        return 0;
    const uint32_t count = size >= HEADER_BYTES ? Bytes_U32((uint8_t *)Guest_At(image) + 8) : 0;
    *file = (NResFile){.object = file->object, .id = id, .image = image, .size = size};
    if (size >= HEADER_BYTES && count <= (size - HEADER_BYTES) / ENTRY_BYTES) {
        file->count = count;
        file->directory = file->image + size - ENTRY_BYTES * count;
    }
    const NResObject object = {methods, file->count, file->image, file->directory};
    memcpy(Guest_At(file->object), &object, sizeof object);
    file_count++;
    return file->object;
}

void NResFile_Forget(void) {
    file_count = 0;
}
