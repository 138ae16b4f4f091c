#include "retropose/file.h"

#include "core/files/file_ops.h"

RpStatus RpFile_Read(const char *path, RpBuffer *bytes, RpError *error) {
    return FileOps_System.read(FileOps_System.context, path, bytes, error);
}
