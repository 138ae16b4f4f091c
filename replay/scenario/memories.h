/* The memories that calls of a scenario point to: each is written into the trace once, when the
 * first call names it. */
#ifndef RETROPOSE_REPLAY_SCENARIO_MEMORIES_H
#define RETROPOSE_REPLAY_SCENARIO_MEMORIES_H

#include "replay/scenario/calls.h"

typedef struct ScenarioMemories {
    ScenarioContext *context;
    TraceWriter *writer;
    bool written[MEMORY_IDS];
} ScenarioMemories;

/* Writes the memory with this id, after those that it points to, unless it has been written. */
RpStatus ScenarioMemories_Write(ScenarioMemories *memories, uint32_t id);

#endif
