/* Opening NRes archives: the shared, reference-counted list of archives, and the exports that put
 * archives on it (facts/ngi32.md E.3, E.6, E.8). What no source tells is marked "assumed" here and
 * listed in docs/reference/archives-dll.md. */
#include "dll/ngi32/archive.h"

#include "core/text.h"
#include "dll/base/log.h"
#include "dll/folder.h"
#include "dll/ngi32/mapped.h"

#include <string.h>

static CRITICAL_SECTION lock;
static Archive *list; /* the original's global at 0x1003A66C */

/* ---- the list -------------------------------------------------------------------------------- */

void Archives_Lock(void) {
    EnterCriticalSection(&lock);
}

void Archives_Unlock(void) {
    LeaveCriticalSection(&lock);
}

Archive *Archive_Of(uintptr_t self) {
    for (Archive *archive = list; archive; archive = archive->next)
        if ((uintptr_t)archive == self)
            return archive;
    return NULL;
}

static char *Duplicate(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = Memory_Allocate(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static void Free(Archive *archive) {
    if (archive->mapped)
        UnmapViewOfFile(archive->base);
    if (archive->file)
        CloseHandle(archive->file);
    Memory_Free(archive->records);
    Memory_Free(archive->name);
    Memory_Free(archive->path);
    Memory_Free(archive);
}

Archive *Archive_New(const char *name, const char *path) {
    Archive *archive = Memory_Allocate(sizeof *archive);
    if (!archive)
        return NULL;
    *archive = (Archive){.references = 1};
    if (name) {
        archive->name = Duplicate(name);
        archive->path = Duplicate(path);
        if (!archive->name || !archive->path) {
            Free(archive);
            return NULL;
        }
    }
    archive->methods = archive_methods;
    archive->next = list;
    list = archive;
    return archive;
}

void Archive_Unload(Archive *archive) {
    Archive **link = &list;
    while (*link != archive)
        link = &(*link)->next;
    *link = archive->next;
    Archive_Write(archive);
    Free(archive);
}

/* Compares file names, in which only the case of A to Z is ignored (assumed). */
static bool SamePath(const char *a, const char *b) {
    for (;; a++, b++) {
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 'a' - 'A') : *a;
        char y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 'a' - 'A') : *b;
        if (x != y)
            return false;
        if (!x)
            return true;
    }
}

Archive *Archive_Listed(const char *path, bool raw) {
    for (Archive *archive = list; archive; archive = archive->next)
        if (archive->path && archive->raw == raw && SamePath(archive->path, path))
            return archive;
    return NULL;
}

void Archive_CompletePath(const char *path, char complete[ARCHIVE_PATH_BYTES]) {
    DWORD length = GetFullPathNameA(path, ARCHIVE_PATH_BYTES, complete, NULL);
    if (length > 0 && length < ARCHIVE_PATH_BYTES)
        return;
    Text text = Text_Begin(complete, ARCHIVE_PATH_BYTES);
    Text_Append(&text, path);
}

/* ---- idleness -------------------------------------------------------------------------------- */

/* Returns the time of WINMM. That DLL is loaded when the first archive is released, and then stays.
 * It is loaded so late because it brings a C runtime with it, which processes that open no archive
 * should not get. */
static uint32_t Milliseconds(void) {
    typedef DWORD(WINAPI * Clock)(void);
    static Clock clock;
    if (!clock) {
        HMODULE winmm = Folder_LoadSystem("winmm.dll");
        if (winmm)
            clock = (Clock)(uintptr_t)GetProcAddress(winmm, "timeGetTime");
        if (!clock)
            clock = GetTickCount;
    }
    return clock();
}

/* Unloads idle archives. It is unpublished when the original does this; it is assumed to do it
 * whenever an archive is opened or released. */
void Archives_UnloadIdle(void) {
    for (Archive *archive = list, *next; archive; archive = next) {
        next = archive->next;
        if (archive->references == 0 && !archive->cacheable &&
            Milliseconds() - archive->released >= ARCHIVE_IDLE_MILLISECONDS)
            Archive_Unload(archive);
    }
}

void Archive_Released(Archive *archive) {
    if (archive->references == 0 && (archive->file || !archive->path))
        Archive_Unload(archive);
    else if (archive->references == 0)
        archive->released = Milliseconds();
    Archives_UnloadIdle();
}

/* ---- opening --------------------------------------------------------------------------------- */

static RpStatus OutOfMemory(RpError *error, const char *path) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "out of memory", path, "", "");
}

static void BecomeDirectory(Archive *archive, const RpNRes *nres) {
    archive->index = *nres;
    archive->count = nres->count;
    archive->base = (uint8_t *)(uintptr_t)nres->image;
    archive->directory = archive->base + nres->directory_offset;
    archive->data_start = RP_NRES_HEADER_BYTES;
    archive->data_end = nres->directory_offset;
}

/* Presents the whole file as one entry at offset 0 that has the file's name (the name is assumed).
 * To lookups, the 16 bytes before the entry are the header of an image that holds nothing else. */
static void BecomeRaw(Archive *archive, const Mapped *mapped) {
    Text name = Text_Begin((char *)archive->raw_entry + 20, RP_NRES_NAME_BYTES);

    const char *path = archive->path;
    const char *last = path;
    for (; *path; path++)
        if (*path == '\\' || *path == '/' || *path == ':')
            last = path + 1;
    Text_Append(&name, last);
    memcpy(archive->raw_entry + 12, &mapped->size, sizeof mapped->size);
    archive->count = 1;
    archive->base = mapped->view;
    archive->directory = archive->raw_entry;
    archive->data_end = mapped->size;
    archive->index = (RpNRes){.image = archive->raw_entry - RP_NRES_HEADER_BYTES,
                              .size = RP_NRES_HEADER_BYTES + RP_NRES_RECORD_BYTES,
                              .count = 1,
                              .directory_offset = RP_NRES_HEADER_BYTES,
                              .sorted = true};
    archive->raw = true;
}

static Archive *OpenListedOrFile(const char *name, uint32_t flags, RpError *error) {
    char path[ARCHIVE_PATH_BYTES];
    if (!name) {
        RpError_Set(error, RP_INVALID, RP_NOWHERE, "no file name", "", "", "");
        return NULL;
    }
    Archive_CompletePath(name, path);
    Archives_UnloadIdle();
    Archive *listed = Archive_Listed(path, flags & ARCHIVE_RAW);
    if (listed && (flags & ARCHIVE_READ_WRITE) && !listed->writable) {
        /* A view for reading cannot be turned into one for writing while somebody holds it
         * (assumed). */
        if (listed->references > 0) {
            RpError_Set(error, RP_INVALID, RP_NOWHERE, "the archive is open for reading", name, "",
                        "");
            return NULL;
        }
        Archive_Unload(listed);
        listed = NULL;
    }
    if (!listed) {
        bool writable = flags & ARCHIVE_READ_WRITE, raw = flags & ARCHIVE_RAW;
        DWORD hint =
            flags & ARCHIVE_SEQUENTIAL ? FILE_FLAG_SEQUENTIAL_SCAN : FILE_FLAG_RANDOM_ACCESS;
        Mapped mapped = {0};
        RpNRes nres;
        Archive *archive = NULL;
        RpStatus status = Mapped_Open(name, writable, hint, &mapped, error);
        /* Faults that only make a lookup slow or leave an entry without data are allowed
         * (facts/ngi32.md E.8). */
        if (!status)
            status = raw ? RP_OK : RpNRes_Open(mapped.view, mapped.size, RP_TOLERANT, &nres, error);
        if (!status && !(archive = Archive_New(name, path)))
            status = OutOfMemory(error, name);
        if (status) {
            Mapped_Close(&mapped);
            return NULL;
        }
        if (raw)
            BecomeRaw(archive, &mapped);
        else
            BecomeDirectory(archive, &nres);
        archive->mapped = true;
        archive->writable = writable;
        Mapped_CloseHandles(&mapped);
        return archive;
    }
    listed->references++;
    return listed;
}

static uintptr_t Failed(const char *function, const char *path, const RpError *error) {
    Errors_LogFailure(function, path, error);
    return 0;
}

static uintptr_t Open(const char *function, const char *path, uint32_t flags) {
    RpError error = {0};
    Archives_Lock();
    Archive *archive = OpenListedOrFile(path, flags, &error);
    /* This also holds for an archive that was listed without the flag (assumed). */
    if (archive && (flags & ARCHIVE_CACHEABLE))
        archive->cacheable = 1;
    Archives_Unlock();
    return archive ? (uintptr_t)archive : Failed(function, path, &error);
}

ABI_PROTO_ngi32_niOpenResFile(niOpenResFile) {
    return Open("niOpenResFile", path, 0);
}

ABI_PROTO_ngi32_niOpenResFileEx(niOpenResFileEx) {
    return Open("niOpenResFileEx", path, flags);
}

ABI_PROTO_ngi32_niOpenResInMem(niOpenResInMem) {
    RpError error = {0};
    RpNRes nres;
    RpStatus status = RpNRes_Open((const void *)image, size, RP_TOLERANT, &nres, &error);
    Archive *archive = NULL;
    if (!status) {
        Archives_Lock();
        Archives_UnloadIdle();
        archive = Archive_New(NULL, NULL);
        if (archive)
            BecomeDirectory(archive, &nres);
        Archives_Unlock();
        if (!archive)
            OutOfMemory(&error, "");
    }
    return archive ? (uintptr_t)archive : Failed("niOpenResInMem", NULL, &error);
}

/* ---- loading and unloading of the DLL -------------------------------------------------------- */

void Archives_Open(void) {
    InitializeCriticalSection(&lock);
}

ABI_PROTO_ngi32_DestroyArchives(DestroyArchives) {
    uint32_t count = 0;
    Archives_Lock();
    for (; list; count++)
        Archive_Unload(list);
    Archives_Unlock();
    if (count > 0)
        Log_Write("archives destroyed: %u", count);
}

void Archives_Close(void) {
    DestroyArchives();
    DeleteCriticalSection(&lock);
}

/* The other threads have ended by now, and one of them may have held the lock, so it is not
 * taken. */
void Archives_WriteAtEnd(void) {
    if (!TryEnterCriticalSection(&lock))
        return;
    for (Archive *archive = list; archive; archive = archive->next)
        Archive_Write(archive);
    Archives_Unlock();
}
