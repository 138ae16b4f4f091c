/* Calls the library of this process, one call at a time. The provider `native` runs traces with it,
 * and calibration tries many readings of the arithmetic on the same inputs. */
#ifndef RETROPOSE_REPLAY_PROVIDER_NATIVE_H
#define RETROPOSE_REPLAY_PROVIDER_NATIVE_H

#include "animesh/sample.h"
#include "retropose/fastproc.h"
#include "retropose/pose.h"
#include "tracefile/tracefile.h"

typedef struct Native Native;

/* Begins with the processor's own class, default readings and no memory. Returns null where
 * memory is short. */
Native *Native_Create(void);
void Native_Destroy(Native *native); /* null is allowed */

/* Returns whether the library has a body for the function. */
bool Native_Has(const AbiFunction *function);

/* Takes the class and the builds that a trace's header asks for (`force-cpu`, `slot-build`). */
RpStatus Native_ReadMachine(Native *native, const TraceHeader *header, RpError *error);
/* Takes the class and the builds, and also the readings that the header asks for (`hypotheses`). */
RpStatus Native_ReadSettings(Native *native, const TraceHeader *header, RpError *error);
/* Chooses one build for all slots, published or not. */
void Native_SetBuild(Native *native, RpBuild build);
/* Returns the build of the slots that poses use: 14, 17 and 22. */
RpBuild Native_Build(const Native *native);
/* Returns the build that calls of one function get. */
RpBuild Native_BuildOf(const Native *native, const AbiFunction *function);
void Native_SetReadings(Native *native, const RpReadings *readings);
/* Chooses whose rcpss and rsqrtss the SSE builds use. Without this, they use this processor's
 * own. */
void Native_SetEstimates(Native *native, RpEstimates estimates);
/* Sets the trace whose memories the references of calls name; null stands for none. */
void Native_SetMemory(Native *native, const TraceReader *reader);
/* Finds the model and the node of the piece that a reference in a call's inputs names. */
bool Native_FindPiece(Native *native, const uint8_t reference[8], RpSkeleton *model,
                      uint32_t *node);

/* Takes the place of slots 17 and 22 in the mesh object's functions. The function is called with a
 * context whose `arithmetic` is this one, so that a caller can find what stands behind it. */
typedef struct NativeInterpolation {
    RpArithmetic arithmetic; /* filled by Native_CallWith */
    void (*interpolate)(const PoseContext *context, const float q0[4], const float q1[4], float t,
                        float result[4]);
} NativeInterpolation;

/* Makes a call of a mesh object's function as Native_Call does, with another interpolation. */
RpStatus Native_CallWith(Native *native, TraceCall *call, NativeInterpolation *interpolation,
                         RpError *error);

/* Fills outcome, violations, outputs and the state words of `call`. The outputs are valid until
 * the next call. A call that cannot be made here is TRACE_UNSUPPORTED. */
RpStatus Native_Call(Native *native, TraceCall *call, RpError *error);

#endif
