/* Functions that replay and compare share: the options of a comparison, and printing its
 * reports. */
#ifndef RETROPOSE_CLI_TRACE_VERDICT_H
#define RETROPOSE_CLI_TRACE_VERDICT_H

#include "cli/cli.h"
#include "core/files/output.h"
#include "replay/compare/known.h"
#include "replay/compare/report.h"
#include "tracefile/select.h"

#define CLI_ALLOW_PARTIAL                                                                          \
    { "allow-partial", NULL, "exit code 0 even if selected calls were not compared", 0 }

/* The options that name files for a report: three entries of a verb's list. */
enum { VERDICT_FILES = 3 };
/* clang-format off */
#define CLI_REPORTS \
    {"json", "FILE", "write the report as JSON, beside the text (-: standard output)", 0}, \
    {"junit", "FILE", "write the report as JUnit XML", 0}, \
    {"html", "FILE", "write the report as a page for a browser: one file, no scripts", 0}
/* clang-format on */

typedef struct Verdict {
    Selection *selection;
    KnownDifferences *known;
    Comparison *comparison;
    OutputFile *files[VERDICT_FILES]; /* open from the beginning; null: not asked for */
} Verdict;

/* Reads the options and opens the files of the reports, so that hours of work are not lost to a
 * name that cannot be written. `explains`: Explain_Differences is going to be called. Returns 0, or
 * the exit code after a message. */
int Verdict_Open(const Cli *cli, bool explains, Verdict *verdict);
/* Returns whether the text goes to the standard output, because no other report does. */
bool Verdict_PrintsText(const Cli *cli);
/* Prints the text, writes the files that were asked for, and returns the exit code. That is 0 for a
 * shard whose result was written. If a signal has ended the work early, all of them say so. */
int Verdict_Report(const Cli *cli, Verdict *verdict, Report *report);
/* Does the same if an error has ended the comparison, so that what was found before is not lost.
 * The reports contain the error, and the exit code is that of the error. If nothing was compared,
 * only the error is printed. */
int Verdict_Failed(const Cli *cli, Verdict *verdict, Report *report, const RpError *error);
void Verdict_Close(Verdict *verdict);

#endif
