#define _POSIX_C_SOURCE 200809L /* fileno */

#include "core/files/inputs.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <sys/stat.h>
#endif

/* ---- identities ------------------------------------------------------------------------------ */

bool FileIdentity_Equal(FileIdentity a, FileIdentity b) {
    return a.volume == b.volume && a.index == b.index;
}

/* Size and time of the last change. A file whose stamp is as before is taken to have the same
 * bytes. */
typedef struct Stamp {
    uint64_t size, time;
} Stamp;

#ifdef _WIN32
static bool LookAt(intptr_t handle, FileIdentity *identity, Stamp *stamp) {
    BY_HANDLE_FILE_INFORMATION facts;
    if (GetFileType((HANDLE)handle) != FILE_TYPE_DISK ||
        !GetFileInformationByHandle((HANDLE)handle, &facts))
        return false;
    *identity = (FileIdentity){facts.dwVolumeSerialNumber,
                               (uint64_t)facts.nFileIndexHigh << 32 | facts.nFileIndexLow};
    *stamp = (Stamp){(uint64_t)facts.nFileSizeHigh << 32 | facts.nFileSizeLow,
                     (uint64_t)facts.ftLastWriteTime.dwHighDateTime << 32 |
                         facts.ftLastWriteTime.dwLowDateTime};
    return true;
}

static bool LookAtPath(const char *path, FileIdentity *identity, Stamp *stamp) {
    const HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    const bool known = LookAt((intptr_t)file, identity, stamp);
    CloseHandle(file);
    return known;
}

/* A folder is opened as a file is, and has a volume and an index of its own. */
bool FileIdentity_OfFolder(const char *path, FileIdentity *identity) {
    return FileIdentity_OfPath(path, identity);
}

void Inputs_AddStream(FILE *file) {
    Inputs_AddHandle(_get_osfhandle(_fileno(file)));
}
#else
static bool OfFacts(const struct stat *facts, FileIdentity *identity, Stamp *stamp) {
    *identity = (FileIdentity){(uint64_t)facts->st_dev, (uint64_t)facts->st_ino};
    *stamp = (Stamp){(uint64_t)facts->st_size, (uint64_t)facts->st_mtim.tv_sec * 1000000000u +
                                                   (uint64_t)facts->st_mtim.tv_nsec};
    return S_ISREG(facts->st_mode);
}

static bool LookAt(intptr_t handle, FileIdentity *identity, Stamp *stamp) {
    struct stat facts;
    return fstat((int)handle, &facts) == 0 && OfFacts(&facts, identity, stamp);
}

static bool LookAtPath(const char *path, FileIdentity *identity, Stamp *stamp) {
    struct stat facts;
    return stat(path, &facts) == 0 && OfFacts(&facts, identity, stamp);
}

bool FileIdentity_OfFolder(const char *path, FileIdentity *identity) {
    struct stat facts;
    Stamp stamp;
    if (stat(path, &facts))
        return false;
    OfFacts(&facts, identity, &stamp);
    return S_ISDIR(facts.st_mode);
}

void Inputs_AddStream(FILE *file) {
    Inputs_AddHandle(fileno(file));
}
#endif

bool FileIdentity_OfHandle(intptr_t handle, FileIdentity *identity) {
    Stamp stamp;
    return LookAt(handle, identity, &stamp);
}

bool FileIdentity_OfPath(const char *path, FileIdentity *identity) {
    Stamp stamp;
    return LookAtPath(path, identity, &stamp);
}

/* ---- the record ------------------------------------------------------------------------------ */

typedef enum Kind { KIND_NONE, KIND_INPUT, KIND_WRITTEN } Kind;

typedef struct Entry {
    FileIdentity identity;
    Kind kind;
    Stamp stamp; /* when it was read last, or written */
} Entry;

/* A hash table whose size is a power of 2, because a library's folder may have thousands of files.
 */
static Entry *table;
static size_t capacity, count;
static bool failed; /* there was no memory for an entry */
static atomic_flag lock = ATOMIC_FLAG_INIT;

static void Lock(void) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
    }
}

static void Unlock(void) {
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

/* Returns the entry of an identity, or the free entry where it belongs. */
static Entry *Find(Entry *entries, size_t size, FileIdentity identity) {
    uint64_t hash = (identity.index ^ identity.volume << 32) * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(hash >> 32) & (size - 1);
    while (entries[at].kind != KIND_NONE && !FileIdentity_Equal(entries[at].identity, identity))
        at = (at + 1) & (size - 1);
    return &entries[at];
}

static bool IsSame(Stamp a, Stamp b) {
    return a.size == b.size && a.time == b.time;
}

/* Records a file. One that this process wrote stays marked as written when it is read again, unless
 * its stamp shows that another file has been given its number since. */
static void Put(FileIdentity identity, Kind kind, Stamp stamp) {
    Lock();
    bool room = 2 * count < capacity;
    if (!room) {
        const size_t larger = capacity ? 2 * capacity : 64;
        Entry *entries = calloc(larger, sizeof *entries);
        for (size_t i = 0; entries && i < capacity; i++)
            if (table[i].kind != KIND_NONE)
                *Find(entries, larger, table[i].identity) = table[i];
        room = entries != NULL;
        if (room) {
            free(table);
            table = entries;
            capacity = larger;
        }
    }
    if (room) {
        Entry *entry = Find(table, capacity, identity);
        count += entry->kind == KIND_NONE;
        if (kind == KIND_WRITTEN || entry->kind != KIND_WRITTEN || !IsSame(entry->stamp, stamp))
            *entry = (Entry){identity, kind, stamp};
    } else {
        failed = failed || kind == KIND_INPUT;
    }
    Unlock();
}

void Inputs_AddHandle(intptr_t handle) {
    FileIdentity identity;
    Stamp stamp;
    if (LookAt(handle, &identity, &stamp))
        Put(identity, KIND_INPUT, stamp);
}

void Inputs_AddPath(const char *path) {
    FileIdentity identity;
    Stamp stamp;
    if (LookAtPath(path, &identity, &stamp))
        Put(identity, KIND_INPUT, stamp);
}

bool Inputs_Has(FileIdentity identity) {
    Lock();
    /* When there was no memory to record a file, every file may be an input. */
    const bool found = failed || (count > 0 && Find(table, capacity, identity)->kind == KIND_INPUT);
    Unlock();
    return found;
}

bool Inputs_IsAsRead(const char *path) {
    FileIdentity identity;
    Stamp stamp;
    if (!LookAtPath(path, &identity, &stamp))
        return true;
    Lock();
    const Entry *entry = count > 0 ? Find(table, capacity, identity) : NULL;
    const bool same = failed || (entry && entry->kind != KIND_NONE && IsSame(entry->stamp, stamp));
    Unlock();
    return same;
}

void Inputs_Wrote(const char *path) {
    FileIdentity identity;
    Stamp stamp;
    if (LookAtPath(path, &identity, &stamp))
        Put(identity, KIND_WRITTEN, stamp);
}
