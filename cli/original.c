#include "cli/original.h"

#include "cli/place.h"
#include "live/game/original_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char copies[PLACE_BYTES]; /* one pair of originals is enough for a run */

static char named[PLACE_BYTES]; /* the folder that was given */

static void DropCopies(void) {
    OriginalFolder_Empty(copies);
    Place_DropWork(copies);
}

RpStatus Original_Folder(const char *given, const char **folder, RpError *error) {
    *folder = given;
    if (!OriginalFolder_IsInstalled(given))
        return RP_OK;
    *folder = copies;
    snprintf(named, sizeof named, "%s", given);
    if (copies[0]) /* the copies were made already */
        return RP_OK;
    if (!Place_MakeWork(NULL, copies, sizeof copies))
        return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot make a folder for copies", given, "",
                           "");
    atexit(DropCopies);
    return OriginalFolder_Copy(given, copies, error);
}

const char *Original_Named(const char *folder) {
    return copies[0] && strcmp(folder, copies) == 0 ? named : folder;
}
