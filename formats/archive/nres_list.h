/* What an NRes archive holds, as tables and as JSON. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_NRES_LIST_H
#define RETROPOSE_FORMATS_ARCHIVE_NRES_LIST_H

#include "retropose/nres.h"

/* A line for each member; with `nested`, also for those of archives within. */
RpStatus ArchiveList_Text(const RpNRes *archive, bool nested, RpBuffer *text, RpError *error);
/* {"archives": [{"path": "", "offset": 0, "members": [...]}]} */
RpStatus ArchiveList_Json(const RpNRes *archive, bool nested, RpBuffer *json, RpError *error);

/* Sizes, types, regions, the state of the permutation and of the layout. */
RpStatus ArchiveInfo_Text(const RpNRes *archive, RpBuffer *text, RpError *error);
/* `file` (may be null) becomes a field of that name. */
RpStatus ArchiveInfo_Json(const RpNRes *archive, const char *file, RpBuffer *json, RpError *error);
/* {"folder": ..., "files": [{"index": 0, "name": ..., "file": ...}]}: how members are named when
 * they are extracted; `indices` may be null for all of them. */
RpStatus ArchiveFiles_Json(const RpNRes *archive, const char *folder, const uint32_t *indices,
                           size_t count, RpBuffer *json, RpError *error);

#endif
