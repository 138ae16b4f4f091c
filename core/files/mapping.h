/* A whole file as read-only memory. */
#ifndef RETROPOSE_CORE_FILES_MAPPING_H
#define RETROPOSE_CORE_FILES_MAPPING_H

#include "retropose/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Mapping {
    const uint8_t *bytes; /* null when the file is empty */
    size_t size;
    uint64_t volume, identity; /* together the same for every path to the file, and for no other */
} Mapping;

/* RP_IO, at once, for what is no regular file: a pipe, a device, a folder. */
RpStatus Mapping_Open(const char *path, Mapping *mapping, RpError *error);
void Mapping_Close(Mapping *mapping);

#endif
