/* What a calibration is given and what it finds: options, and verdicts on functions and hypotheses.
 * calibrate.h runs one and reports on it. */
#ifndef RETROPOSE_LIVE_CALIBRATE_CALIBRATION_H
#define RETROPOSE_LIVE_CALIBRATE_CALIBRATION_H

#include "exports/abi.h"
#include "retropose/fastproc.h"

#include <stdbool.h>
#include <stdint.h>

#define CALIBRATE_MAX_ALTERNATIVES 8 /* of one hypothesis */
#define CALIBRATE_BUDGET           50000u

/* Executes the trace `input` and writes it with outcomes to `output`, as Provider_Run does. */
typedef RpStatus CalibrateAsk(void *context, const char *input, const char *output, RpError *error);

typedef struct CalibrateOptions {
    CalibrateAsk *ask; /* null: recorded traces are the only evidence */
    void *ask_context;
    const char *const *traces; /* with the outcomes of an original */
    size_t trace_count;
    const char *work_directory; /* for traces in work; what is written there is deleted */
    uint64_t budget;            /* generated inputs of one function; 0: CALIBRATE_BUDGET */
    uint64_t seed;
    /* May be null; total 0: unknown. */
    void (*progress)(void *context, const char *stage, uint64_t done, uint64_t total);
    void *progress_context;
} CalibrateOptions;

/* ---- results ----------------------------------------------------------------------------------
 */

typedef enum CalibrateFit {
    CALIBRATE_FITS,
    CALIBRATE_CONTRADICTS, /* fits by itself, but not with what other functions decided */
    CALIBRATE_FITS_NONE,   /* no combination of choices gives all of its answers */
    CALIBRATE_TOO_MANY,    /* more combinations than are tried */
    CALIBRATE_MISSING,     /* the original has no such function here, or refuses */
    CALIBRATE_NO_EVIDENCE, /* nobody was asked, and no trace holds it */
    /* Not one case came back with its stack and saved registers: how it is called is not known. */
    CALIBRATE_UNCALLABLE
} CalibrateFit;

const char *CalibrateFit_Name(CalibrateFit fit); /* "fits", "contradicts", ... */

/* The first case that the nearest combination does not explain. */
typedef struct CalibrateDifference {
    bool found;
    const char *trace; /* null: a generated input */
    uint64_t sequence; /* in that trace, or in the function's stream of generated inputs */
    uint16_t control;
    uint32_t mxcsr;
    char path[64]; /* "result[2]", or "outcome" */
    char original[96], ours[96];
    char inputs[256]; /* floats and words in hex, cut */
} CalibrateDifference;

/* One function, as one build of the slots has it. */
typedef struct CalibrateFunction {
    const AbiFunction *function;
    RpBuild build;
    bool every_build; /* no build of the slots changes it */
    CalibrateFit fit;
    uint32_t reaches[RP_READING_MAX / 32 + 1]; /* bits: hypotheses that change its results */
    uint64_t generated;                        /* inputs evaluated here */
    uint64_t recorded;                         /* calls of traces evaluated here */
    uint64_t asked, matched; /* cases with an answer; of those, by the nearest combination */
    /* Of those, under the game's control word with ordinary numbers alone: the game's own cases. */
    uint64_t ordinary, ordinary_matched;
    uint64_t ended;        /* of those: crashed, hung, or ended the process */
    uint64_t violations;   /* of those: stack, registers, ...: the call itself may be wrong */
    uint64_t combinations; /* of the hypotheses that reach it */
    uint64_t remaining;    /* of those that fit */
    RpReadings nearest;    /* a combination that fits, or the nearest found */
    CalibrateDifference difference;
} CalibrateFunction;

typedef enum CalibrateVerdict {
    CALIBRATE_DECIDED,
    CALIBRATE_NOT_TOLD_APART, /* more than one alternative fits everything */
    CALIBRATE_SPLIT,          /* functions that decide it contradict each other */
    CALIBRATE_NOTHING_FITS,   /* all functions that it reaches fit no combination */
    CALIBRATE_NOT_ASKED       /* no function that it reaches could be asked */
} CalibrateVerdict;

const char *CalibrateVerdict_Name(CalibrateVerdict verdict);

typedef struct CalibrateHypothesis {
    CalibrateVerdict verdict;
    uint8_t choice;                                 /* decided: this one; else the one to use */
    uint32_t possible;                              /* bits: alternatives that fit */
    uint64_t refuted[CALIBRATE_MAX_ALTERNATIVES];   /* cases that refute it */
    uint64_t game_word[CALIBRATE_MAX_ALTERNATIVES]; /* of those, under the game's control word */
    uint64_t tried; /* inputs on which alternatives that fit were compared here */
} CalibrateHypothesis;

typedef struct Calibration {
    CalibrateFunction *functions;
    size_t function_count;
    CalibrateHypothesis hypotheses[RP_READING_MAX];
    int hypothesis_count;
    /* By function and hypothesis: cases that refute each alternative. */
    uint64_t (*refutes)[RP_READING_MAX][CALIBRATE_MAX_ALTERNATIVES];
    RpReadings chosen;
    uint64_t combinations; /* of choices that fit together, with all functions that fit */
    uint64_t asked, generated, recorded, skipped, evaluations;
    unsigned runs, rounds; /* of the original; of choosing inputs */
    uint64_t budget, seed;
} Calibration;

bool CalibrateFunction_Reaches(const CalibrateFunction *function, int hypothesis);
/* Every function that could be tried fits, and no two of them contradict each other. */
bool Calibration_IsClean(const Calibration *calibration);
void Calibration_Free(Calibration *calibration);

/* ---- before any original is asked -------------------------------------------------------------
 */

/* What is measured without any original: which hypotheses reach which functions, and first inputs
 * that tell them apart. It serves any number of originals. */
typedef struct CalibrateSurvey CalibrateSurvey;
RpStatus CalibrateSurvey_Create(const CalibrateOptions *options, CalibrateSurvey **survey,
                                RpError *error);
void CalibrateSurvey_Destroy(CalibrateSurvey *survey); /* safe on null */

#endif
