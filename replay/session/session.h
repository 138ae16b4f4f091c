/* A session replays many traces and slices of scenarios through two providers, several at a time.
 * Each is compared by itself, and the results are put together in order, so that any number of jobs
 * gives the same report. Calls are in files only where a host needs them or the user wants them. A
 * shard of a session has its share of the traces and slices, in the same order, and each of them
 * whole. */
#ifndef RETROPOSE_REPLAY_SESSION_SESSION_H
#define RETROPOSE_REPLAY_SESSION_SESSION_H

#include "core/text/shards.h"
#include "replay/compare/compare.h"
#include "replay/provider/provider.h"
#include "replay/scenario/scenario.h"
#include "replay/session/answers.h"

#define SESSION_SLICE_CALLS                                                                        \
    250000u /* calls of a scenario that are generated, run and compared at a time */

/* One stored trace, or a part of a scenario. */
typedef struct SessionInput {
    const char *trace;        /* the path of a trace; null if this is a scenario */
    const Scenario *scenario; /* null if this is a trace */
    uint64_t seed, first, count;
    /* the name in reports; empty stands for that of the trace or the scenario */
    char name[64];
    int force_cpu;          /* -1 stands for what the scenario says */
    const char *slot_build; /* null stands for the build that the class chooses */
    const char *readings;   /* null stands for the defaults */
} SessionInput;

/* Names a scenario's input "NAME@MACHINE", and lets it run on that machine: generic, fxch and sse
 * are builds of the slots, and cpuN is a value of ForceCpu. Returns false for any other word. */
bool SessionInput_OnMachine(SessionInput *input, const char *machine);

typedef struct SessionOptions {
    const SessionInput *inputs;
    size_t input_count;
    /* One for each input, or null: the traces that the caller has opened already, and null for the
     * other inputs. The session takes them over, and leaves nulls. */
    TraceReader **readers;
    const Provider *a; /* the provider that plays the original */
    /* Plays the original if the trace's readings have key-order=wxyz. If it is null, `a` plays it
     * then, too. */
    const Provider *a_wxyz;
    const Provider *b;
    ProviderOptions provider; /* the session sets the progress itself */
    const struct Selection *selection;
    /* the folder for the files that are needed, which are deleted one by one unless `keep` is set
     */
    const char *work_directory;
    uint32_t slice_calls; /* 0 stands for SESSION_SLICE_CALLS */
    unsigned jobs;        /* 0 stands for 1 */
    Shard shard;          /* the shard whose calls are replayed; 0 of 0 stands for all calls */
    bool keep, fail_fast;
    /* Runs all calls through files, as `keep` does, too. The results are the same, but this is
     * slower. */
    bool through_files;
    /* Called from any thread, but never from two at once; may be null. `calls` counts the calls
     * of both sides. */
    void (*progress)(void *context, uint64_t calls, uint64_t total);
    void *context;
    /* One for each input, or null. They get the sums over the answers of the provider that plays
     * the original, which are complete only if the session was neither stopped nor ended by an
     * error. */
    AnswerSums *answers;
    uint64_t *in_memory; /* gets the number of calls that were in no file; may be null */
} SessionOptions;

/* Runs the session. Also returns RP_OK if it was asked to stop (core/stop.h). The comparison then
 * has what was compared before that, or before an error. */
RpStatus Session_Run(const SessionOptions *options, Comparison *comparison, RpError *error);

#endif
