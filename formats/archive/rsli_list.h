/* What an RsLi library holds, as tables and as JSON. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_LIST_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_LIST_H

#include "formats/archive/member_list.h"
#include "retropose/rsli.h"

/* Append a line, or a JSON object, for each entry. */
RpStatus RsLiList_Text(const RpRsLi *rsli, RpBuffer *text, RpError *error);
RpStatus RsLiList_Json(const RpRsLi *rsli, RpBuffer *json, RpError *error);

/* Appends the header, sizes by method, the sort map, the trailer, and how many findings of each
 * severity there are. */
RpStatus RsLiInfo_Text(const RpRsLi *rsli, RpBuffer *text, RpError *error);
/* The same as JSON. `file` (may be null) becomes a field of that name. */
RpStatus RsLiInfo_Json(const RpRsLi *rsli, const char *file, RpBuffer *json, RpError *error);

/* Appends how entries are named when they are extracted, as MemberFiles_Json does. */
RpStatus RsLiFiles_Json(const RpRsLi *rsli, const MemberFilesGiven *given, RpBuffer *json,
                        RpError *error);

#endif
