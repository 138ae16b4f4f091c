/* Lists the contents of an NRes archive, as tables and as JSON. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_NRES_LIST_H
#define RETROPOSE_FORMATS_ARCHIVE_NRES_LIST_H

#include "formats/archive/member_list.h"
#include "retropose/nres.h"

/* Appends a line for each member; with `nested`, also for the members of archives within. */
RpStatus ArchiveList_Text(const RpNRes *archive, bool nested, RpBuffer *text, RpError *error);
/* Appends {"archives": [{"path": "", "offset": 0, "members": [...]}]}. */
RpStatus ArchiveList_Json(const RpNRes *archive, bool nested, RpBuffer *json, RpError *error);

/* Appends sizes, types, regions, and the state of the permutation and of the layout. */
RpStatus ArchiveInfo_Text(const RpNRes *archive, RpBuffer *text, RpError *error);
/* Appends the same as JSON. `file`, which may be null, becomes a field of that name. */
RpStatus ArchiveInfo_Json(const RpNRes *archive, const char *file, RpBuffer *json, RpError *error);
/* Appends the names of the files into which members are extracted, as MemberFiles_Json does. */
RpStatus ArchiveFiles_Json(const RpNRes *archive, const MemberFilesGiven *given, RpBuffer *json,
                           RpError *error);

#endif
