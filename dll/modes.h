/* Which function serves the game in which mode: makes plans of the gates from the settings. */
#ifndef RETROPOSE_DLL_MODES_H
#define RETROPOSE_DLL_MODES_H

#include "dll/settings/decide.h"

typedef struct Modes {
    const LiveSettings *settings;
    const Overlay *overlay; /* may be null */
    LiveModule modules[ABI_MODULE_COUNT];
    bool our_objects; /* the game may have mesh objects of ours, whatever the modes are now */
} Modes;

/* Sets how the game, or the original, makes each call: as the overlay says, where it was made
 * for the file that is there or where none is there. To be used once, before anything calls. */
void Modes_SetCalls(const Modes *modes);
/* May be used at any time, on one thread. Returns true where a function changed its server. */
bool Modes_Apply(Modes *modes);
/* Logs who serves what and why, a line for each reason. */
void Modes_Log(void);

#endif
