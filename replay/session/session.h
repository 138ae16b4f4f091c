/* A session replays many traces and slices of scenarios through two providers, several at a
 * time. It compares the results in order, so that any number of jobs gives the same report. A shard
 * of it has its share of the traces and slices, in the same order, each of them whole. */
#ifndef RETROPOSE_REPLAY_SESSION_SESSION_H
#define RETROPOSE_REPLAY_SESSION_SESSION_H

#include "core/text/shards.h"
#include "replay/compare/compare.h"
#include "replay/provider/provider.h"
#include "replay/scenario/scenario.h"
#include "replay/session/answers.h"

#define SESSION_SLICE_CALLS                                                                        \
    250000u /* calls of a scenario that are generated, run, compared and deleted at a time */

/* One stored trace, or a part of a scenario. */
typedef struct SessionInput {
    const char *trace;        /* the path; null: this is a scenario */
    const Scenario *scenario; /* null: this is a trace */
    uint64_t seed, first, count;
    char name[64];          /* for reports; empty: the name of the trace or the scenario */
    int force_cpu;          /* -1: what the scenario says */
    const char *slot_build; /* null: what the class chooses */
    const char *hypotheses; /* null: the defaults */
} SessionInput;

/* Names a scenario's input "NAME@MACHINE", and has it run on that machine: generic, fxch or sse are
 * builds of the slots, cpuN is a ForceCpu value. Returns false for another word. */
bool SessionInput_OnMachine(SessionInput *input, const char *machine);

typedef struct SessionOptions {
    const SessionInput *inputs;
    size_t input_count;
    const Provider *a; /* the one that plays the original */
    /* Plays the original where the trace's hypotheses say key-order=wxyz; null: `a` does that,
     * too. */
    const Provider *a_wxyz;
    const Provider *b;
    ProviderOptions provider; /* the session sets the progress itself */
    const struct Selection *selection;
    /* for traces and results, which are deleted one by one unless `keep` is set */
    const char *work_directory;
    uint32_t slice_calls; /* 0: SESSION_SLICE_CALLS */
    unsigned jobs;        /* 0: 1 */
    Shard shard;          /* only these calls; 0 of 0: all */
    bool keep, fail_fast;
    /* Runs scenarios through files, too, as `keep` does. The results are the same, but slower. */
    bool through_files;
    /* Called from any thread, but never from two at once; may be null. `calls` counts the calls
     * of both sides. */
    void (*progress)(void *context, uint64_t calls, uint64_t total);
    void *context;
    /* Gets the sums over the answers of the one that plays the original, by input; may be null.
     * They are whole only where the session was neither stopped nor ended by an error. */
    AnswerSums *answers;
    uint64_t
        *shared; /* gets how many calls ran in shared memory and not through files; may be null */
} SessionOptions;

/* Returns RP_OK also where it was asked to stop (core/stop.h). The comparison has what came before
 * that, or before an error. */
RpStatus Session_Run(const SessionOptions *options, Comparison *comparison, RpError *error);

#endif
