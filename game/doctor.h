/* Says what would happen in a game folder, and why, for `retropose doctor GAME_DIR`. */
#ifndef RETROPOSE_GAME_DOCTOR_H
#define RETROPOSE_GAME_DOCTOR_H

#include "core/text/checks.h"
#include "dll/settings/settings.h"

typedef struct GameDoctorOptions {
    const char *folder;
    const char *own;       /* the folder with this program's own DLLs; null: there is none */
    const char *dlls;      /* the folder with the DLLs that install takes; null: there is none */
    SettingsGetter getter; /* gets environment variables of ours; null: there are none */
    /* The value of WINEDLLOVERRIDES, which may be longer than what a getter returns; null if it is
     * not set. It is not used on Windows. */
    const char *overrides;
    /* Starts Wine, as Wine_Start does, to see whether it runs; null if it is not to be started. It
     * is not called on Windows. */
    RpStatus (*start_wine)(char *version, size_t size, RpError *error);
    /* In a folder that has nothing of ours, tell only how many functions would be ours, instead of
     * naming each of them. */
    bool brief;
    Checks *checks; /* gets what is found */
} GameDoctorOptions;

void GameDoctor_Run(const GameDoctorOptions *options);

/* Returns whether this value of WINEDLLOVERRIDES keeps Wine from loading the DLL in the game's
 * folder. Entries that name the DLL with its path are not judged, because such a path belongs to a
 * drive of the Wine prefix. */
bool GameDoctor_IsOverridden(const char *overrides, AbiModule module);

#endif
