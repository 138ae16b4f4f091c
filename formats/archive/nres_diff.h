/* What differs between two NRes archives: members, their fields and payloads, order, layout. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_NRES_DIFF_H
#define RETROPOSE_FORMATS_ARCHIVE_NRES_DIFF_H

#include "retropose/nres.h"

typedef enum ArchiveChange {
    ARCHIVE_REMOVED,
    ARCHIVE_ADDED,
    ARCHIVE_MOVED,   /* from, to: positions; only as many as must move */
    ARCHIVE_FIELD,   /* from, to: values */
    ARCHIVE_NAME,    /* in the case of letters, or behind the NUL; at: in the field */
    ARCHIVE_PAYLOAD, /* from, to: sizes; at: the first byte that differs, in the payload */
    ARCHIVE_LAYOUT   /* the members are the same; at: the first byte that differs, in the image */
} ArchiveChange;

typedef struct ArchiveDifference {
    ArchiveChange change;
    int32_t a, b;      /* entries, or RP_NO_INDEX */
    const char *field; /* "type", "attr1", ... of ARCHIVE_FIELD; else null */
    uint32_t from, to;
    uint32_t at;
} ArchiveDifference;

typedef void (*ArchiveDiffTake)(void *context, const ArchiveDifference *difference);

/* Members are the same by name and type, the first with the first of equal ones; what is left, by
 * name alone. Images that are the same bytes give nothing. */
RpStatus ArchiveDiff_Compare(const RpNRes *a, const RpNRes *b, ArchiveDiffTake take, void *context,
                             RpError *error);

/* Appends one line a difference, or a JSON object; *different may be null. */
RpStatus ArchiveDiff_Text(const RpNRes *a, const RpNRes *b, RpBuffer *text, bool *different,
                          RpError *error);
RpStatus ArchiveDiff_Json(const RpNRes *a, const RpNRes *b, RpBuffer *json, bool *different,
                          RpError *error);

#endif
