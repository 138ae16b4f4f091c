/* Reports of a comparison: text for people, JSON and JUnit XML for machines. The same comparison
 * gives the same bytes. */
#ifndef RETROPOSE_REPLAY_COMPARE_REPORT_H
#define RETROPOSE_REPLAY_COMPARE_REPORT_H

#include "replay/compare/compare.h"

#include "retropose/memory.h"

#include <stdio.h>

typedef struct ReportSide {
    char description[256]; /* Provider_Describe, or the file of a stored trace */
    char directory[1024];  /* empty: none */
    char sha256[2][65];    /* of Ngi32.dll and AniMesh.dll; empty: unknown */
} ReportSide;

typedef struct Report {
    const Comparison *comparison;
    ReportSide a, b;
    char processor[128];
    char notice[160]; /* what a reader must not miss, e.g. that the stand-in plays the original */
    const char *stopped; /* the signal that ended the run before its end; null: none did */
    bool colour;
    bool allow_partial; /* of the exit code: calls that were not compared are no failure */
    /* Writes the smallest command that repeats the call of a difference; may be null. */
    int (*repeat)(void *context, const Difference *difference, char *text, size_t size);
    void *context;
} Report;

/* 0 equal, 1 different (or a stale known difference), 2 nothing was compared, 3 a provider crashed
 * where the other did not, or in another way, 4 equal, but selected calls were not compared and
 * `allow_partial` is not set. */
int Report_ExitCode(const CompareTotals *totals, bool allow_partial);

/* "32 failed alike, 4 unsupported": the calls that were not compared, by kind; empty for none. */
void Report_Rest(const CompareCounts *counts, char *text, size_t size);

/* First the verdict of every function, then the other differences by function, then the first one
 * on one screen. The last line is exactly "N calls compared, M different" if every selected call
 * was compared and none of them was excused: known, or by the processor. Where a signal has stopped
 * the run, the last line says so. */
void Report_Text(const Report *report, FILE *out);

/* Append to the text. */
RpStatus Report_Json(const Report *report, RpBuffer *text, RpError *error);
RpStatus Report_JUnit(const Report *report, RpBuffer *text, RpError *error);

#endif
