/* Minimise: the smallest trace that still shows a difference. First the fewest calls (Zeller and
 * Hildebrandt's ddmin, "Simplifying and Isolating Failure-Inducing Input", 2002), then the simplest
 * inputs and machine state of the calls that remain, with the fewest patches of their objects. */
#ifndef RETROPOSE_REPLAY_SESSION_MINIMISE_H
#define RETROPOSE_REPLAY_SESSION_MINIMISE_H

#include "replay/provider/provider.h"
#include "replay/trace/trace.h"

typedef struct MinimiseOptions {
    /* Whether the difference that is chased shows in the trace at `path`. */
    RpStatus (*differs)(void *context, const char *path, bool *differs, RpError *error);
    void *context;
    const char *candidate; /* path of the trace that is tried; overwritten */
    /* After every try; may be null. */
    void (*progress)(void *context, uint64_t tries, uint64_t calls);
    void *progress_context;
} MinimiseOptions;

typedef struct MinimiseResult {
    uint64_t calls_before, calls_after;
    uint64_t tries;
    uint64_t simplified; /* input elements and state words that became simpler, patches dropped */
} MinimiseResult;

/* RP_NOT_FOUND when `input` itself shows no difference. */
RpStatus Minimise_Trace(const char *input, const char *output, const MinimiseOptions *options,
                        MinimiseResult *result, RpError *error);

/* `differs` of two providers: runs both and compares. The first difference found fixes the
 * function, so that minimising does not slip to another one. */
typedef struct MinimisePair {
    const Provider *a, *b;
    const ProviderOptions *options;
    const char *result_a, *result_b; /* paths; overwritten and deleted */
    const AbiFunction *function;     /* null: any, then the first that differs */
} MinimisePair;
RpStatus MinimisePair_Differs(void *pair, const char *path, bool *differs, RpError *error);

#endif
