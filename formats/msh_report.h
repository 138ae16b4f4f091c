/* Findings of models as lines of text and as JSON. */
#ifndef RETROPOSE_FORMATS_MSH_REPORT_H
#define RETROPOSE_FORMATS_MSH_REPORT_H

#include "retropose/msh_check.h"

/* Appends "NAME: error M20: the fallback key does not exist, at byte 604, Res1 nodes[3]: expected
 * below 6, found 9\n". */
void MshReport_Finding(const RpFinding *finding, const char *name, RpBuffer *text);
/* Appends one JSON object. Offsets are in the file when `base` is the model's place in it. */
void MshReport_FindingJson(const RpFinding *finding, uint64_t base, RpBuffer *text);

/* Of a group of models: "3 errors, 1 warning, ..." of the counts, and "no findings" without any. */
void MshReport_Counts(const uint64_t counts[RP_SEVERITY_COUNT], RpBuffer *text);

#endif
