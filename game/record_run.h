/* Runs a game with its calls recorded, and sums up what was recorded (docs/use/record.md). */
#ifndef RETROPOSE_GAME_RECORD_RUN_H
#define RETROPOSE_GAME_RECORD_RUN_H

#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct RecordRun {
    const char *output;    /* the trace; no file of this name may exist */
    const char *functions; /* globs; null to let retropose.ini decide, whose default is all */
    const char *ring, *limit, *full, *flush; /* as in retropose.ini; null: as that says */
    const char *modes;          /* rules as in RETROPOSE_MODES; null: as retropose.ini says */
    const char *const *command; /* the program and its arguments; ends with null */
} RecordRun;

/* Runs the command to its end, in the foreground. On Linux a program named *.exe runs under
 * Wine, in the user's own prefix, because it is the user's game. Returns RP_INVALID for a value
 * that is not understood, or an output that exists. */
RpStatus RecordRun_Start(const RecordRun *run, uint32_t *exit_code, RpError *error);

typedef struct RecordSummary {
    uint32_t files;
    uint64_t calls, bytes;
    uint64_t *by_function;          /* by row of abi_functions */
    uint64_t dropped, not_recorded; /* as the last note says */
    uint64_t deleted;               /* files of a ring that were deleted again */
    uint64_t overhead_ns, overhead_samples;
    uint64_t overhead_median_ns;
    bool noted;   /* the game ended regularly and left the numbers above */
    uint32_t cut; /* files without an end, which are valid up to their last whole chunk */
    bool limited;
} RecordSummary;

/* Reads all files of a recording. Returns RP_NOT_FOUND where there are none, RP_CORRUPT and the
 * like for one that is not a trace. RecordSummary_Free is needed in any case. */
RpStatus RecordSummary_Read(const char *output, RecordSummary *summary, RpError *error);
void RecordSummary_Free(RecordSummary *summary);

#endif
