/* Reads any part of a file that stays open. The file may be larger than the address space, and
 * nothing of it stays in memory. */
#ifndef RETROPOSE_CORE_FILES_FILE_READER_H
#define RETROPOSE_CORE_FILES_FILE_READER_H

#include "retropose/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct FileReader {
    intptr_t handle; /* a descriptor or, under Windows, a HANDLE */
    uint64_t size;   /* as it was when the file was opened */
    /* the two together are the same for every path to the file, and differ between files */
    uint64_t volume, identity;
} FileReader;

/* Opens a file and registers it as an input (inputs.h). Anything but a regular file (a pipe, a
 * device, a folder) is RP_IO, and opening it never waits. */
RpStatus FileReader_Open(const char *path, FileReader *file, RpError *error);
/* Does the same with a file that is going to be replaced. It is not registered as an input, because
 * no output may replace one. */
RpStatus FileReader_OpenToReplace(const char *path, FileReader *file, RpError *error);
/* Takes over a handle that the system has opened, and closes it on failure. `path` is for the
 * message. */
RpStatus FileReader_Take(intptr_t handle, const char *path, FileReader *file, RpError *error);
/* Reads `size` bytes from `offset` on. RP_IO if the file ends before, which means that it has been
 * cut since it was opened. */
RpStatus FileReader_Read(const FileReader *file, uint64_t offset, void *bytes, size_t size,
                         const char *path, RpError *error);
/* Reports the error of the system's last call, and returns RP_NOT_FOUND or RP_IO. */
RpStatus FileReader_Refuse(const char *path, RpError *error);
void FileReader_Close(FileReader *file);

#endif
