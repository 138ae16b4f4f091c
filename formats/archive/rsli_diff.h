/* What differs between two RsLi libraries: entries, their fields and contents, order, layout. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_DIFF_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_DIFF_H

#include "retropose/rsli.h"

typedef enum LibraryChange {
    LIBRARY_REMOVED,
    LIBRARY_ADDED,
    LIBRARY_MOVED,    /* from, to: positions; only as many as must move */
    LIBRARY_METHOD,   /* from, to: flags */
    LIBRARY_SERVICE,  /* the four bytes that the game does not read */
    LIBRARY_CONTENTS, /* from, to: unpacked sizes; at: the first byte that differs */
    LIBRARY_PACKED,   /* same contents, packed in other bytes; from, to: packed sizes; at */
    LIBRARY_HEADER,   /* at: the first byte that differs and does not follow from the entries */
    LIBRARY_LAYOUT    /* all is the same; at: the first byte that differs, in the image */
} LibraryChange;

typedef struct LibraryDifference {
    LibraryChange change;
    int32_t a, b; /* entries, or RP_NO_INDEX */
    uint32_t from, to;
    uint64_t at;
} LibraryDifference;

typedef void (*LibraryDiffTake)(void *context, const LibraryDifference *difference);

/* Entries are the same by name, the first with the first of equal ones. Contents that do not unpack
 * are compared as they are packed. Images that are the same bytes give nothing. */
RpStatus LibraryDiff_Compare(const RpRsLi *a, const RpRsLi *b, LibraryDiffTake take, void *context,
                             RpError *error);

/* Appends one line a difference, or a JSON object; *different may be null. */
RpStatus LibraryDiff_Text(const RpRsLi *a, const RpRsLi *b, RpBuffer *text, bool *different,
                          RpError *error);
RpStatus LibraryDiff_Json(const RpRsLi *a, const RpRsLi *b, RpBuffer *json, bool *different,
                          RpError *error);

#endif
