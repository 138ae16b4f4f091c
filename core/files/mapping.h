/* A whole file as read-only memory. */
#ifndef RETROPOSE_CORE_FILES_MAPPING_H
#define RETROPOSE_CORE_FILES_MAPPING_H

#include "retropose/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Mapping {
    const uint8_t *bytes; /* null when the file is empty */
    size_t size;
    /* the two together are the same for every path to the file, and differ between files */
    uint64_t volume, identity;
} Mapping;

/* Maps the file. Anything but a regular file (a pipe, a device, a folder) is RP_IO, and opening it
 * never waits. "-" is the standard input, which may be anything: it is read to its end once, and
 * every mapping of it is of those bytes. A path that is taken from a file's content must therefore
 * have a folder ("./-"). */
RpStatus Mapping_Open(const char *path, Mapping *mapping, RpError *error);
/* Does the same with a file that is going to be replaced. It is not registered as an input, because
 * no output may replace one (inputs.h). */
RpStatus Mapping_OpenToReplace(const char *path, Mapping *mapping, RpError *error);
void Mapping_Close(Mapping *mapping);

#endif
