/* The pair of DLLs as the game's modules use it, and what a test needs around it. */
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

/* Makes a folder with MODELS_ARCHIVE, which becomes the current one, and loads the pair with a log
 * in it. */
bool Game_Open(void);
/* Joins the folder of the process that started this one. */
bool Game_Join(void);
bool Game_Load(void);
bool Game_Unload(void);
void Game_Close(void);

int Game_CountLog(const char *words);

/* Counts the used blocks in all heaps of the process, including Ngi32.dll's own. */
uint32_t Game_HeapBlocks(void);

/* Calls one method of an interface that `object` points to. */
#define METHOD(object, interface, slot)                                                            \
    ((ABI_PROTO_animesh_##interface##_##slot((*)))Game_Method((const void *)(object), slot))
uintptr_t Game_Method(const void *object, int slot);

#endif
