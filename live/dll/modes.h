/* Which function serves the game in which mode: from the settings to the gates' plans. */
#ifndef RETROPOSE_LIVE_DLL_MODES_H
#define RETROPOSE_LIVE_DLL_MODES_H

#include "live/settings/decide.h"

typedef struct Modes {
    const LiveSettings *settings;
    const Overlay *overlay; /* may be null */
    LiveModule modules[ABI_MODULE_COUNT];
    bool our_objects; /* the game may have mesh objects of ours, whatever the modes are now */
} Modes;

/* How the game, or the original, makes each call: as the overlay says, if it was made for the file
 * that is there or if none is there. Once, before anything calls. */
void Modes_SetCalls(const Modes *modes);
/* Any time, on one thread. True when a function changes hands. */
bool Modes_Apply(Modes *modes);
/* Who serves what and why, one line for each reason. */
void Modes_Log(void);

#endif
