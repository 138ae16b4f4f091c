/* A lane: two hosts side by side that answer the calls of a scenario while these are being made.
 * The calls and the answers are in shared memory (replay/provider/batch.h) and not in files. Calls
 * that both answer alike are counted; all others are written into two traces, for a comparison that
 * looks at each of them. The same calls can be answered with several builds of the slots; they are
 * made only once then. */
#ifndef RETROPOSE_REPLAY_SESSION_LANE_H
#define RETROPOSE_REPLAY_SESSION_LANE_H

#include "replay/compare/compare.h"
#include "replay/provider/provider.h"
#include "replay/scenario/scenario.h"
#include "replay/session/answers.h"

typedef struct Lane Lane;

#define LANE_MOST_BUILDS PROVIDER_SLOTS_COUNT

typedef struct LaneBuild {
    const char *slot_build; /* as in ScenarioOptions */
    const char *traces[2];  /* for the calls that do not only count */
} LaneBuild;

typedef struct LaneWork {
    const Provider *sides[2];
    const Scenario *scenario;
    const ScenarioOptions *calls; /* but for the build, which each of `builds` names */
    LaneBuild builds[LANE_MOST_BUILDS];
    size_t build_count;
    const ProviderOptions *provider; /* with the progress of both sides and all builds together */
    const Comparison *comparison;    /* says which calls only count */
    const char *folder;              /* where hosts and calls may have files */
    bool sum_answers;                /* of side a, in the results */
} LaneWork;

typedef struct LaneResult {
    TraceHeader *headers;   /* two */
    CompareCounted counted; /* calls that both answered alike */
    AnswerSums answers;     /* of side a to these calls, if they were asked for */
    uint64_t written;       /* calls in the two traces; without any there are no traces */
} LaneResult;

/* Returns whether lanes can run these providers on this system. */
bool Lane_Has(const Provider *a, const Provider *b);
/* Makes a lane without hosts. Null where memory is short. `number` is another one for each lane
 * that works in the same folder. */
Lane *Lane_Create(unsigned number);
/* Runs the calls, and gives a result for each build. The answer is false where the lane does not
 * know what came of the calls, because something ended or refused, a host or the scenario; there
 * are no results and no traces then. Hosts stay for the next work if that asks for the same
 * surroundings. */
bool Lane_Run(Lane *lane, const LaneWork *work, LaneResult *results);
void LaneResult_Free(LaneResult *result);
/* Null is fine. */
void Lane_Destroy(Lane *lane);

#endif
