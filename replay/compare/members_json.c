#include "replay/compare/members_json.h"

#include "replay/compare/known.h"
#include "replay/compare/standing.h"

#include <cjson/cJSON.h>

#define MOST_COUNT 9007199254740992.0 /* 2^53, up to which JSON numbers hold every whole number */

void MembersJson_AddCount(cJSON *object, const char *name, uint64_t count) {
    cJSON_AddNumberToObject(object, name, (double)count);
}

void MembersJson_AddCounts(cJSON *object, const CompareCounts *counts) {
    for (size_t i = 0; i < STANDING_COLUMNS; i++)
        MembersJson_AddCount(object, standing_columns[i].member,
                             StandingColumn_Number(&standing_columns[i], counts));
    MembersJson_AddCount(object, "crashed", counts->crashed);
    MembersJson_AddCount(object, "violated", counts->violated);
}

void MembersJson_AddSide(cJSON *root, const char *name, const ReportSide *side) {
    cJSON *object = cJSON_AddObjectToObject(root, name);
    if (side->kind[0])
        cJSON_AddStringToObject(object, "kind", side->kind);
    if (side->modified)
        cJSON_AddTrueToObject(object, "modified");
    cJSON_AddStringToObject(object, "description", side->description);
    if (side->directory[0])
        cJSON_AddStringToObject(object, "directory", side->directory);
    if (side->sha256[0][0])
        cJSON_AddStringToObject(object, "ngi32.sha256", side->sha256[0]);
    if (side->sha256[1][0])
        cJSON_AddStringToObject(object, "animesh.sha256", side->sha256[1]);
    if (side->version[0])
        cJSON_AddStringToObject(object, "version", side->version);
}

void MembersJson_AddRun(cJSON *root, const Report *report) {
    if (report->version)
        cJSON_AddStringToObject(root, "version", report->version);
    if (report->command)
        cJSON_AddStringToObject(root, "command", report->command);
}

cJSON *MembersJson_AddCondition(cJSON *list, const CompareCondition *condition) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "readings", condition->readings);
    cJSON_AddStringToObject(object, "processor_a", condition->processor_a);
    cJSON_AddStringToObject(object, "processor_b", condition->processor_b);
    cJSON_AddBoolToObject(object, "other_processor", condition->other_processor);
    MembersJson_AddCount(object, "calls", condition->calls);
    cJSON_AddItemToArray(list, object);
    return object;
}

cJSON *MembersJson_AddKnown(cJSON *list, const CompareKnown *known) {
    cJSON *object = cJSON_CreateObject();
    MembersJson_AddCount(object, "line", known->entry->line);
    cJSON_AddStringToObject(object, "selection", known->entry->selection_text);
    cJSON_AddStringToObject(object, "path", known->entry->path);
    cJSON_AddStringToObject(object, "reason", known->entry->reason);
    MembersJson_AddCount(object, "covered", known->covered);
    MembersJson_AddCount(object, "matched", known->matched);
    cJSON_AddItemToArray(list, object);
    return object;
}

bool MembersJson_ReadCount(JsonRead *read, const cJSON *object, const char *name, uint64_t *count) {
    double number = 0;
    if (!JsonRead_IntegerMember(read, object, name, 0, MOST_COUNT, &number))
        return false;
    *count = (uint64_t)number;
    return true;
}

/* Reads a number that reports of earlier versions do not have, and gives 0 for them. */
static bool ReadAdded(JsonRead *read, const cJSON *object, const char *name, uint64_t *count) {
    *count = 0;
    return !cJSON_GetObjectItemCaseSensitive(object, name) ||
           MembersJson_ReadCount(read, object, name, count);
}

bool MembersJson_ReadCounts(JsonRead *read, const cJSON *object, CompareCounts *counts) {
    for (size_t i = 0; i < STANDING_COLUMNS; i++) {
        const StandingColumn *column = &standing_columns[i];
        uint64_t *count = StandingColumn_Count(column, counts);
        if (!(column->added ? ReadAdded : MembersJson_ReadCount)(read, object, column->member,
                                                                 count))
            return false;
    }
    if (counts->different > counts->compared)
        return JsonRead_Refuse(read, "more calls differ than were compared", "at most as many",
                               cJSON_GetObjectItemCaseSensitive(object, "different"));
    return MembersJson_ReadCount(read, object, "crashed", &counts->crashed) &&
           ReadAdded(read, object, "violated", &counts->violated);
}
