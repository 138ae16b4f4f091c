/* The trace's memory at addresses of this process: read-only, a page of nothing behind each, its
 * pointer fields patched, and every pointer into it turned back into (id, offset). */
#ifndef RETROPOSE_REPLAY_HOST_MEMORY_H
#define RETROPOSE_REPLAY_HOST_MEMORY_H

#include "replay/trace/trace.h"

/* Watches for writes into the trace's memory from now on. */
void Memory_Init(void);
/* Places what the reader has learnt since the last time. */
RpStatus Memory_Load(const TraceReader *reader, RpError *error);

/* Null for an unknown id and for TRACE_NO_MEMORY. */
void *Memory_Address(uint32_t id, uint32_t offset);
uint32_t Memory_Size(uint32_t id);
/* TRACE_NO_MEMORY for null, TRACE_FOREIGN_MEMORY for an address outside. The address just behind a
 * memory belongs to it. */
void Memory_Canonical(uint32_t address, uint32_t *id, uint32_t *offset);

/* The pages of a memory, made writable until another is opened, more is placed or Memory_Seal.
 * `lead`: bytes of the pages in front of the memory's first. Null for an unknown id. */
uint8_t *Memory_Open(uint32_t id, uint32_t *lead, uint32_t *bytes);
void Memory_Seal(void);

/* Whether the call that just ended wrote into the trace's memory; restores what it changed. */
bool Memory_TakeWrites(void);

#endif
