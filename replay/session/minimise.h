/* Finds the smallest trace that still shows a difference: first the fewest calls (Zeller and
 * Hildebrandt's ddmin, "Simplifying and Isolating Failure-Inducing Input", 2002), then the
 * simplest inputs and machine state of these calls, with the fewest patches of their objects. */
#ifndef RETROPOSE_REPLAY_SESSION_MINIMISE_H
#define RETROPOSE_REPLAY_SESSION_MINIMISE_H

#include "replay/compare/compare.h"
#include "replay/provider/provider.h"

typedef struct MinimiseOptions {
    /* Says whether the trace at `path` shows the difference that is looked for. */
    RpStatus (*differs)(void *context, const char *path, bool *differs, RpError *error);
    void *context;
    /* the path at which the trace to be tried is written; overwritten each time */
    const char *candidate;
    /* Is called once for the smallest trace, which lies at `path`, to say whether it still shows
     * the difference when it is run again. The output is then what the callback leaves in the file
     * `answered`: the same calls with the outcomes of the first provider. If this is null, the
     * trace is not run again, and the output has no outcomes. */
    RpStatus (*again)(void *context, const char *path, bool *differs, RpError *error);
    void *again_context;
    const char *answered;
    /* Is called after every attempt; may be null. */
    void (*progress)(void *context, uint64_t tries, uint64_t calls);
    void *progress_context;
} MinimiseOptions;

typedef struct MinimiseResult {
    uint64_t calls_before, calls_after;
    uint64_t tries;
    /* The number of input elements and state words that became simpler, and of patches that were
     * dropped. */
    uint64_t simplified;
} MinimiseResult;

/* Returns RP_NOT_FOUND if `input` itself shows no difference. Returns RP_CORRUPT if the smallest
 * trace showed the difference and does not show it when it is run again: then the difference does
 * not come from the calls alone. Nothing is written in either case. */
RpStatus Minimise_Trace(const char *input, const char *output, const MinimiseOptions *options,
                        MinimiseResult *result, RpError *error);

/* A context of `differs` for two providers: runs both and compares. The first difference that it
 * finds decides the function, so that minimising does not drift to a difference of another
 * function. */
typedef struct MinimisePair {
    const Provider *a, *b;
    const ProviderOptions *options;
    /* paths; the files are overwritten each time and deleted at the end */
    const char *result_a, *result_b;
    /* null stands for any function, until the first difference has decided it */
    const AbiFunction *function;
    /* How the two are compared; a null stands for the usual way. */
    const CompareOptions *compare;
    /* What the last run showed. It is null before the first one; the caller destroys it at the end.
     */
    Comparison *last;
} MinimisePair;
RpStatus MinimisePair_Differs(void *pair, const char *path, bool *differs, RpError *error);
/* The callback `again` for two providers. It leaves both results in the files `result_a` and
 * `result_b`. */
RpStatus MinimisePair_Again(void *pair, const char *path, bool *differs, RpError *error);

#endif
