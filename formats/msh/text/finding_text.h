/* Writes findings as lines of text and as JSON, for any checker and any number of files. */
#ifndef RETROPOSE_FORMATS_MSH_TEXT_FINDING_TEXT_H
#define RETROPOSE_FORMATS_MSH_TEXT_FINDING_TEXT_H

#include "retropose/finding.h"
#include "retropose/memory.h"

/* Appends "FILE: N07 error: WHAT at entry 3 "name", Res1 nodes[2] (byte 0x1F40): expected E,
 * found F" and a newline. `entry_name` (may be null) must be fit for a terminal. */
void FindingText_Line(RpBuffer *text, const char *file, const char *entry_name,
                      const RpFinding *finding);

/* Collects {"files": [{"file": ..., "errors": n, ..., "findings": [...]}], "errors": n, ...}. */
typedef struct FindingJson {
    struct cJSON *root, *files, *file, *findings;
    uint64_t file_count[RP_SEVERITY_COUNT], count[RP_SEVERITY_COUNT];
    bool failed; /* memory was refused */
} FindingJson;

void FindingJson_Init(FindingJson *json);
void FindingJson_BeginFile(FindingJson *json, const char *file);
/* Counts a finding, whether it is shown or not. */
void FindingJson_Count(FindingJson *json, RpSeverity severity);
/* Adds a finding that is shown. `entry_name`, which may be null, is in UTF-8. */
void FindingJson_Add(FindingJson *json, const char *entry_name, const RpFinding *finding);
/* Appends the text and frees everything. */
RpStatus FindingJson_End(FindingJson *json, RpBuffer *text, RpError *error);

#endif
