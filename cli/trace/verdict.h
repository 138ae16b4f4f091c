/* What replay and compare share: the options of a comparison, and printing its reports. */
#ifndef RETROPOSE_CLI_TRACE_VERDICT_H
#define RETROPOSE_CLI_TRACE_VERDICT_H

#include "cli/cli.h"
#include "core/files/output.h"
#include "replay/compare/known.h"
#include "replay/compare/report.h"
#include "replay/trace/select.h"

typedef struct Verdict {
    Selection *selection;
    KnownDifferences *known;
    Comparison *comparison;
    OutputFile *json, *junit; /* open from the beginning; null: not asked for */
} Verdict;

/* The files are opened, so that hours of work are not lost to a name that cannot be written.
 * 0, or the exit code behind a message. */
int Verdict_Open(const Cli *cli, Verdict *verdict);
/* Prints the text and writes the files that --json and --junit name; the exit code. Says in all of
 * them when a signal has ended the work before its end. */
int Verdict_Report(const Cli *cli, Verdict *verdict, Report *report);
void Verdict_Close(Verdict *verdict);

#endif
