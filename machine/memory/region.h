/* Functions and structs that the files of this folder share: the regions of a memory, and the
 * host's pages under them. */
#ifndef RETROPOSE_MACHINE_MEMORY_REGION_H
#define RETROPOSE_MACHINE_MEMORY_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MachineMemory MachineMemory; /* machine/memory/machine_memory.h */

typedef struct Region {
    uint32_t first, size;
    uint8_t *bytes;
    uint64_t serial; /* distinguishes a region from a later one at the same address */
} Region;

/* A region as it was when the memory was saved. */
typedef struct SavedRegion {
    Region region;
    uint8_t *protection; /* the protection of each page */
    uint8_t *is_zero;    /* for each page, whether all its bytes are zero */
    uint8_t *bytes;
} SavedRegion;

typedef struct MachineRegions {
    Region *rows; /* sorted by address */
    size_t count, capacity;
    uint64_t next_serial;
    /* For each page of the 4 GiB: whether it could have been written since the memory was saved. */
    uint8_t *touched;

    SavedRegion *saved;
    size_t saved_count;
    bool is_saved;
} MachineRegions;

/* Returns the index of the first region that ends above `address`. */
size_t Region_IndexAt(const MachineRegions *regions, uint64_t address);
/* These put a region's pages into the tables, and take them out. */
bool Region_Insert(MachineMemory *memory, const Region *region, uint32_t protection);
void Region_Remove(MachineMemory *memory, size_t index);

/* Frees what was saved. */
void Region_FreeSaved(MachineRegions *regions);

/* These are for the window, on hosts that have one (window.c). */
uint8_t *Window_Reserve(void);
void Window_Release(uint8_t *window);
/* These make zeroed pages of the host, and give them back. */
bool Window_Commit(uint8_t *bytes, uint32_t size);
void Window_Decommit(uint8_t *bytes, uint32_t size);
/* Asks the host for the memory of committed pages at once, because all of them will be written. */
void Window_Populate(uint8_t *bytes, uint32_t size);
/* Gives the host's pages the protection of the guest's pages from `first` to `end`. */
bool Window_Protect(MachineMemory *memory, uint32_t first, uint64_t end);
/* Makes pages of the host readable and writable, whatever the guest's protection is. */
bool Window_Open(uint8_t *bytes, uint32_t size);

#endif
