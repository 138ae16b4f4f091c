/* What differs between two NRes archives: members, their fields and payloads, order, layout. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_NRES_DIFF_H
#define RETROPOSE_FORMATS_ARCHIVE_NRES_DIFF_H

#include "retropose/nres.h"

/* Two members are taken to be the same if name and type agree; of equal ones the first of either
 * archive are. What is left is matched by name alone. Images of the same bytes give no difference.
 *
 * Both append one line for each difference, or one JSON object. *different may be null. */
RpStatus ArchiveDiff_Text(const RpNRes *a, const RpNRes *b, RpBuffer *text, bool *different,
                          RpError *error);
RpStatus ArchiveDiff_Json(const RpNRes *a, const RpNRes *b, RpBuffer *json, bool *different,
                          RpError *error);

#endif
