/* What an RsLi library holds, as tables and as JSON. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_LIST_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_LIST_H

#include "retropose/rsli.h"

/* A line, or an object, for each entry. */
RpStatus RsLiList_Text(const RpRsLi *rsli, RpBuffer *text, RpError *error);
RpStatus RsLiList_Json(const RpRsLi *rsli, RpBuffer *json, RpError *error);

/* Header, sizes by method, map, trailer, and how many findings of each severity. */
RpStatus RsLiInfo_Text(const RpRsLi *rsli, RpBuffer *text, RpError *error);
/* `file` (may be null) becomes a field of that name. */
RpStatus RsLiInfo_Json(const RpRsLi *rsli, const char *file, RpBuffer *json, RpError *error);

/* What was extracted: the entries of `indices`, or all when that is null, but for those that are
 * false in `unpacks` (may be null): their "file" is null. */
typedef struct RsLiFilesGiven {
    const char *folder;
    const uint32_t *indices;
    size_t count; /* of `indices` */
    const bool *unpacks;
} RsLiFilesGiven;
/* {"folder": ..., "files": [{"index": 0, "name": ..., "file": ...}]} */
RpStatus RsLiFiles_Json(const RpRsLi *rsli, const RsLiFilesGiven *given, RpBuffer *json,
                        RpError *error);

#endif
