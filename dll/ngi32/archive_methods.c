/* The methods of INResFile (facts/ngi32.md E.2, E.4). Five methods of its vtable are known or
 * inferred. Every other method ends with a message that names it, because its argument bytes are
 * unpublished. */
#include "dll/ngi32/archive.h"

#include "dll/base/log.h"

enum { TOUCH_FROM = 0x10000, TOUCH_STEP = 0x1000 };

static Archive *LockOf(uintptr_t self, const char *method, long *seen) {
    Archives_Lock();
    Archive *archive = Archive_Of(self);
    if (!archive && Log_IsFirst(seen))
        Log_Write("%s: 0x%x is no open archive", method, (uint32_t)self);
    return archive;
}

static ABI_PROTO_ngi32_INResFile_1(Release) {
    static long seen;
    uint32_t left = 0;
    Archive *archive = LockOf(self, "INResFile::Release", &seen);
    if (archive && archive->references == 0) {
        Log_Write("INResFile::Release: nobody holds %s", archive->name);
    } else if (archive) {
        left = --archive->references;
        Archive_Released(archive);
    }
    Archives_Unlock();
    return left;
}

/* Searches as the game does. If a damaged sort map misleads that search, searches linearly. */
static int32_t Find(const Archive *archive, const char *name) {
    int32_t found = RpNRes_FindAsGame(&archive->index, name);
    return found < 0 && !archive->index.sorted ? RpNRes_Find(&archive->index, name) : found;
}

ABI_PROTO_ngi32_FindArchiveEntry(FindArchiveEntry) {
    static long seen;
    Archive *archive = LockOf(self, "INResFile::Find", &seen);
    int32_t found = archive && name ? Find(archive, name) : -1;
    Archives_Unlock();
    return found;
}

static ABI_PROTO_ngi32_INResFile_4(Directory) {
    static long seen;
    Archive *archive = LockOf(self, "INResFile::Directory", &seen);
    uintptr_t directory = archive ? (uintptr_t)archive->directory : 0;
    Archives_Unlock();
    return directory;
}

ABI_PROTO_ngi32_TouchPages(TouchPages) {
    for (uint32_t at = TOUCH_FROM; at < size; at += TOUCH_STEP)
        (void)*(const volatile uint8_t *)(memory + at);
}

static ABI_PROTO_ngi32_INResFile_6(Data) {
    static long seen, seen_index;
    uint32_t size = 0;
    uintptr_t data = 0;
    Archive *archive = LockOf(self, "INResFile::Data", &seen);

    /* The result is null for a range outside of the payloads. The original does not check this
     * (facts/ngi32.md E.8). */
    if (archive && index >= 0 && (uint32_t)index < archive->count) {
        RpNResEntry entry = RpNRes_Entry(&archive->index, (uint32_t)index);
        if (entry.data_offset >= archive->data_start && entry.data_offset <= archive->data_end &&
            entry.size <= archive->data_end - entry.data_offset) {
            size = entry.size;
            data = (uintptr_t)archive->base + entry.data_offset;
        }
    }
    if (archive && !data && Log_IsFirst(&seen_index))
        Log_Write("INResFile::Data: entry %d of %s is not there", index, archive->name);
    Archives_Unlock();
    /* Touches the payload. Whether the original touches the whole file is unpublished. */
    if (data && touch)
        TouchPages(data, size);
    return data;
}

static ABI_PROTO_ngi32_INResFile_8(FindType) {
    static long seen;
    Archive *archive = LockOf(self, "INResFile::FindType", &seen);
    int32_t found = archive ? RpNRes_FindType(&archive->index, type, 0) : -1;
    Archives_Unlock();
    return found;
}

/* ---- the vtable ------------------------------------------------------------------------------ */

/* There is one method on each line, because clang-format changes any other layout again each time
 * it runs. */
#define UNKNOWN_METHODS(X)                                                                         \
    X(0)                                                                                           \
    X(2)                                                                                           \
    X(5)                                                                                           \
    X(7)                                                                                           \
    X(9)                                                                                           \
    X(10)                                                                                          \
    X(11)                                                                                          \
    X(12)                                                                                          \
    X(13)                                                                                          \
    X(14)                                                                                          \
    X(15)                                                                                          \
    X(16)                                                                                          \
    X(17)                                                                                          \
    X(18)                                                                                          \
    X(19)                                                                                          \
    X(20)                                                                                          \
    X(21)                                                                                          \
    X(22)                                                                                          \
    X(23)                                                                                          \
    X(24)                                                                                          \
    X(25)                                                                                          \
    X(26)                                                                                          \
    X(27)                                                                                          \
    X(28)                                                                                          \
    X(29)                                                                                          \
    X(30)                                                                                          \
    X(31)

#define UNKNOWN_METHOD(method)                                                                     \
    static void Method##method(void) {                                                             \
        Errors_Unserved("INResFile method " #method, __builtin_return_address(0));                 \
    }
UNKNOWN_METHODS(UNKNOWN_METHOD)

#define UNKNOWN_ENTRY(method) [method] = Method##method,
const ArchiveMethod archive_methods[ARCHIVE_METHODS] = {
    UNKNOWN_METHODS(UNKNOWN_ENTRY)[1] = (ArchiveMethod)Release,
    [3] = (ArchiveMethod)FindArchiveEntry,
    [4] = (ArchiveMethod)Directory,
    [6] = (ArchiveMethod)Data,
    [8] = (ArchiveMethod)FindType,
};
