/* The members that reports and the files of shards have in common in their JSON: numbers of calls,
 * a side, conditions and known differences. */
#ifndef RETROPOSE_REPLAY_COMPARE_MEMBERS_JSON_H
#define RETROPOSE_REPLAY_COMPARE_MEMBERS_JSON_H

#include "core/json/json_read.h"
#include "replay/compare/report.h"

/* Adds a count, which stays below 2^53, so that a JSON number holds it. */
void MembersJson_AddCount(struct cJSON *object, const char *name, uint64_t count);
void MembersJson_AddCounts(struct cJSON *object, const CompareCounts *counts);
void MembersJson_AddSide(struct cJSON *root, const char *name, const ReportSide *side);
/* Adds which program made the report, and the command that repeats the run. */
void MembersJson_AddRun(struct cJSON *root, const Report *report);
/* Each of these appends an object to a list and returns it, so that the caller can add what only
 * one of the two kinds of files has. */
struct cJSON *MembersJson_AddCondition(struct cJSON *list, const CompareCondition *condition);
struct cJSON *MembersJson_AddKnown(struct cJSON *list, const CompareKnown *known);

bool MembersJson_ReadCount(JsonRead *read, const struct cJSON *object, const char *name,
                           uint64_t *count);
/* Reads all counts. Those that reports of earlier versions do not have become 0. */
bool MembersJson_ReadCounts(JsonRead *read, const struct cJSON *object, CompareCounts *counts);

#endif
