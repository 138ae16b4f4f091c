/* Finds the smallest trace that still shows a difference: first the fewest calls (Zeller and
 * Hildebrandt's ddmin, "Simplifying and Isolating Failure-Inducing Input", 2002), then the
 * simplest inputs and machine state of these calls, with the fewest patches of their objects. */
#ifndef RETROPOSE_REPLAY_SESSION_MINIMISE_H
#define RETROPOSE_REPLAY_SESSION_MINIMISE_H

#include "replay/provider/provider.h"
#include "tracefile/trace.h"

typedef struct MinimiseOptions {
    /* Says whether the trace at `path` shows the difference that is looked for. */
    RpStatus (*differs)(void *context, const char *path, bool *differs, RpError *error);
    void *context;
    const char *candidate; /* where the trace to be tried is written; overwritten each time */
    /* Called once for the smallest trace, which lies at `path`, to say whether it still shows the
     * difference when it is run again. Null: it is not run again, and the output has no outcomes.
     * Else the output is what the callback leaves in the file `answered`: the same calls with the
     * outcomes of the first provider. */
    RpStatus (*again)(void *context, const char *path, bool *differs, RpError *error);
    void *again_context;
    const char *answered;
    /* Called after every attempt; may be null. */
    void (*progress)(void *context, uint64_t tries, uint64_t calls);
    void *progress_context;
} MinimiseOptions;

typedef struct MinimiseResult {
    uint64_t calls_before, calls_after;
    uint64_t tries;
    /* input elements and state words that became simpler, and dropped patches */
    uint64_t simplified;
} MinimiseResult;

/* Returns RP_NOT_FOUND where `input` itself shows no difference, and RP_CORRUPT where the smallest
 * trace showed it and, run again, does not: then the difference is not the calls' own. Nothing is
 * written in either case. */
RpStatus Minimise_Trace(const char *input, const char *output, const MinimiseOptions *options,
                        MinimiseResult *result, RpError *error);

/* `differs` for two providers: runs both and compares. The first difference that it finds
 * decides the function, so that minimising does not move to a difference of another one. */
typedef struct MinimisePair {
    const Provider *a, *b;
    const ProviderOptions *options;
    const char *result_a, *result_b; /* paths; overwritten each time and deleted at the end */
    const AbiFunction *function;     /* null: any, and from then on that of the first difference */
} MinimisePair;
RpStatus MinimisePair_Differs(void *pair, const char *path, bool *differs, RpError *error);
/* `again` for them. It leaves both results in the files `result_a` and `result_b`. */
RpStatus MinimisePair_Again(void *pair, const char *path, bool *differs, RpError *error);

#endif
