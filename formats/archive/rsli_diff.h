/* Compares two RsLi libraries: entries, their fields and contents, order, layout. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_DIFF_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_DIFF_H

#include "retropose/rsli.h"

/* Entries with the same name are taken to be the same; if several have it, this is so for the first
 * of each library, the second, and so on. Contents that do not unpack are compared in their packed
 * form. Images with the same bytes have no differences.
 *
 * RsLiDiff_Text appends one line for each difference, RsLiDiff_Json one JSON object. *different may
 * be null. */
RpStatus RsLiDiff_Text(const RpRsLi *a, const RpRsLi *b, RpBuffer *text, bool *different,
                       RpError *error);
RpStatus RsLiDiff_Json(const RpRsLi *a, const RpRsLi *b, RpBuffer *json, bool *different,
                       RpError *error);

#endif
