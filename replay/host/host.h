/* A pair of DLLs that is ready for the calls of a trace: the guest that it lives in, the pair, and
 * what executes the calls. Nothing here is shared with another host, so that a process may have
 * several, each used by one thread at a time. */
#ifndef RETROPOSE_REPLAY_HOST_HOST_H
#define RETROPOSE_REPLAY_HOST_HOST_H

#include "replay/host/execute.h"

typedef struct Host {
    Guest guest;
    Pair pair;
    Executor executor;
} Host;

/* What a host is opened with. The bytes have to outlive it. */
typedef struct HostOptions {
    GuestOptions guest;
    PairFile files[ABI_MODULE_COUNT];
    const char *overlay; /* the text of the overlay; null where there is none */
    size_t overlay_size;
} HostOptions;

/* Loads the pair, and prepares it for the calls of a trace with this header. Host_Close ends it,
 * also after an error. */
RpStatus Host_Open(Host *host, const TraceHeader *header, const HostOptions *options,
                   RpError *error);
void Host_Close(Host *host);
/* Turns the header of the input into the header of a trace that this pair has executed. */
RpStatus Host_StatePair(const Host *host, TraceHeader *header, RpError *error);

/* Carries the calls of a trace through a host, and their memory into another trace. */
typedef struct HostRun {
    TraceReader *reader;
    TraceWriter *writer;  /* null: there is no other trace */
    uint64_t first, last; /* sequence numbers of the calls to execute */
    uint32_t copied;      /* the number of memories that the writer has */
} HostRun;

/* Reads the next call that is to be executed, and gives its memory to the host and to the writer.
 * The host may be another one than the last time. */
RpStatus HostRun_Next(HostRun *run, Host *host, TraceCall *call, bool *found, RpError *error);

#endif
