#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC, pread */

#include "core/files/file_reader.h"

#include "core/files/inputs.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static RpStatus RefuseKind(const char *path, const char *kind, RpError *error) {
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot read the file", path, "a regular file",
                       kind);
}

static RpStatus WasCut(uint64_t offset, uint64_t size, const char *path, RpError *error) {
    char expected[64];
    snprintf(expected, sizeof expected, "%llu bytes, as when it was opened",
             (unsigned long long)size);
    return RpError_Set(error, RP_IO, offset, "the file was cut while it was read", path, expected,
                       "its end");
}

#ifdef _WIN32
#include <windows.h>

#define MOST_AT_ONCE 0x1000000u

RpStatus FileReader_Refuse(const char *path, RpError *error) {
    char words[64];
    const DWORD code = GetLastError();
    snprintf(words, sizeof words, "system error %lu", code);
    const RpStatus status =
        code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND ? RP_NOT_FOUND : RP_IO;
    return RpError_Set(error, status, RP_NOWHERE, "cannot read the file", path, "", words);
}

static RpStatus Describe(FileReader *file, const char *path, RpError *error) {
    BY_HANDLE_FILE_INFORMATION facts;
    if (GetFileType((HANDLE)file->handle) != FILE_TYPE_DISK)
        return RefuseKind(path, "a pipe or a device", error);
    if (!GetFileInformationByHandle((HANDLE)file->handle, &facts))
        return FileReader_Refuse(path, error);
    file->size = (uint64_t)facts.nFileSizeHigh << 32 | facts.nFileSizeLow;
    file->volume = facts.dwVolumeSerialNumber;
    file->identity = (uint64_t)facts.nFileIndexHigh << 32 | facts.nFileIndexLow;
    return RP_OK;
}

/* FILE_SHARE_DELETE allows others to remove a file that is open here for long, as they can remove a
 * mapped one. */
static bool OpenHandle(const char *path, intptr_t *handle) {
    *handle = (intptr_t)CreateFileA(path, GENERIC_READ,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    return (HANDLE)*handle != INVALID_HANDLE_VALUE;
}

RpStatus FileReader_Read(const FileReader *file, uint64_t offset, void *bytes, size_t size,
                         const char *path, RpError *error) {
    for (uint8_t *next = bytes; size > 0;) {
        OVERLAPPED place = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
        const DWORD part = size < MOST_AT_ONCE ? (DWORD)size : MOST_AT_ONCE;
        DWORD count = 0;
        const BOOL done = ReadFile((HANDLE)file->handle, next, part, &count, &place);
        if (done ? count == 0 : GetLastError() == ERROR_HANDLE_EOF)
            return WasCut(offset, file->size, path, error);
        if (!done)
            return FileReader_Refuse(path, error);
        next += count;
        offset += count;
        size -= count;
    }
    return RP_OK;
}

void FileReader_Close(FileReader *file) {
    CloseHandle((HANDLE)file->handle);
}

#else
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

RpStatus FileReader_Refuse(const char *path, RpError *error) {
    const int code = errno;
    return RpError_Set(error, code == ENOENT ? RP_NOT_FOUND : RP_IO, RP_NOWHERE,
                       "cannot read the file", path, "", strerror(code));
}

static RpStatus Describe(FileReader *file, const char *path, RpError *error) {
    struct stat facts;
    if (fstat((int)file->handle, &facts))
        return FileReader_Refuse(path, error);
    if (!S_ISREG(facts.st_mode))
        return RefuseKind(path,
                          S_ISDIR(facts.st_mode)    ? "a folder"
                          : S_ISFIFO(facts.st_mode) ? "a pipe"
                                                    : "a device or a socket",
                          error);
    file->size = (uint64_t)facts.st_size;
    file->volume = (uint64_t)facts.st_dev;
    file->identity = (uint64_t)facts.st_ino;
    return RP_OK;
}

/* Without O_NONBLOCK, opening a pipe would wait until somebody writes to it. */
static bool OpenHandle(const char *path, intptr_t *handle) {
    *handle = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    return *handle >= 0;
}

RpStatus FileReader_Read(const FileReader *file, uint64_t offset, void *bytes, size_t size,
                         const char *path, RpError *error) {
    for (uint8_t *next = bytes; size > 0;) {
        const ssize_t count = pread((int)file->handle, next, size, (off_t)offset);
        if (count == 0)
            return WasCut(offset, file->size, path, error);
        if (count < 0 && errno != EINTR)
            return FileReader_Refuse(path, error);
        if (count > 0) {
            next += count;
            offset += (uint64_t)count;
            size -= (size_t)count;
        }
    }
    return RP_OK;
}

void FileReader_Close(FileReader *file) {
    close((int)file->handle);
}
#endif

RpStatus FileReader_Take(intptr_t handle, const char *path, FileReader *file, RpError *error) {
    *file = (FileReader){.handle = handle};
    const RpStatus status = Describe(file, path, error);
    if (status)
        FileReader_Close(file);
    return status;
}

RpStatus FileReader_OpenToReplace(const char *path, FileReader *file, RpError *error) {
    intptr_t handle;
    return OpenHandle(path, &handle) ? FileReader_Take(handle, path, file, error)
                                     : FileReader_Refuse(path, error);
}

RpStatus FileReader_Open(const char *path, FileReader *file, RpError *error) {
    const RpStatus status = FileReader_OpenToReplace(path, file, error);
    if (!status)
        Inputs_AddHandle(file->handle);
    return status;
}
