/* What the files of this folder share: the regions of a memory, and the host's pages under them. */
#ifndef RETROPOSE_MACHINE_MEMORY_REGION_H
#define RETROPOSE_MACHINE_MEMORY_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MachineMemory MachineMemory; /* machine/memory/memory.h */

typedef struct Region {
    uint32_t first, size;
    uint8_t *bytes;
    uint64_t serial; /* tells a region from a later one at the same address */
} Region;

/* A region as it was when the memory was saved. */
typedef struct SavedRegion {
    Region region;
    uint8_t *protection; /* of its pages */
    uint8_t *is_zero;    /* whether a page has nothing but zeros */
    uint8_t *bytes;
} SavedRegion;

typedef struct MachineRegions {
    Region *rows; /* by address */
    size_t count, capacity;
    uint64_t next_serial;
    /* For each page of the 4 GiB: it could be written at some time since the memory was saved. */
    uint8_t *touched;

    SavedRegion *saved;
    size_t saved_count;
    bool is_saved;
} MachineRegions;

/* Index of the first region that ends above `address`. */
size_t Region_IndexAt(const MachineRegions *regions, uint64_t address);
/* Puts a region's pages into the tables or takes them out. */
bool Region_Insert(MachineMemory *memory, const Region *region, uint32_t protection);
void Region_Remove(MachineMemory *memory, size_t index);

/* Forgets what was saved. */
void Region_FreeSaved(MachineRegions *regions);

/* The window, on hosts that have it (window.c). */
uint8_t *Window_Reserve(void);
void Window_Release(uint8_t *window);
/* Makes zeroed pages of the host, and gives them back. */
bool Window_Commit(uint8_t *bytes, uint32_t size);
void Window_Decommit(uint8_t *bytes, uint32_t size);
/* Asks for the memory of committed pages at once, since all of them will be written to. */
void Window_Populate(uint8_t *bytes, uint32_t size);
/* Gives the host's pages the protection that the guest's pages from `first` to `end` have. */
bool Window_Protect(MachineMemory *memory, uint32_t first, uint64_t end);
/* Makes pages of the host readable and writable, whatever the guest's protection says. */
bool Window_Open(uint8_t *bytes, uint32_t size);

#endif
