#include "formats/msh/text/edit_report.h"

#include "core/json/json_text.h"
#include "core/text.h"
#include "core/text/encoding.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- what changed ---------------------------------------------------------------------------- */

typedef enum Change { CHANGE_NONE, CHANGE_ADDED, CHANGE_BYTES, CHANGE_ATTRIBUTES } Change;

/* Compares a member with the first one of its type before the edit. */
static Change MemberChange(const RpNRes *before, const RpNResMember *after) {
    int32_t index = RpNRes_FindType(before, after->type, 0);
    if (index < 0)
        return CHANGE_ADDED;
    RpNResEntry entry = RpNRes_Entry(before, (uint32_t)index);
    if (entry.size != after->size ||
        (entry.size > 0 && (!entry.data || memcmp(entry.data, after->data, entry.size) != 0)))
        return CHANGE_BYTES;
    return entry.attr1 == after->attr1 && entry.attr2 == after->attr2 && entry.attr3 == after->attr3
               ? CHANGE_NONE
               : CHANGE_ATTRIBUTES;
}

static void StreamName(uint32_t type, char name[40]) {
    const char *known = RpMsh_StreamName(type);
    snprintf(name, 40, "Res%" PRIu32 "%s%s", type, known ? " " : "", known ? known : "");
}

/* Finds types that have disappeared, each once. */
static bool IsDropped(const EditReport *report, uint32_t index, uint32_t *type) {
    *type = RpNRes_Entry(report->before, index).type;
    return RpNResArchive_FindType(report->after, *type) < 0 &&
           RpNRes_FindType(report->before, *type, 0) == (int32_t)index;
}

/* ---- tracks ---------------------------------------------------------------------------------- */

typedef struct Totals {
    uint32_t keys, animated;
} Totals;

static Totals Count(const RpMshAnimation *animation) {
    Totals totals = {0, 0};
    for (uint32_t n = 0; n < animation->node_count; n++) {
        totals.keys += animation->tracks[n].key_count;
        totals.animated += animation->tracks[n].key_count > 1;
    }
    return totals;
}

enum { NAME_BYTES = 4 * RP_MSH_NAME_BYTES + 1 }; /* as UTF-8, with \xNN */

/* Returns the node's name, which is empty if it has none. */
static const char *NodeName(const RpMsh *msh, uint32_t node, uint32_t *length) {
    const char *text = RpMsh_Text(msh, RP_MSH_NAMES, node, length);
    return text ? text : "";
}

/* ---- text ------------------------------------------------------------------------------------ */

static RpStatus Finish(const RpBuffer *text, RpError *error) {
    return text->failed ? RpMemory_Refused(error, "a report") : RP_OK;
}

RpStatus EditReport_Text(const EditReport *report, RpBuffer *text, RpError *error) {
    RpMsh msh;
    RpStatus status = RpMsh_Open(RpNResArchive_Entries(report->after), RP_TOLERANT, &msh, error);
    if (status != RP_OK)
        return status;
    if (report->animation) {
        const RpMshAnimation *animation = report->animation;
        const Totals totals = Count(animation);
        const uint64_t words = (uint64_t)totals.animated * animation->frame_count;
        RpBuffer_Print(text,
                       "%" PRIu32 " frame%s, %" PRIu32 " node%s (%" PRIu32 " animated), %" PRIu32
                       " key%s, %" PRIu64 " map word%s\n",
                       animation->frame_count, Text_Plural(animation->frame_count),
                       animation->node_count, Text_Plural(animation->node_count), totals.animated,
                       totals.keys, Text_Plural(totals.keys), words, Text_Plural(words));
        RpBuffer_Print(text, "%5s  %-31s  %6s  %10s\n", "node", "name", "keys", "last frame");
        for (uint32_t n = 0; n < animation->node_count; n++) {
            const RpMshTrack *track = &animation->tracks[n];
            uint32_t length = 0;
            char name[NAME_BYTES];
            const char *bytes = NodeName(&msh, n, &length);
            Text1251_Show(bytes, length, name, sizeof name);
            if (track->key_count > 1)
                RpBuffer_Print(text, "%5" PRIu32 "  %-31s  %6" PRIu32 "  %10g\n", n, name,
                               track->key_count, (double)track->keys[track->key_count - 1].time);
            else
                RpBuffer_Print(text, "%5" PRIu32 "  %-31s  %6s  %10s\n", n, name, "static", "");
        }
    }
    if (report->output) {
        char name[40];
        uint32_t type, changes = 0;
        for (uint32_t i = 0; i < report->after->count; i++) {
            const RpNResMember *member = &report->after->members[i];
            Change change = MemberChange(report->before, member);
            if (change == CHANGE_NONE)
                continue;
            StreamName(member->type, name);
            RpBuffer_Print(text, "%s: %s, %" PRIu32 " bytes\n", name,
                           change == CHANGE_ADDED        ? "added"
                           : change == CHANGE_ATTRIBUTES ? "attributes changed"
                                                         : "changed",
                           member->size);
            changes++;
        }
        for (uint32_t i = 0; i < report->before->count; i++)
            if (IsDropped(report, i, &type)) {
                StreamName(type, name);
                RpBuffer_Print(text, "%s: dropped\n", name);
                changes++;
            }
        if (changes == 0)
            RpBuffer_Print(text, "nothing changed\n");
    }
    return Finish(text, error);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void AddChange(cJSON *changes, uint32_t type, const char *change, uint32_t size) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "stream", type);
    cJSON_AddStringToObject(object, "change", change);
    cJSON_AddNumberToObject(object, "bytes", size);
    cJSON_AddItemToArray(changes, object);
}

RpStatus EditReport_Json(const EditReport *report, RpBuffer *text, RpError *error) {
    RpMsh msh;
    RpStatus status = RpMsh_Open(RpNResArchive_Entries(report->after), RP_TOLERANT, &msh, error);
    if (status != RP_OK)
        return status;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "file", report->file);
    if (report->output)
        cJSON_AddStringToObject(object, "output", report->output);
    if (report->animation) {
        const RpMshAnimation *animation = report->animation;
        Totals totals = Count(animation);
        cJSON_AddNumberToObject(object, "frames", animation->frame_count);
        cJSON_AddNumberToObject(object, "keys", totals.keys);
        cJSON_AddNumberToObject(object, "animated", totals.animated);
        cJSON_AddNumberToObject(object, "map_words",
                                (double)totals.animated * animation->frame_count);
        cJSON_AddNumberToObject(object, "sampled", report->sampled);
        cJSON *nodes = cJSON_AddArrayToObject(object, "nodes");
        for (uint32_t n = 0; n < animation->node_count; n++) {
            const RpMshTrack *track = &animation->tracks[n];
            uint32_t length = 0;
            char name[NAME_BYTES];
            cJSON *node = cJSON_CreateObject();
            const char *bytes = NodeName(&msh, n, &length);
            Text1251_ToUtf8(bytes, length, name);
            cJSON_AddNumberToObject(node, "node", n);
            cJSON_AddStringToObject(node, "name", name);
            cJSON_AddNumberToObject(node, "keys", track->key_count);
            cJSON_AddNumberToObject(node, "last_frame",
                                    (double)track->keys[track->key_count - 1].time);
            cJSON_AddItemToArray(nodes, node);
        }
    }
    if (report->output) {
        cJSON *changes = cJSON_AddArrayToObject(object, "changes");
        uint32_t type;
        for (uint32_t i = 0; i < report->after->count; i++) {
            const RpNResMember *member = &report->after->members[i];
            Change change = MemberChange(report->before, member);
            if (change != CHANGE_NONE) {
                static const char *const names[] = {"same", "added", "bytes", "attributes"};
                AddChange(changes, member->type, names[change], member->size);
            }
        }
        for (uint32_t i = 0; i < report->before->count; i++)
            if (IsDropped(report, i, &type))
                AddChange(changes, type, "dropped", 0);
    }
    status = JsonText_End(object, true, "a report", text, error);
    return status == RP_OK ? Finish(text, error) : status;
}
