/* Game folders as `retropose install` makes them, in the system's folder for temporary files, and
 * children: this program again, run in a folder with the name of one scenario. */
#ifndef RETROPOSE_TESTS_DLL_GAME_H
#define RETROPOSE_TESTS_DLL_GAME_H

#include "exports/abi.h"
#include "exports/overlay/overlay.h"

#include <stdbool.h>

typedef enum GameSignatures {
    GAME_NO_SIGNATURES,
    GAME_SIGNATURES,       /* signatures of every function of the original that the tables have */
    GAME_WRONG_SIGNATURES, /* signatures of other bytes */
} GameSignatures;

typedef struct GameSpec {
    const char *original[ABI_MODULE_COUNT]; /* files below the build folder; null for none */
    bool plain; /* uses our DLLs as they are built, without the original's exports */
    /* A file below the build folder; null makes one from the tables for these files. */
    const char *overlay;
    bool no_overlay;
    const char *slot7; /* how the overlay says that slot 7 is called; null means as in the tables */
    GameSignatures signatures;
    const char *settings; /* contents of retropose.ini; null for no file */
    bool without_ours;    /* puts the original Ngi32.dll under its own name */
} GameSpec;

/* The folder of the test that runs. It has the same path for parent and child. */
extern char game_folder[];

void Game_Make(const GameSpec *spec);
void Game_Delete(void);
void Game_Path(const char *name, char *path, size_t size);
/* Replaces a file of the folder. */
void Game_Write(const char *name, const void *bytes, size_t size);
void Game_CopyFile(const char *from, const char *to);
void Game_CopyBuildFile(const char *from, const char *name);
void Game_WriteSettings(const char *text);
/* Counts how often `words` occur in retropose.log. */
int Game_CountInLog(const char *words);
/* Runs a child. The test fails if the child does, and the child's words go to this program's
 * output. `modes` is the value of RETROPOSE_MODES or null. */
void Game_RunChild(const char *scenario, const char *modes);
void Game_RunChildTo(const char *scenario, unsigned long exit_code);

#endif
