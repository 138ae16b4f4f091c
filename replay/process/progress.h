/* What the host process tells the process that started it, through a small mapped file: it is
 * readable however the host ends. */
#ifndef RETROPOSE_REPLAY_PROCESS_PROGRESS_H
#define RETROPOSE_REPLAY_PROCESS_PROGRESS_H

#include "retropose/error.h"

#include <stdint.h>

typedef enum HostState {
    HOST_STARTING = 0, /* the program has not been reached */
    HOST_BETWEEN_CALLS = 1,
    HOST_CALLING = 2, /* `sequence` is running */
    HOST_FINISHED = 3,
    HOST_FAILED = 4, /* the error fields say why; not the fault of a call */
    HOST_LOADING = 5 /* the program runs, the pair is not loaded yet */
} HostState;

/* The same bytes for every compiler: an RpError would not be, for its 64 bits are aligned to 4 on
 * 32-bit Linux. */
typedef struct HostProgress {
    volatile uint32_t state;    /* HostState */
    volatile uint32_t finished; /* calls of this run */
    volatile uint64_t sequence; /* of the running or last call */
    uint64_t offset;            /* from here on an RpError */
    uint32_t status, unused;
    char what[160], where[160], expected[96], found[160];
} HostProgress;

_Static_assert(sizeof(HostProgress) == 608, "read by another compiler's program");

#endif
