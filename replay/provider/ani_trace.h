/* Makes traces of one LEGO Island animation: every node and the camera over a range of times, with
 * this library's outcomes, so that other engines can compare themselves with it. */
#ifndef RETROPOSE_REPLAY_PROVIDER_ANI_TRACE_H
#define RETROPOSE_REPLAY_PROVIDER_ANI_TRACE_H

#include "retropose/ani.h"

#include <stddef.h>
#include <stdint.h>

/* The greatest number of calls, which makes a file of about 600 MB. A small animation file can have
 * very many nodes and last for hours. */
enum { ANI_TRACE_MOST_CALLS = 1 << 21 };

typedef struct AniTraceOptions {
    int32_t first, last, step; /* in milliseconds; the step is not 0 */
    bool policies[RP_ANI_POLICIES];
} AniTraceOptions;

/* Writes the trace. `image` is a whole file that the strict reader accepts. *calls gets the number
 * of calls in the trace. Returns RP_UNSUPPORTED for more than ANI_TRACE_MOST_CALLS, before anything
 * is written. After a failure there is no trace at `path`. */
RpStatus AniTrace_Write(const uint8_t *image, size_t size, const AniTraceOptions *options,
                        const char *path, uint64_t *calls, RpError *error);

#endif
