/* Reports of a comparison: text for people, JSON and JUnit XML for programs. The same comparison
 * gives the same bytes. */
#ifndef RETROPOSE_REPLAY_COMPARE_REPORT_H
#define RETROPOSE_REPLAY_COMPARE_REPORT_H

#include "core/text/shards.h"
#include "replay/compare/compare.h"
#include "replay/coverage/coverage.h"

#include "retropose/memory.h"

#include <stdio.h>

typedef struct ReportSide {
    /* Who answered: "original", "stand-in", "replacement", "native", "recorded" or "mixed"; empty
     * where this is not known. */
    char kind[16];
    bool modified;         /* a stand-in that has changed since it was built */
    char description[256]; /* from Provider_Describe, or the name of a stored trace */
    char directory[1024];  /* empty where there is none */
    char sha256[2][65];    /* sums of Ngi32.dll and AniMesh.dll; empty where unknown */
    /* the version of this program if the library in it answered; otherwise empty */
    char version[64];
} ReportSide;

typedef struct Report {
    const Comparison *comparison;
    ReportSide a, b;
    char processor[128];
    char engine[64]; /* what ran pairs of DLLs (ProviderEngine_Name); empty if there were none */
    /* what a reader must not miss, such as that the stand-in plays the original; from
     * Report_TakeNotice */
    char notice[256];
    /* the version of the program that compared, such as "1.0.0 (REVISION)"; may be null */
    const char *version;
    /* the command that repeats the run; null where none is known, or it does not fit */
    const char *command;
    /* what ended the run early: a signal, or "an error"; null where nothing did */
    const char *stopped;
    const RpError *error; /* the error; null where there was none */
    bool colour;
    /* in the text, equal functions have a row each, and not one line for all of them */
    bool all_rows;
    const Coverage *coverage; /* what of both sides' code the calls reached; null: nobody asked */
    bool allow_partial;       /* calls that were not compared do not make the exit code a failure */
    /* A report of one shard has these; its JSON is what `retropose merge` reads
     * (replay/merge). A null `run` stands for a report of the whole. */
    Shard shard;
    const struct cJSON *run; /* what all shards have in common */
    /* Writes the shortest command that repeats the call of a difference. Returns false where it
     * does not fit, because a shortened command would do something else. May be null. */
    bool (*repeat)(void *context, const Difference *difference, char *text, size_t size);
    void *context;
} Report;

/* Fills `notice` from the kinds and sums of the two sides. It says who played the original if that
 * was no original, who was tested in place of our code, and which files both sides share. It is
 * empty for a comparison of an original with our code, and for sides of which nothing is known. */
void Report_TakeNotice(Report *report);

/* Returns the exit code: 0 if all is equal; 1 if something differs, or a known difference is stale;
 * 2 if nothing was compared; 3 if a provider crashed where the other did not, or in another way; 4
 * if all is equal, but some selected calls were not compared and `allow_partial` is not set. */
int Report_ExitCode(const CompareTotals *totals, bool allow_partial);

/* Returns the exit code of a run that was stopped, whose report is no result: 2, or 3 if the error
 * is that something crashed. */
int Report_StoppedCode(const Report *report);

/* Writes the numbers of calls that were not compared, by kind: "32 failed alike, 4 unsupported".
 * Writes an empty text where there are none. */
void Report_Rest(const CompareCounts *counts, char *text, size_t size);

/* Writes the last line of the text: "N calls compared, M different" and what Report_Text says. */
enum { REPORT_VERDICT_BYTES = 520 };
void Report_Verdict(const CompareTotals *totals, char *text, size_t size);

enum { REPORT_ERROR_BYTES = 640 }; /* room for the words of an error */

enum { REPORT_SIDE_BYTES = 160 };
/* Writes the two sides of a difference: endings and states in words ("timed out", "violated"),
 * other elements as the digits of their bits. Returns whether they are words. */
bool Report_Sides(const Difference *difference, char a[REPORT_SIDE_BYTES],
                  char b[REPORT_SIDE_BYTES]);

/* Writes the verdict of every function, the worst first. Functions of a module that are equal share
 * a line unless `all_rows` is set, and a column that is 0 in every row is left out. Further
 * differences by function follow, then the first difference on one screen. The last line is exactly
 * "N calls compared, M different" where every selected call was compared and none was excused as
 * known or as the processor's. Where a signal or an error has stopped the run, the last line says
 * so. */
void Report_Text(const Report *report, FILE *out);

#define REPORT_FORMAT "retropose report 1" /* the name of the JSON's format */

/* Each of these appends its report to the text. */
RpStatus Report_Json(const Report *report, RpBuffer *text, RpError *error);
RpStatus Report_JUnit(const Report *report, RpBuffer *text, RpError *error);
/* Appends a page for a browser: one file without scripts that asks for no other one. It says what
 * the JSON says, and draws it. */
RpStatus Report_Html(const Report *report, RpBuffer *text, RpError *error);

#endif
