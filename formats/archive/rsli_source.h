/* A library in a file, opened tolerantly, with the memory that it needs. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_SOURCE_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_SOURCE_H

#include "core/files/mapping.h"
#include "retropose/rsli.h"

typedef struct LibrarySource {
    Mapping mapping;
    RpRsLiRecord *records;
    RpRsLi library;
} LibrarySource;

/* `flags` as RpRsLi_Open's. To be closed in any case; the mapping is there even when the library
 * does not open. */
RpStatus LibrarySource_Open(LibrarySource *source, const char *path, uint32_t flags,
                            RpError *error);
/* The same of bytes that lie in memory, and stay there; `name` is for errors. */
RpStatus LibrarySource_Read(LibrarySource *source, const char *name, const uint8_t *image,
                            size_t size, uint32_t flags, RpError *error);
void LibrarySource_Close(LibrarySource *source);

#endif
