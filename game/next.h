/* What its owner can do next with a game's folder (docs/use/game-folder.md), as the folder says. */
#ifndef RETROPOSE_GAME_NEXT_H
#define RETROPOSE_GAME_NEXT_H

#include "retropose/error.h"

#include <stddef.h>

typedef enum GameStep {
    GAME_STEP_PROBE,     /* the originals' calls were never asked for, or for other files */
    GAME_STEP_CALIBRATE, /* there is no profile of the originals' readings */
    GAME_STEP_INSTALL,   /* our DLLs are not in the folder, or not all of it */
    GAME_STEP_DOCTOR     /* nothing is missing: play, and look */
} GameStep;

typedef struct GameNext {
    GameStep step;
    /* Of the functions that have a mode and an original: how many there are, and for how many it is
     * known how these very files are called. Both are 0 without an original. */
    size_t functions, verified;
} GameNext;

/* Returns what GameFolder_Open returns. */
RpStatus GameNext_Find(const char *folder, GameNext *next, RpError *error);

#endif
