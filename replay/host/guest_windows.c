/* The pair in this process. */
#include "replay/host/guest.h"
#include "replay/host/invoke.h"

#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static RpStatus SystemRefused(const char *what, const HostChar *path, RpError *error) {
    char words[32], where[160];
    snprintf(words, sizeof words, "system error %lu", GetLastError());
    snprintf(where, sizeof where, "%ls", path);
    return RpError_Set(error, RP_IO, RP_NOWHERE, what, where, "", words);
}

const char *Guest_Engine(void) {
    return "windows"; /* Wine's version is in `system` */
}

RpEstimates Guest_Estimates(void) {
    return RP_ESTIMATES_OF_THIS;
}

_Noreturn void Guest_EndProcess(int code) {
    TerminateProcess(GetCurrentProcess(), (UINT)code);
    abort(); /* never comes so far */
}

/* ---- modules ----------------------------------------------------------------------------------
 */

/* The loader may have another module of this name, or prefer one, and then the wrong code would
 * be judged. */
static RpStatus CheckLoaded(HMODULE module, const HostChar *path, AbiModule index, RpError *error) {
    wchar_t loaded[MAX_PATH * 4], wanted[MAX_PATH * 4], name[32];
    swprintf(name, sizeof name / sizeof *name, L"%hs", AbiModule_File(index));
    GetModuleFileNameW(module, loaded, MAX_PATH * 4);
    GetFullPathNameW(path, MAX_PATH * 4, wanted, NULL);
    if (GetModuleHandleW(name) == module && _wcsicmp(loaded, wanted) == 0)
        return RP_OK;
    char expected[96], found[160];
    snprintf(expected, sizeof expected, "%.90ls", wanted);
    snprintf(found, sizeof found, "%.150ls", loaded);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "another module was loaded",
                       AbiModule_File(index), expected, found);
}

RpStatus Guest_Load(const HostChar *path, const uint8_t *bytes, size_t size, AbiModule module,
                    uint32_t *base, RpError *error) {
    (void)bytes;
    (void)size;
    HMODULE loaded = LoadLibraryExW(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    *base = (uint32_t)(uintptr_t)loaded;
    if (!loaded)
        return SystemRefused("the system cannot load the DLL", path, error);
    return CheckLoaded(loaded, path, module, error);
}

uint32_t Guest_Export(uint32_t base, const char *name) {
    return (uint32_t)(uintptr_t)GetProcAddress((HMODULE)(uintptr_t)base, name);
}

uint32_t Guest_OtherModule(uint32_t address) {
    HMODULE other = NULL;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                           GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       (const char *)(uintptr_t)address, &other);
    return (uint32_t)(uintptr_t)other;
}

uint32_t Guest_Ask(uint32_t function, uint32_t number) {
    typedef uint32_t(__stdcall * Function)(uint32_t number);
    return ((Function)(uintptr_t)function)(number);
}

bool Guest_MayWrite(uint32_t address, uint32_t size) {
    Invoke_Leave();
    return !IsBadWritePtr(Guest_At(address), size);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

uint32_t Guest_Reserve(uint32_t size) {
    return (uint32_t)(uintptr_t)VirtualAlloc(NULL, size, MEM_RESERVE, PAGE_NOACCESS);
}

bool Guest_Commit(uint32_t address, uint32_t size) {
    return VirtualAlloc(Guest_At(address), size, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

void Guest_Release(uint32_t address) {
    VirtualFree(Guest_At(address), 0, MEM_RELEASE);
}

void Guest_Protect(uint32_t address, uint32_t size, bool writable) {
    DWORD old;
    VirtualProtect(Guest_At(address), size, writable ? PAGE_READWRITE : PAGE_READONLY, &old);
}

static bool (*write_watcher)(uint32_t page);

static bool IsReadOnly(const void *page) {
    MEMORY_BASIC_INFORMATION facts;
    return VirtualQuery(page, &facts, sizeof facts) && facts.State == MEM_COMMIT &&
           facts.Protect == PAGE_READONLY;
}

static LONG CALLBACK OnFault(EXCEPTION_POINTERS *pointers) {
    const EXCEPTION_RECORD *record = pointers->ExceptionRecord;
    if (!invoke_frame.running || record->ExceptionCode != EXCEPTION_ACCESS_VIOLATION ||
        record->NumberParameters < 2 || record->ExceptionInformation[0] != 1)
        return EXCEPTION_CONTINUE_SEARCH;
    const uint32_t page = (uint32_t)record->ExceptionInformation[1] / GUEST_PAGE * GUEST_PAGE;
    return IsReadOnly(Guest_At(page)) && write_watcher(page) ? EXCEPTION_CONTINUE_EXECUTION
                                                             : EXCEPTION_CONTINUE_SEARCH;
}

void Guest_WatchWrites(bool (*written)(uint32_t page)) {
    write_watcher = written;
    AddVectoredExceptionHandler(1, OnFault);
}

uint32_t Guest_Allocate(uint32_t size) {
    return Guest_AddressOf(malloc(size));
}

/* ---- files ------------------------------------------------------------------------------------
 */

const uint8_t *Guest_MapFile(const HostChar *path, size_t *size, RpError *error) {
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        SystemRefused("cannot open the file", path, error);
        return NULL;
    }
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

void *Guest_Share(const HostChar *path, size_t size, bool writes, RpError *error) {
    const DWORD access = writes ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ;
    HANDLE file =
        CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    size > 0 ? OPEN_ALWAYS : OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    HANDLE section = file == INVALID_HANDLE_VALUE
                         ? NULL
                         : CreateFileMappingW(file, NULL, writes ? PAGE_READWRITE : PAGE_READONLY,
                                              0, (DWORD)size, NULL);
    void *memory =
        section ? MapViewOfFile(section, writes ? FILE_MAP_WRITE : FILE_MAP_READ, 0, 0, 0) : NULL;
    if (!memory)
        SystemRefused("cannot share the file", path, error);
    return memory;
}

RpStatus Guest_Name(const HostChar *path, char *name, size_t size, RpError *error) {
    if (wcstombs(name, path, size) < size)
        return RP_OK;
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the name of a file is not usable", "",
                       "a name in the system's code page", "");
}
