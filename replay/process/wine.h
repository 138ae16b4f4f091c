/* Runs Wine with a prefix of Retropose's own, so that the user's prefix is never touched. On
 * Windows there is nothing to do. */
#ifndef RETROPOSE_REPLAY_PROCESS_WINE_H
#define RETROPOSE_REPLAY_PROCESS_WINE_H

#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns whether Wine is installed and this kernel runs 32-bit programs, which Wine needs. */
bool Wine_IsUsable(void);

typedef struct Wine {
    char prefix[1024];
    char **environment; /* the environment of a process under Wine; ends with null */
} Wine;

/* Is called before a prefix is made, with 0 seconds, and then once a second until it has been made,
 * which takes up to some minutes. */
typedef void (*WineProgress)(const char *prefix, unsigned seconds);

/* Starts Wine without a prefix, and gives its version. Returns RP_NOT_FOUND if it is not installed.
 * If it does not start, the error's `found` is what it printed. */
RpStatus Wine_Start(char *version, size_t size, RpError *error);

/* Finds the prefix (`prefix`, or RETROPOSE_WINEPREFIX, or retropose/wine in the user's cache). The
 * first time, it makes it, under the same lock as scripts/wine-run. `progress` may be null. Fails
 * as Wine_Start does if Wine is missing or does not start. */
RpStatus Wine_Open(const char *prefix, WineProgress progress, Wine *wine, RpError *error);
void Wine_Close(Wine *wine);

/* Writes Wine's name for the file with this absolute path: "Z:\home\me\trace". */
void Wine_FileName(const char *path, char *buffer, size_t size);

#endif
