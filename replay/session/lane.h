/* A lane is a pair of hosts that run side by side and answer the calls of a scenario while these
 * are being made. The calls and the answers are in shared memory (replay/provider/batch.h) and not
 * in files. Calls that both answer alike are counted. All others are written into two traces, for a
 * comparison that looks at each of them. The same calls can be answered with several builds of the
 * slots; they are made only once then. */
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
    const char *traces[2];  /* paths of the traces for the calls that are not only counted */
} LaneBuild;

typedef struct LaneWork {
    const Provider *sides[2];
    const Scenario *scenario;
    const ScenarioOptions *calls; /* all but the build, which each of `builds` names */
    LaneBuild builds[LANE_MOST_BUILDS];
    size_t build_count;
    /* their progress counts the calls of both sides and all builds together */
    const ProviderOptions *provider;
    const Comparison *comparison; /* says which calls need only be counted */
    const char *folder;           /* the folder for the files of hosts and calls */
    bool sum_answers;             /* whether the results have the sums of side a's answers */
} LaneWork;

typedef struct LaneResult {
    TraceHeader *headers;   /* the headers of the two sides */
    CompareCounted counted; /* calls that both answered alike */
    /* the sums of side a's answers to these calls, if they were asked for */
    AnswerSums answers;
    /* the number of calls in the two traces; if it is 0, there are no traces */
    uint64_t written;
} LaneResult;

/* Returns whether lanes can run these providers on this system. */
bool Lane_Has(const Provider *a, const Provider *b);
/* Makes a lane without hosts. Returns null where memory is short. Lanes that work in the same
 * folder need different numbers. */
Lane *Lane_Create(unsigned number);
/* Runs the calls, and gives a result for each build. Returns false if the lane does not know the
 * outcome of the calls, because a host or the scenario ended or refused something; there are no
 * results and no traces then. Hosts stay for the next work if it needs the same surroundings. */
bool Lane_Run(Lane *lane, const LaneWork *work, LaneResult *results);
void LaneResult_Free(LaneResult *result);
/* Null is allowed. */
void Lane_Destroy(Lane *lane);

#endif
