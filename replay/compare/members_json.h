/* What reports and the files of shards have alike in their JSON: numbers of calls, a side,
 * conditions and known differences. */
#ifndef RETROPOSE_REPLAY_COMPARE_MEMBERS_JSON_H
#define RETROPOSE_REPLAY_COMPARE_MEMBERS_JSON_H

#include "core/json/json_read.h"
#include "replay/compare/report.h"

/* A count stays below 2^53, so a JSON number holds it. */
void MembersJson_AddCount(struct cJSON *object, const char *name, uint64_t count);
void MembersJson_AddCounts(struct cJSON *object, const CompareCounts *counts);
void MembersJson_AddSide(struct cJSON *root, const char *name, const ReportSide *side);
/* Adds which program made the report, and the command that repeats the run. */
void MembersJson_AddRun(struct cJSON *root, const Report *report);
/* Each appends an object to a list and returns it, for what only one of the two forms has. */
struct cJSON *MembersJson_AddCondition(struct cJSON *list, const CompareCondition *condition);
struct cJSON *MembersJson_AddKnown(struct cJSON *list, const CompareKnown *known);

bool MembersJson_ReadCount(JsonRead *read, const struct cJSON *object, const char *name,
                           uint64_t *count);
/* Reads all of them, but for those that reports of earlier versions do not have: these are 0. */
bool MembersJson_ReadCounts(JsonRead *read, const struct cJSON *object, CompareCounts *counts);

#endif
