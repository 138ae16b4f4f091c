/* For calibration only: the run of a calibration, in which one original is examined. */
#ifndef RETROPOSE_GAME_CALIBRATE_CALIBRATE_RUN_H
#define RETROPOSE_GAME_CALIBRATE_CALIBRATE_RUN_H

#include "game/calibrate/search.h"
#include "game/calibrate/survey.h"

/* A function and what is known of the original's. */
typedef struct Work {
    Subject subject;
    CalibrateFit fit;
    bool missing;
    Relation relation;
    Domains within;           /* what other functions had left possible when it was begun */
    ReadingSet begun_reaches; /* the readings that reached it then */
    bool begun, restricted;
    size_t explained;    /* how many cases it was tried against */
    RpReadings base;     /* the combination around which inputs are chosen */
    uint64_t base_since; /* how many inputs were generated when the base was chosen */
    uint64_t recorded;
    uint64_t tried[RP_READING_MAX]; /* inputs on which the alternatives that fit were compared */
} Work;

typedef struct Run {
    const CalibrateOptions *options;
    CalibrateSurvey *survey;
    Bench *bench;
    Work *works;
    size_t count;
    Joint joint;
    ReadingSet open; /* readings of which more than one alternative fits */
    TraceReader **traces;
    /* the original does not have builds at the published addresses */
    bool by_class[RP_BUILD_COUNT];
    Random random;
    unsigned runs, rounds;
    uint64_t asked, skipped;
} Run;

void Run_Progress(const Run *run, const char *stage, uint64_t done, uint64_t total);

/* In ask.c: lets the original answer every case that has no answer yet. */
RpStatus Run_Ask(Run *run, RpError *error);
/* In traces.c: opens the recorded traces of the options. */
RpStatus Run_OpenTraces(Run *run, RpError *error);
void Run_CloseTraces(Run *run);
typedef RpStatus VisitCall(Run *run, Work *work, const TraceCall *call, const TraceReader *reader,
                           int trace, void *context, RpError *error);
/* Visits every call of the traces whose function is in the run. */
RpStatus Run_VisitTraces(Run *run, VisitCall *visit, void *context, RpError *error);
/* In deduce.c: finds what fits the answers. */
RpStatus Run_Deduce(Run *run, RpError *error);
/* In hunt.c: adds cases on which the combinations that are left differ. *added gets their
 * number; *reach says whether a function turned out to depend on more than was known. */
RpStatus Run_Hunt(Run *run, uint64_t *added, bool *reach, RpError *error);
/* In conclude.c: fills `calibration` with the results. */
RpStatus Run_Conclude(Run *run, Calibration *calibration, RpError *error);

#endif
