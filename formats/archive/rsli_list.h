/* Lists the contents of an RsLi library, as tables and as JSON. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_LIST_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_LIST_H

#include "formats/archive/member_list.h"
#include "retropose/rsli.h"

/* RsLiList_Text appends a line for each entry, RsLiList_Json a JSON object. */
RpStatus RsLiList_Text(const RpRsLi *rsli, RpBuffer *text, RpError *error);
RpStatus RsLiList_Json(const RpRsLi *rsli, RpBuffer *json, RpError *error);

/* Appends the header, sizes by method, the sort map, the trailer, and how many findings of each
 * severity there are. */
RpStatus RsLiInfo_Text(const RpRsLi *rsli, RpBuffer *text, RpError *error);
/* Appends the same as JSON. `file`, which may be null, becomes a field of that name. */
RpStatus RsLiInfo_Json(const RpRsLi *rsli, const char *file, RpBuffer *json, RpError *error);

/* Appends the names of the files into which entries are extracted, as MemberFiles_Json does. */
RpStatus RsLiFiles_Json(const RpRsLi *rsli, const MemberFilesGiven *given, RpBuffer *json,
                        RpError *error);

#endif
