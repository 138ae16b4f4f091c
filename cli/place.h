/* Finds the parts of Retropose at run time: in the folder of the setting `home`
 * (RETROPOSE_HOME), or else beside this program, one
 * folder above it, in the build tree of the preset `windows` next to this program's, or where they
 * are installed: programs in lib/retropose and data in share/retropose, next to this one's bin. */
#ifndef RETROPOSE_CLI_PLACE_H
#define RETROPOSE_CLI_PLACE_H

#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>

#define PLACE_BYTES 1024

/* `part` is "retropose-host.exe", "retropose-host", "replacement", "standin", "standin-wxyz" or
 * "traces". */
bool Place_Find(const char *part, char *path, size_t size);

/* Finds a part that belongs to this very program. Does not use `home`. */
bool Place_FindOwn(const char *part, char *path, size_t size);

/* From now on, looks only in this folder. Null restores the search described above. The text must
 * stay valid. */
void Place_UseHome(const char *folder);

/* Makes a new folder for temporary traces in `wanted`, which is made if it does not exist, or in
 * the system's folder. Does not touch anything else there. */
bool Place_MakeWork(const char *wanted, char *path, size_t size);
/* Deletes the folder with all its contents. A signal does so, too (cli/signals.h). */
void Place_DropWork(const char *path);

/* Makes the folders in which a file is to be, as far as they do not exist. Their names end with
 * slashes. */
RpStatus Place_MakeFolders(const char *file, RpError *error);

#endif
