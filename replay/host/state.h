/* The memory of a `state`: the bytes of the trace with the call's patches, writable during the
 * call, and the bytes of the trace again afterwards. */
#ifndef RETROPOSE_REPLAY_HOST_STATE_H
#define RETROPOSE_REPLAY_HOST_STATE_H

#include "replay/host/memory.h"

/* The pages of a memory that was a state. */
typedef struct StateMemory {
    uint32_t lead, bytes;
    uint8_t *pages;
    uint8_t *base; /* as in the trace */
} StateMemory;

typedef struct States {
    Memory *memory;
    StateMemory *memories; /* only the last one, unless they stay open */
    uint32_t count, capacity;
    TraceIds ids; /* from the id of a memory to its place in `memories` */
    uint32_t now, now_id;
    bool keeps_open, dirty;
} States;

/* Gives the address that the function is to be passed. Returns RP_NO_MEMORY, or RP_UNSUPPORTED for
 * a memory without bytes. */
RpStatus State_Begin(States *states, const SignatureState *state, uint32_t *pointer,
                     RpError *error);
/* To be called after the call: copies the dwords of its ranges to `outputs`. Returns true where
 * the call changed anything else. */
bool State_End(States *states, const SignatureState *state, uint8_t *outputs);

/* From now on the memories of states stay writable, so that calls may take turns on many objects
 * without a change of page protection. A write outside of what a call may change, into the memory
 * of its own state or of another one, is then noticed by State_IsClean only, and not which call it
 * was of. */
void State_KeepOpen(States *states);
/* Returns whether every memory that was a state holds the bytes of the trace, and whatever a call
 * was about to change has held them since the last State_Forget. */
bool State_IsClean(States *states);
/* To be called before the memories go. */
void State_Forget(States *states);
/* Frees everything. */
void State_Free(States *states);

#endif
