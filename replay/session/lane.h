/* A lane: two hosts side by side that answer the calls of a scenario while these are being made.
 * The calls and the answers are in shared memory (replay/provider/batch.h) and not in files. Calls
 * that both answer alike are counted; all others are written into two traces, for a comparison that
 * looks at each of them. */
#ifndef RETROPOSE_REPLAY_SESSION_LANE_H
#define RETROPOSE_REPLAY_SESSION_LANE_H

#include "replay/compare/compare.h"
#include "replay/provider/provider.h"
#include "replay/scenario/scenario.h"

typedef struct Lane Lane;

typedef struct LaneWork {
    const Provider *sides[2];
    const Scenario *scenario;
    const ScenarioOptions *calls;
    const ProviderOptions *provider; /* with the progress of both sides together */
    const Comparison *comparison;    /* says which calls only count */
    const char *folder;              /* where hosts and calls may have files */
    const char *traces[2];           /* for the calls that do not only count */
} LaneWork;

typedef struct LaneResult {
    TraceHeader *headers; /* two */
    uint64_t *counts;     /* by row of abi_functions: calls that both answered alike */
    uint64_t written;     /* calls in the two traces; without any there are no traces */
} LaneResult;

/* Returns whether lanes can run these providers on this system. */
bool Lane_Has(const Provider *a, const Provider *b);
/* Makes a lane without hosts. Null where memory is short. `number` is another one for each lane
 * that works in the same folder. */
Lane *Lane_Create(unsigned number);
/* Runs the calls. The result is false where the lane does not know what came of them, because
 * something ended or refused, a host or the scenario; there are no traces then. Hosts stay for the
 * next work if that asks for the same surroundings. */
bool Lane_Run(Lane *lane, const LaneWork *work, LaneResult *result);
void LaneResult_Free(LaneResult *result);
/* Null is fine. */
void Lane_Destroy(Lane *lane);

#endif
