/* Executes one call of a trace: makes arguments and memory of its inputs, and outputs of what it
 * did. */
#ifndef RETROPOSE_REPLAY_HOST_EXECUTE_H
#define RETROPOSE_REPLAY_HOST_EXECUTE_H

#include "replay/host/pair.h"

RpStatus Execute_Init(RpError *error);
/* Forgets the memories of the trace, so that another trace may follow. */
void Execute_Forget(void);

/* From now on Execute_Call does not look at what surrounds buffers of numbers. Execute_GuardsHold
 * does so for all calls since the last time, and does not find out which call it was. */
void Execute_DeferGuards(void);
bool Execute_GuardsHold(void);

/* Fills outcome, violations, outputs and the state words of `call`. The outputs are written to
 * `outputs`, where there are `capacity` bytes, at least those of a crash. Null `outputs`: they are
 * valid until the next call. Without `trust`, functions that Abi_WhyTrust names are not called.
 * Returns RP_OK whatever the function did, and an error where the call cannot be set up. */
RpStatus Execute_Call(Pair *pair, TraceCall *call, bool trust, uint8_t *outputs, uint32_t capacity,
                      RpError *error);

#endif
