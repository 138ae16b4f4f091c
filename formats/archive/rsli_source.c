#include "formats/archive/rsli_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

RpStatus RsLiSource_Read(RsLiSource *source, const char *name, const uint8_t *image, size_t size,
                         uint32_t flags, RpError *error) {
    const uint32_t count = RpRsLi_Count(image, size);
    memset(source, 0, sizeof *source);
    source->records = calloc((size_t)count + 1, sizeof *source->records);
    if (!source->records)
        return RpMemory_Refused(error, name);
    const RpStatus status =
        RpRsLi_Open(image, size, flags, RP_TOLERANT, source->records, count, &source->rsli, error);
    if (status && error && !error->where[0])
        snprintf(error->where, sizeof error->where, "%.150s", name);
    return status;
}

RpStatus RsLiSource_Open(RsLiSource *source, const char *path, uint32_t flags, RpError *error) {
    static const uint8_t nothing[1];
    Mapping mapping;
    memset(source, 0, sizeof *source);
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status)
        return status;
    status = RsLiSource_Read(source, path, mapping.bytes ? mapping.bytes : nothing, mapping.size,
                             flags, error);
    source->mapping = mapping;
    return status;
}

void RsLiSource_Close(RsLiSource *source) {
    Mapping_Close(&source->mapping);
    free(source->records);
    memset(source, 0, sizeof *source);
}
