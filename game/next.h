/* Finds out from a game's folder what its owner can do next (docs/use/game-folder.md). */
#ifndef RETROPOSE_GAME_NEXT_H
#define RETROPOSE_GAME_NEXT_H

#include "retropose/error.h"

#include <stddef.h>

typedef enum GameStep {
    GAME_STEP_PROBE,     /* `retropose probe` has not run for these originals */
    GAME_STEP_CALIBRATE, /* there is no profile of the originals' readings */
    GAME_STEP_INSTALL,   /* our DLLs are not, or not completely, in the folder */
    GAME_STEP_DOCTOR     /* nothing is missing: play, and look */
} GameStep;

typedef struct GameNext {
    GameStep step;
    /* How many functions have a mode and an original, and for how many of them it is known how
     * these very files are called. Both are 0 without an original. */
    size_t functions, verified;
} GameNext;

/* Returns what GameFolder_Open returns. */
RpStatus GameNext_Find(const char *folder, GameNext *next, RpError *error);

#endif
