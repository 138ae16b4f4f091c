/* Files that exist whole or not at all: written under a temporary name, flushed and renamed. Links
 * are followed, and the mode of a file that is replaced stays. */
#ifndef RETROPOSE_FORMATS_OUTPUT_H
#define RETROPOSE_FORMATS_OUTPUT_H

#include "retropose/error.h"

#include <stddef.h>

/* `path` "-" writes to the standard output. */
RpStatus Output_Write(const char *path, const char *text, RpError *error);
RpStatus Output_WriteBytes(const char *path, const void *bytes, size_t size, RpError *error);

/* Makes the folder, unless it is there; not those above it. */
RpStatus Output_MakeFolder(const char *folder, RpError *error);
/* A file in a folder, one of many that can be made again: it is not flushed, which took most of the
 * time of unpacking an archive. */
RpStatus Output_WriteInto(const char *folder, const char *file, const void *bytes, size_t size,
                          RpError *error);

#endif
