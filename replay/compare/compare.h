/* Compares two answers to each of many calls. The result depends on the calls, the answers and the
 * options alone. */
#ifndef RETROPOSE_REPLAY_COMPARE_COMPARE_H
#define RETROPOSE_REPLAY_COMPARE_COMPARE_H

#include "replay/compare/condition.h"
#include "replay/compare/follow.h"
#include "replay/compare/parting.h"
#include "replay/compare/tally.h"
#include "tracefile/tracefile.h"

/* The flags of MXCSR that an operation sets and none clears. They are not compared. */
#define COMPARE_MXCSR_STICKY 0x3Fu

/* Every selected call is counted once as compared, or once as one of the five kinds that are not.
 *
 * A call was compared when at least one value or state that its function determines was compared.
 * That is so in two cases. Either both sides returned, and the trace holds an element that is not
 * of type `any`, or the function declares neither a result nor an output, so that all that it
 * determines is the machine's state. Or the two sides show a difference of any kind.
 *
 * Where both sides wrote outside of the call's outputs, the trace does not hold what they wrote. So
 * nobody knows whether they did the same, and the call counts as compared only if something that
 * the trace does hold is a difference that nothing excuses. */
typedef struct CompareCounts {
    uint64_t compared;
    uint64_t different; /* compared calls with a difference that nothing excuses */
    uint64_t known;     /* compared calls whose differences the known-differences file lists */
    /* compared calls with differences that two makers' processors may have: processor_freedom.h */
    uint64_t processor;
    uint64_t crashed; /* the calls of `different` in which a side crashed, exited or hung */
    /* The next five count the calls that were not compared: */
    uint64_t failed_alike;   /* both sides crashed, exited or hung in the same way */
    uint64_t wrote_outside;  /* both returned and wrote outside of the outputs, nobody knows what */
    uint64_t not_comparable; /* both returned, and nothing that they gave can be compared */
    uint64_t not_called;     /* a provider refused to call it, see --trust */
    uint64_t unsupported;    /* a side does not have the function */
    /* Of all calls above, those in which both sides broke their convention (violations). */
    uint64_t violated;
} CompareCounts;

typedef struct CompareFunction {
    const AbiFunction *function;
    CompareCounts counts;
    uint64_t crashed_a, crashed_b; /* calls that crashed, exited or timed out on that side */
    Tally tally;                   /* how the compared and the different calls are spread */
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
    /* How many differences are kept in detail, besides the first of each function; 0 stands for
     * 20. */
    uint32_t max_differences;
    const struct KnownDifferences *known; /* may be null */
    const struct Selection *selection;    /* null selects all calls */
    bool allow_unlike;                    /* the headers may name different readings and classes */
    /* Keeps of a call what explaining it takes later. The header is that of the answers, and
     * `memories` has those that the call refers to. It is called for the first difference of each
     * function, from any thread; null: nothing is kept. */
    void *(*capture)(const TraceHeader *header, const TraceReader *memories, const TraceCall *call);
    void (*release)(void *captured); /* frees it; gets null, too */
} CompareOptions;

/* What differs in one call. The comparison owns the texts. */
typedef struct Difference {
    const AbiFunction *function;
    uint64_t sequence;
    char trace[256]; /* the trace or scenario that the call is from */
    /* The path of the first element that no known difference explains: "matrix[2][1]", "outcome",
     * "control word", "stack pointer" and so on. */
    char path[64];
    SignatureType type;
    uint8_t a[12], b[12]; /* the element on each side, little-endian */
    uint32_t size;
    /* The distance b - a in units in the last place, for f32 (of 80 bits where it is returned);
     * INT64_MIN where one of them is a NaN. */
    int64_t ulps;
    uint32_t elements; /* the number of elements of this call that differ */
    /* The data of the whole call, for the report of one screen. */
    uint8_t *inputs, *outputs_a, *outputs_b;
    uint32_t input_size, output_size_a, output_size_b;
    const Signature *signature;
    uint16_t control_in, control_out_a, control_out_b;
    uint32_t mxcsr_in, mxcsr_out_a, mxcsr_out_b;
    uint8_t outcome_a, outcome_b, violations_a, violations_b;
    /* What the references of the call lead to, for the first difference of a function; null for the
     * others. */
    Followed *followed;
    /* Where the code of both sides parts in this call, for a first difference that was explained;
     * null for the others. */
    Parting *parting;
    void *captured; /* of CompareOptions.capture, until the difference is explained; may be null */
} Difference;

Comparison *Comparison_Create(const CompareOptions *options);
/* Says that what is added next belongs to a slice of `count` calls from position `first` on.
 * Positions are then told apart no further than TALLY_STRETCHES parts of the slice are. A count of
 * 0 ends the slice. */
void Comparison_BeginSlice(Comparison *comparison, uint64_t first, uint64_t count);
/* Compares the answers to one call after another. */
typedef struct Comparing Comparing;
/* Begins with the calls of a trace or slice. `a` and `b` are the headers of the two sides' answers.
 * `calls` has the memories to which the calls refer; it and `name` must outlive the comparing.
 * Returns RP_INVALID where the headers differ in readings, force-cpu or slot-build. */
RpStatus Comparison_Begin(Comparison *comparison, const TraceHeader *a, const TraceHeader *b,
                          const TraceReader *calls, const char *name, Comparing **comparing,
                          RpError *error);
/* Compares two answers to the same call, if the call is selected. */
RpStatus Comparing_Call(Comparing *comparing, const TraceCall *a, const TraceCall *b,
                        RpError *error);
void Comparing_End(Comparing *comparing); /* null is allowed */
/* Does all of this with two traces, call by call. Returns RP_CORRUPT where they are not of the same
 * calls; RP_INVALID also where one has calls that were not run. What was compared before an error
 * counts. */
RpStatus Comparison_Add(Comparison *comparison, TraceReader *a, TraceReader *b, const char *name,
                        RpError *error);
/* Returns whether both sides of a call returned the same, and neither broke its convention. */
bool Comparison_Alike(const TraceCall *a, const TraceCall *b);
void Comparison_Totals(const Comparison *comparison, CompareTotals *totals);
size_t Comparison_FunctionCount(const Comparison *comparison);
const CompareFunction *Comparison_FunctionAt(const Comparison *comparison, size_t index);
/* Returns the name of an origin, or null where there is none. Origins are the traces and scenarios
 * by which a tally counts. The last one is "others" if there are more than have a place. */
const char *Comparison_OriginAt(const Comparison *comparison, size_t index);
/* the differences kept in detail */
size_t Comparison_DifferenceCount(const Comparison *comparison);
const Difference *Comparison_DifferenceAt(const Comparison *comparison, size_t index);
/* Returns the first difference that was kept of a function, or null. */
const Difference *Comparison_FirstDifference(const Comparison *comparison,
                                             const AbiFunction *function);
/* Has the first difference of each function explained, as far as something of it was captured.
 * `explain` fills the parting. */
RpStatus Comparison_Explain(Comparison *comparison,
                            void (*explain)(void *context, const Difference *difference,
                                            Parting *parting),
                            void *context, RpError *error);
size_t Comparison_ConditionCount(const Comparison *comparison);
const CompareCondition *Comparison_ConditionAt(const Comparison *comparison, size_t index);
size_t Comparison_KnownCount(const Comparison *comparison); /* the lines of the file */
const CompareKnown *Comparison_KnownAt(const Comparison *comparison, size_t index);
void Comparison_Destroy(Comparison *comparison);

/* ---- parts of a comparison --------------------------------------------------------------------
 */

/* Begins a comparison with the options of another one. Both may be in use at the same time, each by
 * a thread of its own. Returns null where memory is short. */
Comparison *Comparison_CreatePart(const Comparison *whole);
/* Adds what a part has compared, as if the whole had compared it now. Takes the differences out of
 * the part, which can only be destroyed then. */
RpStatus Comparison_Merge(Comparison *comparison, Comparison *part, RpError *error);

/* ---- adding what was found elsewhere (replay/merge) -------------------------------------------
 */

/* Returns the counts of a function, which is among the functions of the comparison from then on. */
CompareFunction *Comparison_Touch(Comparison *comparison, const AbiFunction *function);
void CompareCounts_Add(CompareCounts *sum, const CompareCounts *counts);
/* Returns the index of an origin, or that of "others" if there is no place left. */
size_t Comparison_EnterOrigin(Comparison *comparison, const char *name);
/* Adds calls under a condition. Takes over its text `readings`, also after an error. */
RpStatus Comparison_AddCondition(Comparison *comparison, CompareCondition *condition,
                                 RpError *error);
/* Adds calls that a line of the known differences covers or explains. */
void Comparison_AddKnown(Comparison *comparison, size_t index, uint64_t covered, uint64_t matched);
/* Returns whether the next difference is to be kept in detail. `is_first` says that it is the first
 * one of its function. */
bool Comparison_Keeps(const Comparison *comparison, bool is_first);
uint32_t Comparison_MostDifferences(const Comparison *comparison);
/* Returns an empty difference at the end of those that are kept, or null where memory is short. */
Difference *Comparison_NewDifference(Comparison *comparison);

#endif
