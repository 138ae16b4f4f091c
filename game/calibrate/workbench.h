/* Inside of calibration: the functions under test, the inputs chosen for them, and the library
 * that evaluates them under any choice of readings. */
#ifndef RETROPOSE_GAME_CALIBRATE_WORKBENCH_H
#define RETROPOSE_GAME_CALIBRATE_WORKBENCH_H

#include "game/calibrate/calibration.h"
#include "replay/provider/native.h"
#include "replay/scenario/source.h"
#include "replay/scenario/values.h"

#define BENCH_RESULT_BYTES 256 /* no function of the tables returns more */

/* ---- choices --------------------------------------------------------------------------------- */

typedef uint64_t ReadingSet; /* a bit for each reading */
_Static_assert(RP_READING_MAX <= 64, "a set has a bit for each reading");

/* Returns the number of alternatives of a reading, at most CALIBRATE_MAX_ALTERNATIVES. */
int Choices_Alternatives(int reading);
/* Returns whether the result of some call in the tables can depend on the reading. There is no
 * such call for `central`, which concerns only merges, because no function does nothing but merge;
 * nor for `push-gather` and `object-slot-17`, because push-outs and agents are not replayed. */
bool Choices_CanBeAsked(int reading);
/* Writes the name of an alternative, cut to `size`. */
void Choices_Name(int reading, int alternative, char *name, size_t size);
static inline bool Set_Has(ReadingSet set, int reading) {
    return set >> reading & 1;
}
static inline ReadingSet Set_Of(int reading) {
    return (ReadingSet)1 << reading;
}
/* Takes the choices of `full` for readings in the set and those of `rest` for others. */
RpReadings Choices_Within(ReadingSet set, const RpReadings *full, const RpReadings *rest);
bool Choices_AgreeOn(ReadingSet set, const RpReadings *a, const RpReadings *b);
RpReadings Choices_With(const RpReadings *choices, int reading, int alternative);
/* Draws an alternative for each reading. */
void Choices_Draw(Random *random, RpReadings *choices);

/* ---- cases and functions --------------------------------------------------------------------- */

typedef struct Case {
    const TraceReader *memory;
    uint8_t *inputs;
    uint32_t input_size;
    uint16_t control;
    uint32_t mxcsr;
    uint64_t sequence;
    int trace; /* the number of its trace; -1: it was generated */
    bool answered;
    ReadingSet depends; /* readings that are known to change this result */
    uint8_t outcome, violations;
    uint8_t *answer;
    uint32_t answer_size;
} Case;

typedef struct Subject {
    const AbiFunction *function;
    Signature signature;
    RpBuild build;
    bool every_build;
    ReadingSet reaches;
    Case *cases;
    size_t count, capacity;
    uint64_t generated; /* inputs that were taken from the stream so far */
} Subject;

/* Adds a copy of the call's inputs. The pointer to a case is valid until the next one is added. */
RpStatus Subject_AddCase(Subject *subject, const TraceCall *call, const TraceReader *memory,
                         int trace, RpError *error);
/* Copies `from`, with cases of its own. */
RpStatus Subject_Copy(const Subject *from, Subject *subject, RpError *error);
void Subject_Free(Subject *subject);
TraceCall Case_Call(const Subject *subject, const Case *one);

/* ---- evaluating ------------------------------------------------------------------------------ */

typedef struct Result {
    bool ran;
    uint32_t size;
    uint8_t bytes[BENCH_RESULT_BYTES];
} Result;

typedef struct Bench {
    Native *native;
    const TraceReader *memory; /* where the library looks up the memories that a call refers to */
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
/* Returns whether the choices give the original's answer. */
bool Bench_Explains(Bench *bench, const Subject *subject, const Case *one,
                    const RpReadings *choices);

/* Returns whether readings that are not in subject->reaches change the result of this call, and
 * adds them to the set. */
bool Bench_FindReach(Bench *bench, Subject *subject, const TraceCall *call,
                     const TraceReader *memory, const RpReadings *choices);

/* Returns whether readings outside of one->depends change the case when they are chosen as in
 * `choices` instead of as in `rest`, and adds them if so. */
bool Bench_DependsOnMore(Bench *bench, Subject *subject, Case *one, const RpReadings *rest,
                         const RpReadings *choices);
/* Measures one->depends with `draws` more combinations. What is added to it is also added to the
 * subject's reach. Returns whether anything was added. */
bool Bench_MeasureCase(Bench *bench, Subject *subject, Case *one, unsigned draws, Random *random);

#endif
