/* Decides which function serves the game in which mode: makes the plans of the gates from the
 * settings. */
#ifndef RETROPOSE_DLL_GATE_MODES_H
#define RETROPOSE_DLL_GATE_MODES_H

#include "dll/settings/decide.h"

typedef struct Modes {
    const LiveSettings *settings;
    const Overlay *overlay; /* may be null */
    LiveModule modules[ABI_MODULE_COUNT];
    bool our_objects; /* the game may have mesh objects that we made, even if the modes say
                         otherwise by now */
} Modes;

/* Sets how the game, or the original, makes each call. The overlay says how, if it was made for the
 * original that is present, or if none is present. Use it once, before anything calls. */
void Modes_SetCalls(const Modes *modes);
/* Sets all plans anew, at any time, but always on the same thread. Returns true when a function is
 * now served by another side. */
bool Modes_Apply(Modes *modes);
/* Logs who serves which functions and why, in one line for each reason. */
void Modes_Log(void);

#endif
