/* What an RsLi library holds, as tables and as JSON. */
#ifndef RETROPOSE_FORMATS_LIBRARY_LIST_H
#define RETROPOSE_FORMATS_LIBRARY_LIST_H

#include "retropose/rsli.h"

/* A line, or an object, for each entry. */
RpStatus LibraryList_Text(const RpRsLi *library, RpBuffer *text, RpError *error);
RpStatus LibraryList_Json(const RpRsLi *library, RpBuffer *json, RpError *error);

/* Header, sizes by method, map, trailer, and how many findings of each severity. */
RpStatus LibraryInfo_Text(const RpRsLi *library, RpBuffer *text, RpError *error);
RpStatus LibraryInfo_Json(const RpRsLi *library, RpBuffer *json, RpError *error);

#endif
