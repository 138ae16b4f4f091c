/* Looks for inputs on which the remaining combinations differ from each other, and for inputs on
 * which they differ from every combination that is one choice away. The answers to the latter
 * refute each alternative a number of times. */
#include "exports/reading_table.h"
#include "game/calibrate/calibrate_run.h"

#include <stdlib.h>
#include <string.h>

/* wanted for every alternative of every reading that reaches the function */
#define FLIP_CASES 12u
/* Inputs that are tried to find these cases if the alternative is refuted already. */
#define FLIP_INPUTS    16384u
#define APART_CASES    24u /* wanted at a time between the combinations that are left */
#define APART_SAMPLE   6u
#define SURPRISE_CASES 16u /* recorded calls that the base does not explain */
#define MOST_LOCAL     4096u

typedef struct Hunt {
    Combinations local;                /* those that fit; only readings that reach it count */
    uint32_t possible[RP_READING_MAX]; /* alternatives that occur in `local` */
    uint8_t flips[RP_READING_MAX][CALIBRATE_MAX_ALTERNATIVES]; /* how many cases are still wanted */
    ReadingSet open; /* readings that are undecided and not known to reach the function */
    uint32_t apart, surprises;
    uint64_t added;
    bool on, reach; /* reach: more readings turned out to reach the function */
} Hunt;

/* ---- what to look for ------------------------------------------------------------------------ */

static RpStatus Prepare(Run *run, Work *work, Hunt *hunt, RpError *error) {
    static const RpReadings defaults;
    const Subject *subject = &work->subject;
    memset(hunt, 0, sizeof *hunt);
    hunt->on = work->fit == CALIBRATE_FITS || work->fit == CALIBRATE_CONTRADICTS;
    if (!hunt->on)
        return RP_OK;

    /* The combinations between which to look for differences. For a function that fits together
     * with the others, these are the ones that the others leave possible. Of readings on which no
     * case depends yet, all alternatives are possible. */
    bool joint = work->fit == CALIBRATE_FITS;
    const Combinations *from = joint ? &run->joint.combinations : &work->relation.fitting;
    ReadingSet known = joint ? run->joint.known : work->relation.held;
    Domains all;
    Domains_All(&all);
    RpStatus status = RP_OK;
    for (size_t i = 0; !status && i < from->count && hunt->local.count < MOST_LOCAL; i++) {
        RpReadings choices = Choices_Within(subject->reaches, &from->list[i], &defaults);
        bool found = false;
        for (size_t k = 0; !found && k < hunt->local.count; k++)
            found = Choices_AgreeOn(subject->reaches, &hunt->local.list[k], &choices);
        if (!found)
            status = Combinations_Add(&hunt->local, &choices, error);
    }
    for (int h = 0; h < RP_READING_MAX; h++) {
        hunt->possible[h] = Set_Has(known, h) ? 0 : all.possible[h];
        for (size_t i = 0; Set_Has(known, h) && i < hunt->local.count; i++)
            hunt->possible[h] |= 1u << hunt->local.list[i].choice[h];
    }
    hunt->on = hunt->local.count > 0;
    if (status || !hunt->on)
        return status;

    /* The combination from which the search starts. */
    const RpReadings chosen =
        joint ? Choices_Within(subject->reaches, Joint_Plainest(&run->joint), &defaults)
              : hunt->local.list[0];
    if (memcmp(&chosen, &work->base, sizeof chosen) != 0)
        work->base_since = subject->generated;
    work->base = chosen;

    /* The cases that exist already are subtracted from those that are wanted. */
    Result base, other;
    memset(hunt->flips, FLIP_CASES, sizeof hunt->flips);
    for (size_t i = 0; i < subject->count; i++) {
        Bench_EvaluateCase(run->bench, subject, &subject->cases[i], &work->base, &base);
        for (int h = 0; h < READING_RUNTIME_COUNT; h++)
            for (int a = 0; Set_Has(subject->reaches, h) && a < Choices_Alternatives(h); a++) {
                if (a == work->base.choice[h] || !hunt->flips[h][a])
                    continue;
                RpReadings flipped = Choices_With(&work->base, h, a);
                Bench_EvaluateCase(run->bench, subject, &subject->cases[i], &flipped, &other);
                hunt->flips[h][a] = (uint8_t)(hunt->flips[h][a] - !Result_Equal(&base, &other));
            }
    }

    hunt->open = run->open & ~subject->reaches;
    hunt->apart = APART_CASES;
    hunt->surprises = SURPRISE_CASES;
    return RP_OK;
}

/* ---- one input ------------------------------------------------------------------------------- */

static bool Fits(const Hunt *hunt, int reading, int alternative) {
    return hunt->possible[reading] >> alternative & 1;
}

/* Returns whether to look for more cases for an alternative. If it is refuted already, only a
 * limited number of inputs is tried; if it may still be true, there is no limit. */
static bool WantsFlip(const Work *work, const Hunt *hunt, int reading, int alternative,
                      bool recorded) {
    if (!Set_Has(work->subject.reaches, reading) || alternative == work->base.choice[reading] ||
        !hunt->flips[reading][alternative])
        return false;
    return recorded || Fits(hunt, reading, alternative) ||
           work->subject.generated < work->base_since + FLIP_INPUTS;
}

typedef struct Input {
    const TraceCall *call;
    const TraceReader *memory;
    Result base;
} Input;

static void Evaluate(Run *run, const Work *work, const Input *input, const RpReadings *choices,
                     Result *result) {
    Bench_Evaluate(run->bench, &work->subject, input->call, input->memory, choices, result);
}

static RpStatus TryCall(Run *run, Work *work, Hunt *hunt, const TraceCall *call,
                        const TraceReader *memory, int trace, RpError *error) {
    Input input = {.call = call, .memory = memory};
    Evaluate(run, work, &input, &work->base, &input.base);
    if (!input.base.ran)
        return RP_OK;

    /* A recorded answer that the base does not explain is a surprise. */
    const bool recorded = call->outcome != TRACE_NOT_RUN;
    bool keep = recorded && hunt->surprises > 0 &&
                !(call->outcome == TRACE_RETURNED && call->output_size == input.base.size &&
                  memcmp(call->outputs, input.base.bytes, input.base.size) == 0);
    hunt->surprises -= keep;

    /* Combinations that are one choice away from the base. */
    for (int h = 0; h < READING_RUNTIME_COUNT; h++) {
        bool compared = false;
        for (int a = 0; a < Choices_Alternatives(h); a++) {
            Result other;
            if (!WantsFlip(work, hunt, h, a, recorded))
                continue;
            RpReadings flipped = Choices_With(&work->base, h, a);
            Evaluate(run, work, &input, &flipped, &other);
            compared |= Fits(hunt, h, a);
            if (Result_Equal(&input.base, &other))
                continue;
            hunt->flips[h][a]--;
            keep = true;
        }
        work->tried[h] += compared;
    }

    /* Choices that change a result only together are not found one choice away from the base. */
    for (unsigned i = 0; hunt->local.count > 1 && hunt->apart > 0 && i < APART_SAMPLE; i++) {
        Result other;
        uint32_t which = Random_Below(&run->random, (uint32_t)hunt->local.count);
        Evaluate(run, work, &input, &hunt->local.list[which], &other);
        if (!Result_Equal(&input.base, &other)) {
            hunt->apart--;
            keep = true;
            break;
        }
    }

    /* Readings that are not known to reach the function may reach it with this input. */
    RpReadings any;
    if (hunt->open) {
        Choices_Draw(&run->random, &any);
        any = Choices_Within(hunt->open, &any, &work->base);
        if (Bench_FindReach(run->bench, &work->subject, input.call, input.memory, &any)) {
            hunt->open &= ~work->subject.reaches;
            hunt->reach = true;
        }
        for (int h = 0; h < READING_RUNTIME_COUNT; h++)
            work->tried[h] += Set_Has(hunt->open, h);
    }

    if (!keep)
        return RP_OK;
    hunt->added++;
    return Subject_AddCase(&work->subject, call, memory, trace, error);
}

/* ---- generated inputs ------------------------------------------------------------------------ */

static bool WantsMore(const Work *work, const Hunt *hunt) {
    if (hunt->open || (hunt->local.count > 1 && hunt->apart > 0))
        return true;
    for (int h = 0; h < READING_RUNTIME_COUNT; h++)
        for (int a = 0; a < Choices_Alternatives(h); a++)
            if (WantsFlip(work, hunt, h, a, false))
                return true;
    return false;
}

static RpStatus HuntRecorded(Run *run, Work *work, const TraceCall *call, const TraceReader *reader,
                             int trace, void *context, RpError *error) {
    Hunt *hunt = (Hunt *)context + (work - run->works);
    return hunt->on ? TryCall(run, work, hunt, call, reader, trace, error) : RP_OK;
}

/* ---- all functions --------------------------------------------------------------------------- */

RpStatus Run_Hunt(Run *run, uint64_t *added, bool *reach, RpError *error) {
    Hunt *hunts = calloc(run->count ? run->count : 1, sizeof *hunts);
    if (!hunts)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to calibrate", "", "", "");

    RpStatus status = RP_OK;
    for (size_t i = 0; !status && i < run->count; i++)
        status = Prepare(run, &run->works[i], &hunts[i], error);
    if (!status && run->options->trace_count > 0)
        status = Run_VisitTraces(run, HuntRecorded, hunts, error);
    for (size_t i = 0; !status && run->options->ask && i < run->count; i++) {
        Run_Progress(run, "inputs", i, run->count);
        if (hunts[i].on && !run->works[i].missing) {
            Work *work = &run->works[i];
            Hunt *hunt = &hunts[i];
            ScenarioSource *source = run->survey->source;
            Subject *subject = &work->subject;
            while (!status && subject->generated < run->options->budget && WantsMore(work, hunt)) {
                TraceCall call;
                status = ScenarioSource_Call(source, subject->function, subject->generated, &call,
                                             error);
                if (!status)
                    status =
                        TryCall(run, work, hunt, &call, ScenarioSource_Memory(source), -1, error);
                subject->generated++;
            }
        }
    }

    *added = 0;
    *reach = false;
    for (size_t i = 0; i < run->count; i++) {
        *added += hunts[i].added;
        *reach |= hunts[i].reach;
        Combinations_Free(&hunts[i].local);
    }
    free(hunts);
    return status;
}
