#include "cli/original_pair.h"

#include "game/original_folder.h"
#include "machine/processor/profile.h"

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

bool Original_Engine(const Cli *cli, ProviderEngine *engine, const char **processor) {
    const char *word = Cli_Value(cli, "engine", "auto");
    if (!ProviderEngine_Named(word, engine, processor)) {
        Cli_Complain("--engine takes " PROVIDER_ENGINES
                     ", or machine:PROCESSOR with one of %s, not %s",
                     MACHINE_PROFILES, word);
        return false;
    }
    *engine = ProviderEngine_Choose(*engine);
    return true;
}

const char *Original_Host(const Cli *cli, ProviderEngine engine, char host[PLACE_BYTES]) {
    const char *given = Cli_Value(cli, "host", NULL), *name = ProviderEngine_Host(engine);
    if (given)
        return given;
    /* The machine's host belongs to this very program. The folder of the setting `home` has the
     * files that are made for Windows. */
    const bool found = ProviderEngine_IsMachine(engine) ? Place_FindOwn(name, host, PLACE_BYTES)
                                                        : Place_Find(name, host, PLACE_BYTES);
    return found ? host : NULL;
}

static void TellOfPrefix(const char *prefix, unsigned seconds) {
    if (seconds == 0)
        Visible_Print(stderr, "making a prefix for Wine, once: %s\n", prefix);
    else if (seconds % 5 == 0)
        Visible_Print(stderr, "%u seconds, and Wine is still making it\n", seconds);
}

WineProgress Original_WineProgress(const Cli *cli) {
    return cli->verbosity < 0 ? NULL : TellOfPrefix;
}

bool Original_RunOptions(const Cli *cli, uint64_t timeout, uint64_t most, char host[PLACE_BYTES],
                         ProviderOptions *options) {
    uint64_t endings = 0;
    ProviderEngine engine;
    const char *processor;
    if (!Cli_Number(cli, "timeout", 1, most, &timeout) ||
        !Cli_Number(cli, "most-endings", 1, UINT32_MAX, &endings) ||
        !Original_Engine(cli, &engine, &processor))
        return false;
    *options = (ProviderOptions){.engine = engine,
                                 .processor = processor,
                                 .host = Original_Host(cli, engine, host),
                                 .wine_prefix = Cli_Value(cli, "wine-prefix", NULL),
                                 .wine_progress = Original_WineProgress(cli),
                                 .timeout_seconds = (double)timeout,
                                 .most_endings = (uint32_t)endings,
                                 .trust = Cli_Has(cli, "trust")};
    return true;
}

const char *Original_Named(const char *folder) {
    return copies[0] && strcmp(folder, copies) == 0 ? named : folder;
}
