/* The saved state of a memory.
 *
 * Restore compares the pages that could be written since with what was saved, and copies those that
 * differ. The kernel could keep the written pages apart (private views of a file, whose copies
 * madvise drops), but then each page that a call writes costs a fault again after every Restore.
 * That is half a microsecond on plain hardware and was a hundred within a virtual machine, where a
 * comparison of the megabyte of data, heap and stack of a pair of DLLs took fifty. Most pages of a
 * stack and of .bss were never used; all of them are the kernel's one page of zeros, which stays in
 * the processor's cache. */
#include "machine/memory/machine_memory.h"
#include "machine/memory/region.h"

#include <stdlib.h>
#include <string.h>

#define CODE (MACHINE_EXECUTE | MACHINE_WATCHED)

static const uint8_t zeros[MACHINE_PAGE];

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to save a guest's memory in", "",
                       "", "");
}

/* Returns whether the host allows the access. If it does not, Window_Open makes the pages
 * accessible, and Window_Protect restores their protection. */
static bool IsOpen(const MachineMemory *memory, uint8_t protection, bool to_write) {
    if (!memory->window)
        return true;
    if (to_write)
        return (protection & (MACHINE_WRITE | MACHINE_WATCHED)) == MACHINE_WRITE;
    return (protection & (MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE)) != 0;
}

static bool SaveRegion(MachineMemory *memory, const Region *region, SavedRegion *saved) {
    const size_t count = region->size / MACHINE_PAGE, first = region->first / MACHINE_PAGE;
    const uint8_t *protection = memory->protection + first;
    saved->region = *region;
    saved->protection = malloc(count);
    saved->is_zero = malloc(count);
    saved->bytes = calloc(count, MACHINE_PAGE); /* pages that stay zero need no memory */
    if (!saved->protection || !saved->is_zero || !saved->bytes)
        return false;
    memcpy(saved->protection, protection, count);
    for (size_t page = 0; page < count; page++) {
        const uint8_t *bytes = region->bytes + page * MACHINE_PAGE;
        const bool is_shut = !IsOpen(memory, protection[page], false);
        const uint32_t address = (uint32_t)((first + page) * MACHINE_PAGE);
        if (is_shut && !Window_Open(memory->window + address, MACHINE_PAGE))
            return false;
        saved->is_zero[page] = memcmp(bytes, zeros, MACHINE_PAGE) == 0;
        if (!saved->is_zero[page])
            memcpy(saved->bytes + page * MACHINE_PAGE, bytes, MACHINE_PAGE);
        if (is_shut && !Window_Protect(memory, address, (uint64_t)address + MACHINE_PAGE))
            return false;
    }
    return true;
}

/* The pages that can be written now may change, until the next Save, without being noticed. */
static void MarkTouched(MachineRegions *regions, const SavedRegion *saved) {
    uint8_t *touched = regions->touched + saved->region.first / MACHINE_PAGE;
    for (size_t page = 0; page < saved->region.size / MACHINE_PAGE; page++)
        touched[page] = (saved->protection[page] & MACHINE_WRITE) != 0;
}

RpStatus MachineMemory_Save(MachineMemory *memory, RpError *error) {
    MachineRegions *regions = memory->regions;
    MachineRegions made = {.saved = calloc(regions->count + 1, sizeof *made.saved)};
    bool done = made.saved != NULL;
    for (size_t i = 0; done && i < regions->count; i++) {
        made.saved_count++;
        done = SaveRegion(memory, &regions->rows[i], &made.saved[i]);
    }
    if (!done) {
        Region_FreeSaved(&made);
        return NoMemory(error);
    }
    Region_FreeSaved(regions);
    regions->saved = made.saved;
    regions->saved_count = made.saved_count;
    regions->is_saved = true;
    for (size_t i = 0; i < regions->saved_count; i++)
        MarkTouched(regions, &regions->saved[i]);
    return RP_OK;
}

/* Makes a region again that was unmapped since the memory was saved. */
static bool Revive(MachineMemory *memory, const SavedRegion *saved) {
    Region region = saved->region;
    const size_t first = region.first / MACHINE_PAGE;
    if (memory->window ? !Window_Commit(region.bytes, region.size)
                       : !(region.bytes = calloc(1, region.size)))
        return false;
    for (size_t page = 0; page < region.size / MACHINE_PAGE; page++)
        if (!saved->is_zero[page])
            memcpy(region.bytes + page * MACHINE_PAGE, saved->bytes + page * MACHINE_PAGE,
                   MACHINE_PAGE);
    if (!Region_Insert(memory, &region, 0)) {
        if (!memory->window)
            free(region.bytes);
        return false;
    }
    for (size_t page = 0; page < region.size / MACHINE_PAGE; page++)
        memory->protection[first + page] = saved->protection[page] & (uint8_t)~MACHINE_WATCHED;
    MarkTouched(memory->regions, saved);
    memory->code_changed = true;
    return !memory->window ||
           Window_Protect(memory, region.first, (uint64_t)region.first + region.size);
}

/* Restores the bytes of a page that could have been written. */
static bool RestorePage(MachineMemory *memory, const SavedRegion *saved, size_t page) {
    uint8_t *bytes = saved->region.bytes + page * MACHINE_PAGE;
    const uint8_t *before = saved->is_zero[page] ? zeros : saved->bytes + page * MACHINE_PAGE;
    const uint32_t address = saved->region.first + (uint32_t)(page * MACHINE_PAGE);
    const uint8_t protection = MachineMemory_Protection(memory, address);
    const uint64_t end = (uint64_t)address + MACHINE_PAGE;
    if (!IsOpen(memory, protection, false) && !Window_Open(bytes, MACHINE_PAGE))
        return false;
    if (memcmp(bytes, before, MACHINE_PAGE) != 0) {
        memory->code_changed |= ((protection | saved->protection[page]) & CODE) != 0;
        if (!IsOpen(memory, protection, true) && !Window_Open(bytes, MACHINE_PAGE))
            return false;
        memcpy(bytes, before, MACHINE_PAGE);
        return IsOpen(memory, protection, true) || Window_Protect(memory, address, end);
    }
    return IsOpen(memory, protection, false) || Window_Protect(memory, address, end);
}

static bool RestoreRegion(MachineMemory *memory, const SavedRegion *saved) {
    const size_t first = saved->region.first / MACHINE_PAGE;
    const size_t count = saved->region.size / MACHINE_PAGE;
    const uint8_t *touched = memory->regions->touched + first;
    const uint8_t *protection = memory->protection + first;
    for (size_t page = 0; page < count; page++)
        if (touched[page] && !RestorePage(memory, saved, page))
            return false;
    /* A page remains watched. If its bytes have changed, code_changed tells this to the
     * translator. */
    for (size_t page = 0, end; page < count; page = end) {
        uint8_t wanted = saved->protection[page] & (uint8_t)~MACHINE_WATCHED;
        end = page + 1;
        if ((protection[page] & (uint8_t)~MACHINE_WATCHED) == wanted)
            continue;
        while (end < count && (saved->protection[end] & (uint8_t)~MACHINE_WATCHED) == wanted)
            end++;
        if (!MachineMemory_Protect(memory, (uint32_t)((first + page) * MACHINE_PAGE),
                                   (uint32_t)((end - page) * MACHINE_PAGE), wanted))
            return false;
    }
    MarkTouched(memory->regions, saved);
    return true;
}

RpStatus MachineMemory_Restore(MachineMemory *memory, RpError *error) {
    MachineRegions *regions = memory->regions;
    if (!regions->is_saved)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the guest's memory was never saved", "",
                           "", "");
    memory->code_changed = false;

    /* Regions that were mapped since the memory was saved go. */
    size_t left = regions->saved_count;
    for (size_t i = regions->count; i-- > 0;) {
        const Region *region = &regions->rows[i];
        while (left > 0 && regions->saved[left - 1].region.first > region->first)
            left--;
        if (left > 0 && regions->saved[left - 1].region.serial == region->serial)
            continue;
        for (size_t page = 0; page < region->size / MACHINE_PAGE; page++)
            memory->code_changed |=
                (memory->protection[region->first / MACHINE_PAGE + page] & CODE) != 0;
        Region_Remove(memory, i);
    }

    for (size_t i = 0; i < regions->saved_count; i++) {
        SavedRegion *saved = &regions->saved[i];
        bool is_there = i < regions->count && regions->rows[i].serial == saved->region.serial;
        if (!(is_there ? RestoreRegion(memory, saved) : Revive(memory, saved)))
            return NoMemory(error);
        saved->region.bytes = regions->rows[i].bytes;
    }
    return RP_OK;
}
