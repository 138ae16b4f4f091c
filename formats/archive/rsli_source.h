/* Opens a library in a file tolerantly, with the memory that this needs. */
#ifndef RETROPOSE_FORMATS_ARCHIVE_RSLI_SOURCE_H
#define RETROPOSE_FORMATS_ARCHIVE_RSLI_SOURCE_H

#include "core/files/mapping.h"
#include "retropose/rsli.h"

typedef struct RsLiSource {
    Mapping mapping;
    RpRsLiRecord *records;
    RpRsLi rsli;
} RsLiSource;

/* Maps a file and opens the library in it. `flags` are those of RpRsLi_Open. The source has to be
 * closed in any case, because the mapping is there even when the library does not open. */
RpStatus RsLiSource_Open(RsLiSource *source, const char *path, uint32_t flags, RpError *error);
/* Opens a library whose bytes are in memory, and stay there. `name` is for errors. */
RpStatus RsLiSource_Read(RsLiSource *source, const char *name, const uint8_t *image, size_t size,
                         uint32_t flags, RpError *error);
void RsLiSource_Close(RsLiSource *source);

#endif
