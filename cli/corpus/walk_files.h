/* Visits all files in a folder and in the folders below it. The order does not depend on the file
 * system. */
#ifndef RETROPOSE_CLI_CORPUS_WALK_FILES_H
#define RETROPOSE_CLI_CORPUS_WALK_FILES_H

#include "retropose/memory.h"

/* `name` is the file's name without its folder. */
typedef RpStatus WalkTake(void *context, const char *path, const char *name, uint64_t size,
                          RpError *error);
/* Visits the files one by one, until `take` returns another status than RP_OK. Does not visit a
 * folder twice. Returns RP_NOT_FOUND if there is no such folder, and RP_INVALID if it is a file. */
RpStatus Walk_Files(const char *folder, WalkTake *take, void *context, RpError *error);

#endif
