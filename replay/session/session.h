/* A session replays many traces and slices of scenarios through two providers, some at a time, and
 * compares the results in order, so that any number of jobs gives the same report. */
#ifndef RETROPOSE_REPLAY_SESSION_SESSION_H
#define RETROPOSE_REPLAY_SESSION_SESSION_H

#include "replay/compare/compare.h"
#include "replay/provider/provider.h"
#include "replay/scenario/scenario.h"

#define SESSION_SLICE_CALLS                                                                        \
    250000u /* of a scenario, generated, run, compared and deleted at once */

/* One stored trace, or a stretch of a scenario. */
typedef struct SessionInput {
    const char *trace;        /* path; null: the scenario */
    const Scenario *scenario; /* null: the trace */
    uint64_t seed, first, count;
    char name[64];          /* for reports; empty: the trace's or the scenario's */
    int force_cpu;          /* -1: as the scenario says */
    const char *slot_build; /* null: as the class chooses */
    const char *hypotheses; /* null: default */
} SessionInput;

typedef struct SessionOptions {
    const SessionInput *inputs;
    size_t input_count;
    const Provider *a; /* plays the original */
    /* Plays it where the trace's hypotheses say key-order=wxyz; null: `a` does. */
    const Provider *a_wxyz;
    const Provider *b;
    ProviderOptions provider; /* its progress is the session's own */
    const struct Selection *selection;
    const char *work_directory; /* for traces and results; deleted one by one unless `keep` */
    uint32_t slice_calls;       /* 0: SESSION_SLICE_CALLS */
    unsigned jobs;              /* 0: 1 */
    bool keep, fail_fast;
    /* Called from any thread, never from two at once; may be null. `calls` counts both sides'
     * halves. */
    void (*progress)(void *context, uint64_t calls, uint64_t total);
    void *context;
} SessionOptions;

/* RP_OK also when it was asked to stop (stop.h): the comparison holds what came before. */
RpStatus Session_Run(const SessionOptions *options, Comparison *comparison, RpError *error);

#endif
