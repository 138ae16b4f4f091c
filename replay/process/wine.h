/* Wine with a prefix of our own; the user's is never touched. On Windows there is nothing to do. */
#ifndef RETROPOSE_REPLAY_PROCESS_WINE_H
#define RETROPOSE_REPLAY_PROCESS_WINE_H

#include "retropose/error.h"

#include <stddef.h>

typedef struct Wine {
    char prefix[1024];
    char **environment; /* of a process under Wine; ends with null */
} Wine;

/* Finds the prefix (`prefix`, or RETROPOSE_WINEPREFIX, or retropose/wine in the user's cache) and
 * makes it once, under the lock that scripts/wine-run takes too. RP_NOT_FOUND without Wine. */
RpStatus Wine_Open(const char *prefix, Wine *wine, RpError *error);
void Wine_Close(Wine *wine);

/* How Wine names the file of an absolute path: "Z:\home\me\trace". */
void Wine_FileName(const char *path, char *buffer, size_t size);

#endif
