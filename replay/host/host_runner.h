/* Executes the calls of a trace in a machine of this process, and survives those that end the
 * guest's process or never return: the next call gets a freshly loaded pair. */
#ifndef RETROPOSE_REPLAY_HOST_HOST_RUNNER_H
#define RETROPOSE_REPLAY_HOST_HOST_RUNNER_H

#include "replay/host/host.h"

typedef struct HostRunner {
    HostRun calls;
    Host host;
    const HostOptions *options;
    TraceHeader header;   /* of the calls */
    ReachedFile *reached; /* gets what the calls reach; null: nobody asks */
    size_t reached_size;
    bool trust;            /* calls also what a stranger's trace shall not call */
    uint32_t most_endings; /* after so many calls without an end, the others are not called */
    uint32_t endings;
    /* why the last call was unsupported or timed out; else empty */
    char reason[sizeof((InvokeFrame *)0)->reason];
    uint8_t exit_code[4]; /* the outputs of a call that exited */
} HostRunner;

/* Fill in `options`, `calls.reader`, `most_endings` and what else is wanted before.
 * HostRunner_Close ends it, also after an error. */
RpStatus HostRunner_Open(HostRunner *runner, RpError *error);
void HostRunner_Close(HostRunner *runner);
/* Executes the next call. Its outputs are valid until the next one. *found is false after the last
 * one. An error has nothing to do with what the call did. */
RpStatus HostRunner_Next(HostRunner *runner, TraceCall *call, bool *found, RpError *error);

#endif
