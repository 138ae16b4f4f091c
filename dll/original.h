/* The user's original beside a DLL of ours, called NAME.retail.dll: examines it, loads it by its
 * full path, and puts it behind our gates. */
#ifndef RETROPOSE_DLL_ORIGINAL_H
#define RETROPOSE_DLL_ORIGINAL_H

#include "dll/folder.h"
#include "dll/settings/decide.h"
#include "exports/overlay/overlay.h"

typedef struct LiveOriginal {
    AbiModule of;
    HMODULE module;      /* null: none is loaded */
    bool present;        /* there is a file of that name */
    const char *refusal; /* why it cannot be used; or null */
    bool standin;        /* it is the stand-in, in the project's own tests */
    LiveModule file;
} LiveOriginal;

/* Returns "Ngi32.retail.dll" and so on. */
const char *Original_Name(AbiModule module);

/* Takes the file's digest without loading it. */
void Original_Look(const wchar_t *folder, AbiModule module, LiveOriginal *original);
/* Examines and loads the file. A file that is ours, or that the system does not load, is logged
 * and counts as none. */
void Original_Load(const wchar_t *folder, AbiModule module, LiveOriginal *original);
bool Original_IsStandin(const LiveOriginal *original);
/* Gives the digest of the file from which a loaded module came; it is empty where the file
 * cannot be read. */
void Original_DigestOf(HMODULE module, char sha256[65]);
/* Gives the digest of our own DLL in the folder, loaded or not. */
void Original_DigestOfOurs(const wchar_t *folder, AbiModule module, char sha256[65]);

/* Puts what the original has behind its gates: exports, slots and the pool. Nothing leads there
 * before a plan says so, except that gates of the pool lead there at once. `own` is the module
 * with the gates, and none of its code counts as the original's. */
void Original_FillGates(const LiveOriginal *original, HINSTANCE own);
/* Sets what a gate of the pool can do without an original. */
void Original_FillStubs(HINSTANCE own);
/* Redirects the internal functions for which the overlay allows it. */
void Original_Redirect(const LiveOriginal *original, const Overlay *overlay);

#endif
