/* The user's original beside a DLL of ours, as NAME.retail.dll: looked at, loaded by its full path,
 * and put behind our gates. */
#ifndef RETROPOSE_LIVE_DLL_ORIGINAL_H
#define RETROPOSE_LIVE_DLL_ORIGINAL_H

#include "exports/overlay/overlay.h"
#include "live/dll/folder.h"
#include "live/settings/decide.h"

typedef struct LiveOriginal {
    AbiModule of;
    HMODULE module;      /* null: none is loaded */
    bool present;        /* there is a file of that name */
    const char *refusal; /* why it cannot be one; null */
    bool standin;        /* it plays the original: the project's own tests */
    LiveModule file;
} LiveOriginal;

/* "Ngi32.retail.dll" */
const char *Original_Name(AbiModule module);

/* Digest of the file, without loading it. */
void Original_Look(const wchar_t *folder, AbiModule module, LiveOriginal *original);
/* Looks and loads. A file that is ours, or that the system does not load, is said in the log and
 * counts as none. */
void Original_Load(const wchar_t *folder, AbiModule module, LiveOriginal *original);
bool Original_IsStandin(const LiveOriginal *original);
/* Digest of the file that a loaded module came from; empty when it cannot be read. */
void Original_DigestOf(HMODULE module, char sha256[65]);
/* Of the DLL of ours that lies in the folder, loaded or not. */
void Original_DigestOfOurs(const wchar_t *folder, AbiModule module, char sha256[65]);

/* Exports, slots and the pool: what the original has stands behind its gate from now on, but
 * nothing leads there before a plan says so (pool gates lead there at once). `own` is the module
 * that the gates are in: nothing of it counts as the original's. */
void Original_FillGates(const LiveOriginal *original, HINSTANCE own);
/* Without an original: what a pool gate can do on its own. */
void Original_FillStubs(HINSTANCE own);
/* Redirects the internal functions that the overlay allows. */
void Original_Redirect(const LiveOriginal *original, const Overlay *overlay);

#endif
