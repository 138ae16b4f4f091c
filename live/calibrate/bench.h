/* Inside calibration: functions under test, the inputs chosen for them, and the library that
 * evaluates them under any choice. */
#ifndef RETROPOSE_LIVE_CALIBRATE_BENCH_H
#define RETROPOSE_LIVE_CALIBRATE_BENCH_H

#include "live/calibrate/calibration.h"
#include "replay/provider/native.h"
#include "replay/scenario/source.h"
#include "replay/scenario/values.h"

#define BENCH_RESULT_BYTES 256 /* more than any function of the tables returns */

/* ---- choices ----------------------------------------------------------------------------------
 */

typedef uint64_t HypothesisSet; /* bits */
_Static_assert(RP_READING_MAX <= 64, "a set has a bit for each hypothesis");

int Choices_Alternatives(int hypothesis); /* of one, at most CALIBRATE_MAX_ALTERNATIVES */
/* Whether some call of the tables can depend on it. `central` cannot: it decides what a merge
 * makes, and nobody calls a merge by itself. */
bool Choices_CanBeAsked(int hypothesis);
/* The alternative's name, cut to `size`. */
void Choices_Name(int hypothesis, int alternative, char *name, size_t size);
static inline bool Set_Has(HypothesisSet set, int hypothesis) {
    return set >> hypothesis & 1;
}
static inline HypothesisSet Set_Of(int hypothesis) {
    return (HypothesisSet)1 << hypothesis;
}
/* `full` inside of the set, `rest` elsewhere. */
RpReadings Choices_Within(HypothesisSet set, const RpReadings *full, const RpReadings *rest);
bool Choices_AgreeOn(HypothesisSet set, const RpReadings *a, const RpReadings *b);
RpReadings Choices_With(const RpReadings *choices, int hypothesis, int alternative);
/* Any alternative of each hypothesis. */
void Choices_Draw(Random *random, RpReadings *choices);

/* ---- cases and functions ----------------------------------------------------------------------
 */

typedef struct Case {
    const TraceReader *memory;
    uint8_t *inputs;
    uint32_t input_size;
    uint16_t control;
    uint32_t mxcsr;
    uint64_t sequence;
    int trace; /* -1: generated */
    bool answered;
    HypothesisSet depends; /* what is known to change this very result */
    uint8_t outcome, violations;
    uint8_t *answer;
    uint32_t answer_size;
} Case;

typedef struct Subject {
    const AbiFunction *function;
    Signature signature;
    RpBuild build;
    bool every_build;
    HypothesisSet reaches;
    Case *cases;
    size_t count, capacity;
    uint64_t generated; /* inputs taken from the stream so far */
} Subject;

/* A copy of the call's inputs behind the others; the pointer stays valid until the next one. */
RpStatus Subject_AddCase(Subject *subject, const TraceCall *call, const TraceReader *memory,
                         int trace, RpError *error);
/* As `from`, with cases of its own. */
RpStatus Subject_Copy(const Subject *from, Subject *subject, RpError *error);
void Subject_Free(Subject *subject);
TraceCall Case_Call(const Subject *subject, const Case *one);

/* ---- evaluating -------------------------------------------------------------------------------
 */

typedef struct Result {
    bool ran;
    uint32_t size;
    uint8_t bytes[BENCH_RESULT_BYTES];
} Result;

typedef struct Bench {
    Native *native;
    const TraceReader *memory; /* that the library looks at */
    RpBuild build;
    uint64_t evaluations;
} Bench;

RpStatus Bench_Open(Bench *bench, RpError *error);
void Bench_Close(Bench *bench);
void Bench_Evaluate(Bench *bench, const Subject *subject, const TraceCall *call,
                    const TraceReader *memory, const RpReadings *choices, Result *result);
void Bench_EvaluateCase(Bench *bench, const Subject *subject, const Case *one,
                        const RpReadings *choices, Result *result);
bool Result_Equal(const Result *a, const Result *b);
/* Whether the choices give the original's answer. */
bool Bench_Explains(Bench *bench, const Subject *subject, const Case *one,
                    const RpReadings *choices);

/* Whether hypotheses outside of subject->reaches change this call; adds them if so. */
bool Bench_FindReach(Bench *bench, Subject *subject, const TraceCall *call,
                     const TraceReader *memory, const RpReadings *choices);

/* Whether hypotheses outside of one->depends, at `choices` instead of at `rest`, change the case;
 * adds them if so. */
bool Bench_DependsOnMore(Bench *bench, Subject *subject, Case *one, const RpReadings *rest,
                         const RpReadings *choices);
/* Measures one->depends, `draws` combinations more than before; the subject's reach grows with it.
 * True when something was added. */
bool Bench_MeasureCase(Bench *bench, Subject *subject, Case *one, unsigned draws, Random *random);

#endif
