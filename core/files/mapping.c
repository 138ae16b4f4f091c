#include "core/files/mapping.h"

#include "core/files/file_reader.h"
#include "core/files/inputs.h"
#include "retropose/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#else
#include <errno.h>
#include <sys/mman.h>
#endif

/* ---- the standard input ---------------------------------------------------------------------- */

/* The bytes of the standard input. They stay until the program ends, because a verb may open its
 * input several times. */
static RpBuffer input;
static bool was_read;

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

/* ---- files ----------------------------------------------------------------------------------- */

static RpStatus TooLarge(const FileReader *file, const char *path, RpError *error) {
    const char *room = "a file that fits the address space";
    char found[64];
    if (SIZE_MAX == UINT32_MAX)
#ifdef _WIN32
        room = "a file that fits the address space; that of retropose64.exe is larger";
#else
        room = "a file that fits the address space; that of a 64-bit program is larger";
#endif
    snprintf(found, sizeof found, "%llu bytes", (unsigned long long)file->size);
    return RpError_Set(error, RP_IO, RP_NOWHERE, "the file is too large to map", path, room, found);
}

#ifdef _WIN32

static RpStatus Map(const FileReader *file, const char *path, Mapping *mapping, RpError *error) {
    const HANDLE section =
        CreateFileMappingA((HANDLE)file->handle, NULL, PAGE_READONLY, 0, 0, NULL);
    if (!section)
        return FileReader_Refuse(path, error);
    mapping->bytes = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
    RpStatus status = RP_OK;
    if (!mapping->bytes)
        status = GetLastError() == ERROR_NOT_ENOUGH_MEMORY ? TooLarge(file, path, error)
                                                           : FileReader_Refuse(path, error);
    CloseHandle(section);
    return status;
}

static void Unmap(const Mapping *mapping) {
    UnmapViewOfFile(mapping->bytes);
}

#else

static RpStatus Map(const FileReader *file, const char *path, Mapping *mapping, RpError *error) {
    void *bytes = mmap(NULL, (size_t)file->size, PROT_READ, MAP_PRIVATE, (int)file->handle, 0);
    if (bytes == MAP_FAILED)
        return errno == ENOMEM ? TooLarge(file, path, error) : FileReader_Refuse(path, error);
    mapping->bytes = bytes;
    return RP_OK;
}

static void Unmap(const Mapping *mapping) {
    munmap((void *)(uintptr_t)mapping->bytes, mapping->size);
}
#endif

static RpStatus Open(const char *path, bool is_input, Mapping *mapping, RpError *error) {
    FileReader file;
    *mapping = (Mapping){.bytes = NULL};
    if (strcmp(path, "-") == 0) {
        const RpStatus status = was_read ? RP_OK : ReadInput(error);
        if (status == RP_OK && input.size > 0)
            *mapping = (Mapping){.bytes = input.bytes, .size = input.size};
        return status;
    }
    RpStatus status = is_input ? FileReader_Open(path, &file, error)
                               : FileReader_OpenToReplace(path, &file, error);
    if (status)
        return status;
    mapping->volume = file.volume;
    mapping->identity = file.identity;
    if (file.size > SIZE_MAX)
        status = TooLarge(&file, path, error);
    else if (file.size > 0)
        status = Map(&file, path, mapping, error);
    if (!status)
        mapping->size = (size_t)file.size;
    FileReader_Close(&file);
    return status;
}

void Mapping_Close(Mapping *mapping) {
    if (mapping->bytes && (!was_read || mapping->bytes != input.bytes))
        Unmap(mapping);
    *mapping = (Mapping){.bytes = NULL};
}

RpStatus Mapping_Open(const char *path, Mapping *mapping, RpError *error) {
    return Open(path, true, mapping, error);
}

RpStatus Mapping_OpenToReplace(const char *path, Mapping *mapping, RpError *error) {
    return Open(path, false, mapping, error);
}
