/* Game folders as `retropose install` makes them, in the system's folder for temporary files, and
 * children: this program again, in a folder, with the name of one scenario. */
#ifndef RETROPOSE_TESTS_LIVE_HOST_GAME_H
#define RETROPOSE_TESTS_LIVE_HOST_GAME_H

#include "exports/abi.h"
#include "exports/overlay/overlay.h"

#include <stdbool.h>

typedef enum GameSignatures {
    GAME_NO_SIGNATURES,
    GAME_SIGNATURES,       /* of every function of the original that the tables have */
    GAME_WRONG_SIGNATURES, /* of other bytes */
} GameSignatures;

typedef struct GameSpec {
    const char *original[ABI_MODULE_COUNT]; /* files below the build folder; null: none */
    bool plain;          /* our DLLs as they are built, without the original's exports */
    const char *overlay; /* below the build folder; null: by the tables, for these files */
    bool no_overlay;
    const char *slot7; /* how its slot 7 is called, for the overlay; null: by the tables */
    GameSignatures signatures;
    const char *settings; /* of retropose.ini; null: none */
    bool without_ours;    /* the original Ngi32.dll under its own name */
} GameSpec;

/* The folder of the test that runs; the same path for parent and child. */
extern char game_folder[];

void Game_Make(const GameSpec *spec);
void Game_Delete(void);
void Game_Path(const char *name, char *path, size_t size);
/* Replaces the file. */
void Game_Write(const char *name, const void *bytes, size_t size);
void Game_CopyFile(const char *from, const char *to);
void Game_CopyBuildFile(const char *from, const char *name);
void Game_WriteSettings(const char *text);
/* Occurrences of `words` in retropose.log. */
int Game_CountInLog(const char *words);
/* The test fails when the child does; its words go to this program's output. `modes` is
 * RETROPOSE_MODES or null. */
void Game_RunChild(const char *scenario, const char *modes);
void Game_RunChildTo(const char *scenario, unsigned long exit_code);

#endif
