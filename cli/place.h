/* Where the parts of Retropose lie at run time: in $RETROPOSE_HOME; else beside this program, one
 * folder above it, or in the build tree of the preset `windows` next to this program's. */
#ifndef RETROPOSE_CLI_PLACE_H
#define RETROPOSE_CLI_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#define PLACE_BYTES 1024

/* `part`: "retropose-host.exe", "replacement", "standin", "standin-wxyz". */
bool Place_Find(const char *part, char *path, size_t size);

/* A new folder for traces in work: in `wanted` (made if missing), or in the system's folder.
 * Nothing else that lies there is touched. */
bool Place_MakeWork(const char *wanted, char *path, size_t size);
/* Deletes the folder with all that is in it. A signal does so, too (signals.h). */
void Place_DropWork(const char *path);

#endif
