/* Maps whole files into memory through Windows. */
#ifndef RETROPOSE_DLL_NGI32_MAPPED_H
#define RETROPOSE_DLL_NGI32_MAPPED_H

#include "dll/ngi32/module.h"
#include "retropose/error.h"

typedef struct Mapped {
    HANDLE file, mapping; /* null after they were closed */
    uint8_t *view;
    uint32_t size;
} Mapped;

/* Maps a file. Its name comes from the game, so it is taken to be in the system's code page, as in
 * the original. This holds for all names in this folder that the game passes to an original's
 * function, and for no others: names of our own files are UTF-8 (dll/base/unicode.h). RP_IO comes
 * with the system's error number, RP_TRUNCATED means an empty file, RP_UNSUPPORTED 4 GB or more.
 * `hint` is FILE_FLAG_SEQUENTIAL_SCAN or FILE_FLAG_RANDOM_ACCESS. */
RpStatus Mapped_Open(const char *path, bool writable, DWORD hint, Mapped *mapped, RpError *error);
/* Maps a file that is already open, and stays open. `mapped->file` is null then. */
RpStatus Mapped_View(HANDLE file, const char *path, bool writable, Mapped *mapped, RpError *error);
/* Closes the handles, which the view does not need. As long as the view exists, the file still
 * cannot be replaced. */
void Mapped_CloseHandles(Mapped *mapped);
void Mapped_Close(Mapped *mapped);

/* Reports what Windows has just refused, and returns RP_IO. */
RpStatus Mapped_Refused(RpError *error, const char *what, const char *path);

#endif
