/* Traces out of files. A machine without files (WebAssembly) leaves this out. */
#include "core/files/mapping.h"
#include "replay/trace/trace.h"

#include <stdlib.h>

static void Release(void *owner) {
    Mapping_Close(owner);
    free(owner);
}

RpStatus TraceReader_Open(const char *path, TraceReader **result, RpError *error) {
    Mapping *mapping = calloc(1, sizeof *mapping);
    *result = NULL;
    if (!mapping)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a trace", path, "", "");
    RpStatus status = Mapping_Open(path, mapping, error);
    if (!status)
        status = TraceReader_OpenBuffer(mapping->bytes, mapping->size, path, result, error);
    if (!status)
        TraceReader_Own(*result, Release, mapping);
    else
        Release(mapping);
    return status;
}
