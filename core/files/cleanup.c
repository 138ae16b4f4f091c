#ifndef _WIN32
#define _GNU_SOURCE /* syscall, O_DIRECTORY */
#endif

#include "core/files/cleanup.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ENTRIES = 64, PATH_BYTES = 4160, MOST_DEPTH = 32 };

/* An entry's text is written before the entry becomes live and is read only while it is live, so
 * that a handler which interrupts Cleanup_Add never sees half a path. */
enum { ENTRY_FREE, ENTRY_BUSY, ENTRY_LIVE };

typedef struct Entry {
    atomic_int state;
    CleanupKind kind;
    char path[PATH_BYTES];
} Entry;

static Entry entries[MOST_ENTRIES];

static bool Claim(Entry *entry, int from) {
    return atomic_compare_exchange_strong(&entry->state, &from, ENTRY_BUSY);
}

bool Cleanup_Add(const char *path, CleanupKind kind) {
    const size_t length = strlen(path);
    if (length >= PATH_BYTES)
        return false;
    for (int i = 0; i < MOST_ENTRIES; i++)
        if (Claim(&entries[i], ENTRY_FREE)) {
            memcpy(entries[i].path, path, length + 1);
            entries[i].kind = kind;
            atomic_store(&entries[i].state, ENTRY_LIVE);
            return true;
        }
    return false;
}

void Cleanup_Forget(const char *path) {
    for (int i = 0; i < MOST_ENTRIES; i++) {
        if (!Claim(&entries[i], ENTRY_LIVE))
            continue;
        const bool found = strcmp(entries[i].path, path) == 0;
        atomic_store(&entries[i].state, found ? ENTRY_FREE : ENTRY_LIVE);
        if (found)
            return;
    }
}

bool Cleanup_Covers(const char *path) {
    bool covers = false;
    for (int i = 0; i < MOST_ENTRIES && !covers; i++) {
        if (atomic_load(&entries[i].state) != ENTRY_LIVE || entries[i].kind != CLEANUP_FOLDER)
            continue;
        const size_t length = strlen(entries[i].path);
        covers = strncmp(path, entries[i].path, length) == 0 && path[length] == '/';
    }
    return covers;
}

/* ---- removing -------------------------------------------------------------------------------- */

#ifdef _WIN32
#include <windows.h>

CleanupHold Cleanup_Hold(void) {
    return 0;
}

void Cleanup_Release(CleanupHold hold) {
    (void)hold;
}

static void RemoveFile(const char *path) {
    DeleteFileA(path);
}

static bool RemoveTree(const char *path, int depth) {
    char name[PATH_BYTES];
    WIN32_FIND_DATAA found;
    if (depth == MOST_DEPTH || (size_t)snprintf(name, sizeof name, "%s/*", path) >= sizeof name)
        return false;
    const HANDLE search = FindFirstFileA(name, &found);
    if (search == INVALID_HANDLE_VALUE)
        return false;
    do {
        if (strcmp(found.cFileName, ".") == 0 || strcmp(found.cFileName, "..") == 0 ||
            (size_t)snprintf(name, sizeof name, "%s/%s", path, found.cFileName) >= sizeof name)
            continue;
        if (!(found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY))
            DeleteFileA(name);
        else if (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT)
            RemoveDirectoryA(name); /* the link, not what it leads to */
        else
            RemoveTree(name, depth + 1);
    } while (FindNextFileA(search, &found));
    FindClose(search);
    return RemoveDirectoryA(path) != 0;
}

bool Cleanup_RemoveFolder(const char *path) {
    return RemoveTree(path, 0);
}
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

CleanupHold Cleanup_Hold(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    return before;
}

void Cleanup_Release(CleanupHold hold) {
    pthread_sigmask(SIG_SETMASK, &hold, NULL);
}

static void RemoveFile(const char *path) {
    unlink(path);
}

#ifdef __linux__
#include <stdint.h>
#include <sys/syscall.h>

/* Offsets in the record that the kernel writes for one name. opendir allocates, which a handler
 * must not do, so the records are read directly. */
enum { RECORD_SIZE_AT = 16, RECORD_NAME_AT = 19 };

static void RemoveWithin(int folder, int depth);

static void RemoveName(int folder, const char *name, int depth) {
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(folder, name, 0) == 0)
        return;
    const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0)
        return;
    if (depth < MOST_DEPTH)
        RemoveWithin(inner, depth + 1);
    close(inner);
    unlinkat(folder, name, AT_REMOVEDIR);
}

/* Names change places while others are removed, so the folder is read again until nothing more can
 * be removed. */
static void RemoveWithin(int folder, int depth) {
    _Alignas(8) char records[4096];
    for (int pass = 0; pass < 4; pass++) {
        bool seen = false;
        lseek(folder, 0, SEEK_SET);
        for (;;) {
            const long size = syscall(SYS_getdents64, folder, records, sizeof records);
            if (size <= 0)
                break;
            for (long at = 0; at < size;) {
                uint16_t record;
                memcpy(&record, records + at + RECORD_SIZE_AT, sizeof record);
                const char *name = records + at + RECORD_NAME_AT;
                seen = seen || name[0] != '.';
                RemoveName(folder, name, depth);
                at += record;
            }
        }
        if (!seen)
            return;
    }
}

bool Cleanup_RemoveFolder(const char *path) {
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return false;
    RemoveWithin(folder, 0);
    close(folder);
    return rmdir(path) == 0;
}
#else
#include <dirent.h>

/* This is for systems where a folder cannot be read without allocating memory. It must not be
 * called by a signal handler. */
static bool RemoveTree(const char *path, int depth) {
    char name[PATH_BYTES];
    DIR *names = depth < MOST_DEPTH ? opendir(path) : NULL;
    for (struct dirent *entry; names && (entry = readdir(names));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            (size_t)snprintf(name, sizeof name, "%s/%s", path, entry->d_name) < sizeof name &&
            unlink(name))
            RemoveTree(name, depth + 1);
    if (names)
        closedir(names);
    return rmdir(path) == 0;
}

bool Cleanup_RemoveFolder(const char *path) {
    return RemoveTree(path, 0);
}
#endif
#endif

void Cleanup_RemoveAll(void) {
    for (int i = 0; i < MOST_ENTRIES; i++) {
        if (!Claim(&entries[i], ENTRY_LIVE))
            continue;
        if (entries[i].kind == CLEANUP_FOLDER)
            Cleanup_RemoveFolder(entries[i].path);
        else
            RemoveFile(entries[i].path);
        atomic_store(&entries[i].state, ENTRY_FREE);
    }
}
