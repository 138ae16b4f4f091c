#include "formats/library_source.h"

#include <stdlib.h>
#include <string.h>

RpStatus LibrarySource_Open(LibrarySource *source, const char *path, uint32_t flags,
                            RpError *error) {
    static const uint8_t nothing[1];
    memset(source, 0, sizeof *source);
    RpStatus status = Mapping_Open(path, &source->mapping, error);
    if (status)
        return status;
    const uint8_t *image = source->mapping.bytes ? source->mapping.bytes : nothing;
    uint32_t count = RpRsLi_Count(image, source->mapping.size);
    source->records = calloc((size_t)count + 1, sizeof *source->records);
    if (!source->records)
        return RpMemory_Refused(error, path);
    status = RpRsLi_Open(image, source->mapping.size, flags, RP_TOLERANT, source->records, count,
                         &source->library, error);
    if (status && error && !error->where[0])
        RpError_Set(error, error->status, error->offset, error->what, path, error->expected,
                    error->found);
    return status;
}

void LibrarySource_Close(LibrarySource *source) {
    Mapping_Close(&source->mapping);
    free(source->records);
    memset(source, 0, sizeof *source);
}
