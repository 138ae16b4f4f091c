/* Parts of the lists of members in JSON that both kinds of archive share. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_MEMBER_LIST_H
#define RETROPOSE_FORMATS_ARCHIVE_MEMBER_LIST_H

#include "formats/archive/member_names.h"
#include "retropose/finding.h"
#include "retropose/memory.h"

struct cJSON;

enum { MEMBER_NAME_BYTES = 3 * 36 + 1 }; /* size of a name in UTF-8; names have up to 36 bytes */

/* Adds how many findings there are of each severity: "errors", "warnings", "canonical", "infos". */
bool MemberList_AddFindings(struct cJSON *object, const RpFindingCounter *findings);

/* Which members were extracted into a folder: those of `indices`, or all members if that is null.
 * Members for which `written` is false have no file. `written` has an element for every member of
 * the archive, or is null. */
typedef struct MemberFilesGiven {
    const char *folder;
    const uint32_t *indices;
    size_t count; /* number of `indices` */
    const bool *written;
} MemberFilesGiven;

/* Appends {"folder": ..., "files": [{"index": 0, "name": ..., "file": ...}]} for an archive of
 * `members` members. `name` writes a member's name as UTF-8. Frees `files`. If `files` is null,
 * memory has been refused. */
RpStatus MemberFiles_Json(const MemberFilesGiven *given, MemberFileName *files, uint32_t members,
                          void (*name)(const void *archive, uint32_t index,
                                       char text[MEMBER_NAME_BYTES]),
                          const void *archive, RpBuffer *json, RpError *error);

#endif
