/* One call of a trace, executed: its inputs become arguments and memory, what it did becomes its
 * outputs. */
#ifndef RETROPOSE_REPLAY_HOST_EXECUTE_H
#define RETROPOSE_REPLAY_HOST_EXECUTE_H

#include "replay/host/pair.h"

RpStatus Execute_Init(RpError *error);

/* Fills outcome, violations, outputs and the state words of `call`, whose outputs then stay valid
 * until the next one. Without `trust`, what Abi_WhyTrust names is not called. RP_OK whatever the
 * function did; an error when the call cannot be set up. */
RpStatus Execute_Call(Pair *pair, TraceCall *call, bool trust, RpError *error);

#endif
