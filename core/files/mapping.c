#include "core/files/mapping.h"

#include "core/files/inputs.h"
#include "retropose/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#endif

/* ---- the standard input ---------------------------------------------------------------------- */

/* What was read stays until the program ends, because a verb may open its input several times. */
static RpBuffer input;
static bool was_read;

static bool IsInput(const uint8_t *bytes) {
    return was_read && bytes == input.bytes;
}

static RpStatus ReadInput(RpError *error) {
    static uint8_t part[1 << 16];
    size_t count;
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
#endif
    Inputs_AddStream(stdin);
    RpBuffer_Init(&input, NULL);
    while ((count = fread(part, 1, sizeof part, stdin)) > 0)
        if (!RpBuffer_Append(&input, part, count)) {
            RpBuffer_Free(&input);
            return RpMemory_Refused(error, "the standard input");
        }
    was_read = !ferror(stdin);
    if (was_read)
        return RP_OK;
    RpBuffer_Free(&input);
    return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot read the standard input", "", "", "");
}

static RpStatus MapInput(Mapping *mapping, RpError *error) {
    const RpStatus status = was_read ? RP_OK : ReadInput(error);
    if (status == RP_OK && input.size > 0)
        *mapping = (Mapping){.bytes = input.bytes, .size = input.size};
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

static RpStatus TooLarge(uint64_t size, const char *path, RpError *error) {
    char most[64], found[64];
    snprintf(most, sizeof most, "at most %zu bytes", SIZE_MAX);
    snprintf(found, sizeof found, "%llu bytes", (unsigned long long)size);
    return RpError_Set(error, RP_IO, RP_NOWHERE, "the file is too large to map", path, most, found);
}

#ifdef _WIN32

static RpStatus Refuse(const char *path, RpError *error) {
    char words[64];
    DWORD code = GetLastError();
    snprintf(words, sizeof words, "system error %lu", code);
    RpStatus status =
        code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND ? RP_NOT_FOUND : RP_IO;
    return RpError_Set(error, status, RP_NOWHERE, "cannot read the file", path, "", words);
}

static RpStatus MapHandle(HANDLE file, const char *path, Mapping *mapping, RpError *error) {
    BY_HANDLE_FILE_INFORMATION facts;
    LARGE_INTEGER size;
    if (GetFileType(file) != FILE_TYPE_DISK)
        return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot read the file", path, "a regular file",
                           "a pipe or a device");
    if (!GetFileSizeEx(file, &size) || !GetFileInformationByHandle(file, &facts))
        return Refuse(path, error);
    mapping->volume = facts.dwVolumeSerialNumber;
    mapping->identity = (uint64_t)facts.nFileIndexHigh << 32 | facts.nFileIndexLow;
    if ((uint64_t)size.QuadPart > SIZE_MAX)
        return TooLarge((uint64_t)size.QuadPart, path, error);
    if (size.QuadPart == 0)
        return RP_OK;
    HANDLE section = CreateFileMappingA(file, NULL, PAGE_READONLY, 0, 0, NULL);
    if (!section)
        return Refuse(path, error);
    mapping->bytes = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
    mapping->size = (size_t)size.QuadPart;
    RpStatus status = mapping->bytes ? RP_OK : Refuse(path, error);
    CloseHandle(section);
    return status;
}

static RpStatus Open(const char *path, bool is_input, Mapping *mapping, RpError *error) {
    *mapping = (Mapping){.bytes = NULL};
    if (strcmp(path, "-") == 0)
        return MapInput(mapping, error);
    HANDLE file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return Refuse(path, error);
    RpStatus status = MapHandle(file, path, mapping, error);
    if (status == RP_OK && is_input)
        Inputs_AddHandle((intptr_t)file);
    CloseHandle(file);
    return status;
}

void Mapping_Close(Mapping *mapping) {
    if (mapping->bytes && !IsInput(mapping->bytes))
        UnmapViewOfFile(mapping->bytes);
    *mapping = (Mapping){.bytes = NULL};
}

#else
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static RpStatus Refuse(const char *path, RpError *error) {
    int code = errno;
    return RpError_Set(error, code == ENOENT ? RP_NOT_FOUND : RP_IO, RP_NOWHERE,
                       "cannot read the file", path, "", strerror(code));
}

static const char *KindOf(mode_t mode) {
    return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : "a device or a socket";
}

static RpStatus MapDescriptor(int file, const char *path, Mapping *mapping, RpError *error) {
    struct stat facts;
    if (fstat(file, &facts))
        return Refuse(path, error);
    if (!S_ISREG(facts.st_mode))
        return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot read the file", path, "a regular file",
                           KindOf(facts.st_mode));
    mapping->volume = (uint64_t)facts.st_dev;
    mapping->identity = (uint64_t)facts.st_ino;
    if ((uint64_t)facts.st_size > SIZE_MAX)
        return TooLarge((uint64_t)facts.st_size, path, error);
    if (facts.st_size == 0)
        return RP_OK;
    void *bytes = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED)
        return Refuse(path, error);
    mapping->bytes = bytes;
    mapping->size = (size_t)facts.st_size;
    return RP_OK;
}

static RpStatus Open(const char *path, bool is_input, Mapping *mapping, RpError *error) {
    *mapping = (Mapping){.bytes = NULL};
    if (strcmp(path, "-") == 0)
        return MapInput(mapping, error);
    /* Opening a pipe would otherwise wait until somebody writes to it. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return Refuse(path, error);
    RpStatus status = MapDescriptor(file, path, mapping, error);
    if (status == RP_OK && is_input)
        Inputs_AddHandle(file);
    close(file);
    return status;
}

void Mapping_Close(Mapping *mapping) {
    if (mapping->bytes && !IsInput(mapping->bytes))
        munmap((void *)(uintptr_t)mapping->bytes, mapping->size);
    *mapping = (Mapping){.bytes = NULL};
}
#endif

RpStatus Mapping_Open(const char *path, Mapping *mapping, RpError *error) {
    return Open(path, true, mapping, error);
}

RpStatus Mapping_OpenToReplace(const char *path, Mapping *mapping, RpError *error) {
    return Open(path, false, mapping, error);
}
