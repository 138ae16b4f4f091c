/* Runs the pair in this process, under 32-bit Windows. */
#include "replay/host/guest.h"
#include "replay/host/invoke.h"

#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

const char *Guest_Engine(const Guest *guest) {
    (void)guest;
    return "windows"; /* Wine's version is in the header's line `system` */
}

RpEstimates Guest_Estimates(const Guest *guest) {
    (void)guest;
    return RP_ESTIMATES_OF_THIS;
}

/* ---- modules ----------------------------------------------------------------------------------
 */

RpStatus Guest_Load(Guest *guest, const HostChar *path, const uint8_t *bytes, size_t size,
                    AbiModule module, uint32_t *base, RpError *error) {
    (void)guest;
    (void)bytes;
    (void)size;
    HMODULE loaded = LoadLibraryExW(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    *base = (uint32_t)(uintptr_t)loaded;
    if (!loaded) {
        char words[32], where[160];
        snprintf(words, sizeof words, "system error %lu", GetLastError());
        snprintf(where, sizeof where, "%ls", path);
        return RpError_Set(error, RP_IO, RP_NOWHERE, "the system cannot load the DLL", where, "",
                           words);
    }

    /* Was this very file loaded? The loader may have another module of this name, or prefer one,
     * and then the wrong code would be judged. */
    wchar_t found[MAX_PATH * 4], wanted[MAX_PATH * 4], name[32];
    swprintf(name, sizeof name / sizeof *name, L"%hs", AbiModule_File(module));
    GetModuleFileNameW(loaded, found, MAX_PATH * 4);
    GetFullPathNameW(path, MAX_PATH * 4, wanted, NULL);
    if (GetModuleHandleW(name) == loaded && _wcsicmp(found, wanted) == 0)
        return RP_OK;
    char expected_text[96], found_text[160];
    snprintf(expected_text, sizeof expected_text, "%.90ls", wanted);
    snprintf(found_text, sizeof found_text, "%.150ls", found);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, "another module was loaded",
                       AbiModule_File(module), expected_text, found_text);
}

uint32_t Guest_Export(const Guest *guest, uint32_t base, const char *name) {
    (void)guest;
    return (uint32_t)(uintptr_t)GetProcAddress((HMODULE)(uintptr_t)base, name);
}

RpStatus Guest_NoteReached(Guest *guest, const uint32_t bytes[ABI_MODULE_COUNT], uint8_t *marks,
                           RpError *error) {
    (void)guest;
    (void)bytes;
    (void)marks;
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "nothing notes which code runs", "",
                       "a machine", "Windows");
}

uint32_t Guest_OtherModule(const Guest *guest, uint32_t address) {
    (void)guest;
    HMODULE other = NULL;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                           GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       (const char *)(uintptr_t)address, &other);
    return (uint32_t)(uintptr_t)other;
}

uint32_t Guest_Ask(Guest *guest, uint32_t function, uint32_t number) {
    (void)guest;
    typedef uint32_t(__stdcall * Function)(uint32_t number);
    return ((Function)(uintptr_t)function)(number);
}

bool Guest_MayWrite(const Guest *guest, uint32_t address, uint32_t size) {
    Invoke_Leave(NULL);
    return !IsBadWritePtr(Guest_At(guest, address), size);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

uint32_t Guest_Reserve(Guest *guest, uint32_t size) {
    (void)guest;
    return (uint32_t)(uintptr_t)VirtualAlloc(NULL, size, MEM_RESERVE, PAGE_NOACCESS);
}

bool Guest_Commit(Guest *guest, uint32_t address, uint32_t size) {
    return VirtualAlloc(Guest_At(guest, address), size, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

void Guest_Release(Guest *guest, uint32_t address) {
    (void)guest;
    VirtualFree(Guest_At(guest, address), 0, MEM_RELEASE);
}

void Guest_Protect(Guest *guest, uint32_t address, uint32_t size, bool writable) {
    DWORD old;
    VirtualProtect(Guest_At(guest, address), size, writable ? PAGE_READWRITE : PAGE_READONLY, &old);
}

static GuestWritten *write_watcher;
static void *write_context;

static LONG CALLBACK OnFault(EXCEPTION_POINTERS *pointers) {
    const EXCEPTION_RECORD *record = pointers->ExceptionRecord;
    if (!invoke_frame.running || record->ExceptionCode != EXCEPTION_ACCESS_VIOLATION ||
        record->NumberParameters < 2 || record->ExceptionInformation[0] != 1)
        return EXCEPTION_CONTINUE_SEARCH;
    const uint32_t page = (uint32_t)record->ExceptionInformation[1] / GUEST_PAGE * GUEST_PAGE;
    MEMORY_BASIC_INFORMATION facts;
    const bool is_read_only = VirtualQuery((const void *)(uintptr_t)page, &facts, sizeof facts) &&
                              facts.State == MEM_COMMIT && facts.Protect == PAGE_READONLY;
    return is_read_only && write_watcher(write_context, page) ? EXCEPTION_CONTINUE_EXECUTION
                                                              : EXCEPTION_CONTINUE_SEARCH;
}

void Guest_WatchWrites(Guest *guest, GuestWritten *written, void *context) {
    (void)guest;
    write_watcher = written;
    write_context = context;
    AddVectoredExceptionHandler(1, OnFault);
}

uint32_t Guest_Allocate(Guest *guest, uint32_t size) {
    return Guest_AddressOf(guest, malloc(size));
}
