/* What a DLL of ours does beyond its own functions when it lies in a game folder: settings, the
 * original beside it, modes that change while the game runs (docs/use/modes.md). Where there is
 * neither an original nor a retropose.ini nor an overlay, nothing of this happens. */
#ifndef RETROPOSE_DLL_HOST_H
#define RETROPOSE_DLL_HOST_H

#include "dll/observer.h"
#include "retropose/readings.h"

#include <windows.h>

/* Finds the folder and the settings, and opens the log that they name. */
void Host_Open(HINSTANCE instance, AbiModule module);
/* The readings that the arithmetic is to follow. */
void Host_Hypotheses(RpReadings *hypotheses);
/* Loads the original and puts the modes into force. The gates have their replacements by now.
 * Without an observer (null) nothing is recorded or compared. `ngi32` is the loaded Ngi32.dll
 * for AniMesh.dll, and null for Ngi32.dll itself. */
void Host_Start(const LiveObserver *observer, HMODULE ngi32);
/* Returns whether an original is behind the gates. */
bool Host_IsHosting(void);
/* Ends what observes. To be called when the process ends, after its other threads. */
void Host_EndProcess(void);

/* For our AniMesh.dll: returns what to call for g_FastProc[slot] by the compiled convention, or
 * null where that is the entry itself. */
const void *Host_SlotAdapter(uint32_t slot);

#endif
