/* Makes smaller traces out of larger ones: chosen calls, with the memories that they reach. */
#ifndef RETROPOSE_TRACEFILE_TRIM_H
#define RETROPOSE_TRACEFILE_TRIM_H

#include "tracefile/select.h"
#include "tracefile/tracefile.h"

/* Writes calls of one reader to a new trace, each after the memories that it needs. */
typedef struct TraceCopy TraceCopy;
RpStatus TraceCopy_Create(const char *path, const TraceReader *reader, bool compress,
                          TraceCopy **copy, RpError *error);
/* Does the same, with another header. */
RpStatus TraceCopy_CreateAs(const char *path, const TraceHeader *header, const TraceReader *reader,
                            bool compress, TraceCopy **copy, RpError *error);
RpStatus TraceCopy_Call(TraceCopy *copy, const TraceCall *call, RpError *error);
RpStatus TraceCopy_Close(TraceCopy *copy, RpError *error); /* null is allowed */
void TraceCopy_Abandon(TraceCopy *copy);                   /* leaves no file; null is allowed */

/* Copies the selected calls and stores their number in `calls`. With `strip` the outcomes are left
 * out, so that the calls are as before they were run. Returns RP_NOT_FOUND when none is selected,
 * and then writes nothing.
 *
 * A trace that was cut off still has whole calls before its end. If `cut` is given, these are
 * copied, the output is a whole trace, and *cut says where the input ends: its status is
 * RP_TRUNCATED, or RP_OK for a whole input. If `cut` is null, or if no call before the end is
 * selected, a trace that was cut off is an error, and nothing is written. */
RpStatus Trim_Trace(const char *input, const char *output, const Selection *selection, bool strip,
                    bool compress, uint64_t *calls, RpError *cut, RpError *error);
/* Does the same with a trace that is open, and of which nothing has been read. */
RpStatus Trim_Calls(TraceReader *input, const char *output, const Selection *selection, bool strip,
                    bool compress, uint64_t *calls, RpError *cut, RpError *error);

#endif
