/* Manages the memory of a `state`. It has the bytes of the trace with the call's patches and is
 * writable during the call. Afterwards it has the bytes of the trace again. */
#ifndef RETROPOSE_REPLAY_HOST_STATE_MEMORY_H
#define RETROPOSE_REPLAY_HOST_STATE_MEMORY_H

#include "replay/host/trace_memory.h"

/* The pages of a memory that was a state. */
typedef struct StateMemory {
    uint32_t lead, bytes;
    uint8_t *pages;
    uint8_t *base; /* the bytes as they are in the trace */
} StateMemory;

typedef struct States {
    Memory *memory;
    StateMemory *memories; /* only that of the last call, unless memories stay open */
    uint32_t count, capacity;
    TraceIds ids; /* leads from the id of a memory to its place in `memories` */
    uint32_t now, now_id;
    bool keeps_open, dirty;
} States;

/* Prepares a state, and gives the address to pass to the function. Returns RP_NO_MEMORY, or
 * RP_UNSUPPORTED for a memory without bytes. */
RpStatus State_Begin(States *states, const SignatureState *state, uint32_t *pointer,
                     RpError *error);
/* Has to be called after the call. It copies the dwords of the state's ranges to `outputs`. Returns
 * true if the call changed anything else. */
bool State_End(States *states, const SignatureState *state, uint8_t *outputs);

/* From now on the memories of states stay writable, so that calls may take turns on many objects
 * without a change of page protection. If a call then writes into the memory of its own state or of
 * another one, where it is not allowed to, only State_IsClean notices this, and cannot tell which
 * call it was. */
void State_KeepOpen(States *states);
/* Returns whether every memory that was a state holds the bytes of the trace, and whether
 * everything that a call was about to change has held them since the last State_Forget. */
bool State_IsClean(States *states);
/* Has to be called before the memories are taken back. */
void State_Forget(States *states);
/* Frees everything. */
void State_Free(States *states);

#endif
