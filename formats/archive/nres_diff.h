/* Compares two NRes archives: members, their fields and payloads, order, layout. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_NRES_DIFF_H
#define RETROPOSE_FORMATS_ARCHIVE_NRES_DIFF_H

#include "retropose/nres.h"

/* Members with the same name and type are taken to be the same; if several members have them, this
 * is so for the first of each archive, the second, and so on. Members that are left are matched by
 * their names alone. Images with the same bytes have no differences.
 *
 * ArchiveDiff_Text appends one line for each difference, ArchiveDiff_Json one JSON object.
 * *different may be null. */
RpStatus ArchiveDiff_Text(const RpNRes *a, const RpNRes *b, RpBuffer *text, bool *different,
                          RpError *error);
RpStatus ArchiveDiff_Json(const RpNRes *a, const RpNRes *b, RpBuffer *json, bool *different,
                          RpError *error);

#endif
