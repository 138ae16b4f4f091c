/* What differs between two RsLi libraries: entries, their fields and contents, order, layout. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_DIFF_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_DIFF_H

#include "retropose/rsli.h"

/* Entries are the same by name, the first with the first of equal ones. Contents that do not unpack
 * are compared as they are packed. Images that are the same bytes give nothing.
 *
 * Appends one line a difference, or a JSON object; *different may be null. */
RpStatus RsLiDiff_Text(const RpRsLi *a, const RpRsLi *b, RpBuffer *text, bool *different,
                       RpError *error);
RpStatus RsLiDiff_Json(const RpRsLi *a, const RpRsLi *b, RpBuffer *json, bool *different,
                       RpError *error);

#endif
