/* Reads PE files from a disk. Builds for machines without files (WebAssembly) leave this out. */
#include "core/files/mapping.h"
#include "core/pe/pe.h"
#include "retropose/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE_BYTES 0x10000000

RpStatus Pe_Load(const char *path, PeFile *pe, RpError *error) {
    uint8_t *bytes = NULL;
    Mapping mapping;
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status)
        return status;
    const size_t size = mapping.size;
    if (size == 0 || size > MAX_FILE_BYTES) {
        char found[40];
        snprintf(found, sizeof found, "%zu bytes", size);
        status = RpError_Set(error, RP_CORRUPT, RP_NOWHERE, "cannot read the file", path,
                             "a file of 1 byte to 256 MiB", found);
    } else if (!(bytes = malloc(size))) {
        status = RpMemory_Refused(error, path);
    } else {
        memcpy(bytes, mapping.bytes, size);
    }
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
