/* Reads PE files from a disk. Builds for machines without files (WebAssembly) leave this out. */
#include "core/files/mapping.h"
#include "core/pe/pe.h"
#include "retropose/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE_BYTES 0x10000000

static RpStatus CopyMapped(const Mapping *mapping, const char *path, uint8_t **bytes,
                           RpError *error) {
    char found[40];
    snprintf(found, sizeof found, "%zu bytes", mapping->size);
    if (mapping->size == 0 || mapping->size > MAX_FILE_BYTES)
        return RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "cannot read the file", path,
                           "a file of 1 byte to 256 MiB", found);
    *bytes = malloc(mapping->size);
    if (!*bytes)
        return RpMemory_Refused(error, path);
    memcpy(*bytes, mapping->bytes, mapping->size);
    return RP_OK;
}

RpStatus Pe_Load(const char *path, PeFile *pe, RpError *error) {
    uint8_t *bytes = NULL;
    size_t size = 0;

    Mapping mapping;
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status)
        return status;
    size = mapping.size;
    status = CopyMapped(&mapping, path, &bytes, error);
    Mapping_Close(&mapping);
    if (status)
        return status;

    status = Pe_Open(bytes, size, path, pe, error);
    if (status)
        free(bytes);
    else
        pe->owned = bytes;
    return status;
}
