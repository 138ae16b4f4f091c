/* Traces: recorded calls of the game's functions, to check code of your own against.
 *
 * A trace (`.rptrace`, docs/formats/trace.md) holds calls one after another: the function, the
 * state of the machine that it was called in, its inputs and its results. These functions read
 * them. The command `retropose` makes and compares whole traces; a program that has, say, a sampler
 * of its own reads the inputs, computes, and compares with the results.
 *
 * A trace may come from a stranger: every number in it is checked before it is used, and nothing
 * outside of it is ever read. Reading takes a time that is proportional to its unpacked size.
 */
#ifndef RETROPOSE_TRACE_H
#define RETROPOSE_TRACE_H

#include "api.h"
#include "error.h"
#include "pose.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

RP_API_BEGIN

typedef struct RpTrace RpTrace;

/* How a call ended. */
typedef enum RpTraceOutcome {
    RP_TRACE_NOT_RUN, /* the trace has inputs only */
    RP_TRACE_RETURNED,
    RP_TRACE_CRASHED,     /* it raised an exception of the processor or the system */
    RP_TRACE_EXITED,      /* it ended its process */
    RP_TRACE_TIMED_OUT,   /* it did not return in time */
    RP_TRACE_UNSUPPORTED, /* whoever made the trace does not have the function */
    RP_TRACE_NOT_CALLED   /* whoever made the trace does not call it for strangers */
} RpTraceOutcome;

/* One call. Its pointers hold until the next call is read or the trace is closed. */
typedef struct RpTraceCall {
    const char *function; /* its key in docs/reference/abi.md, such as "ngi32.slot17" */
    uint64_t sequence;    /* the number of the call, which rises */
    RpTraceOutcome outcome;
    /* The x87 control word and MXCSR before and after the call. */
    uint16_t control_word, control_word_after;
    uint32_t mxcsr, mxcsr_after;
    /* What the call did that its convention forbids; 0 for nothing. The bits are those of
     * docs/formats/trace.md. */
    uint32_t violations;
    /* The data of all inputs and of all results, as docs/formats/trace.md has them. */
    const uint8_t *inputs, *outputs;
    size_t input_size, output_size;
    const void *signature; /* for the functions below */
} RpTraceCall;

/* Opens a trace that is in memory, which must outlive it, and checks its header. `name` is what
 * errors call it, such as the name of its file. Returns RP_OK, and a trace that RpTrace_Close
 * closes; RP_CORRUPT for bytes that are no trace, RP_UNSUPPORTED for another major version,
 * RP_TRUNCATED for a header that is cut, RP_NO_MEMORY. The offset in the error is that of the byte
 * in the trace. */
RpStatus RpTrace_Open(const void *bytes, size_t size, const char *name, RpTrace **trace,
                      RpError *error);
/* Closes a trace, which may be null. */
void RpTrace_Close(RpTrace *trace);
/* Copies the value of a key of the header, such as "provider" or "processor", as a text of at most
 * `size` bytes with its NUL. Returns false, and an empty text, for a key that is not there. */
bool RpTrace_Header(const RpTrace *trace, const char *key, char *value, size_t size);
/* Reads the next call. Behind the last one the result is RP_OK and *found is false. RP_TRUNCATED
 * stands for a trace that was cut off, of which all whole calls have been read; RP_CORRUPT and
 * RP_UNSUPPORTED, with the byte offset, for one that breaks its format or has a function that this
 * version does not know; RP_NO_MEMORY. After an error nothing more is read. */
RpStatus RpTrace_Next(RpTrace *trace, RpTraceCall *call, bool *found, RpError *error);

/* Copies the numbers of a parameter as the call found them: `name` is the parameter's, as
 * docs/reference/abi.md and `retropose show` have it, such as "q0". Returns false, and writes
 * nothing, for a parameter that the function does not have or that is no input, and unless it
 * consists of exactly `count` values of binary32, at least one. */
bool RpTraceCall_Input(const RpTraceCall *call, const char *name, float *values, size_t count);
/* Copies the numbers of a parameter as the call left them, in the same way. False stands for a call
 * that did not return, too. */
bool RpTraceCall_Result(const RpTraceCall *call, const char *name, float *values, size_t count);
/* Gives the model's streams and the node that a call of "animesh.SampleNode" or
 * "animesh.BlendPoses" reads, with which RpPose_Sample and RpPose_Blend give the call's results. A
 * stream goes from where it begins to the end of the trace's memory that holds it. `call` is the
 * last one that was read of `trace`; the streams hold until the trace is closed. Returns false for
 * a call of another function, and for one whose model is not in the trace. */
bool RpTrace_Skeleton(const RpTrace *trace, const RpTraceCall *call, RpSkeleton *skeleton,
                      uint32_t *node);

RP_API_END

#endif
