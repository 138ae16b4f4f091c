/* Writes the inputs of lifted functions as the calls of a trace, one for each path that was found.
 * Whoever replays the trace takes all of these paths, in any engine. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_TRACE_H
#define RETROPOSE_REPLAY_LIFT_LIFT_TRACE_H

#include "replay/lift/lift_same.h"

typedef struct LiftTrace LiftTrace;

/* The file gets its name when LiftTrace_Close succeeds. The setup has to live as long. */
RpStatus LiftTrace_Create(const char *path, const LiftSetup *setup, LiftTrace **trace,
                          RpError *error);
/* Adds a call for each path of both sides, and the one that shows a difference. Two paths that were
 * found with the same input have one call. `same` may be null. */
RpStatus LiftTrace_Add(LiftTrace *trace, const LiftPaths *paths, const LiftSame *same,
                       RpError *error);
/* Ends the trace, or after an error abandons it, in which case no file is left. Returns `status`,
 * or what went wrong here. A null trace is allowed. */
RpStatus LiftTrace_Close(LiftTrace *trace, RpStatus status, RpError *error);

#endif
