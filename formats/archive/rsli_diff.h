/* What differs between two RsLi libraries: entries, their fields and contents, order, layout. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_DIFF_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_DIFF_H

#include "retropose/rsli.h"

/* Two entries are taken to be the same if their names agree; of equal ones the first of either
 * library are. Contents that do not unpack are compared as they are packed. Images of the same
 * bytes give no difference.
 *
 * Both append one line for each difference, or one JSON object. *different may be null. */
RpStatus RsLiDiff_Text(const RpRsLi *a, const RpRsLi *b, RpBuffer *text, bool *different,
                       RpError *error);
RpStatus RsLiDiff_Json(const RpRsLi *a, const RpRsLi *b, RpBuffer *json, bool *different,
                       RpError *error);

#endif
