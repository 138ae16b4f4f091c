/* Serves the program retropose-host on Windows, where the pair is in the same process. */
#include "replay/host/os.h"

#include "tracefile/reader_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static RpStatus SystemRefused(const char *what, const HostChar *path, RpError *error) {
    char words[32], where[160];
    snprintf(words, sizeof words, "system error %lu", GetLastError());
    snprintf(where, sizeof where, "%ls", path);
    return RpError_Set(error, RP_IO, RP_NOWHERE, what, where, "", words);
}

_Noreturn void Os_EndProcess(int code) {
    TerminateProcess(GetCurrentProcess(), (UINT)code);
    abort(); /* this line is never reached */
}

/* Returns INVALID_HANDLE_VALUE with the error filled. */
static HANDLE OpenToRead(const HostChar *path, RpError *error) {
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        SystemRefused("cannot open the file", path, error);
    return file;
}

RpStatus Os_OpenTrace(const HostChar *path, TraceReader **reader, RpError *error) {
    FileReader file;
    const HANDLE handle = OpenToRead(path, error);
    if (handle == INVALID_HANDLE_VALUE)
        return RP_IO;
    const RpStatus status = FileReader_Take((intptr_t)handle, OS_TRACE_NAME, &file, error);
    return status ? status : TraceReader_OpenFile(&file, OS_TRACE_NAME, reader, error);
}

const uint8_t *Os_MapFile(const HostChar *path, size_t *size, RpError *error) {
    const HANDLE file = OpenToRead(path, error);
    if (file == INVALID_HANDLE_VALUE)
        return NULL;
    *size = GetFileSize(file, NULL);
    HANDLE section = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
    const uint8_t *bytes = section ? MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0) : NULL;
    if (!bytes)
        SystemRefused("cannot read the file", path, error);
    if (section)
        CloseHandle(section);
    CloseHandle(file);
    return bytes;
}

void *Os_Share(const HostChar *path, size_t *size, bool writes, RpError *error) {
    const DWORD access = writes ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ;
    HANDLE file =
        CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    *size > 0 ? OPEN_ALWAYS : OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    HANDLE section = file == INVALID_HANDLE_VALUE
                         ? NULL
                         : CreateFileMappingW(file, NULL, writes ? PAGE_READWRITE : PAGE_READONLY,
                                              0, (DWORD)*size, NULL);
    void *memory =
        section ? MapViewOfFile(section, writes ? FILE_MAP_WRITE : FILE_MAP_READ, 0, 0, 0) : NULL;
    if (!memory)
        SystemRefused("cannot share the file", path, error);
    else if (*size == 0)
        *size = GetFileSize(file, NULL);
    return memory;
}

RpStatus Os_Name(const HostChar *path, char *name, size_t size, RpError *error) {
    if (wcstombs(name, path, size) < size)
        return RP_OK;
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the name of a file is not usable", "",
                       "a name in the system's code page", "");
}
