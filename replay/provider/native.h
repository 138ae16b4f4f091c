/* The library of this process, one call at a time: what the provider `native` runs a trace with,
 * and what tries many readings of the arithmetic on the same inputs. */
#ifndef RETROPOSE_REPLAY_PROVIDER_NATIVE_H
#define RETROPOSE_REPLAY_PROVIDER_NATIVE_H

#include "replay/trace/trace.h"
#include "retropose/fastproc.h"
#include "retropose/pose.h"

typedef struct Native Native;

/* The processor's own class, default hypotheses, no memory; null when memory is short. */
Native *Native_Create(void);
void Native_Destroy(Native *native); /* safe on null */

/* Whether the library has a body for it. */
bool Native_Has(const AbiFunction *function);

/* The class and the builds that a trace's header asks for (`force-cpu`, `slot-build`). */
RpStatus Native_ReadMachine(Native *native, const TraceHeader *header, RpError *error);
/* All slots of one build, published or not. */
void Native_SetBuild(Native *native, RpBuild build);
/* The build of what poses reach: slots 14, 17 and 22. */
RpBuild Native_Build(const Native *native);
/* The build of one function's calls. */
RpBuild Native_BuildOf(const Native *native, const AbiFunction *function);
void Native_SetHypotheses(Native *native, const RpReadings *hypotheses);
/* Whose memories the references of calls name; null: none. */
void Native_SetMemory(Native *native, const TraceReader *reader);
/* The model and the node of the piece that a reference in a call's inputs leads to. */
bool Native_FindPiece(Native *native, const uint8_t reference[8], RpSkeleton *model,
                      uint32_t *node);

/* Fills outcome, violations, outputs and the state words of `call`; its outputs stay valid until
 * the next one. What cannot be called here is TRACE_UNSUPPORTED. */
RpStatus Native_Call(Native *native, TraceCall *call, RpError *error);

#endif
