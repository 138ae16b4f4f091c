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
    /* The value of WINEDLLOVERRIDES, which may be longer than a getter gives; null: it is unset.
     * Not looked at on Windows. */
    const char *overrides;
    /* Starts Wine, which the game needs, as Wine_Start does; null: do not ask. Not called on
     * Windows. */
    RpStatus (*start_wine)(char *version, size_t size, RpError *error);
    /* Of a folder in which nothing of ours is, tell how many functions would be ours, and not each
     * of them. */
    bool brief;
    Checks *checks; /* that are told what was found */
} GameDoctorOptions;

void GameDoctor_Run(const GameDoctorOptions *options);

/* Returns whether WINEDLLOVERRIDES, with this value, keeps Wine from loading the folder's own DLL.
 * Entries that name it with its path are not judged, because the path is that of a drive of the
 * prefix. */
bool GameDoctor_IsOverridden(const char *overrides, AbiModule module);

#endif
