/* What replay and compare share: the options of a comparison, and printing its reports. */
#ifndef RETROPOSE_CLI_VERDICT_H
#define RETROPOSE_CLI_VERDICT_H

#include "cli.h"
#include "replay/known.h"
#include "replay/report.h"
#include "replay/select.h"

typedef struct Verdict {
    Selection *selection;
    KnownDifferences *known;
    Comparison *comparison;
} Verdict;

/* 0, or the exit code behind a message. */
int Verdict_Open(const Cli *cli, Verdict *verdict);
/* Prints the text and writes the files that --json and --junit name; the exit code. */
int Verdict_Report(const Cli *cli, const Report *report);
void Verdict_Close(Verdict *verdict);

#endif
