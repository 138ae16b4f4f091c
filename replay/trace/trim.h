/* Makes smaller traces out of larger ones: chosen calls, with the memories that they reach. */
#ifndef RETROPOSE_REPLAY_TRACE_TRIM_H
#define RETROPOSE_REPLAY_TRACE_TRIM_H

#include "replay/trace/select.h"
#include "replay/trace/trace.h"

/* Writes calls of one reader to a new trace, each after the memories that it needs. */
typedef struct TraceCopy TraceCopy;
RpStatus TraceCopy_Create(const char *path, const TraceReader *reader, bool compress,
                          TraceCopy **copy, RpError *error);
/* Does the same, under another header. */
RpStatus TraceCopy_CreateAs(const char *path, const TraceHeader *header, const TraceReader *reader,
                            bool compress, TraceCopy **copy, RpError *error);
RpStatus TraceCopy_Call(TraceCopy *copy, const TraceCall *call, RpError *error);
RpStatus TraceCopy_Close(TraceCopy *copy, RpError *error); /* null is fine */
void TraceCopy_Abandon(TraceCopy *copy);                   /* leaves no file; null is fine */

/* Copies the selected calls and stores their number in `calls`. With `strip` the outcomes are
 * left out, so that the calls are as before they were run. Returns RP_NOT_FOUND where none is
 * selected, and writes nothing then. */
RpStatus Trim_Trace(const char *input, const char *output, const Selection *selection, bool strip,
                    bool compress, uint64_t *calls, RpError *error);

#endif
