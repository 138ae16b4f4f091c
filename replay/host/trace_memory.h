/* Places the memory of a trace in this process: read-only, with an inaccessible page behind each
 * memory and with its pointer fields patched. Turns every pointer into it back into an id and an
 * offset. */
#ifndef RETROPOSE_REPLAY_HOST_TRACE_MEMORY_H
#define RETROPOSE_REPLAY_HOST_TRACE_MEMORY_H

#include "replay/host/guest.h"
#include "tracefile/format.h"
#include "tracefile/tracefile.h"

#define MEMORY_MOST_WRITTEN                                                                        \
    64u /* pages that one call may write to before a further write crashes it */

/* The place of a memory of the trace. */
typedef struct Place {
    uint32_t address, size;
    uint32_t id;
} Place;

/* A pointer field whose target is not defined yet. */
typedef struct PendingPointer {
    uint32_t address;
    bool sealed; /* the memory with this field is read-only already */
    TraceRelocation relocation;
} PendingPointer;

typedef struct WrittenPage {
    uint32_t address;
    uint8_t before[GUEST_PAGE];
} WrittenPage;

typedef struct Memory {
    Guest *guest;
    Place *places; /* ordered by their addresses */
    uint32_t place_count, place_capacity;
    TraceIds ids;   /* leads from the id of a memory to its place in the order of definition */
    Place *defined; /* the same places in the order of definition */
    uint32_t defined_capacity;
    PendingPointer *pending;
    uint32_t pending_count, pending_capacity;
    uint32_t *regions; /* the addresses of everything that was reserved */
    uint32_t region_count, region_capacity;
    uint32_t region_next, region_end;
    /* how many of `defined` are ready: their pointers are filled in and their pages read-only */
    uint32_t ready_count;
    const Place *asked; /* points into `defined`: the memory that was asked for last */
    bool keeps_open;
    const Place *opened; /* points into `defined`: the memory whose pages are writable now */
    WrittenPage written[MEMORY_MOST_WRITTEN];
    volatile uint32_t written_count;
} Memory;

/* Begins without memories, and watches for writes to the trace's memory from now on. The guest must
 * outlive it. Memory_Free frees what the host keeps about it, and nothing of the guest. */
void Memory_Begin(Memory *memory, Guest *guest);
void Memory_Free(Memory *memory);
/* Places the memories that the reader has met since the last time. */
RpStatus Memory_Load(Memory *memory, const TraceReader *reader, RpError *error);
/* Places one memory, which calls may use after Memory_Ready. */
RpStatus Memory_Place(Memory *memory, const TraceMemory *placed, RpError *error);
/* Fills in the pointer fields of what was placed since the last time, and makes it read-only. */
void Memory_Ready(Memory *memory);
/* Gives everything back: no memory is known any more, and addresses in it mean nothing. */
void Memory_Forget(Memory *memory);

/* Returns the address of a place in a memory, or 0 for an unknown id and for TRACE_NO_MEMORY. */
uint32_t Memory_Address(Memory *memory, uint32_t id, uint32_t offset);
uint32_t Memory_Size(Memory *memory, uint32_t id);
/* Turns an address into an id and an offset. Null gives TRACE_NO_MEMORY, and an address outside of
 * all memories gives TRACE_FOREIGN_MEMORY. The address just behind a memory belongs to it. */
void Memory_Canonical(const Memory *memory, uint32_t address, uint32_t *id, uint32_t *offset);

/* From now on memories that Memory_Open makes writable stay so: Memory_Seal does nothing, and
 * Memory_TakeWrites does not notice a write into one of them, so that the caller has to look for
 * such writes. This saves two changes of page protection for each call with another state. */
void Memory_KeepOpen(Memory *memory);
/* Makes the pages of a memory writable until another one is opened, more is placed, or
 * Memory_Seal is called. `lead` gets the bytes of these pages in front of the memory. Returns
 * null for an unknown id. */
uint8_t *Memory_Open(Memory *memory, uint32_t id, uint32_t *lead, uint32_t *bytes);
void Memory_Seal(Memory *memory);

/* Returns whether the last call wrote into the trace's memory, and restores what it changed. */
bool Memory_TakeWrites(Memory *memory);

#endif
