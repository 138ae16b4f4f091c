/* Inside calibration: one original under examination. */
#ifndef RETROPOSE_LIVE_CALIBRATE_RUN_H
#define RETROPOSE_LIVE_CALIBRATE_RUN_H

#include "live/calibrate/search.h"
#include "live/calibrate/survey.h"

/* A function and what is known of the original's. */
typedef struct Work {
    Subject subject;
    CalibrateFit fit;
    bool missing;
    Relation relation;
    Domains within; /* the domains that it was begun with: what other functions had left */
    HypothesisSet begun_reaches; /* what reached the function then */
    bool begun, restricted;
    size_t explained;    /* cases that it was held against */
    RpReadings base;     /* the combination that inputs are chosen around */
    uint64_t base_since; /* generated inputs when it became that */
    uint64_t recorded;
    uint64_t tried[RP_READING_MAX]; /* inputs on which alternatives that fit were compared */
} Work;

typedef struct Run {
    const CalibrateOptions *options;
    CalibrateSurvey *survey;
    Bench *bench;
    Work *works;
    size_t count;
    Joint joint;
    HypothesisSet open; /* more than one alternative fits */
    TraceReader **traces;
    bool by_class[RP_BUILD_COUNT]; /* the original has no builds at the published addresses */
    Random random;
    unsigned runs, rounds;
    uint64_t asked, skipped;
} Run;

void Run_Progress(const Run *run, const char *stage, uint64_t done, uint64_t total);

/* calibrate_ask.c: has the original answer every case that has no answer yet. */
RpStatus Run_Ask(Run *run, RpError *error);
/* calibrate_traces.c */
RpStatus Run_OpenTraces(Run *run, RpError *error);
void Run_CloseTraces(Run *run);
typedef RpStatus VisitCall(Run *run, Work *work, const TraceCall *call, const TraceReader *reader,
                           int trace, void *context, RpError *error);
/* Every call of the traces that a function of the run can be held against. */
RpStatus Run_VisitTraces(Run *run, VisitCall *visit, void *context, RpError *error);
/* calibrate_deduce.c: from the answers to what fits. */
RpStatus Run_Deduce(Run *run, RpError *error);
/* calibrate_hunt.c: adds cases that the combinations left differ on; *added is how many, *reach
 * whether a function turned out to depend on more than was known. */
RpStatus Run_Hunt(Run *run, uint64_t *added, bool *reach, RpError *error);
/* calibrate_verdict.c */
RpStatus Run_Conclude(Run *run, Calibration *calibration, RpError *error);

#endif
