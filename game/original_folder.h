/* Gives a pair of originals the names that Windows looks for. After `retropose install` they are
 * called NAME.retail.dll. If AniMesh.retail.dll were loaded from the game's folder, it would import
 * our Ngi32.dll. So copies with the original names are called instead. */
#ifndef RETROPOSE_GAME_ORIGINAL_FOLDER_H
#define RETROPOSE_GAME_ORIGINAL_FOLDER_H

#include "retropose/error.h"

#include <stdbool.h>

/* Returns whether both originals have their other names, and our DLLs have the original ones. */
bool OriginalFolder_IsInstalled(const char *folder);

/* Copies the two DLLs under their own names, and the overlay, into an empty folder. After a
 * failure, OriginalFolder_Empty removes what was copied. */
RpStatus OriginalFolder_Copy(const char *folder, const char *copy, RpError *error);
/* Removes what OriginalFolder_Copy puts into the folder. The folder itself stays. */
void OriginalFolder_Empty(const char *copy);

#endif
