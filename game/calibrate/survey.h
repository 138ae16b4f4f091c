/* Inside of calibration: what is known before any original is asked. */
#ifndef RETROPOSE_GAME_CALIBRATE_SURVEY_H
#define RETROPOSE_GAME_CALIBRATE_SURVEY_H

#include "game/calibrate/workbench.h"

struct CalibrateSurvey {
    Bench bench;
    ScenarioSource *source;
    Subject *subjects;
    size_t count;
    uint64_t seed, evaluations;
};

/* How many cases are still wanted: for each pair of alternatives of each reading, some under the
 * game's control word and some under any; and some that need not tell anything apart. */
typedef struct Wanted {
    uint8_t game[RP_READING_MAX][CALIBRATE_MAX_ALTERNATIVES][CALIBRATE_MAX_ALTERNATIVES];
    uint8_t any[RP_READING_MAX][CALIBRATE_MAX_ALTERNATIVES][CALIBRATE_MAX_ALTERNATIVES];
    uint32_t plain;
    bool more; /* some pair still wants cases */
} Wanted;

void Wanted_Init(Wanted *wanted);
/* Keeps the call if it is wanted. Adds what the subject turns out to depend on. */
RpStatus Survey_Consider(Bench *bench, Subject *subject, Wanted *wanted, const TraceCall *call,
                         const TraceReader *memory, int trace, Random *random, RpError *error);

/* Returns the subject for calls of a function under a build, or null. */
Subject *Subjects_Find(Subject *subjects, size_t count, const AbiFunction *function, RpBuild build);

#endif
