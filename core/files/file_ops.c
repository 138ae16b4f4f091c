#include "core/files/file_ops.h"

#include <stdio.h>

bool Files_Join(const char *folder, const char *name, char path[FILES_PATH_BYTES]) {
    return (size_t)snprintf(path, FILES_PATH_BYTES, "%s/%s", folder, name) < FILES_PATH_BYTES;
}

RpStatus Files_Create(const FileOps *ops, const char *path, const void *bytes, size_t size,
                      RpError *error) {
    intptr_t file;
    RpStatus status = ops->create(ops->context, path, &file, error);
    if (status)
        return status;
    const uint8_t *rest = bytes;
    while (!status && size > 0) {
        size_t written = 0;
        status = ops->write(ops->context, file, rest, size, &written, error);
        rest += written;
        size -= written;
    }
    if (!status)
        status = ops->flush(ops->context, file, error);
    const RpStatus closed = ops->close(ops->context, file, status ? NULL : error);
    return status ? status : closed;
}
