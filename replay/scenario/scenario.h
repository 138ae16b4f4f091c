/* Makes scenarios: deterministic traces of calls, made from a name and a seed, for every function
 * with a signature. The same name, seed and count give the same bytes on every machine. */
#ifndef RETROPOSE_REPLAY_SCENARIO_SCENARIO_H
#define RETROPOSE_REPLAY_SCENARIO_SCENARIO_H

#include "tracefile/tracefile.h"

typedef struct Scenario {
    const char *name;        /* "slots", "edges", "poses", "blends", ... */
    const char *description; /* the line that `retropose gen --list` prints */
    uint64_t default_calls;
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

/* Opens a reader of the same calls, which are made when they are read, and are in no file. A
 * selection that has none of them is RP_NOT_FOUND for both. */
RpStatus Scenario_Open(const Scenario *scenario, const ScenarioOptions *options,
                       TraceReader **reader, RpError *error);

#endif
