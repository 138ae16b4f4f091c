#include "core/guard/guard.h"
#include "dll/base/unicode.h"
#include "dll/observe/platform.h"

#include <string.h>
#include <windows.h>

/* This function is in platform_guard.S. */
bool Guard_Copy(void *to, uint32_t from, size_t size);
extern const uint8_t Guard_CopyBegin[], Guard_CopyEnd[], Guard_CopyFailed[];

/* ---- memory ---------------------------------------------------------------------------------- */

static void *copy_handler;
static DWORD mark = TLS_OUT_OF_INDEXES;

/* Only faults of instructions in Guard_Copy are handled here. */
static LONG CALLBACK OnFault(EXCEPTION_POINTERS *pointers) {
    CONTEXT *context = pointers->ContextRecord;
    DWORD code = pointers->ExceptionRecord->ExceptionCode;
    if (context->Eip - (DWORD)(uintptr_t)Guard_CopyBegin >=
            (DWORD)(Guard_CopyEnd - Guard_CopyBegin) ||
        (code != EXCEPTION_ACCESS_VIOLATION && code != EXCEPTION_IN_PAGE_ERROR &&
         code != EXCEPTION_GUARD_PAGE))
        return EXCEPTION_CONTINUE_SEARCH;
    context->Eip = (DWORD)(uintptr_t)Guard_CopyFailed;
    return EXCEPTION_CONTINUE_EXECUTION;
}

bool Platform_Open(void) {
    if (mark == TLS_OUT_OF_INDEXES)
        mark = TlsAlloc();
    if (!copy_handler)
        copy_handler = AddVectoredExceptionHandler(1, OnFault);
    return copy_handler && mark != TLS_OUT_OF_INDEXES;
}

bool Platform_Read(void *to, uint32_t address, size_t size) {
    return Guard_Copy(to, address, size);
}

uint32_t Platform_RegionOf(uint32_t address) {
    MEMORY_BASIC_INFORMATION facts;
    if (!VirtualQuery((const void *)(uintptr_t)address, &facts, sizeof facts) ||
        facts.State != MEM_COMMIT)
        return 0;
    return (uint32_t)(uintptr_t)facts.AllocationBase;
}

void *Platform_Allocate(size_t size) {
    return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void Platform_Free(void *memory, size_t size) {
    (void)size;
    VirtualFree(memory, 0, MEM_RELEASE);
}

/* ---- threads --------------------------------------------------------------------------------- */

void Platform_Pause(uint32_t turn) {
    if (turn < 32)
        __builtin_ia32_pause();
    else if (turn < 48)
        SwitchToThread();
    else
        Sleep(1);
}

bool Platform_IsInside(void) {
    return TlsGetValue(mark) != NULL;
}

void Platform_SetInside(bool inside) {
    TlsSetValue(mark, inside ? &mark : NULL);
}

uint32_t Platform_LastError(void) {
    return GetLastError();
}

void Platform_SetLastError(uint32_t code) {
    SetLastError(code);
}

static struct Service {
    HANDLE wake;
    void (*step)(void);
    DWORD milliseconds;
    long lives;
} service;

/* Runs until the process ends. */
static DWORD WINAPI Serve(void *nothing) {
    __atomic_store_n(&service.lives, 1, __ATOMIC_RELEASE);
    for (;;) {
        WaitForSingleObject(service.wake, __atomic_load_n(&service.milliseconds, __ATOMIC_RELAXED));
        service.step();
    }
    return nothing != NULL;
}

bool Platform_StartService(void (*step)(void), uint32_t milliseconds) {
    service.step = step;
    service.milliseconds = milliseconds;
    service.wake = CreateEventW(NULL, FALSE, FALSE, NULL);
    HANDLE thread = service.wake ? CreateThread(NULL, 0x10000, Serve, NULL,
                                                STACK_SIZE_PARAM_IS_A_RESERVATION, NULL)
                                 : NULL;
    if (thread)
        CloseHandle(thread); /* the thread goes on running */
    return thread != NULL;
}

/* Also wakes the service, so that it does not wait for the end of the old period. */
void Platform_SetServicePeriod(uint32_t milliseconds) {
    __atomic_store_n(&service.milliseconds, milliseconds, __ATOMIC_RELAXED);
    Platform_WakeService();
}

bool Platform_ServiceLives(void) {
    return __atomic_load_n(&service.lives, __ATOMIC_ACQUIRE);
}

void Platform_WakeService(void) {
    if (service.wake)
        SetEvent(service.wake);
}

/* A DLL that observes is pinned (Host_Start), so it is detached only when the process ends. By then
 * the system has already ended the thread. */
void Platform_StopService(void) {
    service.lives = 0;
}

/* ---- runs that may crash --------------------------------------------------------------------- */

bool Platform_RunGuarded(void (*run)(void *context), void *context, PlatformFault *fault) {
    GuardFault seen;
    if (Guard_Run(run, context, &seen))
        return true;
    *fault = (PlatformFault){seen.code, seen.address};
    return false;
}

/* ---- time ------------------------------------------------------------------------------------ */

uint64_t Platform_Ticks(void) {
    return __builtin_ia32_rdtsc();
}

/* A counter of 64 bits exists from Windows Vista on only. */
uint32_t Platform_Milliseconds(void) {
    return GetTickCount();
}

/* ---- files ----------------------------------------------------------------------------------- */

enum { WIDE_CHARS = 1024 };

static HANDLE Open(const char *path, DWORD disposition, uint32_t *code) {
    wchar_t wide[WIDE_CHARS];
    if (!Unicode_Widen(path, wide, WIDE_CHARS)) {
        *code = ERROR_INVALID_NAME;
        return INVALID_HANDLE_VALUE;
    }
    HANDLE file =
        CreateFileW(wide, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, disposition, FILE_ATTRIBUTE_NORMAL, NULL);
    *code = file == INVALID_HANDLE_VALUE ? GetLastError() : 0;
    return file;
}

PlatformOpening Platform_Create(const char *path, PlatformFile *file, uint32_t *code) {
    HANDLE handle = Open(path, CREATE_NEW, code);
    *file = (PlatformFile)handle;
    if (handle != INVALID_HANDLE_VALUE)
        return PLATFORM_OPENED;
    return *code == ERROR_FILE_EXISTS || *code == ERROR_ALREADY_EXISTS ? PLATFORM_EXISTS
                                                                       : PLATFORM_REFUSED;
}

PlatformOpening Platform_Append(const char *path, PlatformFile *file, uint64_t *size,
                                uint32_t *code) {
    HANDLE handle = Open(path, OPEN_ALWAYS, code);
    LARGE_INTEGER length = {.QuadPart = 0};
    *file = (PlatformFile)handle;
    if (handle == INVALID_HANDLE_VALUE)
        return PLATFORM_REFUSED;
    GetFileSizeEx(handle, &length);
    *size = (uint64_t)length.QuadPart;
    return PLATFORM_OPENED;
}

bool Platform_Write(PlatformFile file, uint64_t offset, const void *bytes, size_t size,
                    uint32_t *code) {
    const uint8_t *next = bytes;
    while (size > 0) {
        OVERLAPPED place = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
        DWORD part = size < 0x1000000 ? (DWORD)size : 0x1000000, written = 0;
        if (!WriteFile((HANDLE)file, next, part, &written, &place) || written == 0) {
            *code = GetLastError();
            return false;
        }
        next += written;
        offset += written;
        size -= written;
    }
    return true;
}

bool Platform_Cut(PlatformFile file, uint64_t size) {
    LARGE_INTEGER end = {.QuadPart = (LONGLONG)size};
    return SetFilePointerEx((HANDLE)file, end, NULL, FILE_BEGIN) && SetEndOfFile((HANDLE)file);
}

void Platform_CloseFile(PlatformFile file) {
    CloseHandle((HANDLE)file);
}

bool Platform_Delete(const char *path) {
    wchar_t wide[WIDE_CHARS];
    return Unicode_Widen(path, wide, WIDE_CHARS) && DeleteFileW(wide);
}
