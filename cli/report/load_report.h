/* Reading a report for a verb. */
#ifndef RETROPOSE_CLI_REPORT_LOAD_REPORT_H
#define RETROPOSE_CLI_REPORT_LOAD_REPORT_H

#include "replay/compare/saved_report.h"

/* Reads the file. An error names it. */
RpStatus Report_Load(const char *path, SavedReport *report, RpError *error);

#endif
