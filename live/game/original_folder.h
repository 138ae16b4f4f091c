/* A pair of originals under the names that Windows looks for. Where `retropose install` has been,
 * they are called NAME.retail.dll; loaded there, AniMesh.retail.dll would import our Ngi32.dll. So
 * they are called in copies. */
#ifndef RETROPOSE_LIVE_GAME_ORIGINAL_FOLDER_H
#define RETROPOSE_LIVE_GAME_ORIGINAL_FOLDER_H

#include "retropose/error.h"

#include <stdbool.h>

/* Whether both originals are there under their other names, and what bears their own is ours. */
bool OriginalFolder_IsInstalled(const char *folder);

/* Copies the two under their own names into an empty folder, and the overlay with them. What a
 * failure leaves behind is for OriginalFolder_Empty. */
RpStatus OriginalFolder_Copy(const char *folder, const char *copy, RpError *error);
/* Removes what Copy puts there, but not the folder. */
void OriginalFolder_Empty(const char *copy);

#endif
