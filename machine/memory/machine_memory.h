/* The address space of a 32-bit guest: 4 GiB of addresses of its own, in pages of 4 KiB that each
 * have a protection, whatever the host's pages are. The guest never sees an address of the host.
 *
 * Memory consists of regions. Each region is one piece of the host's memory, so a pointer to one of
 * its bytes can be used for all of them. Addresses between regions have no bytes, and every access
 * to them faults.
 *
 * On Linux for x86-64 all regions lie in one window of 4 GiB that is reserved anywhere in the
 * process. It is followed by a guard, for operands that straddle its end. There the host's page
 * protection enforces the guest's, so translated code needs no checks. On other hosts a region is
 * memory of the host's heap, and code that accesses it checks the protection first. */
#ifndef RETROPOSE_MACHINE_MEMORY_MACHINE_MEMORY_H
#define RETROPOSE_MACHINE_MEMORY_MACHINE_MEMORY_H

#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_PAGE       4096u
#define MACHINE_PAGE_COUNT 0x100000u
/* Bytes behind the window. Operands of up to 512 bytes (FXSAVE) may begin before its end. The
 * second half belongs to the translator. */
#define MACHINE_GUARD 0x10000u

/* The protection of a page, and the kinds of access. A page without any of these bits faults. */
#define MACHINE_READ    1u
#define MACHINE_WRITE   2u
#define MACHINE_EXECUTE 4u
/* The translator sets this bit when instructions on the page have been translated. A write to the
 * page must then be noticed, even if the guest may write. Nobody else may set it. */
#define MACHINE_WATCHED 8u

typedef struct MachineMemory MachineMemory;

/* This is called when the guest writes to a page that it may only read. If it returns true, the
 * page is writable now, and the access is tried again. It runs within a signal handler, on the
 * guest's thread, and may only call MachineMemory_Protect and the like. */
typedef bool (*MachineWriteHook)(void *context, uint32_t address);

struct MachineMemory {
    uint8_t *window; /* host's address of address 0; null: no window, and regions are anywhere */
    uint8_t **pages; /* the bytes of each page, or null */
    uint8_t *protection;   /* the protection of each page */
    uint64_t mapped, most; /* number of mapped bytes, and the limit for it */
    MachineWriteHook write_hook;
    void *write_context;
    /* Whether the last Restore changed or removed a page that is watched or executable. What was
     * decoded or translated from it is then no longer right. */
    bool code_changed;
    struct MachineRegions *regions; /* machine/memory/region.h */
};

/* `most` limits the size of all regions together. Map refuses to exceed it. */
RpStatus MachineMemory_Create(uint64_t most, MachineMemory **memory, RpError *error);
/* Does the same without a window, as on other hosts, and as on a host that does not give so many
 * addresses. */
RpStatus MachineMemory_CreateScattered(uint64_t most, MachineMemory **memory, RpError *error);
/* Null is allowed. */
void MachineMemory_Destroy(MachineMemory *memory);

/* Makes a region of zeroed bytes. `wanted` is its address, a multiple of the page; or it is 0 for
 * any address from MACHINE_LOWEST up, with an unmapped page before and after the region. `size` is
 * rounded up to whole pages. Returns 0 when the addresses are in use, or when `most` or the host's
 * memory is exhausted. */
uint32_t MachineMemory_Map(MachineMemory *memory, uint32_t wanted, uint32_t size,
                           uint32_t protection);
#define MACHINE_LOWEST  0x00010000u
#define MACHINE_HIGHEST 0x7FFF0000u /* Windows keeps the addresses above for itself */
/* Announces that all these bytes of a region will now be written. This saves the host a fault for
 * each of their pages, and changes nothing that the guest sees. */
void MachineMemory_Populate(MachineMemory *memory, uint32_t address, uint32_t size);
/* Removes a region. `address` is what Map has returned. */
bool MachineMemory_Unmap(MachineMemory *memory, uint32_t address);
/* Gives pages of one or more regions another protection. Returns false if a page has no bytes. A
 * page with MACHINE_WATCHED stays unwritable in the window. */
bool MachineMemory_Protect(MachineMemory *memory, uint32_t address, uint32_t size,
                           uint32_t protection);
/* Begins or ends watching a page for writes. */
void MachineMemory_Watch(MachineMemory *memory, uint32_t page, bool watched);
/* Gives the first address and the size of the region that contains an address. Returns false if
 * there is none. */
bool MachineMemory_Region(const MachineMemory *memory, uint32_t address, uint32_t *first,
                          uint32_t *size);
/* Returns the lowest address from MACHINE_LOWEST up that is a multiple of `step`, and at which
 * `size` bytes and a page before and after them belong to no region and lie below MACHINE_HIGHEST.
 * Returns 0 if there is none. */
uint32_t MachineMemory_Find(const MachineMemory *memory, uint32_t size, uint32_t step);

static inline uint8_t MachineMemory_Protection(const MachineMemory *memory, uint32_t address) {
    return memory->protection[address / MACHINE_PAGE];
}

/* Returns the host's pointer to a byte, or null if there is no such byte. It can be used up to the
 * end of the byte's region, whatever the page's protection is. In the window, however, an access
 * that the page's protection does not allow makes the host fault. */
static inline uint8_t *MachineMemory_At(const MachineMemory *memory, uint32_t address) {
    uint8_t *page = memory->pages[address / MACHINE_PAGE];
    return page ? page + address % MACHINE_PAGE : NULL;
}

/* Returns the guest's address of a byte of a region, or 0 for any other pointer. */
uint32_t MachineMemory_AddressOf(const MachineMemory *memory, const void *byte);

/* These copy as the guest would, page by page, with `access` (MACHINE_READ, MACHINE_EXECUTE or
 * MACHINE_WRITE). They return false, with nothing written and the first address that cannot be
 * accessed, if the guest may not do so. Write calls the write hook. Addresses wrap at 2^32. */
bool MachineMemory_Read(MachineMemory *memory, uint32_t address, void *to, uint32_t size,
                        uint32_t access, uint32_t *fault);
bool MachineMemory_Write(MachineMemory *memory, uint32_t address, const void *from, uint32_t size,
                         uint32_t *fault);

/* Save remembers all regions, their protections and the bytes of writable ones; Restore brings all
 * of it back. Regions that were mapped meanwhile are then gone, and those that were unmapped exist
 * again. Restore reads what could have been written meanwhile (about fifty microseconds for a
 * megabyte) and copies what differs. Save may return RP_NO_MEMORY. Restore returns RP_INVALID if
 * nothing was saved; after any other failure of it, the memory can only be destroyed. */
RpStatus MachineMemory_Save(MachineMemory *memory, RpError *error);
RpStatus MachineMemory_Restore(MachineMemory *memory, RpError *error);

#endif
