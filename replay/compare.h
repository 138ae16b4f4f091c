/* Comparison: a pure function of two traces of the same calls. */
#ifndef RETROPOSE_REPLAY_COMPARE_H
#define RETROPOSE_REPLAY_COMPARE_H

#include "trace.h"

typedef struct CompareFunction {
    const AbiFunction *function;
    uint64_t compared;             /* calls that both sides ran */
    uint64_t different;            /* of those, unexpected differences */
    uint64_t known;                /* of those, listed in the known-differences file */
    uint64_t crashed_a, crashed_b; /* crash, exit or time-out on that side */
    uint64_t crashed;              /* of the different ones: one side ended so, or another way */
    uint64_t unsupported;          /* at least one side has no such function: not compared */
} CompareFunction;

typedef struct CompareTotals {
    uint64_t compared, different, known, crashed, unsupported;
    uint64_t stale; /* known differences whose calls were compared and no longer differ */
} CompareTotals;

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
 * holds calls that were not run. What was compared before an error counts. */
RpStatus Comparison_Add(Comparison *comparison, TraceReader *a, TraceReader *b, const char *name,
                        RpError *error);
void Comparison_Totals(const Comparison *comparison, CompareTotals *totals);
size_t Comparison_FunctionCount(const Comparison *comparison);
const CompareFunction *Comparison_FunctionAt(const Comparison *comparison, size_t index);
size_t Comparison_DifferenceCount(const Comparison *comparison); /* kept in detail */
const Difference *Comparison_DifferenceAt(const Comparison *comparison, size_t index);
size_t Comparison_KnownCount(const Comparison *comparison); /* lines of the file */
const CompareKnown *Comparison_KnownAt(const Comparison *comparison, size_t index);
void Comparison_Destroy(Comparison *comparison);

#endif
