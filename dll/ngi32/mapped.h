/* Maps whole files into memory through Windows. */
#ifndef RETROPOSE_DLL_NGI32_MAPPED_H
#define RETROPOSE_DLL_NGI32_MAPPED_H

#include "dll/ngi32/module.h"
#include "retropose/error.h"

typedef struct Mapped {
    HANDLE file, mapping; /* null once closed */
    uint8_t *view;
    uint32_t size;
} Mapped;

/* Maps a file. Its name is the game's, so it is taken in the system's code page, as the original
 * takes it; so are all names here that the game hands to an original's function, and no others:
 * those of our own files are UTF-8 (dll/base/unicode.h). RP_IO comes with the system's error
 * number, RP_TRUNCATED stands for an empty file, RP_UNSUPPORTED for 4 GB or more. `hint` is
 * FILE_FLAG_SEQUENTIAL_SCAN or FILE_FLAG_RANDOM_ACCESS.
 */
RpStatus Mapped_Open(const char *path, bool writable, DWORD hint, Mapped *mapped, RpError *error);
/* Maps a file that is open already, and stays open; `mapped->file` is left null. */
RpStatus Mapped_View(HANDLE file, const char *path, bool writable, Mapped *mapped, RpError *error);
/* Closes the handles, which the view does not need. The file can still not be replaced. */
void Mapped_CloseHandles(Mapped *mapped);
void Mapped_Close(Mapped *mapped);

/* Sets and returns RP_IO for what Windows has just refused. */
RpStatus Mapped_Refused(RpError *error, const char *what, const char *path);

#endif
