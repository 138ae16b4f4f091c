/* Collects the original's answers: one trace for each build of the slots that has cases, and one
 * more for each function whose cases were not all called in it. In one run a host is started again
 * only a limited number of times (ProviderOptions.most_endings). So a function that ends the host
 * again and again would otherwise keep the functions behind it from being asked. */
#include "game/calibrate/calibrate_run.h"

#include "tracefile/trim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 1400

/* ForceCpu values (docs/reference/arithmetic.md, processor classes). 7 has MMX alone, and its
 * builds of functions of binary32 are the generic ones; 2 has SSE. No value gives the FXCH
 * builds. */
static const char *const class_of[RP_BUILD_COUNT] = {"7", "", "2"};

static bool IsDue(const Work *work, const Case *one) {
    return !work->missing && !one->answered && one->trace < 0;
}

/* What the original is asked in one run: the cases of a build, or only those of one function if
 * `only` is set. */
typedef struct Questions {
    RpBuild build;
    const Work *only;
} Questions;

static bool Concern(const Questions *questions, const Work *work) {
    return work->subject.build == questions->build && (!questions->only || work == questions->only);
}

static uint64_t CountDue(const Run *run, const Questions *questions) {
    uint64_t count = 0;
    for (size_t i = 0; i < run->count; i++)
        for (size_t k = 0; Concern(questions, &run->works[i]) && k < run->works[i].subject.count;
             k++)
            count += IsDue(&run->works[i], &run->works[i].subject.cases[k]);
    return count;
}

static RpStatus WriteQuestions(Run *run, const Questions *questions, const char *path,
                               RpError *error) {
    TraceHeader header;
    TraceCopy *copy = NULL;

    char digest[24], seed[24];
    snprintf(digest, sizeof digest, "%016" PRIx64, Abi_Digest());
    snprintf(seed, sizeof seed, "%" PRIu64, run->options->seed);
    const char *const lines[][2] = {
        {"producer", "retropose calibrate"},
        {"abi", digest},
        {"seed", seed},
        {"provider", "none"},
        {"force-cpu", class_of[questions->build]},
        {"slot-build", run->by_class[questions->build] ? "" : RpBuild_Name(questions->build)}};
    RpStatus status = RP_OK;
    TraceHeader_Init(&header);
    for (size_t i = 0; !status && i < sizeof lines / sizeof *lines; i++)
        if (lines[i][1][0])
            status = TraceHeader_Set(&header, lines[i][0], lines[i][1], error);

    if (!status)
        status = TraceCopy_CreateAs(path, &header, ScenarioSource_Memory(run->survey->source),
                                    false, &copy, error);
    if (status)
        return status;

    uint64_t sequence = 0;
    for (size_t i = 0; i < run->count; i++) {
        const Subject *subject = &run->works[i].subject;
        for (size_t k = 0; !status && Concern(questions, &run->works[i]) && k < subject->count;
             k++) {
            if (!IsDue(&run->works[i], &subject->cases[k]))
                continue;
            TraceCall call = Case_Call(subject, &subject->cases[k]);
            call.sequence = sequence++;
            status = TraceCopy_Call(copy, &call, error);
        }
    }

    if (!status)
        return TraceCopy_Close(copy, error);
    TraceCopy_Abandon(copy);
    return status;
}

/* Returns whether the answer says nothing about the original: the call was refused or not made. */
static bool SaysNothing(const TraceCall *call) {
    return call->outcome == TRACE_UNSUPPORTED || call->outcome == TRACE_NOT_CALLED;
}

static RpStatus ReadAnswers(Run *run, const Questions *questions, const char *path,
                            RpError *error) {
    TraceReader *reader = NULL;
    RpStatus status = TraceReader_Open(path, &reader, error);
    for (size_t i = 0; !status && i < run->count; i++) {
        Work *work = &run->works[i];
        uint64_t answered = 0;
        if (!Concern(questions, work) || work->missing)
            continue;

        /* Cases whose answers say nothing are dropped. A function of which no case is left counts
         * as missing. A case that was not called in a run with other functions stays, and is asked
         * again. */
        bool alone = questions->only != NULL;
        Subject *subject = &work->subject;
        size_t kept = 0;
        for (size_t k = 0; k < subject->count; k++) {
            Case *one = &subject->cases[k];
            TraceCall call = {.outcome = TRACE_NOT_RUN};
            bool due = !status && IsDue(work, one);
            bool found = false;
            if (due)
                status = TraceReader_Next(reader, &call, &found, error);
            if (due && !status && (!found || call.function != subject->function))
                status = RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "answers to other questions",
                                     subject->function->key, "the calls that were asked", "");
            const bool said = due && !status && !SaysNothing(&call);
            const bool again = call.outcome == TRACE_NOT_CALLED && !alone;
            if (said)
                one->answer = malloc(call.output_size ? call.output_size : 1);
            if (said && !one->answer) {
                status = RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to calibrate", "",
                                     "", "");
            } else if (said) {
                if (call.output_size)
                    memcpy(one->answer, call.outputs, call.output_size);
                one->answer_size = call.output_size;
                one->outcome = call.outcome;
                one->violations = call.violations;
                one->answered = true;
                answered++;
            }
            if (due && !status && !said && !again)
                free(one->inputs);
            else
                subject->cases[kept++] = *one;
        }
        subject->count = kept;

        run->asked += answered;
        work->missing = work->subject.count == 0;
    }
    TraceReader_Close(reader);
    return status;
}

static RpStatus AskOnce(Run *run, const Questions *questions, const char *input, const char *output,
                        bool *nothing, RpError *error) {
    RpStatus status = WriteQuestions(run, questions, input, error);
    if (!status)
        status = run->options->ask(run->options->ask_context, input, output, error);
    run->runs++;
    if (status)
        return status;

    /* The caller also learns whether any of the answers says something about the original. */
    TraceReader *reader;
    TraceCall call;
    bool found = true;
    *nothing = true;
    status = TraceReader_Open(output, &reader, error);
    while (!status && found && *nothing) {
        status = TraceReader_Next(reader, &call, &found, error);
        *nothing = !found || SaysNothing(&call);
    }
    TraceReader_Close(reader);
    return status;
}

RpStatus Run_Ask(Run *run, RpError *error) {
    static const RpBuild order[RP_BUILD_COUNT] = {RP_BUILD_SSE, RP_BUILD_GENERIC, RP_BUILD_FXCH};
    RpStatus status = RP_OK;
    for (int i = 0; !status && i < RP_BUILD_COUNT; i++) {
        const RpBuild build = order[i];
        const Questions all = {.build = build};
        uint64_t due = CountDue(run, &all);
        Run_Progress(run, "asking", run->runs, 0);
        if (due > 0) {
            char input[PATH_BYTES], output[PATH_BYTES];
            snprintf(input, sizeof input, "%.1300s/calibrate-asked.trace",
                     run->options->work_directory);
            snprintf(output, sizeof output, "%.1300s/calibrate-answers.trace",
                     run->options->work_directory);

            /* First asks the builds at the published addresses. An original that has none there is
             * asked through the entries of its own table, under a processor class that chooses this
             * build. */
            bool nothing = false;
            status = AskOnce(run, &all, input, output, &nothing, error);
            if (!status && nothing && !run->by_class[build] && class_of[build][0]) {
                run->by_class[build] = true;
                status = AskOnce(run, &all, input, output, &nothing, error);
            }
            if (!status)
                status = ReadAnswers(run, &all, output, error);

            /* Each function that still has cases without an answer is asked in a run of its own. */
            for (size_t k = 0; !status && k < run->count; k++) {
                const Questions own = {build, &run->works[k]};
                if (CountDue(run, &own) == 0)
                    continue;
                status = AskOnce(run, &own, input, output, &nothing, error);
                if (!status)
                    status = ReadAnswers(run, &own, output, error);
            }
            remove(input);
            remove(output);
        }
    }
    return status;
}
