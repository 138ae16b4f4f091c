/* VirtualAlloc and the like, and views of files. Pages that are reserved and not committed already
 * have bytes here, but cannot be accessed. */
#include "core/bytes.h"
#include "machine/services/service_state.h"

#define COMMIT           0x1000u
#define RESERVE          0x2000u
#define DECOMMIT         0x4000u
#define RELEASE          0x8000u
#define FREE_PAGES       0x10000u
#define PRIVATE_PAGES    0x20000u
#define MAPPED_PAGES     0x40000u
#define IMAGE_PAGES      0x1000000u
#define GRANULARITY      0x10000u
#define PAGE_GUARD       0x100u
#define PAGE_MODIFIERS   0x700u
#define PAGE_NOACCESS    1u
#define PAGE_READONLY    2u
#define PAGE_READWRITE   4u
#define PAGE_WRITECOPY   8u
#define PAGE_EXECUTE     0x10u
#define PAGE_EXEC_READ   0x20u
#define PAGE_EXEC_WRITE  0x40u
#define PAGE_EXEC_COPY   0x80u
#define QUERY_BYTES      28u
#define ALLOCATION_LIMIT 0x7FFF0000u

/* Here, a guard page cannot be accessed until its protection is changed. Returns false if this is
 * not a protection. */
static bool FromWindows(uint32_t page, uint32_t *protection) {
    switch (page & ~PAGE_MODIFIERS) {
    case PAGE_NOACCESS:
        *protection = 0;
        break;
    case PAGE_READONLY:
        *protection = MACHINE_READ;
        break;
    case PAGE_READWRITE:
    case PAGE_WRITECOPY:
        *protection = MACHINE_READ | MACHINE_WRITE;
        break;
    case PAGE_EXECUTE:
    case PAGE_EXEC_READ:
        *protection = MACHINE_READ | MACHINE_EXECUTE;
        break;
    case PAGE_EXEC_WRITE:
    case PAGE_EXEC_COPY:
        *protection = MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE;
        break;
    default:
        return false;
    }
    if (page & PAGE_GUARD)
        *protection = 0;
    return true;
}

static uint32_t ToWindows(uint32_t protection) {
    if (protection & MACHINE_EXECUTE)
        return protection & MACHINE_WRITE ? PAGE_EXEC_WRITE : PAGE_EXEC_READ;
    if (protection & MACHINE_WRITE)
        return PAGE_READWRITE;
    return protection & MACHINE_READ ? PAGE_READONLY : PAGE_NOACCESS;
}

static Reserved *FindReserved(Services *services, uint32_t address) {
    for (uint32_t i = 0; i < services->live.reserved_count; i++) {
        Reserved *row = &services->live.reserved[i];
        if (row->size && address - row->first < row->size)
            return row;
    }
    return NULL;
}

bool Pages_AreGuests(Services *services, uint32_t first) {
    const MachineModule *module;
    uint32_t lowest, top, size;
    for (uint32_t i = 0; (module = Machine_Module(services->machine, i)) != NULL; i++)
        if (module->base == first)
            return true;
    Machine_Stack(services->machine, &lowest, &top);
    return FindReserved(services, first) || Heap_Owns(services, first) ||
           (MachineMemory_Region(services->memory, lowest, &lowest, &size) && lowest == first);
}

uint32_t Pages_Reserve(Services *services, uint32_t wanted, uint32_t size, uint32_t protection,
                       uint32_t asked, bool is_view) {
    Live *live = &services->live;
    uint32_t row = 0;
    while (row < live->reserved_count && live->reserved[row].size)
        row++;
    if (row == MOST_RESERVED)
        return 0;
    Access_ChargePages(services->machine, size);
    if (!wanted)
        wanted = MachineMemory_Find(services->memory, size, GRANULARITY);
    uint32_t first = wanted ? MachineMemory_Map(services->memory, wanted, size, protection) : 0;
    if (!first)
        return 0;
    if (row == live->reserved_count)
        live->reserved_count++;
    size = (size + MACHINE_PAGE - 1) / MACHINE_PAGE * MACHINE_PAGE;
    live->reserved[row] = (Reserved){first, size, asked, is_view};
    return first;
}

bool Pages_Release(Services *services, uint32_t first, bool is_view) {
    Reserved *row = FindReserved(services, first);
    if (!row || row->first != first || row->is_view != is_view)
        return false;
    row->size = 0;
    return Access_Unmap(services->machine, first);
}

/* ---- the functions --------------------------------------------------------------------------- */

static void VirtualAlloc(Machine *machine, void *context) {
    Services *services = context;
    uint32_t address = Machine_Argument(machine, 0), size = Machine_Argument(machine, 1);
    uint32_t type = Machine_Argument(machine, 2), asked = Machine_Argument(machine, 3), protection;
    if (!FromWindows(asked, &protection) || !(type & (COMMIT | RESERVE)) || size == 0 ||
        size > ALLOCATION_LIMIT) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    if (address && address > ALLOCATION_LIMIT - size) {
        Refuse(machine, ERROR_ADDRESS, 0);
        return;
    }
    if (address == 0 || (type & RESERVE)) {
        uint32_t first = address / GRANULARITY * GRANULARITY;
        uint32_t made = address && first == 0
                            ? 0
                            : Pages_Reserve(services, first, size + (address - first),
                                            type & COMMIT ? protection : 0, asked, false);
        if (made)
            Return(machine, made);
        else
            Refuse(machine, address ? ERROR_ADDRESS : ERROR_MEMORY, 0);
        return;
    }
    Access_ChargePages(machine, size);
    Reserved *row = FindReserved(services, address);
    uint32_t first = address / MACHINE_PAGE * MACHINE_PAGE;
    if (!row || row->is_view || size + (address - first) > row->size - (first - row->first) ||
        !MachineMemory_Protect(services->memory, first, size + (address - first), protection)) {
        Refuse(machine, ERROR_ADDRESS, 0);
        return;
    }
    Return(machine, first);
}

static void VirtualFree(Machine *machine, void *context) {
    Services *services = context;
    uint32_t address = Machine_Argument(machine, 0), size = Machine_Argument(machine, 1);
    uint32_t type = Machine_Argument(machine, 2);
    if (type == RELEASE && size == 0) {
        if (Pages_Release(services, address, false))
            Return(machine, 1);
        else
            Refuse(machine, ERROR_ADDRESS, 0);
        return;
    }
    const Reserved *row = FindReserved(services, address);
    if (type != DECOMMIT || !row || row->is_view || size > row->size - (address - row->first)) {
        Refuse(machine, type == DECOMMIT ? ERROR_ADDRESS : ERROR_PARAMETER, 0);
        return;
    }
    if (size == 0) {
        address = row->first;
        size = row->size;
    }
    /* Pages that are committed again begin as zeros. */
    uint32_t first = address / MACHINE_PAGE * MACHINE_PAGE;
    uint32_t end = (address + size + MACHINE_PAGE - 1) / MACHINE_PAGE * MACHINE_PAGE;
    bool had_code = Access_HasCode(services->machine, first, end - first);
    bool done =
        MachineMemory_Protect(services->memory, first, end - first, MACHINE_READ | MACHINE_WRITE) &&
        Access_Clear(machine, first, end - first) &&
        MachineMemory_Protect(services->memory, first, end - first, 0);
    if (had_code)
        Machine_CodeChanged(machine, first, end - first);
    if (done)
        Return(machine, 1);
    else
        Refuse(machine, ERROR_ADDRESS, 0);
}

static void VirtualProtect(Machine *machine, void *context) {
    Services *services = context;
    uint32_t address = Machine_Argument(machine, 0), size = Machine_Argument(machine, 1);
    uint32_t page = Machine_Argument(machine, 2), before = Machine_Argument(machine, 3), protection;
    if (!FromWindows(page, &protection) || size == 0) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    uint32_t old = MachineMemory_Protection(services->memory, address);
    if (!Access_Put32(machine, before, ToWindows(old))) {
        Refuse(machine, ERROR_POINTER, 0);
        return;
    }
    uint32_t first, region;
    if (!MachineMemory_Region(services->memory, address, &first, &region) ||
        size > region - (address - first) || !Pages_AreGuests(services, first)) {
        Refuse(machine, ERROR_ADDRESS, 0);
        return;
    }
    Access_ChargePages(machine, size);
    bool had_code = Access_HasCode(services->machine, address, size);
    if (!MachineMemory_Protect(services->memory, address, size, protection)) {
        Refuse(machine, ERROR_ADDRESS, 0);
        return;
    }
    if (had_code && !(protection & MACHINE_EXECUTE))
        Machine_CodeChanged(machine, address, size);
    Return(machine, 1);
}

/* Fills a MEMORY_BASIC_INFORMATION. It describes the pages from that of the address on which are
 * alike. */
static void VirtualQuery(Machine *machine, void *context) {
    Services *services = context;
    const MachineMemory *memory = services->memory;
    uint32_t address = Machine_Argument(machine, 0) / MACHINE_PAGE * MACHINE_PAGE;
    uint32_t buffer = Machine_Argument(machine, 1), length = Machine_Argument(machine, 2);
    uint8_t answer[QUERY_BYTES] = {0};
    if (length < QUERY_BYTES || address >= ALLOCATION_LIMIT) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    uint32_t first, size, end;
    Bytes_PutU32(answer, address);
    if (MachineMemory_Region(memory, address, &first, &size)) {
        const uint32_t mask = MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE;
        uint32_t protection = MachineMemory_Protection(memory, address) & mask;
        for (end = address + MACHINE_PAGE; end < first + size; end += MACHINE_PAGE)
            if ((MachineMemory_Protection(memory, end) & mask) != protection)
                break;
        bool is_image = first == Machine_Process(machine)->program;
        for (const SystemModule *row = services_system_modules; !is_image && row->name; row++)
            is_image = first == row->base;
        for (uint32_t i = 0; !is_image && Machine_Module(machine, i); i++)
            is_image = Machine_Module(machine, i)->base == first;
        const Reserved *row = FindReserved(services, first);
        bool is_committed = is_image || !row || protection != 0;
        Bytes_PutU32(answer + 4, first);
        Bytes_PutU32(answer + 8, is_image ? PAGE_EXEC_COPY
                                 : row    ? row->protection
                                          : PAGE_READWRITE);
        Bytes_PutU32(answer + 16, is_committed ? COMMIT : RESERVE);
        Bytes_PutU32(answer + 20, is_committed ? ToWindows(protection) : 0);
        Bytes_PutU32(answer + 24, is_image              ? IMAGE_PAGES
                                  : row && row->is_view ? MAPPED_PAGES
                                                        : PRIVATE_PAGES);
    } else {
        for (end = address; end < ALLOCATION_LIMIT && !memory->pages[end / MACHINE_PAGE];)
            end += MACHINE_PAGE;
        Bytes_PutU32(answer + 16, FREE_PAGES);
        Bytes_PutU32(answer + 20, PAGE_NOACCESS);
    }
    Access_ChargePages(machine, end - address);
    Bytes_PutU32(answer + 12, end - address);
    if (Access_Write(machine, buffer, answer, sizeof answer))
        Return(machine, QUERY_BYTES);
    else
        Refuse(machine, ERROR_POINTER, 0);
}

/* Serves the functions that ask whether addresses cannot be accessed: the result is 1 if so. */
static void AnswerBad(Machine *machine, uint32_t size, uint32_t access) {
    const MachineMemory *memory = Machine_Memory(machine);
    uint32_t address = Machine_Argument(machine, 0);
    bool is_bad = size > 0 && address > UINT32_MAX - (size - 1);
    Access_ChargePages(machine, size);
    for (uint32_t at = address & ~(MACHINE_PAGE - 1),
                  left = size ? address % MACHINE_PAGE + size : 0;
         !is_bad && left > 0; at += MACHINE_PAGE) {
        is_bad = !(MachineMemory_Protection(memory, at) & access);
        left -= left < MACHINE_PAGE ? left : MACHINE_PAGE;
    }
    Return(machine, is_bad);
}

static void IsBadReadPtr(Machine *machine, void *context) {
    (void)context;
    AnswerBad(machine, Machine_Argument(machine, 1), MACHINE_READ | MACHINE_EXECUTE);
}

static void IsBadWritePtr(Machine *machine, void *context) {
    (void)context;
    AnswerBad(machine, Machine_Argument(machine, 1), MACHINE_WRITE);
}

static void IsBadCodePtr(Machine *machine, void *context) {
    (void)context;
    AnswerBad(machine, 1, MACHINE_READ | MACHINE_EXECUTE);
}

static void IsBadStringPtrA(Machine *machine, void *context) {
    (void)context;
    uint32_t address = Machine_Argument(machine, 0), most = Machine_Argument(machine, 1);
    for (uint32_t i = 0; i < most; i++) {
        uint8_t byte;
        if (!Access_Read(machine, address + i, &byte, 1)) {
            Return(machine, 1);
            return;
        }
        if (byte == 0)
            break;
    }
    Return(machine, 0);
}

/* There is nothing to do, because every write of the guest to code is noticed at once. */
static void FlushInstructionCache(Machine *machine, void *context) {
    (void)context;
    Return(machine, 1);
}

/* ---- views ----------------------------------------------------------------------------------- */

#define MAP_COPY  1u
#define MAP_WRITE 2u

/* A view of a file is a copy, which is not written back. Two views of memory without a file would
 * have to show the same bytes. Regions cannot do that, so only one view is allowed. */
static void MapViewOfFile(Machine *machine, void *context) {
    Services *services = context;
    Handle *mapping = Handle_Find(services, Machine_Argument(machine, 0), HANDLE_MAPPING);
    uint32_t access = Machine_Argument(machine, 1), high = Machine_Argument(machine, 2);
    uint32_t offset = Machine_Argument(machine, 3), size = Machine_Argument(machine, 4);
    if (!mapping) {
        Refuse(machine, ERROR_BAD_HANDLE, 0);
        return;
    }
    bool is_file = mapping->value != INVALID_HANDLE;
    uint64_t whole = is_file ? services->files[mapping->value].size : mapping->place;
    if (high || offset % GRANULARITY || offset >= whole || size > whole - offset ||
        whole > ALLOCATION_LIMIT) {
        Refuse(machine, ERROR_PARAMETER, 0);
        return;
    }
    if (is_file && (access & MAP_WRITE)) {
        Refuse(machine, ERROR_NO_ACCESS, 0);
        return;
    }
    if (size == 0)
        size = (uint32_t)(whole - offset);
    const uint32_t both = MACHINE_READ | MACHINE_WRITE;
    bool is_writable = !is_file || (access & MAP_COPY);
    uint32_t view =
        Pages_Reserve(services, 0, size, both, is_writable ? PAGE_READWRITE : PAGE_READONLY, true);
    if (!view) {
        Refuse(machine, ERROR_MEMORY, 0);
        return;
    }
    if (is_file)
        Access_Write(machine, view, services->files[mapping->value].bytes + offset, size);
    if (!is_writable)
        MachineMemory_Protect(services->memory, view, size, MACHINE_READ);
    Return(machine, view);
}

static void UnmapViewOfFile(Machine *machine, void *context) {
    if (Pages_Release(context, Machine_Argument(machine, 0), true))
        Return(machine, 1);
    else
        Refuse(machine, ERROR_ADDRESS, 0);
}

#define ROW(name, arguments)                                                                       \
    { "KERNEL32.dll", #name, 4 * (arguments), name }

const MachineRow services_pages[] = {
    ROW(VirtualAlloc, 4),    ROW(VirtualFree, 3),           ROW(VirtualProtect, 4),
    ROW(VirtualQuery, 3),    ROW(IsBadReadPtr, 2),          ROW(IsBadWritePtr, 2),
    ROW(IsBadCodePtr, 1),    ROW(IsBadStringPtrA, 2),       ROW(MapViewOfFile, 5),
    ROW(UnmapViewOfFile, 1), ROW(FlushInstructionCache, 3), {0},
};
