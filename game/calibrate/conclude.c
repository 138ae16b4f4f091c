/* Draws the conclusions from the answers, for each function and each reading, with the
 * numbers behind them. */
#include "exports/reading_table.h"
#include "game/calibrate/calibrate_run.h"

#include "tracefile/value.h"

#include "retropose/arithmetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions ------------------------------------------------------------------------------- */

static void DescribeInputs(const Subject *subject, const Case *one, char *text, size_t size) {
    SignatureElement element;
    size_t length = 0;
    text[0] = 0;
    SignatureCursor cursor =
        Signature_InputElements(&subject->signature, one->inputs, one->input_size);
    while (Signature_NextElement(&cursor, &element)) {
        char hex[64];
        Value_Hex(element.type, element.size, one->inputs + element.offset, hex, sizeof hex);
        int added = snprintf(text + length, size - length, "%s%s", length ? " " : "", hex);
        length += added > 0 ? (size_t)added : 0;
        if (length + 4 >= size) {
            memcpy(text + size - 4, "...", 4);
            return;
        }
    }
}

static void DescribeValue(const SignatureElement *element, const uint8_t *bytes, char *text,
                          size_t size) {
    char hex[40], decimal[48];
    Value_Hex(element->type, element->size, bytes, hex, sizeof hex);
    Value_Decimal(element->type, element->size, bytes, decimal, sizeof decimal);
    snprintf(text, size, "%s (%s)", hex, decimal);
}

static void DescribeOutputs(const Subject *subject, const Case *one, const Result *ours,
                            CalibrateDifference *difference) {
    SignatureElement element;
    SignatureCursor cursor =
        Signature_OutputElements(&subject->signature, one->inputs, one->input_size);
    while (Signature_NextElement(&cursor, &element)) {
        const uint8_t *a = one->answer + element.offset, *b = ours->bytes + element.offset;
        if (memcmp(a, b, element.size) == 0)
            continue;
        snprintf(difference->path, sizeof difference->path, "%s", element.path);
        DescribeValue(&element, a, difference->original, sizeof difference->original);
        DescribeValue(&element, b, difference->ours, sizeof difference->ours);
        return;
    }
}

/* Returns whether the case has the game's control word, no infinities, no NaN, and no denormals. */
static bool IsOrdinary(const Subject *subject, const Case *one) {
    SignatureElement element;
    SignatureCursor cursor =
        Signature_InputElements(&subject->signature, one->inputs, one->input_size);
    while (Signature_NextElement(&cursor, &element)) {
        uint32_t bits = 0;
        if (element.type != SIGNATURE_F32)
            continue;
        memcpy(&bits, one->inputs + element.offset, sizeof bits);
        bits &= ~FLOAT_SIGN;
        if (bits >= FLOAT_INFINITY || (bits > 0 && bits < FLOAT_MIN))
            return false;
    }
    return one->control == RP_GAMES_CONTROL_WORD;
}

/* Returns whether no call came back as it should. Then the way of calling is wrong, not the
 * arithmetic. */
static bool NeverCameBack(const Subject *subject) {
    uint64_t answered = 0;
    for (size_t i = 0; i < subject->count; i++) {
        /* A call that leaves the stack or a saved register wrong was made in another way than the
         * function expects, and came back only by chance. */
        const Case *one = &subject->cases[i];
        if (one->answered && one->outcome == TRACE_RETURNED &&
            !(one->violations & (TRACE_STACK_POINTER | TRACE_SAVED_REGISTER)))
            return false;
        answered += one->answered;
    }
    return answered > 0;
}

static void FillFunction(Run *run, const Work *work, CalibrateFunction *function) {
    static const RpReadings defaults;
    const Subject *subject = &work->subject;
    Domains all;
    Domains_All(&all);
    *function = (CalibrateFunction){.function = subject->function,
                                    .build = subject->build,
                                    .every_build = subject->every_build,
                                    .fit = work->fit,
                                    .generated = subject->generated,
                                    .recorded = work->recorded,
                                    .combinations = Search_Product(subject->reaches, &all),
                                    .remaining = work->relation.fitting.count};
    for (int h = 0; h < RP_READING_MAX; h++)
        if (Set_Has(subject->reaches, h))
            function->reaches[h / 32] |= 1u << h % 32;
    if (work->fit == CALIBRATE_FITS)
        function->nearest =
            Choices_Within(subject->reaches, Joint_Plainest(&run->joint), &defaults);
    else if (work->fit == CALIBRATE_CONTRADICTS)
        function->nearest = work->relation.fitting.list[0];
    else if (work->fit == CALIBRATE_FITS_NONE || work->fit == CALIBRATE_TOO_MANY)
        Search_Nearest(run->bench, subject, run->options->seed, &function->nearest);

    /* The cases that the nearest combination explains are counted, and the first one that it does
     * not explain is described. */
    for (size_t i = 0; i < subject->count; i++) {
        const Case *one = &subject->cases[i];
        if (!one->answered)
            continue;
        function->asked++;
        function->ended += one->outcome != TRACE_RETURNED;
        function->violations += one->violations != 0;
        bool ordinary = IsOrdinary(subject, one);
        function->ordinary += ordinary;
        if (Bench_Explains(run->bench, subject, one, &function->nearest)) {
            function->matched++;
            function->ordinary_matched += ordinary;
        } else if (!function->difference.found) {
            Result ours;
            Bench_EvaluateCase(run->bench, subject, one, &function->nearest, &ours);
            function->difference.found = true;
            function->difference.trace = one->trace >= 0 ? run->options->traces[one->trace] : NULL;
            function->difference.sequence = one->sequence;
            function->difference.control = one->control;
            function->difference.mxcsr = one->mxcsr;
            DescribeInputs(subject, one, function->difference.inputs,
                           sizeof function->difference.inputs);
            if (one->outcome == TRACE_RETURNED && ours.ran && ours.size == one->answer_size) {
                DescribeOutputs(subject, one, &ours, &function->difference);
            } else {
                static const char *const names[TRACE_OUTCOME_COUNT] = {
                    "not run",   "returned",    "crashed",   "exited",
                    "timed out", "unsupported", "not called"};
                snprintf(function->difference.path, sizeof function->difference.path, "outcome");
                snprintf(function->difference.original, sizeof function->difference.original, "%s",
                         one->outcome < TRACE_OUTCOME_COUNT ? names[one->outcome] : "?");
                snprintf(function->difference.ours, sizeof function->difference.ours, "%s",
                         ours.ran ? "returned" : "not run");
            }
        }
    }
}

/* ---- readings -------------------------------------------------------------------------------- */

/* Counts the cases of one function that refute each alternative. All other choices are those that
 * were found. */
static void CountRefuting(Run *run, const Work *work, const RpReadings *found, int h,
                          uint64_t *refutes, uint64_t *game_word) {
    const Subject *subject = &work->subject;
    for (int a = 0; a < Choices_Alternatives(h); a++) {
        RpReadings other = Choices_With(found, h, a);
        for (size_t i = 0; a != found->choice[h] && i < subject->count; i++)
            if (subject->cases[i].answered &&
                !Bench_Explains(run->bench, subject, &subject->cases[i], &other)) {
                refutes[a]++;
                game_word[a] += subject->cases[i].control == RP_GAMES_CONTROL_WORD;
            }
    }
}

typedef struct Tally {
    unsigned fits, contradicts, fails, unasked;
    bool disjoint; /* one function decides differently when taken by itself */
} Tally;

static bool DecidesOtherwise(const Work *work, int h, uint32_t possible) {
    uint32_t own = 0;
    if (!Set_Has(work->relation.held, h))
        return false;
    for (size_t i = 0; i < work->relation.fitting.count; i++)
        own |= 1u << work->relation.fitting.list[i].choice[h];
    return (own & possible) == 0;
}

static CalibrateVerdict VerdictOf(const Tally *tally, uint32_t possible) {
    if (tally->disjoint)
        return CALIBRATE_SPLIT;
    if (tally->fits > 0)
        return possible & (possible - 1) ? CALIBRATE_NOT_TOLD_APART : CALIBRATE_DECIDED;
    if (tally->contradicts > 0)
        return CALIBRATE_SPLIT;
    return tally->fails > 0     ? CALIBRATE_NOTHING_FITS
           : tally->unasked > 0 ? CALIBRATE_NOT_ASKED
                                : CALIBRATE_NOT_TOLD_APART;
}

RpStatus Run_Conclude(Run *run, Calibration *calibration, RpError *error) {
    Domains domains;
    size_t count = run->count ? run->count : 1;
    calibration->functions = calloc(count, sizeof *calibration->functions);
    calibration->refutes = calloc(count, sizeof *calibration->refutes);
    if (!calibration->functions || !calibration->refutes) {
        Calibration_Free(calibration);
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to calibrate", "", "", "");
    }
    calibration->function_count = run->count;
    calibration->reading_count = READING_RUNTIME_COUNT;
    calibration->chosen = *Joint_Plainest(&run->joint);
    calibration->combinations = run->joint.combinations.count;
    Joint_Domains(&run->joint, &domains);
    for (size_t i = 0; i < run->count; i++) {
        if (run->works[i].fit == CALIBRATE_FITS_NONE && NeverCameBack(&run->works[i].subject))
            run->works[i].fit = CALIBRATE_UNCALLABLE;
        FillFunction(run, &run->works[i], &calibration->functions[i]);
        calibration->generated += calibration->functions[i].generated;
        calibration->recorded += calibration->functions[i].recorded;
    }
    for (int h = 0; h < calibration->reading_count; h++) {
        uint32_t possible = domains.possible[h];
        CalibrateReading *reading = &calibration->readings[h];

        Tally tally = {0, 0, 0, 0, false};
        for (size_t i = 0; i < run->count; i++) {
            const Work *work = &run->works[i];
            if (!Set_Has(work->subject.reaches, h))
                continue;
            tally.fits += work->fit == CALIBRATE_FITS;
            tally.fails += work->fit == CALIBRATE_FITS_NONE || work->fit == CALIBRATE_TOO_MANY;
            tally.unasked += work->fit == CALIBRATE_MISSING || work->fit == CALIBRATE_NO_EVIDENCE ||
                             work->fit == CALIBRATE_UNCALLABLE;
            if (work->fit == CALIBRATE_CONTRADICTS) {
                tally.contradicts++;
                tally.disjoint |= DecidesOtherwise(work, h, possible);
            }
        }

        reading->possible = possible;
        reading->choice = calibration->chosen.choice[h];
        reading->verdict =
            Choices_CanBeAsked(h) ? VerdictOf(&tally, possible) : CALIBRATE_NOT_ASKED;
        for (size_t i = 0; i < run->count; i++) {
            const Work *work = &run->works[i];
            uint64_t *refutes = calibration->refutes[i][h];
            uint64_t game_word[CALIBRATE_MAX_ALTERNATIVES] = {0};
            reading->tried += work->tried[h];
            if (!Set_Has(work->subject.reaches, h) ||
                (work->fit != CALIBRATE_FITS && work->fit != CALIBRATE_CONTRADICTS))
                continue;
            CountRefuting(run, work, &calibration->functions[i].nearest, h, refutes, game_word);
            for (int a = 0; work->fit == CALIBRATE_FITS && a < Choices_Alternatives(h); a++) {
                reading->refuted[a] += refutes[a];
                reading->game_word[a] += game_word[a];
            }
        }
    }

    calibration->asked = run->asked;
    calibration->skipped = run->skipped;
    calibration->runs = run->runs;
    calibration->rounds = run->rounds;
    calibration->budget = run->options->budget;
    calibration->seed = run->options->seed;
    calibration->evaluations = run->bench->evaluations;
    return RP_OK;
}
