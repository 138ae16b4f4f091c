/* All files of a folder and of those in it, in one order whatever the file system's. */
#ifndef RETROPOSE_CLI_CORPUS_WALK_H
#define RETROPOSE_CLI_CORPUS_WALK_H

#include "retropose/memory.h"

/* `name` is the file's name without its folder. */
typedef RpStatus WalkTake(void *context, const char *path, const char *name, uint64_t size,
                          RpError *error);
/* Takes the files one by one, up to a status that is not RP_OK. No folder is walked twice.
 * RP_NOT_FOUND where there is no such folder, RP_INVALID where it is a file. */
RpStatus Walk_Files(const char *folder, WalkTake *take, void *context, RpError *error);

#endif
