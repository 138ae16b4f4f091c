/* The memory of a `state`: the bytes of the trace with the call's patches, writable during the
 * call, and the bytes of the trace again afterwards. */
#ifndef RETROPOSE_REPLAY_HOST_STATE_H
#define RETROPOSE_REPLAY_HOST_STATE_H

#include "replay/trace/signature.h"

/* Gives what the function is to be passed. Returns RP_NO_MEMORY, or RP_UNSUPPORTED for a memory
 * without bytes. */
RpStatus State_Begin(const SignatureState *state, void **pointer, RpError *error);
/* To be called after the call: copies the dwords of its ranges to `outputs`. Returns true where
 * the call changed anything else. */
bool State_End(const SignatureState *state, uint8_t *outputs);

#endif
