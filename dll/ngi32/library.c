/* The rs* exports (facts/ngi32.md A.3, E.7). What no source tells is marked "assumed" here and
 * listed in docs/reference/archives-dll.md. */
#include "dll/ngi32/library.h"

#include "dll/base/log.h"
#include "dll/ngi32/mapped.h"

#include <string.h>

/* With bit 0x40 of a method, the game decodes into a longer block, which it then makes shorter. */
enum { LZSS_BIT = 0x40, LZSS_SLACK = 0x12, GET_PACK_METHOD_MASK = 0x1C0 };

/* A handle that the game holds, and our own data behind it, which the game does not see. */
typedef struct OpenLibrary {
    struct OpenLibrary *next;
    Library *handle;
    RpRsLi content;
    RpRsLiRecord records[];
} OpenLibrary;

static CRITICAL_SECTION lock;
static OpenLibrary *list;

/* ---- handles --------------------------------------------------------------------------------- */

/* Finds an open library and takes the lock. Returns null for any other handle, and logs that
 * once. */
static OpenLibrary *LockOf(uintptr_t handle, const char *function, long *seen) {
    EnterCriticalSection(&lock);
    for (OpenLibrary *library = list; library; library = library->next)
        if ((uintptr_t)library->handle == handle)
            return library;
    if (Log_IsFirst(seen))
        Log_Write("%s: 0x%x is no open library", function, (uint32_t)handle);
    return NULL;
}

static LibraryEntry *LockEntry(uintptr_t handle, int32_t index, const char *function, long *seen,
                               OpenLibrary **library) {
    *library = LockOf(handle, function, seen);
    if (!*library)
        return NULL;
    if (index >= 0 && (uint32_t)index < (*library)->content.count)
        return &(*library)->handle->entries[index];
    if (Log_IsFirst(seen))
        Log_Write("%s: entry %d of %u", function, index, (*library)->content.count);
    return NULL;
}

static void Unlock(void) {
    LeaveCriticalSection(&lock);
}

static uintptr_t Failed(const char *function, const char *path, const RpError *error) {
    Errors_LogFailure(function, path, error);
    return 0;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static RpStatus Open(const char *path, uint32_t flags, const Mapped *mapped, OpenLibrary **opened,
                     RpError *error) {
    uint32_t count = RpRsLi_Count(mapped->view, mapped->size);
    OpenLibrary *library = Memory_Allocate(sizeof *library + sizeof(RpRsLiRecord) * count);
    if (!library)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "out of memory", path, "", "");
    const RpStatus status =
        RpRsLi_Open(mapped->view, mapped->size, flags & LIBRARY_TRAILER, RP_TOLERANT,
                    library->records, count, &library->content, error);
    if (status) {
        Memory_Free(library);
        return status;
    }

    /* The handle is what the game sees. */
    const RpRsLi *content = &library->content;
    const size_t size = sizeof(Library) + sizeof(LibraryEntry) * content->count;
    Library *handle = Memory_Allocate(size);
    library->handle = handle;
    if (!handle) {
        Memory_Free(library);
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "out of memory", path, "", "");
    }
    memset(handle, 0, size);
    memcpy(handle->magic, "RsLi", sizeof handle->magic);
    handle->count = content->count;
    handle->media_offset = content->overlay;
    handle->flag_7 = flags & LIBRARY_FLAG_7;
    handle->file = mapped->file;
    handle->mapping = mapped->mapping;
    handle->view = mapped->view;
    for (uint32_t i = 0; i < content->count; i++) {
        const RpRsLiRecord *record = &content->records[i];
        LibraryEntry *entry = &handle->entries[i];
        size_t readable;
        memcpy(entry->name, record->name, sizeof record->name); /* its service bytes stay zero */
        entry->flags = record->flags;
        entry->sort = record->sort;
        entry->unpacked_size = record->unpacked_size;
        entry->packed = RpRsLi_Packed(content, i, &readable);
        entry->packed_size = record->packed_size;
    }
    *opened = library;
    return RP_OK;
}

ABI_PROTO_ngi32_rsOpenLib(rsOpenLib) {
    RpError error = {0};
    Mapped mapped = {0};
    OpenLibrary *library = NULL;
    RpStatus status = path
                          ? Mapped_Open(path, false, FILE_FLAG_RANDOM_ACCESS, &mapped, &error)
                          : RpError_Set(&error, RP_INVALID, RP_NOWHERE, "no file name", "", "", "");
    if (!status)
        status = Open(path, flags, &mapped, &library, &error);
    if (status) {
        Mapped_Close(&mapped);
        return Failed("rsOpenLib", path, &error);
    }
    EnterCriticalSection(&lock);
    library->next = list;
    list = library;
    Unlock();
    return (uintptr_t)library->handle;
}

static void Close(OpenLibrary *library) {
    Library *handle = library->handle;
    Mapped mapped = {.file = handle->file, .mapping = handle->mapping, .view = handle->view};
    /* It is assumed that the library frees these blocks. */
    for (uint32_t i = 0; i < library->content.count; i++)
        Memory_Free(handle->entries[i].decoded);
    Mapped_Close(&mapped);
    Memory_Free(handle);
    Memory_Free(library);
}

ABI_PROTO_ngi32_rsCloseLib(rsCloseLib) {
    static long seen;
    OpenLibrary *closed = LockOf(library, "rsCloseLib", &seen);
    if (closed) {
        OpenLibrary **link = &list;
        while (*link != closed)
            link = &(*link)->next;
        *link = closed->next;
        Close(closed);
    }
    Unlock();
    return closed != NULL;
}

/* ---- asking ---------------------------------------------------------------------------------- */

ABI_PROTO_ngi32_rsLibNum(rsLibNum) {
    static long seen;
    const OpenLibrary *open = LockOf(library, "rsLibNum", &seen);
    uint32_t count = open ? open->content.count : 0;
    Unlock();
    return count;
}

static int32_t Find(const OpenLibrary *open, const char *name) {
    return open && name ? RpRsLi_Find(&open->content, name) : -1;
}

ABI_PROTO_ngi32_rsFind(rsFind) {
    static long seen;
    int32_t found = Find(LockOf(library, "rsFind", &seen), name);
    Unlock();
    return found;
}

ABI_PROTO_ngi32_rsGetInfo(rsGetInfo) {
    static long seen;
    OpenLibrary *open;
    const LibraryEntry *entry = LockEntry(library, index, "rsGetInfo", &seen, &open);
    bool told = entry && !IsBadWritePtr((void *)info, sizeof(LibraryInfo));
    if (told) {
        LibraryInfo *to = (LibraryInfo *)info;
        memcpy(to->name, entry->name, sizeof to->name);
        to->unpacked_size = entry->unpacked_size;
    }
    Unlock();
    return told;
}

ABI_PROTO_ngi32_rsGetPackMethod(rsGetPackMethod) {
    static long seen;
    OpenLibrary *open;
    const LibraryEntry *entry = LockEntry(library, index, "rsGetPackMethod", &seen, &open);
    uint32_t method = entry ? entry->flags & GET_PACK_METHOD_MASK : 0;
    Unlock();
    return method;
}

/* ---- loading --------------------------------------------------------------------------------- */

static uintptr_t Load(const OpenLibrary *open, uint32_t index, const char *function) {
    RpError error = {0};
    LibraryEntry *entry = &open->handle->entries[index];
    if (entry->decoded)
        return (uintptr_t)entry->decoded;

    /* No method gives more than 1032 times its bytes, which is Deflate's best. Nothing is allocated
     * for an entry that declares more. */
    if (entry->unpacked_size > UINT64_C(1032) * entry->packed_size + 64) {
        RpError_Set(&error, RP_CORRUPT, RP_NOWHERE, "the declared size cannot be", "", "", "");
        return Failed(function, NULL, &error);
    }
    uint32_t slack = entry->flags & LZSS_BIT ? LZSS_SLACK : 0;
    uint8_t *block = Memory_Allocate((size_t)entry->unpacked_size + slack);
    void *work = Memory_Allocate(RP_RSLI_WORK_BYTES);
    RpStatus status =
        block && work ? RpRsLi_Load(&open->content, index, block, work, NULL, &error)
                      : RpError_Set(&error, RP_NO_MEMORY, RP_NOWHERE, "out of memory", "", "", "");
    Memory_Free(work);
    if (status) {
        Memory_Free(block);
        return Failed(function, NULL, &error);
    }
    entry->decoded = slack ? Memory_Shrink(block, entry->unpacked_size) : block;
    return (uintptr_t)entry->decoded;
}

ABI_PROTO_ngi32_rsLoad(rsLoad) {
    static long seen;
    OpenLibrary *open;
    const LibraryEntry *entry = LockEntry(library, index, "rsLoad", &seen, &open);
    uintptr_t loaded = entry ? Load(open, (uint32_t)index, "rsLoad") : 0;
    Unlock();
    return loaded;
}

/* Returns the address of the payload in the mapped file, if it is stored unpacked and complete. */
static uintptr_t InPlace(const OpenLibrary *open, uint32_t index) {
    const RpRsLiRecord *record = &open->content.records[index];
    size_t readable;
    const uint8_t *packed = RpRsLi_Packed(&open->content, index, &readable);
    bool stored = (record->flags & RP_RSLI_METHOD_MASK) == RP_RSLI_STORED;
    return stored && record->unpacked_size <= readable ? (uintptr_t)packed : 0;
}

ABI_PROTO_ngi32_rsLoadFast(rsLoadFast) {
    static long seen;
    OpenLibrary *open;
    (void)flags; /* the game passes 0x4000000; its effect is unknown, and none is assumed */
    const LibraryEntry *entry = LockEntry(library, index, "rsLoadFast", &seen, &open);
    uintptr_t loaded = entry ? InPlace(open, (uint32_t)index) : 0;
    if (entry && !loaded)
        loaded = Load(open, (uint32_t)index, "rsLoadFast");
    Unlock();
    return loaded;
}

ABI_PROTO_ngi32_rsLoadByName(rsLoadByName) {
    static long seen;
    const OpenLibrary *open = LockOf(library, "rsLoadByName", &seen);
    int32_t index = Find(open, name);
    uintptr_t loaded = index >= 0 ? Load(open, (uint32_t)index, "rsLoadByName") : 0;
    Unlock();
    return loaded;
}

/* ---- refused --------------------------------------------------------------------------------- */

ABI_PROTO_ngi32_rsLoadPacked(rsLoadPacked) {
    static long seen;
    (void)library, (void)index;
    if (Log_IsFirst(&seen))
        Log_Write("rsLoadPacked fails: no public source tells what it hands to ngiUnpack");
    return 0;
}

ABI_PROTO_ngi32_ngiUnpack(ngiUnpack) {
    static long seen;
    (void)packed;
    if (Log_IsFirst(&seen))
        Log_Write("ngiUnpack fails: no public source tells what it takes");
    return 0;
}

/* ---- loading and unloading of the DLL -------------------------------------------------------- */

void Libraries_Open(void) {
    InitializeCriticalSection(&lock);
}

void Libraries_Close(void) {
    while (list) {
        OpenLibrary *closed = list;
        list = closed->next;
        Close(closed);
    }
    DeleteCriticalSection(&lock);
}
