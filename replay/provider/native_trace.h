/* A trace that a verb makes out of a file of the user's: the calls are written without outcomes
 * beside `path`, then the native provider runs them into `path`.
 */
#ifndef RETROPOSE_REPLAY_PROVIDER_NATIVE_TRACE_H
#define RETROPOSE_REPLAY_PROVIDER_NATIVE_TRACE_H

#include "replay/trace/signature.h"
#include "replay/trace/trace.h"

#include <stddef.h>
#include <stdint.h>

typedef struct NativeTraceSpec {
    const char *path;
    const char *producer;
    const char *hypotheses; /* of the header; empty or null: the defaults */
    const char *const *keys;
    size_t key_count;
    uint16_t control; /* of every call */
} NativeTraceSpec;

typedef struct NativeTrace {
    const NativeTraceSpec *spec;
    TraceWriter *writer;
    Signature *signatures; /* by key */
    uint64_t calls;
    RpError *error;
    char inputs[4096]; /* the path of the calls */
} NativeTrace;

/* `spec` outlives the trace. NativeTrace_End is needed after RP_OK only. */
RpStatus NativeTrace_Begin(const NativeTraceSpec *spec, NativeTrace *trace, RpError *error);
/* A call of the function at `key` of the list, with its inputs as dwords. */
RpStatus NativeTrace_Call(NativeTrace *trace, size_t key, const uint32_t *words, uint32_t count);
/* `status` is that of the calls: they are run when it is RP_OK, and it is returned otherwise. */
RpStatus NativeTrace_End(NativeTrace *trace, RpStatus status);

#endif
