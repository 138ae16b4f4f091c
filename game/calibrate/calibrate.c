/* Runs a calibration: asks the original, deduces what fits its answers, and looks for inputs that
 * still tell the remaining combinations apart, until there are none. */
#include "game/calibrate/calibrate.h"

#include "game/calibrate/calibrate_run.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ROUNDS 24u

/* ---- recorded calls -------------------------------------------------------------------------- */

typedef struct FirstLook {
    Wanted *wanted; /* for each function */
} FirstLook;

static RpStatus LookAtRecorded(Run *run, Work *work, const TraceCall *call,
                               const TraceReader *reader, int trace, void *context,
                               RpError *error) {
    FirstLook *look = context;
    work->recorded++;
    return Survey_Consider(run->bench, &work->subject, &look->wanted[work - run->works], call,
                           reader, trace, &run->random, error);
}

/* ---- the run --------------------------------------------------------------------------------- */

static RpStatus RunWith(CalibrateSurvey *survey, const CalibrateOptions *options,
                        Calibration *calibration, RpError *error) {
    Run run = {.options = options,
               .survey = survey,
               .bench = &survey->bench,
               .random = Random_Start("hunt", options->seed, 0),
               .works = calloc(survey->count ? survey->count : 1, sizeof *run.works)};
    RpStatus status = RP_OK;
    run.bench->evaluations = survey->evaluations;
    if (!run.works)
        status = RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to calibrate", "", "", "");
    for (; !status && run.count < survey->count; run.count++) {
        Work *work = &run.works[run.count];
        work->subject = survey->subjects[run.count];
        if (options->ask)
            status = Subject_Copy(&survey->subjects[run.count], &work->subject, error);
        else
            work->subject.cases = NULL, work->subject.count = work->subject.capacity = 0;
    }
    if (!status)
        status = Run_OpenTraces(&run, error);
    if (!status && options->trace_count > 0) {
        FirstLook look = {malloc((run.count ? run.count : 1) * sizeof *look.wanted)};
        if (!look.wanted)
            status =
                RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory to calibrate", "", "", "");
        for (size_t i = 0; !status && i < run.count; i++)
            Wanted_Init(&look.wanted[i]);
        if (!status)
            status = Run_VisitTraces(&run, LookAtRecorded, &look, error);
        free(look.wanted);
    }

    if (!status) {
        uint64_t added = 1;
        bool reach = false;
        while (!status && (added > 0 || reach) && run.rounds++ < MOST_ROUNDS) {
            if (options->ask)
                status = Run_Ask(&run, error);
            if (!status)
                status = Run_Deduce(&run, error);
            if (!status)
                status = Run_Hunt(&run, &added, &reach, error);
        }
    }

    if (!status)
        status = Run_Conclude(&run, calibration, error);

    for (size_t i = 0; i < run.count; i++) {
        Subject_Free(&run.works[i].subject);
        Relation_Free(&run.works[i].relation);
    }
    free(run.works);
    Joint_Free(&run.joint);
    /* The readers of this run have been closed, so the bench must not use their memories any
     * longer. */
    run.bench->memory = NULL;
    Native_SetMemory(run.bench->native, NULL);
    Run_CloseTraces(&run);

    return status;
}

RpStatus Calibrate_Run(CalibrateSurvey *survey, const CalibrateOptions *given,
                       Calibration *calibration, RpError *error) {
    CalibrateOptions options = *given;
    CalibrateSurvey *own = NULL;
    RpStatus status = RP_OK;
    memset(calibration, 0, sizeof *calibration);
    if (options.budget == 0)
        options.budget = CALIBRATE_BUDGET;
    if (!options.ask && options.trace_count == 0)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "nothing to calibrate against", "",
                           "an original, or recorded traces", "neither");
    if (!survey)
        status = CalibrateSurvey_Create(&options, &own, error);
    if (!status)
        status = RunWith(survey ? survey : own, &options, calibration, error);
    CalibrateSurvey_Destroy(own);
    return status;
}
