/* A pair of originals under the names that Windows looks for. After `retropose install` they are
 * called NAME.retail.dll, and loaded from there AniMesh.retail.dll would import our Ngi32.dll.
 * So copies of them are called. */
#ifndef RETROPOSE_GAME_ORIGINAL_FOLDER_H
#define RETROPOSE_GAME_ORIGINAL_FOLDER_H

#include "retropose/error.h"

#include <stdbool.h>

/* Returns whether both originals are there under their other names, and the files with their own
 * names are ours. */
bool OriginalFolder_IsInstalled(const char *folder);

/* Copies the two under their own names into an empty folder, together with the overlay. After a
 * failure, OriginalFolder_Empty removes what is there. */
RpStatus OriginalFolder_Copy(const char *folder, const char *copy, RpError *error);
/* Removes what OriginalFolder_Copy puts into the folder, but not the folder. */
void OriginalFolder_Empty(const char *copy);

#endif
