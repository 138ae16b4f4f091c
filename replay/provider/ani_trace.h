/* Traces of one LEGO Island animation: every node and the camera over a range of times, with the
 * outcomes of this library, for other engines to compare themselves with. */
#ifndef RETROPOSE_REPLAY_PROVIDER_ANI_TRACE_H
#define RETROPOSE_REPLAY_PROVIDER_ANI_TRACE_H

#include "retropose/ani.h"

#include <stddef.h>
#include <stdint.h>

/* Some 600 MB. A file of few bytes can have very many nodes and last for hours. */
enum { ANI_TRACE_MOST_CALLS = 1 << 21 };

typedef struct AniTraceOptions {
    int32_t first, last, step; /* milliseconds; step is not 0 */
    bool policies[RP_ANI_POLICIES];
} AniTraceOptions;

/* `image` is a whole file that the strict reader takes. *calls is how many the trace has.
 * RP_UNSUPPORTED for more than ANI_TRACE_MOST_CALLS, before anything is written. On failure there
 * is no trace at `path`. */
RpStatus AniTrace_Write(const uint8_t *image, size_t size, const AniTraceOptions *options,
                        const char *path, uint64_t *calls, RpError *error);

#endif
