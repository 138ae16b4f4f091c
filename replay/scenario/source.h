/* The calls of the scenarios, one function's at a time and without a trace: what a search for
 * telling inputs draws from. The same seed and index give the same call on every machine. */
#ifndef RETROPOSE_REPLAY_SCENARIO_SOURCE_H
#define RETROPOSE_REPLAY_SCENARIO_SOURCE_H

#include "replay/trace/trace.h"

typedef struct ScenarioSource ScenarioSource;

/* `path`: a trace without calls, with every memory that calls may name; written here, and left to
 * the caller to delete after the source is closed. */
RpStatus ScenarioSource_Open(uint64_t seed, const char *path, ScenarioSource **source,
                             RpError *error);
void ScenarioSource_Close(ScenarioSource *source); /* safe on null */

bool ScenarioSource_Has(const AbiFunction *function);
/* The reader of `path`, which knows all memories. */
const TraceReader *ScenarioSource_Memory(const ScenarioSource *source);
/* A call that was not run, valid until the next one. */
RpStatus ScenarioSource_Call(ScenarioSource *source, const AbiFunction *function, uint64_t index,
                             TraceCall *call, RpError *error);

#endif
