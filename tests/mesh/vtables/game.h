/* The pair of DLLs as a game's module holds it, and what a test needs around it. */
#ifndef RETROPOSE_TESTS_MESH_VTABLES_GAME_H
#define RETROPOSE_TESTS_MESH_VTABLES_GAME_H

#include "animesh/layout.h"
#include "prototypes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

typedef ABI_PROTO_animesh_LoadAniMesh((*LoadFunction));
typedef ABI_PROTO_animesh_RetroposeDestroy((*DestroyFunction));
typedef ABI_PROTO_animesh_RetroposeInternal((*InternalFunction));

typedef struct Game {
    HMODULE ngi32, animesh;
    LoadFunction load_mesh, load_agent;
    DestroyFunction destroy;
    InternalFunction internal;
    char folder[MAX_PATH], log[MAX_PATH + 16];
} Game;

extern Game game;

/* A folder of its own with MODELS_ARCHIVE, which becomes the current one; the pair, with a log in
 * it. */
bool Game_Open(void);
/* In a process that such a one started. */
bool Game_Join(void);
bool Game_Load(void);
bool Game_Unload(void);
void Game_Close(void);

/* The log so far; `text` holds it. */
const char *Game_Log(void);
int Game_CountLog(const char *words);

/* Blocks in use of all heaps of the process, Ngi32.dll's own among them. */
uint32_t Game_HeapBlocks(void);

/* One method of an interface that `object` points to. */
#define METHOD(object, interface, slot)                                                            \
    ((ABI_PROTO_animesh_##interface##_##slot((*)))Game_Method((const void *)(object), slot))
uintptr_t Game_Method(const void *object, int slot);

#endif
