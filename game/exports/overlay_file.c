/* Reads and writes overlay files. Only programs with a C library use this file. */
#include "exports/overlay/overlay.h"

#include "core/files/mapping.h"
#include "core/files/output.h"

#include <stdio.h>

enum { MAX_OVERLAY_BYTES = 16 << 20 };

RpStatus Overlay_Load(const char *path, Overlay *overlay, RpError *error) {
    Mapping file;
    RpStatus status = Mapping_Open(path, &file, error);
    if (status)
        return status;
    if (file.size > MAX_OVERLAY_BYTES)
        status = RpError_Set(error, RP_INVALID, RP_NOWHERE, "an overlay is too large", "",
                             "at most 16 MiB", "");
    else
        status = Overlay_Parse(file.bytes ? (const char *)file.bytes : "", file.size, NULL, overlay,
                               error);
    Mapping_Close(&file);
    if (status && error) { /* names the place: "retropose.overlay line 3" */
        char line[32];
        snprintf(line, sizeof line, "%.31s", error->where);
        snprintf(error->where, sizeof error->where, "%.120s%s%s", path, line[0] ? " " : "", line);
    }
    return status;
}

RpStatus Overlay_Save(const Overlay *overlay, const char *path, RpError *error) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    RpStatus status = Overlay_Format(overlay, &text, error);
    if (!status)
        status = Output_WriteEdited(path, path, text.bytes, text.size, error);
    RpBuffer_Free(&text);
    return status;
}
