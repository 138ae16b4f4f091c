/* The place where a writer of traces puts its bytes. */
#ifndef RETROPOSE_TRACEFILE_WRITER_H
#define RETROPOSE_TRACEFILE_WRITER_H

#include "tracefile/tracefile.h"

typedef struct TraceSink {
    RpStatus (*append)(void *context, const void *bytes, size_t size, RpError *error);
    bool (*flush)(void *context); /* on false, errno says why */
    /* One of these two is called last, and ends the sink. */
    RpStatus (*commit)(void *context, RpError *error);
    void (*abandon)(void *context);
    void *context;
} TraceSink;

/* Writes the header. `name` is for messages. On failure the sink is ended. */
RpStatus TraceWriter_CreateOn(const TraceSink *sink, const char *name, const TraceHeader *header,
                              bool compress, TraceWriter **writer, RpError *error);

#endif
