/* What the host tells the process that started it, through a small mapped file. The file can be
 * read however the host ends. */
#ifndef RETROPOSE_REPLAY_PROCESS_HOST_PROGRESS_H
#define RETROPOSE_REPLAY_PROCESS_HOST_PROGRESS_H

#include "retropose/error.h"

#include <stdint.h>

typedef enum HostState {
    HOST_STARTING = 0, /* the program's own code has not begun to run */
    HOST_BETWEEN_CALLS = 1,
    HOST_CALLING = 2, /* the call `sequence` is running */
    HOST_FINISHED = 3,
    HOST_FAILED = 4,  /* the error fields say why; no call is to blame */
    HOST_LOADING = 5, /* the program runs and the pair is not loaded yet */
    /* the call `sequence` did not end within the instructions that a call may take */
    HOST_TIMED_OUT = 6
} HostState;

/* The layout of the file, which is the same for every compiler. That of an RpError is not, because
 * 32-bit Linux aligns its 64-bit members to 4. */
typedef struct HostProgress {
    volatile uint32_t state;    /* a HostState */
    volatile uint32_t finished; /* the number of this run's calls that have finished */
    volatile uint64_t sequence; /* the sequence number of the running or the last call */
    uint64_t offset;            /* this and the following members are those of an RpError */
    uint32_t status, unused;
    char what[160], where[160], expected[96], found[160];
} HostProgress;

_Static_assert(sizeof(HostProgress) == 608, "read by another compiler's program");

#endif
