/* Keeps of a recorded call what it takes to lift it later, when its trace is closed; and explains
 * by that where two pairs of DLLs part in it. */
#ifndef RETROPOSE_REPLAY_LIFT_LIFT_CAPTURE_H
#define RETROPOSE_REPLAY_LIFT_LIFT_CAPTURE_H

#include "replay/compare/parting.h"
#include "replay/lift/lift_paths.h"

/* For CompareOptions. LiftCapture_Call returns null only where memory is short. Null may be freed.
 */
void *LiftCapture_Call(const TraceHeader *header, const TraceReader *memories,
                       const TraceCall *call);
void LiftCapture_Free(void *captured);
/* Returns the readings that the call's trace asks for. */
const char *LiftCapture_Readings(const void *captured);

/* Lifts the call on both sides: under its control word and its MXCSR, and with the readings, the
 * class and the builds that its trace asks for. First on a processor without SSE2, on which most
 * functions are those of the x87, and the replacement's exact core is off; and where nothing
 * differs there, on `processor`, which the calls ran on. Whatever stands in the way is said in
 * `why_not`. */
void LiftCapture_Explain(const void *captured, const LiftFiles *const sides[LIFT_SIDES],
                         const char *processor, Parting *parting);

#endif
