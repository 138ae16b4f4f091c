/* The memory of a `state`: the bytes of the trace with the call's patches, writable during the
 * call, and the trace's again behind it. */
#ifndef RETROPOSE_REPLAY_HOST_STATE_H
#define RETROPOSE_REPLAY_HOST_STATE_H

#include "replay/trace/signature.h"

/* What the function is handed; RP_NO_MEMORY, or RP_UNSUPPORTED for a memory without bytes. */
RpStatus State_Begin(const SignatureState *state, void **pointer, RpError *error);
/* Behind the call: its ranges' dwords to `outputs`. True when it changed anything else. */
bool State_End(const SignatureState *state, uint8_t *outputs);

#endif
