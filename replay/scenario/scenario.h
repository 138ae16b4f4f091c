/* Scenarios: deterministic call traces made from a name and a seed, for every function with a
 * signature. The same name, seed and count give the same bytes on every machine. */
#ifndef RETROPOSE_REPLAY_SCENARIO_SCENARIO_H
#define RETROPOSE_REPLAY_SCENARIO_SCENARIO_H

#include "replay/trace/trace.h"

typedef struct Scenario {
    const char *name;        /* "slots", "edges", "poses", "blends", ... */
    const char *description; /* one line for `retropose gen --list` */
    uint64_t default_calls;
    bool library; /* of a sibling runtime, which no pair of DLLs has */
} Scenario;

extern const Scenario scenarios[];
extern const size_t scenario_count;

typedef struct ScenarioOptions {
    uint64_t seed;
    uint64_t first, count;  /* calls [first, first + count) of the endless stream */
    int force_cpu;          /* -1: none; goes into the header */
    const char *slot_build; /* null: the class's; generic, fxch or sse; goes into the header */
    const char *hypotheses; /* null: default; goes into the header */
    const struct Selection *selection; /* may be null; functions left out are not generated */
    bool compress;
} ScenarioOptions;

/* Null when there is none. */
const Scenario *Scenario_Find(const char *name);
/* Writes a trace with TRACE_NOT_RUN calls. Sequence numbers are positions in the stream, so a
 * slice reproduces the calls of the whole. */
RpStatus Scenario_Write(const Scenario *scenario, const ScenarioOptions *options, const char *path,
                        RpError *error);

#endif
