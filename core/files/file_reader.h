/* A file that is open for reading, of which any part can be read. It may be larger than the address
 * space, and nothing of it stays in memory. */
#ifndef RETROPOSE_CORE_FILES_FILE_READER_H
#define RETROPOSE_CORE_FILES_FILE_READER_H

#include "retropose/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct FileReader {
    intptr_t handle; /* a descriptor or, under Windows, a HANDLE */
    uint64_t size;   /* when the file was opened */
    /* the two together are the same for every path to the file, and differ between files */
    uint64_t volume, identity;
} FileReader;

/* Opens a file and registers it as an input (inputs.h). What is not a regular file (a pipe, a
 * device, a folder) is RP_IO, without waiting. */
RpStatus FileReader_Open(const char *path, FileReader *file, RpError *error);
/* Does the same with a file that is going to be replaced: looking at it makes it no input. */
RpStatus FileReader_OpenToReplace(const char *path, FileReader *file, RpError *error);
/* Takes over what the system has opened; a failure closes it. `path` is for the message. */
RpStatus FileReader_Take(intptr_t handle, const char *path, FileReader *file, RpError *error);
/* Reads `size` bytes from `offset` on. A file that ends before has been cut since it was opened,
 * which is RP_IO. */
RpStatus FileReader_Read(const FileReader *file, uint64_t offset, void *bytes, size_t size,
                         const char *path, RpError *error);
/* Says what the last call of the system failed with: RP_NOT_FOUND or RP_IO. */
RpStatus FileReader_Refuse(const char *path, RpError *error);
void FileReader_Close(FileReader *file);

#endif
