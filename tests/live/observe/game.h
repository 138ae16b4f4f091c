/* A game for tests on Linux: memory below 4 GiB, functions called by the dword, and what the gates
 * would do, by other means. */
#ifndef RETROPOSE_TESTS_LIVE_OBSERVE_GAME_H
#define RETROPOSE_TESTS_LIVE_OBSERVE_GAME_H

#include "live/dll/observe/observe.h"
#include "replay/scenario/model.h"
#include "replay/trace/trace.h"

/* A function of the game, in C: dwords in, registers out. */
typedef void (*GameFunction)(const uint32_t *arguments, LiveResult *result);

/* Zeroed memory that its 32-bit addresses reach; never freed. */
void *Game_Memory(size_t size);
uint32_t Game_Address(const void *memory);
/* Memory whose last byte is followed by a page that cannot be read. */
void *Game_MemoryAtEnd(size_t size);

/* A new empty folder, removed with all in it by Game_RemoveFolder. */
void Game_MakeFolder(char *path, size_t size);
void Game_RemoveFolder(const char *path);

/* Observes from here on, with files in the folder. */
void Game_Open(const char *folder, const LiveSettings *settings);
LiveSettings Game_Settings(void);
/* One call: recorded, and compared when `shadow` is not null. */
LiveResult Game_Call(const char *key, GameFunction serving, GameFunction shadow, bool record,
                     const uint32_t *arguments);
/* What Log_Write said since the last Game_Open. */
const char *Game_Log(void);

/* A loaded model as the game has it: image, reader, pieces. */
typedef struct GameModel {
    ModelImage model;
    uint8_t *image, *reader, *pieces;
} GameModel;
void Game_Load(GameModel *game, uint64_t seed);

/* All calls of a trace; fails the test when it is not whole (`cut`: when it is). */
typedef struct GameTrace {
    uint64_t calls, last_sequence;
    uint32_t memories;
    uint64_t memory_bytes;
    bool whole;
} GameTrace;
GameTrace Game_ReadTrace(const char *path, bool cut);

#endif
