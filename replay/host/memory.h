/* Places the memory of a trace in this process: read-only, with an inaccessible page behind each
 * memory and with its pointer fields patched. Turns every pointer into it back into an id and an
 * offset. */
#ifndef RETROPOSE_REPLAY_HOST_MEMORY_H
#define RETROPOSE_REPLAY_HOST_MEMORY_H

#include "replay/trace/trace.h"

/* Watches for writes to the trace's memory from now on. */
void Memory_Init(void);
/* Places the memories that the reader has learnt of since the last time. */
RpStatus Memory_Load(const TraceReader *reader, RpError *error);

/* Returns null for an unknown id and for TRACE_NO_MEMORY. */
void *Memory_Address(uint32_t id, uint32_t offset);
uint32_t Memory_Size(uint32_t id);
/* Gives TRACE_NO_MEMORY for null and TRACE_FOREIGN_MEMORY for an address outside of all
 * memories. The address just behind a memory belongs to it. */
void Memory_Canonical(uint32_t address, uint32_t *id, uint32_t *offset);

/* Makes the pages of a memory writable until another one is opened, more is placed, or
 * Memory_Seal is called. `lead` gets the bytes of these pages in front of the memory. Returns
 * null for an unknown id. */
uint8_t *Memory_Open(uint32_t id, uint32_t *lead, uint32_t *bytes);
void Memory_Seal(void);

/* Returns whether the last call wrote into the trace's memory, and restores what it changed. */
bool Memory_TakeWrites(void);

#endif
