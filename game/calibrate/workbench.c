#include "game/calibrate/workbench.h"

#include "exports/reading_table.h"
#include "replay/provider/provider.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- choices --------------------------------------------------------------------------------- */

/* Counts only once for each reading, because drawing needs the numbers very often. */
int Choices_Alternatives(int reading) {
    static int counts[RP_READING_MAX];
    if (counts[reading] == 0) {
        int count = 1;
        for (const char *c = RpReadings_Choices(reading); *c; c++)
            count += *c == '|';
        counts[reading] = count < CALIBRATE_MAX_ALTERNATIVES ? count : CALIBRATE_MAX_ALTERNATIVES;
    }

    return counts[reading];
}

bool Choices_CanBeAsked(int reading) {
    return reading != READING_CENTRAL && reading != READING_PUSH_GATHER &&
           reading != READING_OBJECT_SLOT_17;
}

void Choices_Name(int reading, int alternative, char *name, size_t size) {
    const char *at = RpReadings_Choices(reading);
    for (; alternative > 0 && strchr(at, '|'); alternative--)
        at = strchr(at, '|') + 1;
    snprintf(name, size, "%.*s", (int)strcspn(at, "|"), at);
}

RpReadings Choices_Within(ReadingSet set, const RpReadings *full, const RpReadings *rest) {
    RpReadings mixed = *rest;
    for (int i = 0; i < RP_READING_MAX; i++)
        if (Set_Has(set, i))
            mixed.choice[i] = full->choice[i];
    return mixed;
}

bool Choices_AgreeOn(ReadingSet set, const RpReadings *a, const RpReadings *b) {
    for (int i = 0; i < RP_READING_MAX; i++)
        if (Set_Has(set, i) && a->choice[i] != b->choice[i])
            return false;
    return true;
}

RpReadings Choices_With(const RpReadings *choices, int reading, int alternative) {
    RpReadings changed = *choices;
    changed.choice[reading] = (uint8_t)alternative;
    return changed;
}

void Choices_Draw(Random *random, RpReadings *choices) {
    memset(choices, 0, sizeof *choices);
    for (int i = 0; i < READING_RUNTIME_COUNT; i++)
        choices->choice[i] = (uint8_t)Random_Below(random, (uint32_t)Choices_Alternatives(i));
}

/* ---- cases and functions --------------------------------------------------------------------- */

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to calibrate", "", "", "");
}

static uint8_t *CopyBytes(const uint8_t *bytes, uint32_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (copy)
        memcpy(copy, bytes, size);
    return copy;
}

RpStatus Subject_AddCase(Subject *subject, const TraceCall *call, const TraceReader *memory,
                         int trace, RpError *error) {
    if (subject->count == subject->capacity) {
        size_t capacity = (subject->count + 1) * 2 + 64;
        Case *cases = realloc(subject->cases, capacity * sizeof *cases);
        if (!cases)
            return NoMemory(error);
        subject->cases = cases;
        subject->capacity = capacity;
    }
    Case *one = &subject->cases[subject->count];
    *one = (Case){.memory = memory,
                  .inputs = CopyBytes(call->inputs, call->input_size),
                  .input_size = call->input_size,
                  .control = call->control_in,
                  .mxcsr = call->mxcsr_in,
                  .sequence = call->sequence,
                  .trace = trace};
    if (!one->inputs)
        return NoMemory(error);
    if (call->outcome != TRACE_NOT_RUN) {
        one->answered = true;
        one->outcome = call->outcome;
        one->violations = call->violations;
        one->answer_size = call->output_size;

        one->answer = CopyBytes(call->outputs, call->output_size);
    }
    if (one->answered && !one->answer) {
        free(one->inputs);
        return NoMemory(error);
    }
    subject->count++;
    return RP_OK;
}

RpStatus Subject_Copy(const Subject *from, Subject *subject, RpError *error) {
    *subject = *from;
    subject->cases = NULL;
    subject->count = subject->capacity = 0;
    RpStatus status = RP_OK;
    for (size_t i = 0; !status && i < from->count; i++) {
        TraceCall call = Case_Call(from, &from->cases[i]);
        status = Subject_AddCase(subject, &call, from->cases[i].memory, -1, error);
    }
    return status;
}

void Subject_Free(Subject *subject) {
    for (size_t i = 0; i < subject->count; i++) {
        free(subject->cases[i].inputs);
        free(subject->cases[i].answer);
    }
    free(subject->cases);
    subject->cases = NULL;
    subject->count = subject->capacity = 0;
}

TraceCall Case_Call(const Subject *subject, const Case *one) {
    return (TraceCall){.function = subject->function,
                       .signature = &subject->signature,
                       .sequence = one->sequence,
                       .control_in = one->control,
                       .control_out = one->control,
                       .mxcsr_in = one->mxcsr,
                       .mxcsr_out = one->mxcsr,
                       .outcome = TRACE_NOT_RUN,
                       .inputs = one->inputs,
                       .input_size = one->input_size};
}

/* ---- evaluating ------------------------------------------------------------------------------ */

RpStatus Bench_Open(Bench *bench, RpError *error) {
    *bench = (Bench){.native = Native_Create(), .build = RP_BUILD_GENERIC};
    if (!bench->native)
        return NoMemory(error);
    Native_SetBuild(bench->native, bench->build);
    return RP_OK;
}

void Bench_Close(Bench *bench) {
    Native_Destroy(bench->native);
    bench->native = NULL;
}

void Bench_Evaluate(Bench *bench, const Subject *subject, const TraceCall *call,
                    const TraceReader *memory, const RpReadings *choices, Result *result) {
    TraceCall run = *call;
    if (memory != bench->memory) {
        Native_SetMemory(bench->native, memory);
        Native_SetEstimates(bench->native, memory ? Provider_EstimatesIn(TraceReader_Header(memory))
                                                  : RP_ESTIMATES_OF_THIS);
    }
    if (subject->build != bench->build)
        Native_SetBuild(bench->native, subject->build);
    bench->memory = memory;
    bench->build = subject->build;
    bench->evaluations++;
    Native_SetReadings(bench->native, choices);
    result->ran = Native_Call(bench->native, &run, NULL) == RP_OK &&
                  run.outcome == TRACE_RETURNED && run.output_size <= sizeof result->bytes;
    result->size = result->ran ? run.output_size : 0;
    if (result->ran)
        memcpy(result->bytes, run.outputs, run.output_size);
}

void Bench_EvaluateCase(Bench *bench, const Subject *subject, const Case *one,
                        const RpReadings *choices, Result *result) {
    TraceCall call = Case_Call(subject, one);
    Bench_Evaluate(bench, subject, &call, one->memory, choices, result);
}

bool Result_Equal(const Result *a, const Result *b) {
    return a->ran == b->ran && a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

bool Bench_Explains(Bench *bench, const Subject *subject, const Case *one,
                    const RpReadings *choices) {
    Result result;
    if (one->outcome != TRACE_RETURNED)
        return false;
    Bench_EvaluateCase(bench, subject, one, choices, &result);
    return result.ran && result.size == one->answer_size &&
           memcmp(result.bytes, one->answer, result.size) == 0;
}

/* Goes from the choices that the set allows to the full ones, one reading at a time. Each one
 * that changes the result on the way is added to the set. */
static bool GrowSet(Bench *bench, const Subject *subject, const TraceCall *call,
                    const TraceReader *memory, const RpReadings *rest, const RpReadings *goal,
                    ReadingSet *set) {
    RpReadings at = Choices_Within(*set, goal, rest);
    Result full, before, after;
    Bench_Evaluate(bench, subject, call, memory, &at, &before);
    Bench_Evaluate(bench, subject, call, memory, goal, &full);
    if (Result_Equal(&before, &full))
        return false;
    for (int i = 0; i < READING_RUNTIME_COUNT; i++) {
        if (at.choice[i] == goal->choice[i])
            continue;
        at.choice[i] = goal->choice[i];
        Bench_Evaluate(bench, subject, call, memory, &at, &after);
        if (!Result_Equal(&before, &after))
            *set |= Set_Of(i);
        before = after;
    }
    return true;
}

bool Bench_FindReach(Bench *bench, Subject *subject, const TraceCall *call,
                     const TraceReader *memory, const RpReadings *choices) {
    static const RpReadings defaults;
    return GrowSet(bench, subject, call, memory, &defaults, choices, &subject->reaches);
}

bool Bench_DependsOnMore(Bench *bench, Subject *subject, Case *one, const RpReadings *rest,
                         const RpReadings *choices) {
    TraceCall call = Case_Call(subject, one);
    bool more = GrowSet(bench, subject, &call, one->memory, rest, choices, &one->depends);
    subject->reaches |= one->depends;
    return more;
}

bool Bench_MeasureCase(Bench *bench, Subject *subject, Case *one, unsigned draws, Random *random) {
    ReadingSet before = one->depends;
    for (unsigned i = 0; i < draws; i++) {
        RpReadings choices, rest;
        Choices_Draw(random, &choices);
        Choices_Draw(random, &rest);
        Bench_DependsOnMore(bench, subject, one, &rest, &choices);
    }
    return one->depends != before;
}
