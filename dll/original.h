/* The user's original beside a DLL of ours, in a file called NAME.retail.dll. These functions
 * examine it, load it by its full path, and connect our gates to it. */
#ifndef RETROPOSE_DLL_ORIGINAL_H
#define RETROPOSE_DLL_ORIGINAL_H

#include "dll/folder.h"
#include "dll/settings/decide.h"
#include "exports/overlay/overlay.h"

typedef struct LiveOriginal {
    AbiModule of;
    HMODULE module;      /* null: none is loaded */
    bool present;        /* there is a file of that name */
    const char *refusal; /* why it cannot be used, or null */
    bool standin;        /* it is the stand-in, in the project's own tests */
    LiveModule file;
} LiveOriginal;

/* Returns "Ngi32.retail.dll" and so on. */
const char *Original_Name(AbiModule module);

/* Computes the file's digest without loading it. */
void Original_Look(const wchar_t *folder, AbiModule module, LiveOriginal *original);
/* Examines and loads the file. If it is ours, or if the system cannot load it, this is logged, and
 * there is no original. */
void Original_Load(const wchar_t *folder, AbiModule module, LiveOriginal *original);
bool Original_IsStandin(const LiveOriginal *original);
/* Gives the digest of the file that a loaded module came from, or an empty text if the file cannot
 * be read. */
void Original_DigestOf(HMODULE module, char sha256[65]);
/* Gives the digest of our own DLL in the folder, whether it is loaded or not. */
void Original_DigestOfOurs(const wchar_t *folder, AbiModule module, char sha256[65]);

/* Gives the gates the original's targets: exports, slots and the pool. A gate leads there only
 * after a plan says so, except for gates of the pool, which lead there at once. `own` is the module
 * that contains the gates; code in it never counts as the original's. */
void Original_FillGates(const LiveOriginal *original, HINSTANCE own);
/* Sets what gates of the pool do without an original. */
void Original_FillStubs(HINSTANCE own);
/* Redirects those internal functions that the overlay allows to redirect. */
void Original_Redirect(const LiveOriginal *original, const Overlay *overlay);

#endif
