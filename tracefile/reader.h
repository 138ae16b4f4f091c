/* The place from which a reader of traces gets its bytes, or its calls where nobody has written
 * them down. */
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

/* Makes calls, one after another. Such calls have no bytes, and so no chunks and no checksums. */
typedef struct TraceMaker {
    /* Makes the next call, which is valid until the one after it is made. Gives the reader, with
     * TraceReader_Define, all memories that the call is the first to reach. After the last call
     * *found is false. */
    RpStatus (*next)(void *context, TraceReader *reader, TraceCall *call, bool *found,
                     RpError *error);
    void (*release)(void *context);
    void *context;
} TraceMaker;

/* Opens a reader of calls that are made when they are read. `name` is for messages. The maker is
 * released when the reader is closed, or by this function on failure. Such a reader does not know
 * how many calls there will be, and cannot be rewound. */
RpStatus TraceReader_OpenMaker(const TraceMaker *maker, const TraceHeader *header, const char *name,
                               TraceReader **reader, RpError *error);
/* Defines a memory. The reader makes a copy of it. */
RpStatus TraceReader_Define(TraceReader *reader, const TraceMemory *memory, RpError *error);

#endif
