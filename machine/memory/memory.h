/* The address space of a 32-bit guest: 4 GiB of addresses of its own, in pages of 4 KiB with a
 * protection each, whatever pages the host has. The guest never sees an address of the host.
 *
 * Memory exists in regions. Each region lies in one piece in the host's memory, so that a pointer
 * to any of its bytes is good for all of them. What lies between regions has no bytes and no
 * access.
 *
 * On Linux for x86-64 all regions lie in one window of 4 GiB that is reserved anywhere in the
 * process, with a part behind it for operands that straddle the end. There the host's own page
 * protection does what the guest's says, so that translated code needs no checks. Elsewhere a
 * region is memory of the host's heap, and whoever accesses it asks for the protection first. */
#ifndef RETROPOSE_MACHINE_MEMORY_MEMORY_H
#define RETROPOSE_MACHINE_MEMORY_MEMORY_H

#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_PAGE       4096u
#define MACHINE_PAGE_COUNT 0x100000u
/* Bytes behind the window. Operands of up to 512 bytes (FXSAVE) may begin in front of its end; the
 * second half is the translator's. */
#define MACHINE_GUARD 0x10000u

/* Protection of a page, and the kinds of an access. A page without any of them faults. */
#define MACHINE_READ    1u
#define MACHINE_WRITE   2u
#define MACHINE_EXECUTE 4u
/* Set by the translator: the page has instructions that were translated, so that a write has to
 * be noticed even where the guest may write. Not a protection that anybody may ask for. */
#define MACHINE_WATCHED 8u

typedef struct MachineMemory MachineMemory;

/* Called where the guest writes to a page that it may read and not write. True: the page is
 * writable now, and the access is tried again. It runs within a signal handler, on the thread of
 * the guest, and calls nothing but MachineMemory_Protect and its like. */
typedef bool (*MachineWriteHook)(void *context, uint32_t address);

struct MachineMemory {
    uint8_t *window;       /* of address 0; null: there is no window, and regions lie anywhere */
    uint8_t **pages;       /* for each page its bytes, or null */
    uint8_t *protection;   /* of each page */
    uint64_t mapped, most; /* bytes that are mapped, and how many may be */
    MachineWriteHook write_hook;
    void *write_context;
    /* Whether the last Restore changed or took away a page that is watched or executable, so that
     * what was decoded or translated from it is wrong now. */
    bool code_changed;
    struct MachineRegions *regions; /* machine/memory/region.h */
};

/* `most` limits the bytes of all regions together; Map refuses more. */
RpStatus MachineMemory_Create(uint64_t most, MachineMemory **memory, RpError *error);
/* The same without a window, as it is on other hosts and where the host does not give so many
 * addresses. */
RpStatus MachineMemory_CreateScattered(uint64_t most, MachineMemory **memory, RpError *error);
/* Null is nothing. */
void MachineMemory_Destroy(MachineMemory *memory);

/* Makes a region of zeroed bytes. `wanted` is its address, a multiple of the page, or 0 for any
 * address from MACHINE_LOWEST up that keeps an unmapped page in front of and behind the region.
 * `size` is rounded up to whole pages. Returns 0 where the addresses are in use, or `most` or the
 * host's memory is exhausted. */
uint32_t MachineMemory_Map(MachineMemory *memory, uint32_t wanted, uint32_t size,
                           uint32_t protection);
#define MACHINE_LOWEST  0x00010000u
#define MACHINE_HIGHEST 0x7FFF0000u /* Windows keeps what is above for itself */
/* Says that all these bytes of a region will be written to now, which saves the host a fault for
 * each of their pages. Changes nothing that the guest sees. */
void MachineMemory_Populate(MachineMemory *memory, uint32_t address, uint32_t size);
/* Takes a region back. `address` is what Map returned. */
bool MachineMemory_Unmap(MachineMemory *memory, uint32_t address);
/* Gives pages of one or more regions another protection. False where a page has no bytes. Takes
 * MACHINE_WATCHED into account: a watched page stays unwritable in the window. */
bool MachineMemory_Protect(MachineMemory *memory, uint32_t address, uint32_t size,
                           uint32_t protection);
/* Begins or ends to notice writes into a page. */
void MachineMemory_Watch(MachineMemory *memory, uint32_t page, bool watched);
/* Returns the region that contains an address: its first address and size; false: none does. */
bool MachineMemory_Region(const MachineMemory *memory, uint32_t address, uint32_t *first,
                          uint32_t *size);
/* Returns the lowest address from MACHINE_LOWEST up, a multiple of `step`, where `size` bytes and a
 * page in front of and behind them belong to no region and lie below MACHINE_HIGHEST; 0 where there
 * is none. */
uint32_t MachineMemory_Find(const MachineMemory *memory, uint32_t size, uint32_t step);

static inline uint8_t MachineMemory_Protection(const MachineMemory *memory, uint32_t address) {
    return memory->protection[address / MACHINE_PAGE];
}

/* Returns the host's pointer to a byte, good up to the end of its region, whatever the page's
 * protection is; null where there is no byte. In the window such a pointer may be used only as far
 * as the page's protection allows the access, else the host faults. */
static inline uint8_t *MachineMemory_At(const MachineMemory *memory, uint32_t address) {
    uint8_t *page = memory->pages[address / MACHINE_PAGE];
    return page ? page + address % MACHINE_PAGE : NULL;
}

/* Returns the address of a byte of a region; 0 for another pointer. */
uint32_t MachineMemory_AddressOf(const MachineMemory *memory, const void *byte);

/* Copies as the guest would access, page by page, with `access` (MACHINE_READ, MACHINE_EXECUTE or
 * MACHINE_WRITE). False, with nothing written and the first address at fault, where it may not.
 * Write asks the write hook. Addresses wrap at 2^32. */
bool MachineMemory_Read(MachineMemory *memory, uint32_t address, void *to, uint32_t size,
                        uint32_t access, uint32_t *fault);
bool MachineMemory_Write(MachineMemory *memory, uint32_t address, const void *from, uint32_t size,
                         uint32_t *fault);

/* Remembers all regions, their protections and, of writable ones, their bytes; and brings all of
 * it back. Regions that were mapped since are gone after Restore, those that were unmapped are
 * there again. Restore reads what could be written since (about fifty microseconds for a megabyte)
 * and copies what differs. Returns RP_NO_MEMORY; Restore returns RP_INVALID where nothing was
 * saved. After another failure of Restore the memory can only be destroyed. */
RpStatus MachineMemory_Save(MachineMemory *memory, RpError *error);
RpStatus MachineMemory_Restore(MachineMemory *memory, RpError *error);

#endif
