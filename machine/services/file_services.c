/* Files and the registry. The files are those of the machine's options. They can only be read, and
 * their folder does not matter. The registry has one value. */
#include "core/bytes.h"
#include "machine/services/service_state.h"

#include <stdio.h>
#include <string.h>

#define FIRST_HANDLE    0x100u
#define STANDARD_INPUT  3u
#define STANDARD_OUTPUT 7u
#define STANDARD_ERROR  11u
#define MOST_PATH       1024u
#define GENERIC_WRITE   0x40000000u
#define OPEN_EXISTING   3u
#define OPEN_ALWAYS     4u
#define ALREADY_EXISTS  183u
#define ATTRIBUTES      0x21u /* read-only, archive */
#define INVALID_SET     0xFFFFFFFFu
#define FOLDER          "C:\\GAME"
#define WRITTEN_IN_2001 126485280000000000ull /* 2001-10-26 */

uint32_t Handle_Make(Services *services, HandleKind kind, uint32_t value, uint32_t place) {
    Live *live = &services->live;
    uint32_t row = 0;
    while (row < live->handle_count && live->handles[row].kind != HANDLE_FREE)
        row++;
    if (row == MOST_HANDLES)
        return 0;
    if (row == live->handle_count)
        live->handle_count++;
    live->handles[row] = (Handle){kind, value, place};
    return FIRST_HANDLE + 4 * row;
}

Handle *Handle_Find(Services *services, uint32_t handle, HandleKind kind) {
    uint32_t row = (handle - FIRST_HANDLE) / 4;
    if (handle < FIRST_HANDLE || handle % 4 || row >= services->live.handle_count ||
        services->live.handles[row].kind != kind)
        return NULL;
    return &services->live.handles[row];
}

static bool IsStandard(uint32_t handle) {
    return handle == STANDARD_INPUT || handle == STANDARD_OUTPUT || handle == STANDARD_ERROR;
}

static void CloseHandle(Machine *machine, void *context) {
    Services *services = context;
    uint32_t handle = Machine_Argument(machine, 0), row = (handle - FIRST_HANDLE) / 4;
    if (handle >= FIRST_HANDLE && handle % 4 == 0 && row < services->live.handle_count &&
        services->live.handles[row].kind != HANDLE_FREE &&
        services->live.handles[row].kind != HANDLE_KEY) {
        services->live.handles[row].kind = HANDLE_FREE;
        Return(machine, 1);
    } else if (IsStandard(handle) || handle >= 0xFFFFFFFE) { /* this process, this thread */
        Return(machine, 1);
    } else {
        Refuse(machine, ERROR_BAD_HANDLE, 0);
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Returns a file's number, or INVALID_HANDLE. */
static uint32_t FindFile(const Services *services, const char *path) {
    const char *name = Text_BaseName(path);
    for (uint32_t i = 0; i < services->file_count; i++)
        if (Text_IsSame(services->files[i].name, name))
            return i;
    return INVALID_HANDLE;
}

static void OpenFile(Machine *machine, Services *services, bool wide) {
    char path[MOST_PATH];
    uint32_t access = Machine_Argument(machine, 1), how = Machine_Argument(machine, 4);
    if (!Access_GetText(machine, Machine_Argument(machine, 0), wide, path, sizeof path)) {
        Refuse(machine, ERROR_NO_PATH, INVALID_HANDLE);
        return;
    }
    uint32_t file = FindFile(services, path);
    bool opens = how == OPEN_EXISTING || how == OPEN_ALWAYS;
    if (file == INVALID_HANDLE && how == OPEN_EXISTING) {
        Refuse(machine, ERROR_NOT_FOUND, INVALID_HANDLE);
        return;
    }
    if (file == INVALID_HANDLE || !opens || (access & GENERIC_WRITE)) {
        Refuse(machine, ERROR_NO_ACCESS, INVALID_HANDLE);
        return;
    }
    uint32_t handle = Handle_Make(services, HANDLE_FILE, file, 0);
    if (handle)
        Refuse(machine, how == OPEN_ALWAYS ? ALREADY_EXISTS : NO_ERROR_AT_ALL, handle);
    else
        Refuse(machine, ERROR_MEMORY, INVALID_HANDLE);
}

static void CreateFileA(Machine *machine, void *context) {
    OpenFile(machine, context, false);
}

static void CreateFileW(Machine *machine, void *context) {
    OpenFile(machine, context, true);
}

static void ReadFile(Machine *machine, void *context) {
    Services *services = context;
    Handle *handle = Handle_Find(services, Machine_Argument(machine, 0), HANDLE_FILE);
    uint32_t buffer = Machine_Argument(machine, 1), size = Machine_Argument(machine, 2);
    uint32_t count = Machine_Argument(machine, 3);
    if (!handle) {
        /* nobody types anything into the console */
        bool is_input = Machine_Argument(machine, 0) == STANDARD_INPUT;
        if (is_input && (!count || Access_Put32(machine, count, 0)))
            Return(machine, 1);
        else
            Refuse(machine, ERROR_BAD_HANDLE, 0);
        return;
    }
    const MachineFile *file = &services->files[handle->value];
    uint32_t rest = handle->place < file->size ? (uint32_t)(file->size - handle->place) : 0;
    if (size > rest)
        size = rest;
    if (!Access_Write(machine, buffer, size ? file->bytes + handle->place : NULL, size) ||
        (count && !Access_Put32(machine, count, size))) {
        Refuse(machine, ERROR_POINTER, 0);
        return;
    }
    handle->place += size;
    Return(machine, 1);
}

static void WriteFile(Machine *machine, void *context) {
    (void)context;
    uint32_t handle = Machine_Argument(machine, 0), count = Machine_Argument(machine, 3);
    if (handle != STANDARD_OUTPUT && handle != STANDARD_ERROR)
        Refuse(machine, ERROR_NO_ACCESS, 0);
    else if (count && !Access_Put32(machine, count, Machine_Argument(machine, 2)))
        Refuse(machine, ERROR_POINTER, 0);
    else
        Return(machine, 1);
}

static void GetFileSize(Machine *machine, void *context) {
    Services *services = context;
    const Handle *handle = Handle_Find(services, Machine_Argument(machine, 0), HANDLE_FILE);
    uint32_t high = Machine_Argument(machine, 1);
    if (!handle)
        Refuse(machine, ERROR_BAD_HANDLE, INVALID_HANDLE);
    else if (high && !Access_Put32(machine, high, 0))
        Refuse(machine, ERROR_POINTER, INVALID_HANDLE);
    else
        Refuse(machine, NO_ERROR_AT_ALL, (uint32_t)services->files[handle->value].size);
}

static void GetFileSizeEx(Machine *machine, void *context) {
    Services *services = context;
    const Handle *handle = Handle_Find(services, Machine_Argument(machine, 0), HANDLE_FILE);
    uint8_t size[8];
    if (!handle) {
        Refuse(machine, ERROR_BAD_HANDLE, 0);
        return;
    }
    Bytes_PutU64(size, services->files[handle->value].size);
    if (Access_Write(machine, Machine_Argument(machine, 1), size, sizeof size))
        Return(machine, 1);
    else
        Refuse(machine, ERROR_POINTER, 0);
}

/* Returns false if the new place is negative or above 4 GiB. */
static bool Seek(Services *services, Handle *handle, int64_t distance, uint32_t from) {
    int64_t base = from == 0   ? 0
                   : from == 1 ? handle->place
                               : (int64_t)services->files[handle->value].size;
    int64_t limit = UINT32_MAX - 1;
    if (from > 2 || distance > limit || distance < -limit || base + distance < 0 ||
        base + distance > limit)
        return false;
    handle->place = (uint32_t)(base + distance);
    return true;
}

static void SetFilePointer(Machine *machine, void *context) {
    Handle *handle = Handle_Find(context, Machine_Argument(machine, 0), HANDLE_FILE);
    uint32_t low = Machine_Argument(machine, 1), high_at = Machine_Argument(machine, 2), high = 0;
    if (!handle) {
        Refuse(machine, ERROR_BAD_HANDLE, INVALID_SET);
        return;
    }
    int64_t distance = (int32_t)low;
    if (high_at && Access_Get32(machine, high_at, &high))
        distance = (int64_t)((uint64_t)high << 32 | low);
    if (!Seek(context, handle, distance, Machine_Argument(machine, 3))) {
        Refuse(machine, ERROR_PARAMETER, INVALID_SET);
        return;
    }
    if (high_at)
        Access_Put32(machine, high_at, 0);
    Refuse(machine, NO_ERROR_AT_ALL, handle->place);
}

static void SetFilePointerEx(Machine *machine, void *context) {
    Handle *handle = Handle_Find(context, Machine_Argument(machine, 0), HANDLE_FILE);
    uint64_t distance = (uint64_t)Machine_Argument(machine, 2) << 32 | Machine_Argument(machine, 1);
    uint32_t at = Machine_Argument(machine, 3);
    uint8_t place[8];
    if (!handle) {
        Refuse(machine, ERROR_BAD_HANDLE, 0);
        return;
    }
    if (!Seek(context, handle, (int64_t)distance, Machine_Argument(machine, 4))) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    Bytes_PutU64(place, handle->place);
    if (at)
        Access_Write(machine, at, place, sizeof place);
    Return(machine, 1);
}

static void DenyOne(Machine *machine, void *context) {
    (void)context;
    Refuse(machine, ERROR_NO_ACCESS, 0);
}

static void FlushFileBuffers(Machine *machine, void *context) {
    (void)context;
    Return(machine, 1);
}

static void Delete(Machine *machine, const Services *services, bool wide) {
    char path[MOST_PATH];
    bool is_there =
        Access_GetText(machine, Machine_Argument(machine, 0), wide, path, sizeof path) &&
        FindFile(services, path) != INVALID_HANDLE;
    Refuse(machine, is_there ? ERROR_NO_ACCESS : ERROR_NOT_FOUND, 0);
}

static void DeleteFileA(Machine *machine, void *context) {
    Delete(machine, context, false);
}

static void DeleteFileW(Machine *machine, void *context) {
    Delete(machine, context, true);
}

static void Attributes(Machine *machine, const Services *services, bool wide) {
    char path[MOST_PATH];
    if (Access_GetText(machine, Machine_Argument(machine, 0), wide, path, sizeof path) &&
        FindFile(services, path) != INVALID_HANDLE)
        Return(machine, ATTRIBUTES);
    else
        Refuse(machine, ERROR_NOT_FOUND, 0xFFFFFFFF);
}

static void GetFileAttributesA(Machine *machine, void *context) {
    Attributes(machine, context, false);
}

static void GetFileAttributesW(Machine *machine, void *context) {
    Attributes(machine, context, true);
}

/* Fills a WIN32_FILE_ATTRIBUTE_DATA. */
static void AttributesEx(Machine *machine, const Services *services, bool wide) {
    char path[MOST_PATH];
    uint8_t data[36] = {0};
    uint32_t file = INVALID_HANDLE;
    if (Access_GetText(machine, Machine_Argument(machine, 0), wide, path, sizeof path))
        file = FindFile(services, path);
    if (file == INVALID_HANDLE) {
        Refuse(machine, ERROR_NOT_FOUND, 0);
        return;
    }
    Bytes_PutU32(data, ATTRIBUTES);
    for (uint32_t time = 4; time < 28; time += 8)
        Bytes_PutU64(data + time, WRITTEN_IN_2001);
    Bytes_PutU32(data + 32, (uint32_t)services->files[file].size);
    if (Access_Write(machine, Machine_Argument(machine, 2), data, sizeof data))
        Return(machine, 1);
    else
        Refuse(machine, ERROR_POINTER, 0);
}

static void GetFileAttributesExA(Machine *machine, void *context) {
    AttributesEx(machine, context, false);
}

static void GetFileAttributesExW(Machine *machine, void *context) {
    AttributesEx(machine, context, true);
}

static void FindFirstFile(Machine *machine, void *context) {
    (void)context;
    Refuse(machine, ERROR_NOT_FOUND, INVALID_HANDLE);
}

static void FindNextFile(Machine *machine, void *context) {
    (void)context;
    Refuse(machine, ERROR_BAD_HANDLE, 0);
}

/* A name without a folder gets the folder of the program. "." and ".." are not resolved. */
static void FullPath(Machine *machine, bool wide) {
    char path[MOST_PATH], full[MOST_PATH + sizeof FOLDER + 1];
    uint32_t file_part = Machine_Argument(machine, 3);
    if (!Access_GetText(machine, Machine_Argument(machine, 0), wide, path, sizeof path) ||
        !path[0]) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    if (path[1] == ':' || path[0] == '\\')
        snprintf(full, sizeof full, "%s", path);
    else
        snprintf(full, sizeof full, "%s\\%s", FOLDER, path);
    uint32_t buffer = Machine_Argument(machine, 2);
    Access_Answer(machine, buffer, Machine_Argument(machine, 1), wide, full);
    if (file_part) {
        uint32_t begin = (uint32_t)(Text_BaseName(full) - full);
        Access_Put32(machine, file_part, full[begin] ? buffer + begin * (wide ? 2 : 1) : 0);
    }
}

static void GetFullPathNameA(Machine *machine, void *context) {
    (void)context;
    FullPath(machine, false);
}

static void GetFullPathNameW(Machine *machine, void *context) {
    (void)context;
    FullPath(machine, true);
}

static void GetCurrentDirectoryA(Machine *machine, void *context) {
    (void)context;
    Access_Answer(machine, Machine_Argument(machine, 1), Machine_Argument(machine, 0), false,
                  FOLDER);
}

static void GetCurrentDirectoryW(Machine *machine, void *context) {
    (void)context;
    Access_Answer(machine, Machine_Argument(machine, 1), Machine_Argument(machine, 0), true,
                  FOLDER);
}

static void GetSystemDirectoryA(Machine *machine, void *context) {
    (void)context;
    Access_Answer(machine, Machine_Argument(machine, 0), Machine_Argument(machine, 1), false,
                  "C:\\WINDOWS\\system32");
}

static void GetSystemDirectoryW(Machine *machine, void *context) {
    (void)context;
    Access_Answer(machine, Machine_Argument(machine, 0), Machine_Argument(machine, 1), true,
                  "C:\\WINDOWS\\system32");
}

static void GetWindowsDirectoryA(Machine *machine, void *context) {
    (void)context;
    Access_Answer(machine, Machine_Argument(machine, 0), Machine_Argument(machine, 1), false,
                  "C:\\WINDOWS");
}

static void GetWindowsDirectoryW(Machine *machine, void *context) {
    (void)context;
    Access_Answer(machine, Machine_Argument(machine, 0), Machine_Argument(machine, 1), true,
                  "C:\\WINDOWS");
}

static void CreateFileMapping(Machine *machine, void *context) {
    Services *services = context;
    uint32_t file = Machine_Argument(machine, 0), high = Machine_Argument(machine, 3);
    uint32_t size = Machine_Argument(machine, 4);
    const Handle *handle = Handle_Find(services, file, HANDLE_FILE);
    if (file != INVALID_HANDLE && !handle) {
        Refuse(machine, ERROR_BAD_HANDLE, 0);
        return;
    }
    /* An empty file cannot be mapped. Neither can more bytes than a file has, because files do not
     * grow here. */
    bool is_wrong = high || (handle ? services->files[handle->value].size == 0 ||
                                          size > services->files[handle->value].size
                                    : size == 0);
    uint32_t made = is_wrong ? 0
                             : Handle_Make(services, HANDLE_MAPPING,
                                           handle ? handle->value : INVALID_HANDLE, size);
    Refuse(machine, is_wrong ? ERROR_PARAMETER : made ? NO_ERROR_AT_ALL : ERROR_MEMORY, made);
}

static void GetStdHandle(Machine *machine, void *context) {
    (void)context;
    uint32_t which = Machine_Argument(machine, 0);
    if (which == (uint32_t)-10)
        Return(machine, STANDARD_INPUT);
    else if (which == (uint32_t)-11)
        Return(machine, STANDARD_OUTPUT);
    else if (which == (uint32_t)-12)
        Return(machine, STANDARD_ERROR);
    else
        Refuse(machine, ERROR_BAD_HANDLE, INVALID_HANDLE);
}

static void SetStdHandle(Machine *machine, void *context) {
    (void)context;
    Return(machine, 1);
}

static void GetFileType(Machine *machine, void *context) {
    uint32_t handle = Machine_Argument(machine, 0);
    if (Handle_Find(context, handle, HANDLE_FILE))
        Return(machine, 1); /* a file on a disk */
    else if (IsStandard(handle))
        Return(machine, 2); /* a console */
    else
        Refuse(machine, ERROR_BAD_HANDLE, 0);
}

static void SetHandleCount(Machine *machine, void *context) {
    (void)context;
    Return(machine, Machine_Argument(machine, 0));
}

/* ---- the registry ---------------------------------------------------------------------------- */

static const char *const key_path[] = {"Software", "Nikita", "NgiTool"};
enum { KEY_DEPTH = sizeof key_path / sizeof *key_path };
#define CURRENT_USER  0x80000001u
#define LOCAL_MACHINE 0x80000002u
#define KEY_WRITES    0x00000006u /* the rights to set values and to create keys */

/* Gives the number of names in the path of a key. Returns false if it is not a key. */
static bool DepthOf(Services *services, uint32_t key, uint32_t *depth) {
    const Handle *handle = Handle_Find(services, key, HANDLE_KEY);
    *depth = handle ? handle->value : 0;
    return handle || key == CURRENT_USER || key == LOCAL_MACHINE;
}

static void OpenKey(Machine *machine, Services *services, uint32_t result, bool wide) {
    char path[MOST_PATH] = "";
    uint32_t depth, name = Machine_Argument(machine, 1);
    if (!DepthOf(services, Machine_Argument(machine, 0), &depth)) {
        Return(machine, ERROR_BAD_HANDLE);
        return;
    }
    if (name && !Access_GetText(machine, name, wide, path, sizeof path)) {
        Return(machine, ERROR_POINTER);
        return;
    }
    for (char *part = path, *end; *part; part = end) {
        end = strchr(part, '\\');
        if (end)
            *end++ = 0;
        else
            end = part + strlen(part);
        if (services->force_cpu < 0 || depth == KEY_DEPTH || !Text_IsSame(part, key_path[depth])) {
            Return(machine, ERROR_NOT_FOUND);
            return;
        }
        depth++;
    }
    uint32_t key = Handle_Make(services, HANDLE_KEY, depth, 0);
    if (!key)
        Return(machine, ERROR_MEMORY);
    else
        Return(machine, Access_Put32(machine, result, key) ? NO_ERROR_AT_ALL : ERROR_POINTER);
}

static void RegOpenKeyExA(Machine *machine, void *context) {
    if (Machine_Argument(machine, 3) & KEY_WRITES)
        Return(machine, ERROR_NO_ACCESS);
    else
        OpenKey(machine, context, Machine_Argument(machine, 4), false);
}

static void RegOpenKeyExW(Machine *machine, void *context) {
    if (Machine_Argument(machine, 3) & KEY_WRITES)
        Return(machine, ERROR_NO_ACCESS);
    else
        OpenKey(machine, context, Machine_Argument(machine, 4), true);
}

static void RegOpenKeyA(Machine *machine, void *context) {
    OpenKey(machine, context, Machine_Argument(machine, 2), false);
}

static void QueryValue(Machine *machine, Services *services, bool wide) {
    char name[64] = "";
    uint32_t depth, name_at = Machine_Argument(machine, 1), type_at = Machine_Argument(machine, 3);
    uint32_t data_at = Machine_Argument(machine, 4), size_at = Machine_Argument(machine, 5);
    uint32_t size = 0;
    if (!DepthOf(services, Machine_Argument(machine, 0), &depth)) {
        Return(machine, ERROR_BAD_HANDLE);
        return;
    }
    if (name_at)
        Access_GetText(machine, name_at, wide, name, sizeof name);
    if (depth != KEY_DEPTH || services->force_cpu < 0 || !Text_IsSame(name, "ForceCpu")) {
        Return(machine, ERROR_NOT_FOUND);
        return;
    }
    if ((data_at && !size_at) || (size_at && !Access_Get32(machine, size_at, &size))) {
        Return(machine, ERROR_PARAMETER);
        return;
    }
    bool is_written = (!type_at || Access_Put32(machine, type_at, 4)) && /* REG_DWORD */
                      (!size_at || Access_Put32(machine, size_at, 4));
    if (data_at && size < 4) {
        Return(machine, ERROR_MORE);
        return;
    }
    if (data_at)
        is_written = is_written && Access_Put32(machine, data_at, (uint32_t)services->force_cpu);
    Return(machine, is_written ? NO_ERROR_AT_ALL : ERROR_POINTER);
}

static void RegQueryValueExA(Machine *machine, void *context) {
    QueryValue(machine, context, false);
}

static void RegQueryValueExW(Machine *machine, void *context) {
    QueryValue(machine, context, true);
}

static void RegCloseKey(Machine *machine, void *context) {
    uint32_t key = Machine_Argument(machine, 0);
    Handle *handle = Handle_Find(context, key, HANDLE_KEY);
    if (handle)
        handle->kind = HANDLE_FREE;
    bool is_key = handle || key == CURRENT_USER || key == LOCAL_MACHINE;
    Return(machine, is_key ? NO_ERROR_AT_ALL : ERROR_BAD_HANDLE);
}

static void DenyKey(Machine *machine, void *context) {
    (void)context;
    Return(machine, ERROR_NO_ACCESS);
}

#define ROW(name, arguments)                                                                       \
    { "KERNEL32.dll", #name, 4 * (arguments), name }
#define ROW_AS(name, arguments, function)                                                          \
    { "KERNEL32.dll", name, 4 * (arguments), function }
#define KEY_ROW(name, arguments, function)                                                         \
    { "ADVAPI32.dll", name, 4 * (arguments), function }

const MachineRow services_files[] = {
    ROW(CloseHandle, 1),
    ROW(CreateFileA, 7),
    ROW(CreateFileW, 7),
    ROW(ReadFile, 5),
    ROW(WriteFile, 5),
    ROW(GetFileSize, 2),
    ROW(GetFileSizeEx, 2),
    ROW(SetFilePointer, 4),
    ROW(SetFilePointerEx, 5),
    ROW(FlushFileBuffers, 1),
    ROW_AS("SetEndOfFile", 1, DenyOne),
    ROW(DeleteFileA, 1),
    ROW(DeleteFileW, 1),
    ROW(GetFileAttributesA, 1),
    ROW(GetFileAttributesW, 1),
    ROW(GetFileAttributesExA, 3),
    ROW(GetFileAttributesExW, 3),
    ROW_AS("FindFirstFileA", 2, FindFirstFile),
    ROW_AS("FindFirstFileW", 2, FindFirstFile),
    ROW_AS("FindNextFileA", 2, FindNextFile),
    ROW_AS("FindNextFileW", 2, FindNextFile),
    ROW_AS("FindClose", 1, FindNextFile),
    ROW(GetFullPathNameA, 4),
    ROW(GetFullPathNameW, 4),
    ROW(GetCurrentDirectoryA, 2),
    ROW(GetCurrentDirectoryW, 2),
    ROW_AS("SetCurrentDirectoryA", 1, DenyOne),
    ROW_AS("SetCurrentDirectoryW", 1, DenyOne),
    ROW_AS("CreateDirectoryA", 2, DenyOne),
    ROW_AS("CreateDirectoryW", 2, DenyOne),
    ROW_AS("MoveFileExW", 3, DenyOne),
    ROW(GetSystemDirectoryA, 2),
    ROW(GetSystemDirectoryW, 2),
    ROW(GetWindowsDirectoryA, 2),
    ROW(GetWindowsDirectoryW, 2),
    ROW_AS("CreateFileMappingA", 6, CreateFileMapping),
    ROW_AS("CreateFileMappingW", 6, CreateFileMapping),
    ROW(GetStdHandle, 1),
    ROW(SetStdHandle, 2),
    ROW(GetFileType, 1),
    ROW(SetHandleCount, 1),
    KEY_ROW("RegOpenKeyExA", 5, RegOpenKeyExA),
    KEY_ROW("RegOpenKeyExW", 5, RegOpenKeyExW),
    KEY_ROW("RegOpenKeyA", 3, RegOpenKeyA),
    KEY_ROW("RegQueryValueExA", 6, RegQueryValueExA),
    KEY_ROW("RegQueryValueExW", 6, RegQueryValueExW),
    KEY_ROW("RegCloseKey", 1, RegCloseKey),
    KEY_ROW("RegCreateKeyExA", 9, DenyKey),
    KEY_ROW("RegSetValueExA", 6, DenyKey),
    {0},
};
