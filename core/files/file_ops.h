/* The file operations that installing needs, as a table of functions, so that a test can make any
 * of them fail or stop the process there. FileOps_System is the real table. */
#ifndef RETROPOSE_CORE_FILES_FILE_OPS_H
#define RETROPOSE_CORE_FILES_FILE_OPS_H

#include "retropose/error.h"
#include "retropose/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILES_PATH_BYTES = 4096, FILES_NAME_BYTES = 256 };

/* Called for each entry of a folder except "." and "..". */
typedef void (*FileLister)(void *context, const char *name);

/* Every function except `unlock` may fail with RP_IO, or with RP_NOT_FOUND when there is no such
 * file. The path is then in `where` and the system's message in `found`. */
typedef struct FileOps {
    void *context;
    /* Locks a folder, because only one process at a time may work on it. The lock ends with the
     * process. RP_IO means that another process has it. */
    RpStatus (*lock)(void *context, const char *folder, intptr_t *lock, RpError *error);
    void (*unlock)(void *context, intptr_t lock);
    RpStatus (*list)(void *context, const char *folder, FileLister lister, void *lister_context,
                     RpError *error);
    RpStatus (*read)(void *context, const char *path, RpBuffer *bytes, RpError *error);
    /* Creates a file that did not exist before. */
    RpStatus (*create)(void *context, const char *path, intptr_t *file, RpError *error);
    /* Writes bytes from the beginning of `bytes`. *written may be less than `size`, but not 0. */
    RpStatus (*write)(void *context, intptr_t file, const void *bytes, size_t size, size_t *written,
                      RpError *error);
    /* Flushes the file's bytes to the disk. */
    RpStatus (*flush)(void *context, intptr_t file, RpError *error);
    /* the file is closed even if this fails */
    RpStatus (*close)(void *context, intptr_t file, RpError *error);
    /* Renames a file within its folder. Without `replace`, an existing target is an error. */
    RpStatus (*move)(void *context, const char *from, const char *to, bool replace, RpError *error);
    RpStatus (*remove)(void *context, const char *path, RpError *error);
    /* Returns after all names that were made, moved and removed in the folder have reached the
     * disk. */
    RpStatus (*sync)(void *context, const char *folder, RpError *error);
} FileOps;

extern const FileOps FileOps_System;

/* Writes FOLDER/NAME into `path`; false when it is too long. */
bool Files_Join(const char *folder, const char *name, char path[FILES_PATH_BYTES]);
/* Creates the file, writes all bytes, flushes and closes it. When this fails, the caller must
 * remove what there is of the file. */
RpStatus Files_Create(const FileOps *ops, const char *path, const void *bytes, size_t size,
                      RpError *error);

#endif
