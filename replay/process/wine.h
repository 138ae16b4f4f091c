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

/* Called before a prefix is made (0 seconds), which takes up to some minutes, and then once a
 * second until it is there. */
typedef void (*WineProgress)(const char *prefix, unsigned seconds);

/* Starts Wine without a prefix, and gives its version. Returns RP_NOT_FOUND where it is not
 * installed; otherwise, where it does not start, the error's `found` is what it said. */
RpStatus Wine_Start(char *version, size_t size, RpError *error);

/* Finds the prefix (`prefix`, or RETROPOSE_WINEPREFIX, or retropose/wine in the user's cache)
 * and makes it the first time, under the lock that scripts/wine-run takes, too. `progress` may be
 * null. Fails as Wine_Start does where Wine is missing or does not start. */
RpStatus Wine_Open(const char *prefix, WineProgress progress, Wine *wine, RpError *error);
void Wine_Close(Wine *wine);

/* Writes Wine's name for the file with this absolute path: "Z:\home\me\trace". */
void Wine_FileName(const char *path, char *buffer, size_t size);

#endif
