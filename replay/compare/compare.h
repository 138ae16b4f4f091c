/* Compares two traces of the same calls. The result depends on the traces and the options alone. */
#ifndef RETROPOSE_REPLAY_COMPARE_COMPARE_H
#define RETROPOSE_REPLAY_COMPARE_COMPARE_H

#include "replay/compare/condition.h"
#include "replay/compare/follow.h"
#include "replay/compare/tally.h"
#include "tracefile/trace.h"

/* The flags of MXCSR that an operation sets and none clears. They are not compared. */
#define COMPARE_MXCSR_STICKY 0x3Fu

/* Every selected call is counted once as compared, or once as one of the five kinds that are not.
 *
 * A call was compared when at least one value or state that its function determines was: both sides
 * returned, and the trace holds an element that is not of type `any`, or the function declares
 * neither a result nor an output, so that all that it determines is the machine's state; or the two
 * sides show a difference, in whatever.
 *
 * Where both sides wrote outside of the call's outputs, the trace does not hold what they wrote. So
 * nobody knows whether they did the same, and the call counts as compared only if something that
 * the trace does hold is a difference that nothing excuses. */
typedef struct CompareCounts {
    uint64_t compared;
    uint64_t different; /* of these, calls with a difference that nothing excuses */
    uint64_t known;     /* of these, differences that the known-differences file lists */
    /* of these, differences that two makers' processors may have, see processor.h */
    uint64_t processor;
    uint64_t crashed; /* of the different ones, those where a side crashed, exited or hung */
    /* Not compared: */
    uint64_t failed_alike;   /* both sides crashed, exited or hung in the same way */
    uint64_t wrote_outside;  /* both returned and wrote outside of the outputs, nobody knows what */
    uint64_t not_comparable; /* both returned, and nothing that they gave can be compared */
    uint64_t not_called;     /* a provider refused to call it, see --trust */
    uint64_t unsupported;    /* a side does not have the function */
    /* Of all the calls above, those in which both sides broke their convention (violations). */
    uint64_t violated;
} CompareCounts;

typedef struct CompareFunction {
    const AbiFunction *function;
    CompareCounts counts;
    uint64_t crashed_a, crashed_b; /* calls that crashed, exited or timed out on that side */
    Tally tally;                   /* of the compared and the different calls */
} CompareFunction;

typedef struct CompareTotals {
    CompareCounts counts;
    uint64_t stale; /* known differences whose calls were compared and do not differ any more */
} CompareTotals;

/* Returns the number of selected calls that were not compared. */
uint64_t CompareCounts_Rest(const CompareCounts *counts);

/* What became of one line of the known-differences file. */
typedef struct CompareKnown {
    const struct KnownDifference *entry;
    uint64_t covered; /* compared calls that its selection has */
    uint64_t matched; /* calls whose difference it explains */
    bool stale;       /* it has calls and none of them differs any more: the run fails */
} CompareKnown;

typedef struct Comparison Comparison; /* collects the results of any number of pairs of traces */

typedef struct CompareOptions {
    /* that are kept in detail, beside the first of each function; 0: 20 */
    uint32_t max_differences;
    const struct KnownDifferences *known; /* may be null */
    const struct Selection *selection;    /* null: all calls */
    bool allow_unlike;                    /* the headers may name different readings and classes */
} CompareOptions;

/* What differs in one call. The comparison owns the texts. */
typedef struct Difference {
    const AbiFunction *function;
    uint64_t sequence;
    char trace[256]; /* the trace or scenario that the call is from */
    /* of the first element that no known difference explains: "matrix[2][1]", "outcome", "control
     * word", "stack pointer" and so on */
    char path[64];
    SignatureType type;
    uint8_t a[12], b[12]; /* the element on both sides, little-endian */
    uint32_t size;
    /* b - a in units in the last place, for f32 (80 bits where it is returned); INT64_MIN for NaN
     */
    int64_t ulps;
    uint32_t elements; /* of this call that differ */
    /* The data of the whole call, for the report of one screen. */
    uint8_t *inputs, *outputs_a, *outputs_b;
    uint32_t input_size, output_size_a, output_size_b;
    const Signature *signature;
    uint16_t control_in, control_out_a, control_out_b;
    uint32_t mxcsr_in, mxcsr_out_a, mxcsr_out_b;
    uint8_t outcome_a, outcome_b, violations_a, violations_b;
    /* what its references lead to, for the first difference of a function; else null */
    Followed *followed;
} Difference;

Comparison *Comparison_Create(const CompareOptions *options);
/* Says that what is added next belongs to a slice of so many calls, which may be counted as well as
 * compared. Positions are then told apart no further than CompareCounted can, so that a report does
 * not depend on the way that calls took. A count of 0 ends it. */
void Comparison_BeginSlice(Comparison *comparison, uint64_t first, uint64_t count);
/* Compares two traces call by call. Returns RP_CORRUPT where they are not of the same calls;
 * RP_INVALID where one has calls that were not run, or where the headers differ in hypotheses,
 * force-cpu or slot-build. What was compared before an error counts. */
RpStatus Comparison_Add(Comparison *comparison, TraceReader *a, TraceReader *b, const char *name,
                        RpError *error);
/* Returns whether both sides of a call returned the same, and neither broke its convention. */
bool Comparison_Alike(const TraceCall *a, const TraceCall *b);
/* Returns whether a call that both sides answered alike needs no more than to be counted as
 * compared: the selection has it, it can be compared, and no line of the known differences is about
 * it. Asks nothing that Comparison_Add changes, so that several threads may ask at once. */
bool Comparison_OnlyCounts(const Comparison *comparison, const TraceCall *call);
/* Such calls of a slice, of each row of abi_functions: counts[row] has those of positions from
 * (first + i) << shift on at i (replay/compare/tally.h), and inputs[row] has them by their
 * inputs. */
typedef struct CompareCounted {
    uint32_t shift;
    uint64_t first;
    uint64_t (*counts)[TALLY_STRETCHES];
    TallyInputs *inputs;
} CompareCounted;
/* Begins with none, of a slice as Comparison_BeginSlice has it. Returns false where memory is
 * short; CompareCounted_Free frees what there is either way. */
bool CompareCounted_Init(CompareCounted *counted, uint64_t first, uint64_t count);
void CompareCounted_Free(CompareCounted *counted);
/* Counts a call of the slice, of which only the function, the position and the inputs matter. */
void CompareCounted_Call(CompareCounted *counted, const TraceCall *call);
/* Counts them as Comparison_Add would in traces with these headers. */
RpStatus Comparison_AddCounted(Comparison *comparison, const TraceHeader *a, const TraceHeader *b,
                               const CompareCounted *counted, const char *name, RpError *error);
void Comparison_Totals(const Comparison *comparison, CompareTotals *totals);
size_t Comparison_FunctionCount(const Comparison *comparison);
const CompareFunction *Comparison_FunctionAt(const Comparison *comparison, size_t index);
/* Returns the name of an origin, the traces and scenarios that a tally counts by, or null where
 * there is none. The last one is "others" where there are more than have a place. */
const char *Comparison_OriginAt(const Comparison *comparison, size_t index);
size_t Comparison_DifferenceCount(const Comparison *comparison); /* of those kept in detail */
const Difference *Comparison_DifferenceAt(const Comparison *comparison, size_t index);
/* Returns the first of them in a function, or null. */
const Difference *Comparison_FirstDifference(const Comparison *comparison,
                                             const AbiFunction *function);
size_t Comparison_ConditionCount(const Comparison *comparison);
const CompareCondition *Comparison_ConditionAt(const Comparison *comparison, size_t index);
size_t Comparison_KnownCount(const Comparison *comparison); /* of lines of the file */
const CompareKnown *Comparison_KnownAt(const Comparison *comparison, size_t index);
void Comparison_Destroy(Comparison *comparison);

/* ---- adding what was found elsewhere (replay/merge) -------------------------------------------
 */

/* Returns what is counted of a function, which is in use from then on. */
CompareFunction *Comparison_Touch(Comparison *comparison, const AbiFunction *function);
void CompareCounts_Add(CompareCounts *sum, const CompareCounts *counts);
/* Returns the index of an origin, which is that of "others" where there is no place left. */
size_t Comparison_EnterOrigin(Comparison *comparison, const char *name);
/* Adds calls under a condition, of which it takes `readings` in any case. */
RpStatus Comparison_AddCondition(Comparison *comparison, CompareCondition *condition,
                                 RpError *error);
/* Adds calls that a line of the known differences covers or explains. */
void Comparison_AddKnown(Comparison *comparison, size_t index, uint64_t covered, uint64_t matched);
/* Returns whether the next difference is kept in detail; `is_first`: of its function. */
bool Comparison_Keeps(const Comparison *comparison, bool is_first);
uint32_t Comparison_MostDifferences(const Comparison *comparison);
/* Returns an empty difference at the end of those that are kept, or null. */
Difference *Comparison_NewDifference(Comparison *comparison);

#endif
