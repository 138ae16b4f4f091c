/* Handles, names and functions of modules. All modules are in one folder, except for those of the
 * system, which are in Windows' own. */
#include "core/bytes.h"
#include "machine/services/service_state.h"

#include <stdio.h>
#include <string.h>

#define MOST_PATH       1024u
#define BY_ORDINAL      0x10000u /* numbers below are ordinals and not pointers to a name */
#define PROGRAM_PATH    "C:\\GAME\\GAME.exe"
#define EX_FROM_ADDRESS 4u
#define EX_ALL          7u

/* These modules have the addresses that they have in Windows XP, at which no other module wants to
 * be. */
const SystemModule services_system_modules[] = {
    {"ADVAPI32.dll", 0x77DD0000}, {"KERNEL32.dll", 0x7C800000},
    {"NTDLL.dll", 0x7C900000},    {"MSVCRT.dll", 0x77C10000},
    {"UCRTBASE.dll", 0x77C80000}, {"USER32.dll", 0x7E410000},
    {"WINMM.dll", 0x76B40000},    {NULL, 0},
};

static bool IsSameModule(const char *name, const char *other) {
    size_t length = strlen(name);
    if (strlen(other) != length + 4)
        return Text_IsSame(name, other);
    /* A name without an extension means a DLL. */
    char whole[80];
    snprintf(whole, sizeof whole, "%.70s.dll", name);
    return !strchr(name, '.') && Text_IsSame(whole, other);
}

/* Returns 0 when there is no such module. */
static uint32_t FindByName(Machine *machine, const char *path) {
    const char *name = Text_BaseName(path);
    const MachineModule *module;
    for (uint32_t i = 0; (module = Machine_Module(machine, i)) != NULL; i++)
        if (IsSameModule(name, module->name))
            return module->base;
    for (const SystemModule *row = services_system_modules; row->name; row++)
        if (IsSameModule(name, row->name))
            return row->base;
    if (Text_IsSame(name, Text_BaseName(PROGRAM_PATH)))
        return Machine_Process(machine)->program;
    return 0;
}

static bool PathOf(Machine *machine, uint32_t handle, char path[MOST_PATH]) {
    const MachineModule *module;
    if (handle == 0 || handle == Machine_Process(machine)->program) {
        snprintf(path, MOST_PATH, "%s", PROGRAM_PATH);
        return true;
    }
    for (uint32_t i = 0; (module = Machine_Module(machine, i)) != NULL; i++)
        if (module->base == handle) {
            snprintf(path, MOST_PATH, "C:\\GAME\\%s", module->name);
            return true;
        }
    for (const SystemModule *row = services_system_modules; row->name; row++)
        if (row->base == handle) {
            snprintf(path, MOST_PATH, "C:\\WINDOWS\\system32\\%s", row->name);
            return true;
        }
    return false;
}

static void GetHandle(Machine *machine, uint32_t name, bool wide, bool null_is_program) {
    char path[MOST_PATH];
    uint32_t handle = 0;
    if (name == 0 && null_is_program)
        handle = Machine_Process(machine)->program;
    else if (name && Access_GetText(machine, name, wide, path, sizeof path))
        handle = FindByName(machine, path);
    if (handle)
        Return(machine, handle);
    else
        Refuse(machine, ERROR_NO_MODULE, 0);
}

static void GetModuleHandleA(Machine *machine, void *context) {
    (void)context;
    GetHandle(machine, Machine_Argument(machine, 0), false, true);
}

static void GetModuleHandleW(Machine *machine, void *context) {
    (void)context;
    GetHandle(machine, Machine_Argument(machine, 0), true, true);
}

/* Modules are never unloaded, so loading a module means finding it. */
static void LoadLibraryA(Machine *machine, void *context) {
    (void)context;
    GetHandle(machine, Machine_Argument(machine, 0), false, false);
}

static void LoadLibraryW(Machine *machine, void *context) {
    (void)context;
    GetHandle(machine, Machine_Argument(machine, 0), true, false);
}

static void HandleEx(Machine *machine, bool wide) {
    uint32_t flags = Machine_Argument(machine, 0), name = Machine_Argument(machine, 1);
    uint32_t at = Machine_Argument(machine, 2), handle = 0;
    char path[MOST_PATH];
    if (flags & ~EX_ALL || !at) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    const uint32_t program = Machine_Process(machine)->program;
    if (flags & EX_FROM_ADDRESS) { /* the name is an address within a module */
        const MachineModule *module;
        for (uint32_t i = 0; !handle && (module = Machine_Module(machine, i)) != NULL; i++)
            handle = name - module->base < module->size ? module->base : 0;
        for (const SystemModule *row = services_system_modules; !handle && row->name; row++)
            handle = name - row->base < MACHINE_PAGE ? row->base : 0;
        if (!handle && name - program < MACHINE_PAGE)
            handle = program;
    } else if (name == 0) {
        handle = program;
    } else if (Access_GetText(machine, name, wide, path, sizeof path)) {
        handle = FindByName(machine, path);
    }
    if (!Access_Put32(machine, at, handle))
        Refuse(machine, ERROR_POINTER, 0);
    else if (!handle)
        Refuse(machine, ERROR_NO_MODULE, 0);
    else
        Return(machine, 1);
}

static void GetModuleHandleExA(Machine *machine, void *context) {
    (void)context;
    HandleEx(machine, false);
}

static void GetModuleHandleExW(Machine *machine, void *context) {
    (void)context;
    HandleEx(machine, true);
}

/* If the path does not fit, XP cuts it, writes no terminator, and returns the size of the
 * buffer. */
static void FileName(Machine *machine, bool wide) {
    char path[MOST_PATH];
    uint32_t buffer = Machine_Argument(machine, 1), capacity = Machine_Argument(machine, 2);
    if (!PathOf(machine, Machine_Argument(machine, 0), path)) {
        Refuse(machine, ERROR_NO_MODULE, 0);
        return;
    }
    uint32_t length = (uint32_t)strlen(path);
    if (length < capacity) {
        Access_Answer(machine, buffer, capacity, wide, path);
        return;
    }
    for (uint32_t i = 0; i < capacity; i++) {
        uint8_t bytes[2];
        Bytes_PutU16(bytes, CodePage_ToWide((uint8_t)path[i]));
        if (!wide)
            bytes[0] = (uint8_t)path[i];
        if (!Access_Write(machine, buffer + i * (wide ? 2 : 1), bytes, wide ? 2 : 1)) {
            Refuse(machine, ERROR_POINTER, 0);
            return;
        }
    }
    Return(machine, capacity);
}

static void GetModuleFileNameA(Machine *machine, void *context) {
    (void)context;
    FileName(machine, false);
}

static void GetModuleFileNameW(Machine *machine, void *context) {
    (void)context;
    FileName(machine, true);
}

static void GetProcAddress(Machine *machine, void *context) {
    (void)context;
    uint32_t handle = Machine_Argument(machine, 0), name_at = Machine_Argument(machine, 1);
    const MachineModule *module;
    char name[512] = "";
    uint32_t address = 0;
    if (name_at >= BY_ORDINAL && !Access_GetText(machine, name_at, false, name, sizeof name)) {
        Refuse(machine, ERROR_NO_FUNCTION, 0);
        return;
    }
    for (uint32_t i = 0; (module = Machine_Module(machine, i)) != NULL; i++)
        if (module->base == handle)
            address = name_at < BY_ORDINAL ? Machine_Ordinal(machine, i, name_at)
                                           : Machine_Export(machine, i, name);
    for (const SystemModule *row = services_system_modules; row->name; row++)
        if (row->base == handle && name_at >= BY_ORDINAL)
            address = Machine_SystemAddress(machine, row->name, name);
    if (address)
        Return(machine, address);
    else
        Refuse(machine, ERROR_NO_FUNCTION, 0);
}

static void FreeLibrary(Machine *machine, void *context) {
    (void)context;
    char path[MOST_PATH];
    uint32_t handle = Machine_Argument(machine, 0);
    if (handle && PathOf(machine, handle, path))
        Return(machine, 1);
    else
        Refuse(machine, ERROR_BAD_HANDLE, 0);
}

#define ROW(name, arguments)                                                                       \
    { "KERNEL32.dll", #name, 4 * (arguments), name }
#define ROW_AS(name, arguments, function)                                                          \
    { "KERNEL32.dll", name, 4 * (arguments), function }

const MachineRow services_modules[] = {
    ROW(GetModuleHandleA, 1),
    ROW(GetModuleHandleW, 1),
    ROW(GetModuleHandleExA, 3),
    ROW(GetModuleHandleExW, 3),
    ROW(GetModuleFileNameA, 3),
    ROW(GetModuleFileNameW, 3),
    ROW(GetProcAddress, 2),
    ROW(LoadLibraryA, 1),
    ROW(LoadLibraryW, 1),
    ROW_AS("LoadLibraryExA", 3, LoadLibraryA),
    ROW_AS("LoadLibraryExW", 3, LoadLibraryW),
    ROW(FreeLibrary, 1),
    ROW_AS("DisableThreadLibraryCalls", 1, FreeLibrary),
    {0},
};
