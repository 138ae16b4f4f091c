/* The place from which a reader of traces gets its bytes. */
#ifndef RETROPOSE_TRACEFILE_READER_H
#define RETROPOSE_TRACEFILE_READER_H

#include "tracefile/tracefile.h"

typedef struct TraceSource {
    const uint8_t *bytes; /* the whole trace; null if `read` gives it in pieces */
    uint64_t size;
    /* Reads bytes that are inside of the trace. */
    RpStatus (*read)(void *context, uint64_t offset, void *bytes, size_t size, RpError *error);
    void (*release)(void *context); /* frees the bytes; null if they belong to the caller */
    void *context;
} TraceSource;

/* Checks the header. `name` is for messages. The source is released when the reader is closed, or
 * by this function on failure. */
RpStatus TraceReader_OpenOn(const TraceSource *source, const char *name, TraceReader **reader,
                            RpError *error);

#endif
