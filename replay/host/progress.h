/* What the host process tells the process that started it, through a small mapped file: it is
 * readable however the host ends. */
#ifndef RETROPOSE_REPLAY_HOST_PROGRESS_H
#define RETROPOSE_REPLAY_HOST_PROGRESS_H

#include "retropose/error.h"

#include <stdint.h>

typedef enum HostState {
    HOST_STARTING = 0,
    HOST_BETWEEN_CALLS = 1,
    HOST_CALLING = 2, /* `sequence` is running */
    HOST_FINISHED = 3,
    HOST_FAILED = 4 /* `error` says why; not the fault of a call */
} HostState;

typedef struct HostProgress {
    volatile uint32_t state;    /* HostState */
    volatile uint32_t finished; /* calls of this run */
    volatile uint64_t sequence; /* of the running or last call */
    RpError error;
} HostProgress;

#endif
