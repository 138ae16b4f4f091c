/* Hands out the memories that the calls of a scenario point to: each of them once, when the first
 * call names it. */
#ifndef RETROPOSE_REPLAY_SCENARIO_MEMORIES_H
#define RETROPOSE_REPLAY_SCENARIO_MEMORIES_H

#include "replay/scenario/calls.h"

typedef struct ScenarioMemories {
    ScenarioContext *context;
    ScenarioSink sink;
    bool written[MEMORY_IDS];
} ScenarioMemories;

/* Hands out the memory with this id, after those that it points to, unless that has been done. */
RpStatus ScenarioMemories_Write(ScenarioMemories *memories, uint32_t id);
/* The sink that writes memories into a trace. */
ScenarioSink ScenarioSink_OfTrace(TraceWriter *writer);

#endif
