/* Comparison: a pure function of two traces of the same calls. */
#ifndef RETROPOSE_REPLAY_COMPARE_COMPARE_H
#define RETROPOSE_REPLAY_COMPARE_COMPARE_H

#include "replay/compare/condition.h"
#include "replay/trace/trace.h"

/* Every selected call is counted once as compared, or once as one of the five kinds that are not.
 *
 * A call was compared when at least one value or state that its function determines was: both sides
 * returned, and the trace holds an element that is not of type `any`, or the function declares
 * neither a result nor an output, so that all that it determines is the machine's state; or the two
 * sides show a difference, in whatever. */
typedef struct CompareCounts {
    uint64_t compared;
    uint64_t different; /* of those, unexpected differences */
    uint64_t known;     /* of those, listed in the known-differences file */
    uint64_t processor; /* of those, no more than two makers' processors may differ: processor.h */
    uint64_t crashed;   /* of the different ones: a side crashed, exited or hung */
    /* Not compared: */
    uint64_t failed_alike;   /* both sides crashed, exited or hung in the same way */
    uint64_t not_comparable; /* both returned, and nothing of what they gave can be compared */
    uint64_t not_called;     /* a provider refused to call it: --trust */
    uint64_t unsupported;    /* a side has no such function */
} CompareCounts;

typedef struct CompareFunction {
    const AbiFunction *function;
    CompareCounts counts;
    uint64_t crashed_a, crashed_b; /* crash, exit or time-out on that side */
} CompareFunction;

typedef struct CompareTotals {
    CompareCounts counts;
    uint64_t stale; /* known differences whose calls were compared and no longer differ */
} CompareTotals;

/* Selected calls that were not compared. */
uint64_t CompareCounts_Rest(const CompareCounts *counts);

/* How a line of the known-differences file fared. */
typedef struct CompareKnown {
    const struct KnownDifference *entry;
    uint64_t covered; /* compared calls of its selection */
    uint64_t matched; /* differing calls that it explains */
    bool stale;       /* covered, but nothing differs any more: the run fails */
} CompareKnown;

typedef struct Comparison Comparison; /* accumulates over any number of trace pairs */

typedef struct CompareOptions {
    uint32_t max_differences; /* kept in detail, beside the first of each function; 0: 20 */
    const struct KnownDifferences *known; /* may be null */
    const struct Selection *selection;    /* may be null: everything */
    bool allow_unlike;                    /* headers may name unlike readings and classes */
} CompareOptions;

/* What differs in one call; strings are owned by the comparison. */
typedef struct Difference {
    const AbiFunction *function;
    uint64_t sequence;
    char trace[256]; /* the trace or scenario it came from */
    char path[64];   /* "matrix[2][1]", "outcome", "control word", "stack pointer", ...: the first
                        element that no known difference explains */
    SignatureType type;
    uint8_t a[12], b[12]; /* the element on both sides; little-endian */
    uint32_t size;
    int64_t ulps; /* signed, b - a, for f32 (of 80 bits for a return value); INT64_MIN when not a
                     distance (NaN) */
    uint32_t elements; /* how many elements of this call differ */
    /* Whole call, for the one-screen report. */
    uint8_t *inputs, *outputs_a, *outputs_b;
    uint32_t input_size, output_size_a, output_size_b;
    const Signature *signature;
    uint16_t control_in, control_out_a, control_out_b;
    uint32_t mxcsr_in, mxcsr_out_a, mxcsr_out_b;
    uint8_t outcome_a, outcome_b, violations_a, violations_b;
} Difference;

Comparison *Comparison_Create(const CompareOptions *options);
/* Compares call by call; RP_CORRUPT when the traces are not of the same calls, RP_INVALID when one
 * holds calls that were not run, or when their headers' hypotheses, force-cpu or slot-build are
 * unlike. What was compared before an error counts. */
RpStatus Comparison_Add(Comparison *comparison, TraceReader *a, TraceReader *b, const char *name,
                        RpError *error);
void Comparison_Totals(const Comparison *comparison, CompareTotals *totals);
size_t Comparison_FunctionCount(const Comparison *comparison);
const CompareFunction *Comparison_FunctionAt(const Comparison *comparison, size_t index);
size_t Comparison_DifferenceCount(const Comparison *comparison); /* kept in detail */
const Difference *Comparison_DifferenceAt(const Comparison *comparison, size_t index);
size_t Comparison_ConditionCount(const Comparison *comparison);
const CompareCondition *Comparison_ConditionAt(const Comparison *comparison, size_t index);
size_t Comparison_KnownCount(const Comparison *comparison); /* lines of the file */
const CompareKnown *Comparison_KnownAt(const Comparison *comparison, size_t index);
void Comparison_Destroy(Comparison *comparison);

#endif
