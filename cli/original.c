#include "cli/original.h"

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

bool Original_RunOptions(const Cli *cli, uint64_t timeout, uint64_t most, char host[PLACE_BYTES],
                         ProviderOptions *options) {
    uint64_t endings = 0;
    const char *program = Cli_Value(cli, "host", NULL);
    if (!Cli_Number(cli, "timeout", 1, most, &timeout) ||
        !Cli_Number(cli, "most-endings", 1, UINT32_MAX, &endings))
        return false;
    if (!program && Place_Find("retropose-host.exe", host, PLACE_BYTES))
        program = host;
    *options = (ProviderOptions){.host = program,
                                 .wine_prefix = Cli_Value(cli, "wine-prefix", NULL),
                                 .timeout_seconds = (double)timeout,
                                 .most_endings = (uint32_t)endings,
                                 .trust = Cli_Has(cli, "trust")};
    return true;
}

const char *Original_Named(const char *folder) {
    return copies[0] && strcmp(folder, copies) == 0 ? named : folder;
}
