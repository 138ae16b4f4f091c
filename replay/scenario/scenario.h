/* Makes scenarios: deterministic traces of calls, made from a name and a seed, for every function
 * with a signature. The same name, seed and count give the same bytes on every machine. */
#ifndef RETROPOSE_REPLAY_SCENARIO_SCENARIO_H
#define RETROPOSE_REPLAY_SCENARIO_SCENARIO_H

#include "tracefile/tracefile.h"

typedef struct Scenario {
    const char *name;        /* "slots", "edges", "poses", "blends", ... */
    const char *description; /* the line that `retropose gen --list` prints */
    uint64_t default_calls;
    bool library; /* its functions are in the library only, and in no pair of DLLs */
} Scenario;

extern const Scenario scenarios[];
extern const size_t scenario_count;

typedef struct ScenarioOptions {
    uint64_t seed;
    uint64_t first, count; /* the calls first to first + count - 1 of an endless stream */
    int force_cpu;         /* written into the header, unless it is -1 */
    /* generic, fxch or sse, or null for that of the processor class; written into the header. */
    const char *slot_build;
    const char *readings;              /* null stands for the defaults; written into the header */
    const struct Selection *selection; /* only calls that it selects are made; may be null */
    bool compress;
} ScenarioOptions;

/* Returns null where no scenario has this name. */
const Scenario *Scenario_Find(const char *name);
/* Writes a trace of calls whose outcome is TRACE_NOT_RUN. The sequence number of a call is its
 * place in the stream, so a slice has the same calls as the whole trace. */
RpStatus Scenario_Write(const Scenario *scenario, const ScenarioOptions *options, const char *path,
                        RpError *error);

/* Makes the same calls one after another, for users that need no file. */
typedef struct ScenarioStream ScenarioStream;

RpStatus ScenarioStream_Open(const Scenario *scenario, const ScenarioOptions *options,
                             ScenarioStream **stream, RpError *error);
const TraceHeader *ScenarioStream_Header(const ScenarioStream *stream);
/* Makes the next selected call, which is valid until the next one is made. After the last one,
 * *found is false. `memories` are the ids of those that its inputs name. */
RpStatus ScenarioStream_Next(ScenarioStream *stream, TraceCall *call, const uint32_t **memories,
                             uint32_t *memory_count, bool *found, RpError *error);
struct ScenarioContext *ScenarioStream_Context(ScenarioStream *stream);
/* Closes the stream. Null is allowed. */
void ScenarioStream_Close(ScenarioStream *stream);

#endif
