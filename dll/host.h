/* Everything that a DLL of ours does in a game folder beyond its own functions: it reads settings,
 * loads the original beside it, and sets modes that change while the game runs (docs/use/modes.md).
 * If there is neither an original nor a retropose.ini nor an overlay, it does nothing of this. */
#ifndef RETROPOSE_DLL_HOST_H
#define RETROPOSE_DLL_HOST_H

#include "dll/observer.h"
#include "retropose/readings.h"

#include <windows.h>

/* Finds the folder and the settings, and opens the log that they name. */
void Host_Open(HINSTANCE instance, AbiModule module);
/* Gives the readings that the arithmetic has to follow. */
void Host_Readings(RpReadings *readings);
/* Loads the original and applies the modes. The gates must have their replacements by now. If
 * `observer` is null, nothing is recorded or compared. `ngi32` is the loaded Ngi32.dll for
 * AniMesh.dll, and null for Ngi32.dll itself. */
void Host_Start(const LiveObserver *observer, HMODULE ngi32);
/* Returns whether the gates can lead to an original. */
bool Host_IsHosting(void);
/* Ends recording and comparing. Call it when the process ends and its other threads have ended. */
void Host_EndProcess(void);

/* For our AniMesh.dll: returns what to call, by the compiled convention, instead of
 * g_FastProc[slot], or null if the entry itself can be called. */
const void *Host_SlotAdapter(uint32_t slot);

#endif
