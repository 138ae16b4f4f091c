/* Services for a process that asks about itself and about the system: versions, the command line,
 * the environment, clocks, errors and exceptions, and the end of the process. */
#include "core/bytes.h"
#include "machine/exceptions.h"
#include "machine/services/service_state.h"

#include <stdio.h>
#include <string.h>

#define PROCESS_ID      0x00000A4Cu /* the same as in the thread's block (machine/guest_process.c) */
#define THREAD_ID       0x00000A50u
#define CURRENT_PROCESS 0xFFFFFFFFu
#define CURRENT_THREAD  0xFFFFFFFEu
#define LAST_ERROR_AT   0x34u
#define MOST_TEXT       4096u

/* ---- versions and hardware ------------------------------------------------------------------- */

/* The version is that of Windows XP, 5.1.2600, for which a runtime library of 2001 uses the
 * system's heap (KB Q323635). */
static void GetVersion(Machine *machine, void *context) {
    (void)context;
    Return(machine, 2600u << 16 | 1 << 8 | 5);
}

/* Fills an OSVERSIONINFO, or an OSVERSIONINFOEX, which is longer. */
static void Version(Machine *machine, bool wide) {
    const uint32_t at = Machine_Argument(machine, 0), text = 128 * (wide ? 2 : 1);
    const uint32_t plain = 20 + text, extended = plain + 8;
    uint8_t info[20 + 256 + 8] = {0};
    uint32_t size;
    if (!Access_Get32(machine, at, &size) || (size != plain && size != extended)) {
        Refuse(machine, ERROR_BUFFER, 0);
        return;
    }
    Bytes_PutU32(info, size);
    Bytes_PutU32(info + 4, 5);
    Bytes_PutU32(info + 8, 1);
    Bytes_PutU32(info + 12, 2600);
    Bytes_PutU32(info + 16, 2); /* the NT family */
    info[plain + 6] = 1;        /* a workstation */
    if (Access_Write(machine, at, info, size))
        Return(machine, 1);
    else
        Refuse(machine, ERROR_POINTER, 0);
}

static void GetVersionExA(Machine *machine, void *context) {
    (void)context;
    Version(machine, false);
}

static void GetVersionExW(Machine *machine, void *context) {
    (void)context;
    Version(machine, true);
}

static void RtlGetVersion(Machine *machine, void *context) {
    (void)context;
    Version(machine, true);
    Return(machine, 0); /* a status, which means success */
}

static void GetSystemInfo(Machine *machine, void *context) {
    (void)context;
    uint8_t info[36] = {0};
    Bytes_PutU32(info + 4, MACHINE_PAGE);
    Bytes_PutU32(info + 8, MACHINE_LOWEST);
    Bytes_PutU32(info + 12, MACHINE_HIGHEST - 0x10000 + 0xFFFF);
    Bytes_PutU32(info + 16, 1); /* one processor */
    Bytes_PutU32(info + 20, 1);
    Bytes_PutU32(info + 24, 586);
    Bytes_PutU32(info + 28, 0x10000);
    Bytes_PutU16(info + 32, 6);
    Access_Write(machine, Machine_Argument(machine, 0), info, sizeof info);
}

static void GlobalMemoryStatus(Machine *machine, void *context) {
    const Services *services = context;
    uint64_t whole = services->most_memory < 0x7FFFFFFF ? services->most_memory : 0x7FFFFFFF;
    uint64_t used = services->memory->mapped < whole ? services->memory->mapped : whole;
    uint8_t status[32] = {0};
    Bytes_PutU32(status, sizeof status);
    Bytes_PutU32(status + 4, (uint32_t)(used * 100 / whole));
    Bytes_PutU32(status + 8, (uint32_t)whole);
    Bytes_PutU32(status + 12, (uint32_t)(whole - used));
    Bytes_PutU32(status + 16, (uint32_t)whole);
    Bytes_PutU32(status + 20, (uint32_t)(whole - used));
    Bytes_PutU32(status + 24, 0x7FFE0000);
    Bytes_PutU32(status + 28, (uint32_t)(whole - used));
    Access_Write(machine, Machine_Argument(machine, 0), status, sizeof status);
}

static void IsProcessorFeaturePresent(Machine *machine, void *context) {
    (void)context;
    const uint32_t features = Machine_Context(machine)->profile->features;
    switch (Machine_Argument(machine, 0)) {
    case 2: /* the processor has cmpxchg8b */
    case 8: /* the processor has rdtsc */
        Return(machine, 1);
        return;
    case 3:
        Return(machine, (features & MACHINE_HAS_MMX) != 0);
        return;
    case 6:
        Return(machine, (features & MACHINE_HAS_SSE) != 0);
        return;
    case 7:
        Return(machine, (features & MACHINE_HAS_3DNOW) != 0);
        return;
    case 10:
        Return(machine, (features & MACHINE_HAS_SSE2) != 0);
        return;
    default:
        Return(machine, 0);
    }
}

/* ---- the process ----------------------------------------------------------------------------- */

static void GetCommandLineA(Machine *machine, void *context) {
    Return(machine, ((const Services *)context)->command_line);
}

static void GetCommandLineW(Machine *machine, void *context) {
    Return(machine, ((const Services *)context)->command_line_wide);
}

static void GetStartupInfo(Machine *machine, void *context) {
    (void)context;
    uint8_t info[68] = {sizeof info};
    Access_Write(machine, Machine_Argument(machine, 0), info, sizeof info);
}

static void GetCurrentProcess(Machine *machine, void *context) {
    (void)context;
    Return(machine, CURRENT_PROCESS);
}

static void GetCurrentThread(Machine *machine, void *context) {
    (void)context;
    Return(machine, CURRENT_THREAD);
}

static void GetCurrentProcessId(Machine *machine, void *context) {
    (void)context;
    Return(machine, PROCESS_ID);
}

static void GetCurrentThreadId(Machine *machine, void *context) {
    (void)context;
    Return(machine, THREAD_ID);
}

static void ExitProcess(Machine *machine, void *context) {
    (void)context;
    Machine_Exit(machine, Machine_Argument(machine, 0));
}

static void TerminateProcess(Machine *machine, void *context) {
    (void)context;
    if (Machine_Argument(machine, 0) == CURRENT_PROCESS)
        Machine_Exit(machine, Machine_Argument(machine, 1));
    else
        Refuse(machine, ERROR_BAD_HANDLE, 0);
}

static void FatalAppExit(Machine *machine, void *context) {
    (void)context;
    Machine_Exit(machine, 0);
}

/* ---- errors and exceptions ------------------------------------------------------------------- */

static void GetLastError(Machine *machine, void *context) {
    (void)context;
    uint32_t error = 0;
    Access_Get32(machine, Machine_Context(machine)->fs_base + LAST_ERROR_AT, &error);
    Return(machine, error);
}

static void SetLastErrorOfGuest(Machine *machine, void *context) {
    (void)context;
    PutLastError(machine, Machine_Argument(machine, 0));
}

static void SetErrorMode(Machine *machine, void *context) {
    Services *services = context;
    Return(machine, services->live.error_mode);
    services->live.error_mode = Machine_Argument(machine, 0);
}

static void RaiseException(Machine *machine, void *context) {
    (void)context;
    MachineException exception = {.code = Machine_Argument(machine, 0),
                                  .flags = Machine_Argument(machine, 1) & 1};
    uint32_t count = Machine_Argument(machine, 2), parameters = Machine_Argument(machine, 3);
    if (parameters)
        for (; exception.count < count && exception.count < MACHINE_EXCEPTION_PARAMETERS;
             exception.count++)
            if (!Access_Get32(machine, parameters + 4 * exception.count,
                              &exception.parameters[exception.count]))
                break;
    Exceptions_Raise(machine, 16, &exception);
}

static void RtlUnwind(Machine *machine, void *context) {
    (void)context;
    Exceptions_Unwind(machine);
}

static void AddVectoredExceptionHandler(Machine *machine, void *context) {
    (void)context;
    uint32_t first = Machine_Argument(machine, 0), handler = Machine_Argument(machine, 1);
    /* A handler serves as its own handle. */
    Return(machine, Exceptions_AddVectored(machine, handler, first != 0) ? handler : 0);
}

static void RemoveVectoredExceptionHandler(Machine *machine, void *context) {
    (void)context;
    Return(machine, Exceptions_RemoveVectored(machine, Machine_Argument(machine, 0)));
}

/* The filter is stored and never called. If no handler takes an exception, the call ends. */
static void SetUnhandledExceptionFilter(Machine *machine, void *context) {
    Services *services = context;
    Return(machine, services->live.unhandled_filter);
    services->live.unhandled_filter = Machine_Argument(machine, 0);
}

static void UnhandledExceptionFilter(Machine *machine, void *context) {
    (void)context;
    Return(machine, 0); /* goes on searching */
}

static void Nothing(Machine *machine, void *context) {
    (void)context;
    Return(machine, 0);
}

/* A message box needs an answer, and nobody is there to give one. */
static void MessageBox(Machine *machine, void *context) {
    (void)context;
    char text[128], reason[192];
    if (!Access_GetText(machine, Machine_Argument(machine, 1), false, text, sizeof text))
        text[0] = 0;
    snprintf(reason, sizeof reason, "USER32.MessageBoxA: nobody answers: %s", text);
    Machine_Refuse(machine, reason);
}

static void MessageBoxW(Machine *machine, void *context) {
    (void)context;
    Machine_Refuse(machine, "USER32.MessageBoxW: nobody answers");
}

/* ---- clocks ---------------------------------------------------------------------------------- */

#define EACH_ASKED 1000u /* microseconds */
#define BEGIN_2001 126485280000000000ull

/* All clocks are the same. It advances by a millisecond whenever it is asked. */
static uint64_t Ask(Services *services) {
    return services->live.clock += EACH_ASKED;
}

static void GetTickCount(Machine *machine, void *context) {
    Return(machine, (uint32_t)(Ask(context) / 1000));
}

static void PutNumber(Machine *machine, uint64_t value) {
    uint8_t bytes[8];
    Bytes_PutU64(bytes, value);
    if (Access_Write(machine, Machine_Argument(machine, 0), bytes, sizeof bytes))
        Return(machine, 1);
    else
        Refuse(machine, ERROR_POINTER, 0);
}

static void QueryPerformanceCounter(Machine *machine, void *context) {
    PutNumber(machine, Ask(context));
}

static void QueryPerformanceFrequency(Machine *machine, void *context) {
    (void)context;
    PutNumber(machine, 1000000);
}

static void GetSystemTimeAsFileTime(Machine *machine, void *context) {
    PutNumber(machine, BEGIN_2001 + 10 * Ask(context));
}

/* Fills a SYSTEMTIME with a day that does not end: Friday, 2001-10-26. */
static void GetSystemTime(Machine *machine, void *context) {
    uint64_t seconds = Ask(context) / 1000000;
    const uint32_t parts[8] = {2001,
                               10,
                               5,
                               26,
                               (uint32_t)(seconds / 3600 % 24),
                               (uint32_t)(seconds / 60 % 60),
                               (uint32_t)(seconds % 60),
                               0};
    uint8_t time[16];
    for (uint32_t i = 0; i < 8; i++)
        Bytes_PutU16(time + 2 * i, parts[i]);
    Access_Write(machine, Machine_Argument(machine, 0), time, sizeof time);
}

static void GetTimeZoneInformation(Machine *machine, void *context) {
    (void)context;
    if (Access_Clear(machine, Machine_Argument(machine, 0), 172))
        Return(machine, 0); /* unknown, because there is no daylight saving time */
    else
        Refuse(machine, ERROR_POINTER, 0xFFFFFFFF);
}

static void Sleep(Machine *machine, void *context) {
    Services *services = context;
    uint32_t milliseconds = Machine_Argument(machine, 0);
    if (milliseconds == 0xFFFFFFFF)
        Machine_Refuse(machine, "KERNEL32.Sleep: would wait for ever");
    services->live.clock += 1000ull * milliseconds;
    Return(machine, 0);
}

/* ---- the environment ------------------------------------------------------------------------- */

const char *Environment_Find(const Live *live, const char *name) {
    size_t length = strlen(name);
    for (uint32_t at = 0; at < live->environment_size;
         at += (uint32_t)strlen(live->environment + at) + 1) {
        char begin[256];
        const char *line = live->environment + at;
        if (length >= sizeof begin || strlen(line) <= length || line[length] != '=')
            continue;
        memcpy(begin, line, length);
        begin[length] = 0;
        if (Text_IsSame(begin, name))
            return line + length + 1;
    }
    return NULL;
}

static void GetVariable(Machine *machine, const Services *services, bool wide) {
    char name[256];
    const char *value = NULL;
    if (Access_GetText(machine, Machine_Argument(machine, 0), wide, name, sizeof name))
        value = Environment_Find(&services->live, name);
    if (!value) {
        Refuse(machine, ERROR_NO_VARIABLE, 0);
        return;
    }
    PutLastError(machine, NO_ERROR_AT_ALL);
    Access_Answer(machine, Machine_Argument(machine, 1), Machine_Argument(machine, 2), wide, value);
}

static void GetEnvironmentVariableA(Machine *machine, void *context) {
    GetVariable(machine, context, false);
}

static void GetEnvironmentVariableW(Machine *machine, void *context) {
    GetVariable(machine, context, true);
}

static void SetVariable(Machine *machine, Services *services, bool wide) {
    char name[256], value[MOST_TEXT] = "";
    uint32_t value_at = Machine_Argument(machine, 1);
    Live *live = &services->live;
    if (!Access_GetText(machine, Machine_Argument(machine, 0), wide, name, sizeof name) ||
        !name[0] || strchr(name, '=') ||
        (value_at && !Access_GetText(machine, value_at, wide, value, sizeof value))) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    const char *old = Environment_Find(live, name);
    if (old) {
        uint32_t value_begins = (uint32_t)(old - live->environment);
        uint32_t begin = value_begins - (uint32_t)strlen(name) - 1;
        uint32_t end = value_begins + (uint32_t)strlen(old) + 1;
        memmove(live->environment + begin, live->environment + end, live->environment_size - end);
        live->environment_size -= end - begin;
    }
    uint32_t bytes = (uint32_t)(strlen(name) + strlen(value) + 2);
    if (value_at && bytes > ENVIRONMENT_BYTES - live->environment_size) {
        Refuse(machine, ERROR_MEMORY, 0);
        return;
    }
    if (value_at) {
        snprintf(live->environment + live->environment_size, bytes, "%s=%s", name, value);
        live->environment_size += bytes;
    }
    Return(machine, 1);
}

static void SetEnvironmentVariableA(Machine *machine, void *context) {
    SetVariable(machine, context, false);
}

static void SetEnvironmentVariableW(Machine *machine, void *context) {
    SetVariable(machine, context, true);
}

/* Returns a copy of the environment's block, with a second zero after its last line. */
static void Strings(Machine *machine, Services *services, bool wide) {
    const Live *live = &services->live;
    uint32_t size = live->environment_size + 1, width = wide ? 2 : 1;
    uint32_t block = Heap_Alloc(services, services->live.heaps, size * width + width, true);
    bool done =
        block && Access_PutText(machine, block, wide, live->environment, live->environment_size);
    if (done)
        Return(machine, block);
    else
        Refuse(machine, ERROR_MEMORY, 0);
}

static void GetEnvironmentStringsA(Machine *machine, void *context) {
    Strings(machine, context, false);
}

static void GetEnvironmentStringsW(Machine *machine, void *context) {
    Strings(machine, context, true);
}

static void FreeEnvironmentStrings(Machine *machine, void *context) {
    Services *services = context;
    Heap_Free(services, services->live.heaps, Machine_Argument(machine, 0));
    Return(machine, 1);
}

#define ROW_OF(module, name, arguments, function)                                                  \
    { module ".dll", name, 4 * (arguments), function }
#define ROW_AS(name, arguments, function) ROW_OF("KERNEL32", name, arguments, function)
#define ROW(name, arguments)              ROW_OF("KERNEL32", #name, arguments, name)

const MachineRow services_process[] = {
    ROW(GetVersion, 0),
    ROW(GetVersionExA, 1),
    ROW(GetVersionExW, 1),
    ROW_OF("NTDLL", "RtlGetVersion", 1, RtlGetVersion),
    ROW(GetSystemInfo, 1),
    ROW(GlobalMemoryStatus, 1),
    ROW(IsProcessorFeaturePresent, 1),
    ROW(GetCommandLineA, 0),
    ROW(GetCommandLineW, 0),
    ROW_AS("GetStartupInfoA", 1, GetStartupInfo),
    ROW_AS("GetStartupInfoW", 1, GetStartupInfo),
    ROW(GetCurrentProcess, 0),
    ROW(GetCurrentThread, 0),
    ROW(GetCurrentProcessId, 0),
    ROW(GetCurrentThreadId, 0),
    ROW(ExitProcess, 1),
    ROW(TerminateProcess, 2),
    ROW_AS("FatalAppExitA", 2, FatalAppExit),
    ROW(GetLastError, 0),
    ROW_AS("SetLastError", 1, SetLastErrorOfGuest),
    ROW(SetErrorMode, 1),
    ROW(RaiseException, 4),
    ROW(RtlUnwind, 4),
    ROW_OF("NTDLL", "RtlUnwind", 4, RtlUnwind),
    ROW(AddVectoredExceptionHandler, 2),
    ROW(RemoveVectoredExceptionHandler, 1),
    ROW(SetUnhandledExceptionFilter, 1),
    ROW(UnhandledExceptionFilter, 1),
    ROW_AS("IsDebuggerPresent", 0, Nothing),
    ROW_AS("OutputDebugStringA", 1, Nothing),
    ROW_AS("OutputDebugStringW", 1, Nothing),
    ROW_OF("USER32", "MessageBoxA", 4, MessageBox),
    ROW_OF("USER32", "MessageBoxW", 4, MessageBoxW),
    ROW_OF("USER32", "GetActiveWindow", 0, Nothing),
    ROW_OF("USER32", "GetLastActivePopup", 1, Nothing),
    ROW(GetTickCount, 0),
    ROW_OF("WINMM", "timeGetTime", 0, GetTickCount),
    ROW_OF("WINMM", "timeBeginPeriod", 1, Nothing),
    ROW_OF("WINMM", "timeEndPeriod", 1, Nothing),
    ROW(QueryPerformanceCounter, 1),
    ROW(QueryPerformanceFrequency, 1),
    ROW(GetSystemTimeAsFileTime, 1),
    ROW(GetSystemTime, 1),
    ROW_AS("GetLocalTime", 1, GetSystemTime),
    ROW(GetTimeZoneInformation, 1),
    ROW(Sleep, 1),
    ROW_AS("SleepEx", 2, Sleep),
    ROW(GetEnvironmentVariableA, 3),
    ROW(GetEnvironmentVariableW, 3),
    ROW(SetEnvironmentVariableA, 2),
    ROW(SetEnvironmentVariableW, 2),
    ROW_AS("GetEnvironmentStrings", 0, GetEnvironmentStringsA),
    ROW(GetEnvironmentStringsA, 0),
    ROW(GetEnvironmentStringsW, 0),
    ROW_AS("FreeEnvironmentStringsA", 1, FreeEnvironmentStrings),
    ROW_AS("FreeEnvironmentStringsW", 1, FreeEnvironmentStrings),
    {0},
};
