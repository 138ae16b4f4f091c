/* A game folder as our DLLs would see it: the hosted originals, the settings, the overlay, and how
 * each function is served as a result. These functions only read. */
#ifndef RETROPOSE_GAME_GAME_FOLDER_H
#define RETROPOSE_GAME_GAME_FOLDER_H

#include "dll/settings/decide.h"
#include "game/install/install_folder.h"

typedef struct GameFolder {
    InstallFolder files;
    InstallState state;
    RpError blocked; /* the reason, if the state is INSTALL_BLOCKED */
    /* The originals that are hosted or, if `would` is set, would be hosted after an
     * installation. */
    LiveModule modules[ABI_MODULE_COUNT];
    bool would;
    LiveSettings settings;
    RpBuffer complaints;     /* a line for each line of the settings that is not understood */
    RpStatus overlay_status; /* RP_NOT_FOUND where there is none */
    RpError overlay_error;
    Overlay overlay;
} GameFolder;

/* `getter` gives environment variables that the game may have, too; null: there are none.
 * Returns RP_NOT_FOUND where there is no folder, RP_CORRUPT or RP_UNSUPPORTED for a manifest
 * that cannot be read. The folder must be closed in any case. */
RpStatus GameFolder_Open(const char *path, SettingsGetter getter, GameFolder *folder,
                         RpError *error);
/* Opens a folder that has both DLLs, each under its own name or the one that install gives it.
 * Returns RP_NOT_FOUND where one is missing. */
RpStatus GameFolder_OpenGame(const char *path, GameFolder *folder, RpError *error);
void GameFolder_Close(GameFolder *folder);

LiveDecision GameFolder_Decide(const GameFolder *folder, const AbiFunction *function);
/* Returns whether a row of the tables is a function that has a mode. */
bool GameFolder_HasMode(const AbiFunction *function);
/* Reads the whole of a file that the settings name. Returns RP_NOT_FOUND where there is none. */
RpStatus GameFolder_Read(const GameFolder *folder, const char *name, RpBuffer *bytes,
                         RpError *error);

#endif
