/* Gives calls of the scenarios, of one function at a time and without a trace. A search for inputs
 * that tell readings apart draws from these. The same seed and index give the same call on every
 * machine. */
#ifndef RETROPOSE_REPLAY_SCENARIO_SOURCE_H
#define RETROPOSE_REPLAY_SCENARIO_SOURCE_H

#include "tracefile/tracefile.h"

typedef struct ScenarioSource ScenarioSource;

RpStatus ScenarioSource_Open(uint64_t seed, ScenarioSource **source, RpError *error);
void ScenarioSource_Close(ScenarioSource *source); /* null is allowed */

bool ScenarioSource_Has(const AbiFunction *function);
/* Returns a reader that knows every memory that a call may name. */
const TraceReader *ScenarioSource_Memory(const ScenarioSource *source);
/* Makes a call that was not run. It is valid until the next one is made. */
RpStatus ScenarioSource_Call(ScenarioSource *source, const AbiFunction *function, uint64_t index,
                             TraceCall *call, RpError *error);

#endif
