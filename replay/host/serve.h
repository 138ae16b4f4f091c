/* Runs batches of calls out of shared memory (replay/provider/batch.h), until standard input ends.
 */
#ifndef RETROPOSE_REPLAY_HOST_SERVE_H
#define RETROPOSE_REPLAY_HOST_SERVE_H

#include "replay/host/host.h"
#include "replay/process/host_progress.h"
#include "replay/provider/batch.h"

typedef struct ServeFiles {
    const BatchInputs *inputs;
    BatchOutputs *outputs;
} ServeFiles;

/* Maps both files, whose sizes have to be those of the layouts. */
RpStatus Serve_Open(const HostChar *inputs, const HostChar *outputs, ServeFiles *files,
                    RpError *error);
/* Runs batches until the input ends. It also returns an error if a call wrote outside of its
 * outputs. A run of the trace tells better than this one which call did so, and where. */
RpStatus Serve_Run(const ServeFiles *files, Host *host, bool trust, HostProgress *progress,
                   RpError *error);

#endif
