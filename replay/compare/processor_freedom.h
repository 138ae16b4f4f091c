/* Finds out whether a difference is one that two makers' processors may have. They may differ in
 * the estimates `rcpss` and `rsqrtss`, and in the last bits of `fsin`, `fcos` and `fpatan`, which
 * show only under other control words than the game's (24 bits, rounding to nearest). Such a
 * difference is not believed but checked: both sides' answers must follow from the documented steps
 * (docs/reference/arithmetic.md) when each such instruction errs by no more than the makers'
 * manuals allow.
 *
 * | instruction        | allowed error                                                    |
 * | ------------------ | ---------------------------------------------------------------- |
 * | rcpss, rsqrtss     | 1.5 * 2^-12 of the true value                                    |
 * | fsin, fcos, fpatan | 1 unit of the last of 64 bits, 1.5 where rounding is not to      |
 * |                    | nearest; the argument of fsin and fcos is reduced by a pi of 66  |
 * |                    | bits                                                             |
 *
 * The functions are slot 45 (SSE build), slot 11 (SSE build, reading rsqrt-sse=newton),
 * ngiGetSinCos, slots 17 and 22, SampleNode, BlendPoses, and the mesh object's functions that pose
 * it. The processor is never the cause of a difference in any other function. The result does not
 * depend on the processor that evaluates: it may have an x87 and SSE of any maker, or have them in
 * software. */
#ifndef RETROPOSE_REPLAY_COMPARE_PROCESSOR_FREEDOM_H
#define RETROPOSE_REPLAY_COMPARE_PROCESSOR_FREEDOM_H

#include "tracefile/tracefile.h"

typedef struct Processor Processor;

/* Makes an evaluator for the calls of one trace, whose header gives readings and builds. The
 * reader, which must outlive it, has the memories with the models. Returns null where the header is
 * not understood or memory is short. */
Processor *Processor_Create(const TraceHeader *header, const TraceReader *reader);
void Processor_Destroy(Processor *processor); /* null is allowed */

/* Returns whether two calls that returned, with the same inputs and with differences in outputs
 * alone, both gave what the documented steps can give on some processor. */
bool Processor_Explains(Processor *processor, const TraceCall *a, const TraceCall *b);

/* Returns the instructions on which this function's results depend and in which makers differ, such
 * as "rcpss" or "fsin, fcos, fpatan"; null where there are none. */
const char *Processor_Cause(const AbiFunction *function);

/* Returns whether the function's results depend on an estimate, and on nothing else in which makers
 * differ. */
bool Processor_Estimates(const AbiFunction *function);

/* The least and the greatest number that the steps can give, for each output element that
 * depends on a transcendental instruction. `element` is its index among the binary32 numbers of
 * the outputs. */
typedef struct ProcessorBounds {
    uint32_t count;
    uint32_t element[9];
    float low[9], high[9];
} ProcessorBounds;
/* Returns false for calls that depend on no such instruction, and where a bound is not a finite
 * number. */
bool Processor_Bounds(Processor *processor, const TraceCall *call, ProcessorBounds *bounds);

#endif
