/* Places the memory of a trace in this process: read-only, with an inaccessible page behind each
 * memory and with its pointer fields patched. Turns every pointer into it back into an id and an
 * offset. */
#ifndef RETROPOSE_REPLAY_HOST_MEMORY_H
#define RETROPOSE_REPLAY_HOST_MEMORY_H

#include "replay/trace/trace.h"

/* Watches for writes to the trace's memory from now on; to be called once there is a guest. */
void Memory_Init(void);
/* Places the memories that the reader has learnt of since the last time. */
RpStatus Memory_Load(const TraceReader *reader, RpError *error);
/* Places one memory, which calls may use after Memory_Ready. */
RpStatus Memory_Place(const TraceMemory *memory, RpError *error);
/* Fills in pointer fields and makes what was placed since the last time read-only. */
void Memory_Ready(void);
/* Gives everything back: no memory is known any more, and addresses in it mean nothing. */
void Memory_Forget(void);

/* Returns 0 for an unknown id and for TRACE_NO_MEMORY. */
uint32_t Memory_Address(uint32_t id, uint32_t offset);
uint32_t Memory_Size(uint32_t id);
/* Gives TRACE_NO_MEMORY for null and TRACE_FOREIGN_MEMORY for an address outside of all
 * memories. The address just behind a memory belongs to it. */
void Memory_Canonical(uint32_t address, uint32_t *id, uint32_t *offset);

/* From now on memories that Memory_Open makes writable stay so: Memory_Seal does nothing, and
 * Memory_TakeWrites does not see a write into one of them. Who asks for this must look for such
 * writes. It saves two changes of page protection for each call with another state. */
void Memory_KeepOpen(void);
/* Makes the pages of a memory writable until another one is opened, more is placed, or
 * Memory_Seal is called. `lead` gets the bytes of these pages in front of the memory. Returns
 * null for an unknown id. */
uint8_t *Memory_Open(uint32_t id, uint32_t *lead, uint32_t *bytes);
void Memory_Seal(void);

/* Returns whether the last call wrote into the trace's memory, and restores what it changed. */
bool Memory_TakeWrites(void);

#endif
