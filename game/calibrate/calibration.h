/* What a calibration is given and what it finds: options, and verdicts on functions and
 * readings. calibrate.h runs one and reports on it. */
#ifndef RETROPOSE_GAME_CALIBRATE_CALIBRATION_H
#define RETROPOSE_GAME_CALIBRATE_CALIBRATION_H

#include "exports/abi.h"
#include "retropose/fastproc.h"

#include <stdbool.h>
#include <stdint.h>

#define CALIBRATE_MAX_ALTERNATIVES 8 /* most alternatives of one reading */
#define CALIBRATE_BUDGET           50000u

/* Executes the trace `input` and writes it, with outcomes, to `output`, as Provider_Run does. */
typedef RpStatus CalibrateAsk(void *context, const char *input, const char *output, RpError *error);

typedef struct CalibrateOptions {
    CalibrateAsk *ask; /* null: recorded traces are the only evidence */
    void *ask_context;
    const char *const *traces; /* recorded traces with the outcomes of an original */
    size_t trace_count;
    const char *work_directory; /* for temporary traces, which are deleted */
    uint64_t budget; /* how many inputs to generate for one function; 0: CALIBRATE_BUDGET */
    uint64_t seed;
    /* May be null. A total of 0 means that it is unknown. */
    void (*progress)(void *context, const char *stage, uint64_t done, uint64_t total);
    void *progress_context;
} CalibrateOptions;

/* ---- results --------------------------------------------------------------------------------- */

typedef enum CalibrateFit {
    CALIBRATE_FITS,
    /* it fits by itself, but not together with what other functions decided */
    CALIBRATE_CONTRADICTS,
    CALIBRATE_FITS_NONE,   /* no combination of choices gives all of its answers */
    CALIBRATE_TOO_MANY,    /* there are more combinations than calibration tries */
    CALIBRATE_MISSING,     /* the original does not have the function here, or refuses it */
    CALIBRATE_NO_EVIDENCE, /* nobody was asked, and no trace has calls of it */
    /* No call came back with its stack and saved registers intact, so it is not known how the
     * function is called. */
    CALIBRATE_UNCALLABLE
} CalibrateFit;

const char *CalibrateFit_Name(CalibrateFit fit); /* "fits", "contradicts" and so on */

/* The first case that the nearest combination does not explain. */
typedef struct CalibrateDifference {
    bool found;
    const char *trace; /* null: the input was generated */
    /* its number in that trace, or in the function's stream of generated inputs */
    uint64_t sequence;
    uint16_t control;
    uint32_t mxcsr;
    char path[64]; /* "result[2]", or "outcome" */
    char original[96], ours[96];
    char inputs[256]; /* floats and words in hexadecimal, cut to fit */
} CalibrateDifference;

/* One function, as one build of the slots has it. */
typedef struct CalibrateFunction {
    const AbiFunction *function;
    RpBuild build;
    bool every_build; /* all builds of the slots give the same results */
    CalibrateFit fit;
    /* a bit for each reading that changes its results */
    uint32_t reaches[RP_READING_MAX / 32 + 1];
    uint64_t generated; /* inputs that were generated and evaluated here */
    uint64_t recorded;  /* calls of traces that were evaluated here */
    /* Cases with an answer; how many of them the nearest combination explains. */
    uint64_t asked, matched;
    /* The same for cases under the game's control word whose numbers are all ordinary, as they are
     * in the game. */
    uint64_t ordinary, ordinary_matched;
    uint64_t ended; /* answers of calls that crashed, hung, or ended the process */
    /* Answers of calls that damaged the stack or registers, so that the way of calling may be
     * wrong. */
    uint64_t violations;
    uint64_t combinations; /* number of combinations of the readings that reach it */
    uint64_t remaining;    /* how many of these combinations fit */
    RpReadings nearest;    /* a combination that fits, or else the nearest one found */
    CalibrateDifference difference;
} CalibrateFunction;

typedef enum CalibrateVerdict {
    CALIBRATE_DECIDED,
    CALIBRATE_NOT_TOLD_APART, /* more than one alternative fits everything */
    CALIBRATE_SPLIT,          /* functions that decide it contradict each other */
    CALIBRATE_NOTHING_FITS,   /* no combination fits any function that it reaches */
    CALIBRATE_NOT_ASKED       /* no function that it reaches could be asked */
} CalibrateVerdict;

const char *CalibrateVerdict_Name(CalibrateVerdict verdict);

typedef struct CalibrateReading {
    CalibrateVerdict verdict;
    uint8_t choice;    /* the one that was decided, or else the one to use */
    uint32_t possible; /* a bit for each alternative that fits */
    uint64_t refuted[CALIBRATE_MAX_ALTERNATIVES]; /* cases that refute the alternative */
    /* How many of these cases have the game's control word. */
    uint64_t game_word[CALIBRATE_MAX_ALTERNATIVES];
    uint64_t tried; /* inputs here on which the alternatives that fit were compared */
    /* The instruction of the original that decides it (decided_at.h), such as "Ngi32.dll+14652 in
     * ngi32.slot17: fmul st0, st1"; empty if none is known. */
    char instruction[224];
} CalibrateReading;

typedef struct Calibration {
    CalibrateFunction *functions;
    size_t function_count;
    CalibrateReading readings[RP_READING_MAX];
    int reading_count;
    /* For each function and reading, how many cases refute each alternative. */
    uint64_t (*refutes)[RP_READING_MAX][CALIBRATE_MAX_ALTERNATIVES];
    RpReadings chosen;
    uint64_t combinations; /* combinations that fit all functions that fit at all */
    uint64_t asked, generated, recorded, skipped, evaluations;
    unsigned runs, rounds; /* runs of the original; rounds of choosing inputs */
    uint64_t budget, seed;
} Calibration;

bool CalibrateFunction_Reaches(const CalibrateFunction *function, int reading);
/* Returns whether every function that could be tried fits, and no two of them contradict each
 * other. */
bool Calibration_IsClean(const Calibration *calibration);
void Calibration_Free(Calibration *calibration);

/* ---- before any original is asked ------------------------------------------------------------ */

/* What can be measured without an original: which readings reach which functions, and first
 * inputs that tell them apart. One survey serves any number of originals. */
typedef struct CalibrateSurvey CalibrateSurvey;
RpStatus CalibrateSurvey_Create(const CalibrateOptions *options, CalibrateSurvey **survey,
                                RpError *error);
void CalibrateSurvey_Destroy(CalibrateSurvey *survey); /* null is fine */

#endif
