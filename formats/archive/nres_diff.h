/* What differs between two NRes archives: members, their fields and payloads, order, layout. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_NRES_DIFF_H
#define RETROPOSE_FORMATS_ARCHIVE_NRES_DIFF_H

#include "retropose/nres.h"

/* Members are the same by name and type, the first with the first of equal ones; what is left, by
 * name alone. Images that are the same bytes give nothing.
 *
 * Appends one line a difference, or a JSON object; *different may be null. */
RpStatus ArchiveDiff_Text(const RpNRes *a, const RpNRes *b, RpBuffer *text, bool *different,
                          RpError *error);
RpStatus ArchiveDiff_Json(const RpNRes *a, const RpNRes *b, RpBuffer *json, bool *different,
                          RpError *error);

#endif
