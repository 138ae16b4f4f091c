/* A game for tests on Linux: memory below 4 GiB, functions that are called with dwords, and the
 * work of the gates by other means. */
#ifndef RETROPOSE_TESTS_DLL_OBSERVE_GAME_H
#define RETROPOSE_TESTS_DLL_OBSERVE_GAME_H

#include "dll/observe/observe.h"
#include "replay/scenario/synthetic_model.h"
#include "tracefile/tracefile.h"

/* A function of the game in C: it takes dwords and returns registers. */
typedef void (*GameFunction)(const uint32_t *arguments, LiveResult *result);

/* Returns zeroed memory that 32-bit addresses reach. It is never freed. */
void *Game_Memory(size_t size);
/* Returns 4 KiB that begin with 256 floats of any kind. */
uint32_t *Game_Floats(void);
uint32_t Game_Address(const void *memory);
/* Returns memory whose last byte is followed by a page that cannot be read. */
void *Game_MemoryAtEnd(size_t size);

/* Makes a new empty folder. Game_RemoveFolder removes it with everything in it. */
void Game_MakeFolder(char *path, size_t size);
void Game_RemoveFolder(const char *path);

/* Begins to observe, with files in the folder. */
void Game_Open(const char *folder, const LiveSettings *settings);
LiveSettings Game_Settings(void);
/* Says whether our functions or the original's serve the calls from now on. */
void Game_Serve(bool by_replacement);
/* Makes one call, which is recorded if `record` is set and compared if `shadow` is not null. */
LiveResult Game_Call(const char *key, GameFunction serving, GameFunction shadow, bool record,
                     const uint32_t *arguments);
/* Returns what was written to the log since the last Game_Open. */
const char *Game_Log(void);

/* A loaded model as the game has it: image, reader and pieces. */
typedef struct GameModel {
    ModelImage model;
    uint8_t *image, *reader, *pieces;
} GameModel;
void Game_Load(GameModel *game, uint64_t seed);

/* All calls of a trace. The test fails if the trace is not complete or, with `cut`, if it is. */
typedef struct GameTrace {
    uint64_t calls, last_sequence;
    uint32_t memories;
    uint64_t memory_bytes;
    bool whole;
} GameTrace;
GameTrace Game_ReadTrace(const char *path, bool cut);

#endif
