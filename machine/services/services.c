#include "machine/services/services.h"

#include "core/bytes.h"
#include "machine/services/service_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND_LINE    "\"C:\\GAME\\GAME.exe\""
#define PROCESS_HEAP_AT 0x18u /* offset in the process's block */
#define MOST_FILE       0x7FF00000u

static const MachineRow *const tables[] = {
    services_heap,    services_pages,   services_files, services_modules,
    services_process, services_threads, services_text,  services_runtime,
};
enum { TABLES = sizeof tables / sizeof *tables };

const MachineRow *Services_At(uint32_t index) {
    for (uint32_t table = 0; table < TABLES; table++)
        for (const MachineRow *row = tables[table]; row->name; row++)
            if (index-- == 0)
                return row;
    return NULL;
}

static const MachineRow *Find(const char *module, const char *name) {
    char whole[80];
    /* Newer compilers' runtime has the same functions in a module of another name. */
    if (Text_IsSame(module, "ucrtbase") || Text_IsSame(module, "ucrtbase.dll"))
        module = "MSVCRT.dll";
    snprintf(whole, sizeof whole, "%.70s.dll", module);
    for (uint32_t table = 0; table < TABLES; table++)
        for (const MachineRow *row = tables[table]; row->name; row++)
            if (strcmp(row->name, name) == 0 &&
                (Text_IsSame(row->module, module) || Text_IsSame(row->module, whole)))
                return row;
    return NULL;
}

/* Maps a page with the header of a DLL that has neither sections nor exports. */
static bool MapSystemModule(Services *services, const SystemModule *module) {
    if (!MachineMemory_Map(services->memory, module->base, MACHINE_PAGE,
                           MACHINE_READ | MACHINE_WRITE))
        return false;
    uint8_t *header = MachineMemory_At(services->memory, module->base);
    enum { PE = 0x80, OPTIONAL = PE + 24 };
    memcpy(header, "MZ", 2);
    Bytes_PutU32(header + 0x3C, PE);
    memcpy(header + PE, "PE", 2);
    Bytes_PutU16(header + PE + 4, 0x014C);
    Bytes_PutU16(header + PE + 20, 224);
    Bytes_PutU16(header + PE + 22, 0x2102);
    Bytes_PutU16(header + OPTIONAL, 0x010B);
    Bytes_PutU32(header + OPTIONAL + 28, module->base);
    Bytes_PutU32(header + OPTIONAL + 32, MACHINE_PAGE);
    Bytes_PutU32(header + OPTIONAL + 36, MACHINE_PAGE);
    Bytes_PutU32(header + OPTIONAL + 56, MACHINE_PAGE);
    Bytes_PutU32(header + OPTIONAL + 60, MACHINE_PAGE);
    Bytes_PutU32(header + OPTIONAL + 92, 16);
    return MachineMemory_Protect(services->memory, module->base, MACHINE_PAGE, MACHINE_READ);
}

static void Destroy(void *state) {
    Services *services = state;
    for (uint32_t i = 0; i < services->file_count; i++)
        free((char *)(uintptr_t)services->files[i].name);
    free(services->files);
    free(services);
}

static RpStatus Create(Machine *machine, const MachineOptions *options, void **state,
                       RpError *error) {
    Services *services = calloc(1, sizeof *services);
    if (!services)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a guest's system", "",
                           "", "");
    services->machine = machine;
    services->memory = Machine_Memory(machine);
    services->most_memory = services->memory->most;
    services->force_cpu = options->force_cpu;

    Live *live = &services->live;
    bool made = true;
    for (uint32_t i = 0; made && i < options->variable_count; i++) {
        const MachineVariable *variable = &options->variables[i];
        size_t bytes = strlen(variable->name) + strlen(variable->value) + 2;
        made = bytes <= ENVIRONMENT_BYTES - live->environment_size;
        if (!made)
            break;
        snprintf(live->environment + live->environment_size, bytes, "%s=%s", variable->name,
                 variable->value);
        live->environment_size += (uint32_t)bytes;
    }

    services->files = made ? calloc(options->file_count + 1, sizeof *services->files) : NULL;
    made = services->files != NULL;
    for (; made && services->file_count < options->file_count; services->file_count++) {
        const MachineFile *file = &options->files[services->file_count];
        char *name = malloc(strlen(file->name) + 1);
        made = name && file->size <= MOST_FILE;
        if (!made) {
            free(name);
            break;
        }
        memcpy(name, file->name, strlen(file->name) + 1);
        services->files[services->file_count] = (MachineFile){name, file->bytes, file->size};
    }

    for (const SystemModule *row = services_system_modules; made && row->name; row++)
        made = MapSystemModule(services, row);
    uint32_t heap = made ? Heap_Create(services, 0) : 0;
    if (heap) {
        Heap *process = services->live.heaps;
        uint32_t length = (uint32_t)strlen(COMMAND_LINE);
        services->command_line = Heap_Alloc(services, process, length + 1, true);
        services->command_line_wide = Heap_Alloc(services, process, 2 * length + 2, true);
        made =
            services->command_line && services->command_line_wide &&
            Access_PutText(machine, services->command_line, false, COMMAND_LINE, length) &&
            Access_PutText(machine, services->command_line_wide, true, COMMAND_LINE, length) &&
            Access_Put32(machine, Machine_Process(machine)->process_block + PROCESS_HEAP_AT, heap);
    }
    if (!heap || !made) {
        Destroy(services);
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a guest's system", "",
                           "variables of up to 16 KiB, files of less than 2 GiB", "");
    }
    *state = services;
    return RP_OK;
}

/* Copies only rows that were ever used, because this happens before each call of a comparison. */
static void CopyLive(Live *to, const Live *from) {
    memcpy(to, from, offsetof(Live, heaps));
    memcpy(to->heaps, from->heaps, from->heap_count * sizeof *to->heaps);
    memcpy(to->large, from->large, from->large_count * sizeof *to->large);
    memcpy(to->handles, from->handles, from->handle_count * sizeof *to->handles);
    memcpy(to->reserved, from->reserved, from->reserved_count * sizeof *to->reserved);
    memcpy(to->environment, from->environment, from->environment_size);
}

static RpStatus Save(void *state, RpError *error) {
    Services *services = state;
    (void)error;
    CopyLive(&services->saved, &services->live);
    return RP_OK;
}

static void Restore(void *state) {
    Services *services = state;
    CopyLive(&services->live, &services->saved);
}

const MachineSystem services_windows = {.create = Create,
                                        .destroy = Destroy,
                                        .find = Find,
                                        .place = Runtime_Place,
                                        .save = Save,
                                        .restore = Restore};
