/* The survey: which functions there are, which readings reach them, and the first cases for
 * each. */
#include "game/calibrate/survey.h"

#include "exports/reading_table.h"

#include "retropose/arithmetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REACH_INPUTS 8192u /* generated for each function */
#define BUILD_INPUTS 2048u /* how many of them show whether the builds of the slots differ */
#define PAIR_GAME    6u    /* cases for each two alternatives under the game's control word */
#define PAIR_ANY     4u    /* cases for each pair of alternatives under any control word */
#define PLAIN_CASES  32u

static RpStatus NoMemory(RpError *error) {
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to calibrate", "", "", "");
}

/* ---- functions ------------------------------------------------------------------------------- */

static RpStatus AddSubject(CalibrateSurvey *survey, const AbiFunction *function, RpBuild build,
                           bool every_build, RpError *error) {
    Subject *subjects = realloc(survey->subjects, (survey->count + 1) * sizeof *subjects);
    if (!subjects)
        return NoMemory(error);
    survey->subjects = subjects;
    Subject *subject = &subjects[survey->count++];
    memset(subject, 0, sizeof *subject);
    subject->function = function;
    subject->build = build;
    subject->every_build = every_build;
    return Signature_Parse(function, &subject->signature, error);
}

static RpStatus AddFunction(CalibrateSurvey *survey, const AbiFunction *function, RpError *error) {
    const bool is_slot = function->kind == ABI_SLOT;
    RpStatus status = RP_OK;
    bool depends = is_slot; /* whether builds change the results under any choice */
    if (!is_slot) {
        Subject subject = {.function = function};
        RpReadings choices;
        Random random = Random_Start("builds", survey->seed, (uint64_t)(function - abi_functions));
        status = Signature_Parse(function, &subject.signature, error);
        for (uint64_t i = 0; !status && !depends && i < BUILD_INPUTS; i++) {
            TraceCall call;
            Result results[RP_BUILD_COUNT];
            status = ScenarioSource_Call(survey->source, function, i, &call, error);
            Choices_Draw(&random, &choices);
            for (int build = 0; !status && build < RP_BUILD_COUNT; build++) {
                subject.build = (RpBuild)build;
                Bench_Evaluate(&survey->bench, &subject, &call,
                               ScenarioSource_Memory(survey->source), &choices, &results[build]);
                depends |= build > 0 && !Result_Equal(&results[0], &results[build]);
            }
        }
    }
    if (!status && !depends)
        return AddSubject(survey, function, RP_BUILD_SSE, true, error);

    /* The generic and the SSE build of a slot get into the table through the processor class; the
     * FXCH build can be put there only if its address is published (docs/reference/host.md). A pose
     * walk also calls slot 28, whose FXCH address is not published: that slot keeps the class's
     * build when FXCH builds are put in. */
    const bool has_fxch =
        is_slot ? function->rva_fxch != 0 : strcmp(function->key, "animesh.PoseWalk") != 0;
    for (int build = 0; !status && build < RP_BUILD_COUNT; build++)
        if (build != RP_BUILD_FXCH || has_fxch)
            status = AddSubject(survey, function, (RpBuild)build, false, error);
    return status;
}

Subject *Subjects_Find(Subject *subjects, size_t count, const AbiFunction *function,
                       RpBuild build) {
    for (size_t i = 0; i < count; i++)
        if (subjects[i].function == function &&
            (subjects[i].every_build || subjects[i].build == build))
            return &subjects[i];
    return NULL;
}

/* ---- cases ----------------------------------------------------------------------------------- */

void Wanted_Init(Wanted *wanted) {
    memset(wanted->game, PAIR_GAME, sizeof wanted->game);
    memset(wanted->any, PAIR_ANY, sizeof wanted->any);
    wanted->plain = PLAIN_CASES;
    wanted->more = true;
}

/* Returns whether the call tells apart two alternatives for which cases are still wanted. For each
 * pair, all other choices are drawn anew. */
static bool TellsApart(Bench *bench, const Subject *subject, Wanted *wanted, const TraceCall *call,
                       const TraceReader *memory, Random *random) {
    bool tells = false;
    wanted->more = false;
    for (int h = 0; h < READING_RUNTIME_COUNT; h++) {
        int alternatives = Set_Has(subject->reaches, h) ? Choices_Alternatives(h) : 0;
        for (int b = 1; b < alternatives; b++)
            for (int a = 0; a < b; a++) {
                /* The counter of wanted cases that this call would reduce, if there is one. */
                uint8_t *game = &wanted->game[h][a][b], *any = &wanted->any[h][a][b];
                uint8_t *counter = call->control_in == RP_GAMES_CONTROL_WORD && *game ? game
                                   : *any                                             ? any
                                                                                      : NULL;
                wanted->more |= *game || *any;
                if (!counter)
                    continue;
                RpReadings choices, other;
                Result one, two;
                Choices_Draw(random, &choices);
                choices.choice[h] = (uint8_t)a;
                other = Choices_With(&choices, h, b);
                Bench_Evaluate(bench, subject, call, memory, &choices, &one);
                Bench_Evaluate(bench, subject, call, memory, &other, &two);
                if (Result_Equal(&one, &two))
                    continue;
                --*counter;
                tells = true;
            }
    }
    return tells;
}

RpStatus Survey_Consider(Bench *bench, Subject *subject, Wanted *wanted, const TraceCall *call,
                         const TraceReader *memory, int trace, Random *random, RpError *error) {
    RpReadings choices;
    Choices_Draw(random, &choices);
    if (Bench_FindReach(bench, subject, call, memory, &choices))
        wanted->more = true;
    bool keep = wanted->more && TellsApart(bench, subject, wanted, call, memory, random);
    if (!keep && wanted->plain > 0) {
        wanted->plain--;
        keep = true;
    }
    return keep ? Subject_AddCase(subject, call, memory, trace, error) : RP_OK;
}

/* ---- the survey ------------------------------------------------------------------------------ */

RpStatus CalibrateSurvey_Create(const CalibrateOptions *options, CalibrateSurvey **result,
                                RpError *error) {
    CalibrateSurvey *survey = calloc(1, sizeof *survey);
    *result = NULL;
    if (!survey)
        return NoMemory(error);
    survey->seed = options->seed;
    RpStatus status = Bench_Open(&survey->bench, error);
    if (!status)
        status = ScenarioSource_Open(survey->seed, &survey->source, error);
    if (!status) {
        /* A function whose results are never compared cannot be calibrated. */
        for (size_t i = 0; !status && i < abi_function_count; i++) {
            const AbiFunction *function = &abi_functions[i];
            Signature signature;
            bool compared = Native_Has(function) && ScenarioSource_Has(function) &&
                            Signature_Parse(function, &signature, NULL) == RP_OK &&
                            signature.returns != SIGNATURE_ANY;
            for (int param = 0; compared && param < signature.param_count; param++)
                compared = signature.params[param].type != SIGNATURE_ANY;
            if (compared)
                status = AddFunction(survey, function, error);
        }
    }

    for (size_t i = 0; !status && i < survey->count; i++) {
        if (options->progress)
            options->progress(options->progress_context, "survey", i, survey->count);

        Subject *subject = &survey->subjects[i];
        const TraceReader *memory = ScenarioSource_Memory(survey->source);
        Random random =
            Random_Start("survey", survey->seed, (uint64_t)(subject - survey->subjects));
        Wanted *wanted = malloc(sizeof *wanted);
        status = wanted ? RP_OK : NoMemory(error);
        if (wanted)
            Wanted_Init(wanted);
        for (; !status && subject->generated < REACH_INPUTS; subject->generated++) {
            TraceCall call;
            status = ScenarioSource_Call(survey->source, subject->function, subject->generated,
                                         &call, error);
            if (!status)
                status = Survey_Consider(&survey->bench, subject, wanted, &call, memory, -1,
                                         &random, error);
        }
        free(wanted);
    }
    survey->evaluations = survey->bench.evaluations;
    if (status)
        CalibrateSurvey_Destroy(survey);
    else
        *result = survey;
    return status;
}

void CalibrateSurvey_Destroy(CalibrateSurvey *survey) {
    if (!survey)
        return;
    for (size_t i = 0; i < survey->count; i++)
        Subject_Free(&survey->subjects[i]);
    free(survey->subjects);
    ScenarioSource_Close(survey->source);
    Bench_Close(&survey->bench);
    free(survey);
}
