/* Reads reports that --json has written, says what changed between two of them, and draws a
 * badge. */
#ifndef RETROPOSE_REPLAY_COMPARE_SAVED_REPORT_H
#define RETROPOSE_REPLAY_COMPARE_SAVED_REPORT_H

#include "replay/compare/report.h"

typedef struct SavedFunction {
    char key[64], name[64];
    CompareCounts counts;
} SavedFunction;

typedef struct SavedReport {
    ReportSide a, b; /* without their folders */
    int exit_code;
    char stopped[32]; /* the signal that ended the run; empty where none did */
    CompareTotals totals;
    SavedFunction *functions;
    size_t function_count;
} SavedReport;

/* Reads a report. The error of RP_CORRUPT has the place in the text and what was expected there;
 * `saved` is empty then. */
RpStatus SavedReport_Read(SavedReport *saved, const char *text, size_t size, RpError *error);
void SavedReport_Free(SavedReport *saved);

/* ---- what changed -----------------------------------------------------------------------------
 */

typedef enum ReportChange {
    REPORT_WORSE, /* a larger share of its calls differs or crashes, or is not compared */
    REPORT_NEW,   /* differs, and did not differ before */
    REPORT_BETTER,
    REPORT_GONE, /* does not differ any more */
    REPORT_SAME,
    REPORT_CHANGES
} ReportChange;

/* Returns "worse", "new", "better", "gone" or "same". */
const char *ReportChange_Name(ReportChange change);

typedef struct ReportDiffRow {
    const char *key, *name;
    CompareCounts before, after; /* zeros for a function that a report does not have */
    ReportChange change;
    /* a few words where the numbers of differing calls do not give the reason, or "" */
    const char *reason;
} ReportDiffRow;

typedef struct ReportDiff {
    ReportDiffRow *rows; /* in the order of the reports; names belong to the reports */
    size_t row_count;
    size_t counts[REPORT_CHANGES]; /* the number of rows with each change */
    /* more lines of the known differences than before have no difference any more */
    bool stale;
    bool worse; /* a row is new or worse, or `stale` is set */
} ReportDiff;

RpStatus ReportDiff_Make(const SavedReport *before, const SavedReport *after, ReportDiff *diff,
                         RpError *error);
void ReportDiff_Free(ReportDiff *diff);
void ReportDiff_Text(const SavedReport *before, const SavedReport *after, const ReportDiff *diff,
                     RpBuffer *text);
RpStatus ReportDiff_Json(const SavedReport *before, const SavedReport *after,
                         const ReportDiff *diff, RpBuffer *json, RpError *error);

/* ---- a badge ----------------------------------------------------------------------------------
 */

/* Appends a small SVG: the verdict, the number of calls, and who played the original. The badge is
 * green only if our own code (replacement or native) was compared with an original. Otherwise it
 * says who was, in a colour of its own. */
void SavedReport_Badge(const SavedReport *saved, RpBuffer *svg);

#endif
