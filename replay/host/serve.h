/* Runs batches of calls out of shared memory (replay/provider/batch.h), until standard input ends.
 */
#ifndef RETROPOSE_REPLAY_HOST_SERVE_H
#define RETROPOSE_REPLAY_HOST_SERVE_H

#include "replay/host/host.h"
#include "replay/process/progress.h"
#include "replay/provider/batch.h"

typedef struct ServeFiles {
    const BatchInputs *inputs;
    BatchOutputs *outputs;
} ServeFiles;

RpStatus Serve_Open(const HostChar *inputs, const HostChar *outputs, ServeFiles *files,
                    RpError *error);
/* Returns an error, too, where a call wrote outside of its outputs: which call did so, and into
 * what, a run of the trace tells better. */
RpStatus Serve_Run(const ServeFiles *files, Host *host, bool trust, HostProgress *progress,
                   RpError *error);

#endif
