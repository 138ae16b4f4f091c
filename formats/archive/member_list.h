/* What the lists of both kinds of archive have in common as JSON. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_MEMBER_LIST_H
#define RETROPOSE_FORMATS_ARCHIVE_MEMBER_LIST_H

#include "formats/archive/member_names.h"
#include "retropose/finding.h"
#include "retropose/memory.h"

struct cJSON;

enum { MEMBER_NAME_BYTES = 3 * 36 + 1 }; /* of a name as UTF-8, for names of up to 36 bytes */

/* Adds how many findings there are of each severity: "errors", "warnings", "canonical", "infos". */
bool MemberList_AddFindings(struct cJSON *object, const RpFindingCounter *findings);

/* What was extracted into a folder: the members of `indices`, or all when that is null. Those that
 * are false in `written`, which may be null and else has a place for every member, have no file. */
typedef struct MemberFilesGiven {
    const char *folder;
    const uint32_t *indices;
    size_t count; /* of `indices` */
    const bool *written;
} MemberFilesGiven;

/* {"folder": ..., "files": [{"index": 0, "name": ..., "file": ...}]} for an archive of `members`
 * members. `name` fills in a member's name as UTF-8. Frees `files`; null stands for memory that was
 * refused. */
RpStatus MemberFiles_Json(const MemberFilesGiven *given, MemberFileName *files, uint32_t members,
                          void (*name)(const void *archive, uint32_t index,
                                       char text[MEMBER_NAME_BYTES]),
                          const void *archive, RpBuffer *json, RpError *error);

#endif
