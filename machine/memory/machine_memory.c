#include "machine/memory/machine_memory.h"

#include "machine/memory/region.h"
#include "machine/memory/sparse_table.h"

#include <stdlib.h>
#include <string.h>

#define ALL_ADDRESSES 0x100000000u
#define ACCESSES      (MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE)

/* ---- the whole ------------------------------------------------------------------------------- */

static RpStatus Create(uint64_t most, uint8_t *window, MachineMemory **memory, RpError *error) {
    MachineMemory *made = calloc(1, sizeof *made);
    if (made) {
        made->window = window;
        made->most = most;
        made->pages = Table_Reserve(MACHINE_PAGE_COUNT * sizeof *made->pages);
        made->protection = Table_Reserve(MACHINE_PAGE_COUNT);
        made->regions = calloc(1, sizeof *made->regions);
        if (made->regions)
            made->regions->touched = Table_Reserve(MACHINE_PAGE_COUNT);
    }
    if (!made || !made->pages || !made->protection || !made->regions || !made->regions->touched) {
        if (!made && window)
            Window_Release(window);
        MachineMemory_Destroy(made);
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE,
                           "no memory for the tables of a guest's address space", "", "", "");
    }
    *memory = made;
    return RP_OK;
}

RpStatus MachineMemory_Create(uint64_t most, MachineMemory **memory, RpError *error) {
    return Create(most, Window_Reserve(), memory, error);
}

RpStatus MachineMemory_CreateScattered(uint64_t most, MachineMemory **memory, RpError *error) {
    return Create(most, NULL, memory, error);
}

void MachineMemory_Destroy(MachineMemory *memory) {
    if (!memory)
        return;
    MachineRegions *regions = memory->regions;
    if (regions) {
        for (size_t i = 0; !memory->window && i < regions->count; i++)
            free(regions->rows[i].bytes);
        Region_FreeSaved(regions);
        free(regions->rows);
        Table_Release(regions->touched, MACHINE_PAGE_COUNT);
        free(regions);
    }
    if (memory->window)
        Window_Release(memory->window);
    Table_Release(memory->pages, MACHINE_PAGE_COUNT * sizeof *memory->pages);
    Table_Release(memory->protection, MACHINE_PAGE_COUNT);
    free(memory);
}

/* ---- regions --------------------------------------------------------------------------------- */

static uint64_t EndOf(const Region *region) {
    return (uint64_t)region->first + region->size;
}

size_t Region_IndexAt(const MachineRegions *regions, uint64_t address) {
    size_t low = 0, high = regions->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (EndOf(&regions->rows[middle]) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool Region_Insert(MachineMemory *memory, const Region *region, uint32_t protection) {
    MachineRegions *regions = memory->regions;
    if (regions->count == regions->capacity) {
        size_t capacity = regions->capacity ? 2 * regions->capacity : 32;
        Region *grown = realloc(regions->rows, capacity * sizeof *grown);
        if (!grown)
            return false;
        regions->rows = grown;
        regions->capacity = capacity;
    }
    size_t index = Region_IndexAt(regions, region->first);
    memmove(regions->rows + index + 1, regions->rows + index,
            (regions->count - index) * sizeof *regions->rows);
    regions->rows[index] = *region;
    regions->count++;
    memory->mapped += region->size;
    size_t first = region->first / MACHINE_PAGE, count = region->size / MACHINE_PAGE;
    for (size_t i = 0; i < count; i++)
        memory->pages[first + i] = region->bytes + i * MACHINE_PAGE;
    memset(memory->protection + first, (int)(protection & ACCESSES), count);
    memset(regions->touched + first, (protection & MACHINE_WRITE) != 0, count);
    return true;
}

void Region_Remove(MachineMemory *memory, size_t index) {
    MachineRegions *regions = memory->regions;
    Region region = regions->rows[index];
    size_t first = region.first / MACHINE_PAGE, count = region.size / MACHINE_PAGE;
    memset(memory->pages + first, 0, count * sizeof *memory->pages);
    memset(memory->protection + first, 0, count);
    memset(regions->touched + first, 0, count);
    regions->count--;
    memmove(regions->rows + index, regions->rows + index + 1,
            (regions->count - index) * sizeof *regions->rows);
    memory->mapped -= region.size;
    if (memory->window)
        Window_Decommit(region.bytes, region.size);
    else
        free(region.bytes);
}

void Region_FreeSaved(MachineRegions *regions) {
    for (size_t i = 0; i < regions->saved_count; i++) {
        free(regions->saved[i].protection);
        free(regions->saved[i].is_zero);
        free(regions->saved[i].bytes);
    }
    free(regions->saved);
    regions->saved = NULL;
    regions->saved_count = 0;
}

uint32_t MachineMemory_Map(MachineMemory *memory, uint32_t wanted, uint32_t size,
                           uint32_t protection) {
    MachineRegions *regions = memory->regions;
    uint64_t whole = ((uint64_t)size + MACHINE_PAGE - 1) / MACHINE_PAGE * MACHINE_PAGE;
    if (size == 0 || whole > UINT32_MAX || whole > memory->most - memory->mapped ||
        wanted % MACHINE_PAGE)
        return 0;
    uint32_t first = wanted ? wanted : MachineMemory_Find(memory, (uint32_t)whole, MACHINE_PAGE);
    if (first == 0 || first + whole > ALL_ADDRESSES)
        return 0;
    size_t index = Region_IndexAt(regions, first);
    if (index < regions->count && regions->rows[index].first < first + whole)
        return 0;

    Region region = {first, (uint32_t)whole, NULL, ++regions->next_serial};
    if (memory->window) {
        region.bytes = memory->window + first;
        if (!Window_Commit(region.bytes, region.size)) {
            Window_Decommit(region.bytes, region.size);
            return 0;
        }
    } else {
        region.bytes = calloc(1, region.size);
        if (!region.bytes)
            return 0;
    }
    if (!Region_Insert(memory, &region, protection)) {
        if (memory->window)
            Window_Decommit(region.bytes, region.size);
        else
            free(region.bytes);
        return 0;
    }
    if (memory->window && !Window_Protect(memory, first, first + whole)) {
        Region_Remove(memory, index);
        return 0;
    }
    return first;
}

bool MachineMemory_Unmap(MachineMemory *memory, uint32_t address) {
    size_t index = Region_IndexAt(memory->regions, address);
    if (index == memory->regions->count || memory->regions->rows[index].first != address)
        return false;
    Region_Remove(memory, index);
    return true;
}

bool MachineMemory_Region(const MachineMemory *memory, uint32_t address, uint32_t *first,
                          uint32_t *size) {
    const MachineRegions *regions = memory->regions;
    size_t index = Region_IndexAt(regions, address);
    if (index == regions->count || regions->rows[index].first > address)
        return false;
    *first = regions->rows[index].first;
    *size = regions->rows[index].size;
    return true;
}

uint32_t MachineMemory_Find(const MachineMemory *memory, uint32_t size, uint32_t step) {
    const MachineRegions *regions = memory->regions;
    uint64_t at = MACHINE_LOWEST;
    for (size_t i = 0;; i++) {
        at = (at + step - 1) / step * step;
        if (at + size + MACHINE_PAGE > MACHINE_HIGHEST)
            return 0;
        if (i == regions->count || at + size + MACHINE_PAGE <= regions->rows[i].first)
            return (uint32_t)at;
        uint64_t end = EndOf(&regions->rows[i]) + MACHINE_PAGE;
        if (at < end)
            at = end;
    }
}

uint32_t MachineMemory_AddressOf(const MachineMemory *memory, const void *byte) {
    const uint8_t *at = byte;
    if (memory->window) {
        uint64_t address = (uintptr_t)at - (uintptr_t)memory->window;
        return address < ALL_ADDRESSES && memory->pages[address / MACHINE_PAGE] ? (uint32_t)address
                                                                                : 0;
    }
    for (size_t i = 0; i < memory->regions->count; i++) {
        const Region *region = &memory->regions->rows[i];
        if ((uintptr_t)at - (uintptr_t)region->bytes < region->size)
            return region->first + (uint32_t)((uintptr_t)at - (uintptr_t)region->bytes);
    }
    return 0;
}

/* ---- protection ------------------------------------------------------------------------------ */

/* The host refuses this when a process has too many pieces of memory with different protections,
 * which a guest can cause. The pages then keep the protection that they had. */
void MachineMemory_Populate(MachineMemory *memory, uint32_t address, uint32_t size) {
    const uint32_t before = address % MACHINE_PAGE;
    if (memory->window && size > 0)
        Window_Populate(memory->window + address - before, size + before);
}

bool MachineMemory_Protect(MachineMemory *memory, uint32_t address, uint32_t size,
                           uint32_t protection) {
    uint64_t first = address / MACHINE_PAGE;
    uint64_t end = ((uint64_t)address + size + MACHINE_PAGE - 1) / MACHINE_PAGE;
    if (end > MACHINE_PAGE_COUNT)
        return false;
    for (uint64_t page = first; page < end; page++)
        if (!memory->pages[page])
            return false;
    for (uint64_t page = first, next; page < end; page = next) {
        uint8_t before = memory->protection[page];
        for (next = page + 1; next < end && memory->protection[next] == before;)
            next++;
        memset(memory->protection + page,
               (int)((protection & ACCESSES) | (before & MACHINE_WATCHED)), (size_t)(next - page));
        if (memory->window &&
            !Window_Protect(memory, (uint32_t)(page * MACHINE_PAGE), next * MACHINE_PAGE)) {
            memset(memory->protection + page, before, (size_t)(next - page));
            return false;
        }
    }
    if (protection & MACHINE_WRITE)
        memset(memory->regions->touched + first, 1, (size_t)(end - first));
    return true;
}

void MachineMemory_Watch(MachineMemory *memory, uint32_t page, bool watched) {
    uint8_t *protection = &memory->protection[page];
    bool is_watched = *protection & MACHINE_WATCHED;
    if (!memory->pages[page] || is_watched == watched)
        return;
    *protection ^= MACHINE_WATCHED;
    if (memory->window && (*protection & MACHINE_WRITE))
        Window_Protect(memory, page * MACHINE_PAGE, (uint64_t)page * MACHINE_PAGE + MACHINE_PAGE);
}

/* ---- accesses -------------------------------------------------------------------------------- */

static bool MayAccess(MachineMemory *memory, uint32_t address, uint32_t access) {
    const uint8_t *protection = &memory->protection[address / MACHINE_PAGE];
    if (access != MACHINE_WRITE)
        return (*protection & access) != 0;
    if ((*protection & (MACHINE_WRITE | MACHINE_WATCHED)) == MACHINE_WRITE)
        return true;
    return (*protection & ACCESSES) && memory->write_hook &&
           memory->write_hook(memory->write_context, address) &&
           (*protection & (MACHINE_WRITE | MACHINE_WATCHED)) == MACHINE_WRITE;
}

/* Returns how many bytes from `address` on are in its page, but at most `size`. */
static uint32_t InPage(uint32_t address, uint32_t size) {
    uint32_t rest = MACHINE_PAGE - address % MACHINE_PAGE;
    return rest < size ? rest : size;
}

static bool MayAccessAll(MachineMemory *memory, uint32_t address, uint32_t size, uint32_t access,
                         uint32_t *fault) {
    for (uint32_t done = 0; done < size; done += InPage(address + done, size - done))
        if (!MayAccess(memory, address + done, access)) {
            if (fault)
                *fault = address + done;
            return false;
        }
    return true;
}

bool MachineMemory_Read(MachineMemory *memory, uint32_t address, void *to, uint32_t size,
                        uint32_t access, uint32_t *fault) {
    if (!MayAccessAll(memory, address, size, access, fault))
        return false;
    for (uint32_t done = 0, part; done < size; done += part) {
        part = InPage(address + done, size - done);
        memcpy((uint8_t *)to + done, MachineMemory_At(memory, address + done), part);
    }
    return true;
}

bool MachineMemory_Write(MachineMemory *memory, uint32_t address, const void *from, uint32_t size,
                         uint32_t *fault) {
    if (!MayAccessAll(memory, address, size, MACHINE_WRITE, fault))
        return false;
    for (uint32_t done = 0, part; done < size; done += part) {
        part = InPage(address + done, size - done);
        memcpy(MachineMemory_At(memory, address + done), (const uint8_t *)from + done, part);
    }
    return true;
}
