/* A game folder as our DLLs would find it: what is hosted, the settings, the overlay, and what
 * comes of them for each function. Nothing is changed here. */
#ifndef RETROPOSE_LIVE_GAME_FOLDER_H
#define RETROPOSE_LIVE_GAME_FOLDER_H

#include "live/install/folder.h"
#include "live/settings/decide.h"

typedef struct GameFolder {
    InstallFolder files;
    InstallState state;
    RpError blocked; /* for INSTALL_BLOCKED: why */
    /* What is hosted; before install (`would` set), what install would make hosted. */
    LiveModule modules[ABI_MODULE_COUNT];
    bool would;
    LiveSettings settings;
    RpBuffer complaints;     /* a line each: what of the settings is not understood */
    RpStatus overlay_status; /* RP_NOT_FOUND: there is none */
    RpError overlay_error;
    Overlay overlay;
} GameFolder;

/* `getter` gives environment variables, which the game may have, too; null: none. RP_NOT_FOUND
 * without the folder; RP_CORRUPT, RP_UNSUPPORTED for a manifest that cannot be read. Close it in
 * any case. */
RpStatus GameFolder_Open(const char *path, SettingsGetter getter, GameFolder *folder,
                         RpError *error);
void GameFolder_Close(GameFolder *folder);

LiveDecision GameFolder_Decide(const GameFolder *folder, const AbiFunction *function);
/* Whether a row of the tables is a function that modes are for. */
bool GameFolder_HasMode(const AbiFunction *function);
/* The whole of a file that the settings name. RP_NOT_FOUND when there is none. */
RpStatus GameFolder_Read(const GameFolder *folder, const char *name, RpBuffer *bytes,
                         RpError *error);

#endif
