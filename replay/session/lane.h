/* In a lane, two sides answer the calls of a scenario while these are being made: two hosts, or a
 * host and the library of this process. The calls and the answers of hosts are in shared memory
 * (replay/provider/batch.h) and not in files, and the answers are compared where they are. The same
 * calls can be answered with
 * several builds of the slots; they are made only once then. */
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
    const char *name;       /* the name of the calls in reports */
    Comparison *part;       /* gets the calls with this build */
    AnswerSums *answers;    /* gets the sums of side a's answers; null if nobody asks for them */
} LaneBuild;

typedef struct LaneWork {
    const Provider *sides[2];
    const Scenario *scenario;
    const ScenarioOptions *calls; /* all but the build, which each of `builds` names */
    LaneBuild builds[LANE_MOST_BUILDS];
    size_t build_count;
    /* their progress counts the calls of both sides and all builds together */
    const ProviderOptions *provider;
    const char *folder; /* the folder for the files of hosts and calls */
} LaneWork;

/* Returns whether lanes can run these providers on this system. */
bool Lane_Has(const Provider *a, const Provider *b);
/* Makes a lane without hosts. Returns null where memory is short. Lanes that work in the same
 * folder need different numbers. */
Lane *Lane_Create(unsigned number);
/* Runs the calls, and compares the answers of each build. Returns false if the lane does not know
 * the outcome of the calls, because a host or the scenario ended or refused something; what the
 * parts then have means nothing. Hosts stay for the next work if it needs the same surroundings. */
bool Lane_Run(Lane *lane, const LaneWork *work);
/* Null is allowed. */
void Lane_Destroy(Lane *lane);

#endif
