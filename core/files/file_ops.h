/* What installing does to files, as one small table of functions, so that tests can fail or stop at
 * any of them. FileOps_System is the real one. */
#ifndef RETROPOSE_CORE_FILES_FILE_OPS_H
#define RETROPOSE_CORE_FILES_FILE_OPS_H

#include "retropose/error.h"
#include "retropose/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILES_PATH_BYTES = 4096, FILES_NAME_BYTES = 256 };

/* Called for each entry of a folder but "." and "..". */
typedef void (*FileLister)(void *context, const char *name);

/* Every function but `unlock` may fail with RP_IO (RP_NOT_FOUND when there is no such file), the
 * path in `where` and the system's words in `found`. */
typedef struct FileOps {
    void *context;
    /* One process at a time works on a folder; the lock goes with the process. RP_IO when another
     * one has it. */
    RpStatus (*lock)(void *context, const char *folder, intptr_t *lock, RpError *error);
    void (*unlock)(void *context, intptr_t lock);
    RpStatus (*list)(void *context, const char *folder, FileLister lister, void *lister_context,
                     RpError *error);
    RpStatus (*read)(void *context, const char *path, RpBuffer *bytes, RpError *error);
    /* A file that was not there before. */
    RpStatus (*create)(void *context, const char *path, intptr_t *file, RpError *error);
    /* *written may be less than `size`, but not 0. */
    RpStatus (*write)(void *context, intptr_t file, const void *bytes, size_t size, size_t *written,
                      RpError *error);
    RpStatus (*flush)(void *context, intptr_t file, RpError *error); /* down to the disk */
    RpStatus (*close)(void *context, intptr_t file, RpError *error); /* gone even if it fails */
    /* Within a folder. Without `replace` an existing target is an error. */
    RpStatus (*move)(void *context, const char *from, const char *to, bool replace, RpError *error);
    RpStatus (*remove)(void *context, const char *path, RpError *error);
    /* Names of the folder that were made, moved and removed are down on the disk. */
    RpStatus (*sync)(void *context, const char *folder, RpError *error);
} FileOps;

extern const FileOps FileOps_System;

/* FOLDER/NAME; false when it is too long. */
bool Files_Join(const char *folder, const char *name, char path[FILES_PATH_BYTES]);
/* Creates the file, writes all bytes, flushes and closes it. What a failure leaves behind is for
 * the caller to remove. */
RpStatus Files_Create(const FileOps *ops, const char *path, const void *bytes, size_t size,
                      RpError *error);

#endif
