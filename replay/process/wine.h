/* Wine with a prefix of Retropose's own; the user's is never touched. On Windows there is
 * nothing to do. */
#ifndef RETROPOSE_REPLAY_PROCESS_WINE_H
#define RETROPOSE_REPLAY_PROCESS_WINE_H

#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns whether Wine is there and this kernel runs 32-bit programs, which it needs. */
bool Wine_IsUsable(void);

typedef struct Wine {
    char prefix[1024];
    char **environment; /* for a process under Wine; ends with null */
} Wine;

/* Finds the prefix (`prefix`, or RETROPOSE_WINEPREFIX, or retropose/wine in the user's cache)
 * and makes it the first time, under the lock that scripts/wine-run takes, too. Returns
 * RP_NOT_FOUND without Wine. */
RpStatus Wine_Open(const char *prefix, Wine *wine, RpError *error);
void Wine_Close(Wine *wine);

/* Writes Wine's name for the file with this absolute path: "Z:\home\me\trace". */
void Wine_FileName(const char *path, char *buffer, size_t size);

#endif
