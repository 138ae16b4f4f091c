/* Makes a trace from a file of the user's, for a verb. The calls are written without outcomes
 * beside `path`; then the native provider runs them into `path`. */
#ifndef RETROPOSE_REPLAY_PROVIDER_NATIVE_TRACE_H
#define RETROPOSE_REPLAY_PROVIDER_NATIVE_TRACE_H

#include "tracefile/signature.h"
#include "tracefile/tracefile.h"

#include <stddef.h>
#include <stdint.h>

typedef struct NativeTraceSpec {
    const char *path;
    const char *producer;
    const char *readings; /* the readings for the header; empty or null stands for the defaults */
    const char *const *keys;
    size_t key_count;
    uint16_t control; /* the control word of every call */
} NativeTraceSpec;

typedef struct NativeTrace {
    const NativeTraceSpec *spec;
    TraceWriter *writer;
    Signature *signatures; /* indexed by key */
    uint64_t calls;
    RpError *error;
    char inputs[4096]; /* the file to which the calls are written */
} NativeTrace;

/* Begins a trace. `spec` must outlive it. NativeTrace_End is needed only after RP_OK. */
RpStatus NativeTrace_Begin(const NativeTraceSpec *spec, NativeTrace *trace, RpError *error);
/* Adds a call of the function at index `key` of the list, with its inputs as dwords. */
RpStatus NativeTrace_Call(NativeTrace *trace, size_t key, const uint32_t *words, uint32_t count);
/* Ends a trace. `status` is that of adding the calls. If it is RP_OK, the calls are run; otherwise
 * it is returned. */
RpStatus NativeTrace_End(NativeTrace *trace, RpStatus status);

#endif
