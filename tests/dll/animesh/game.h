/* The pair of DLLs as the game's modules use it, and what a test needs around it. */
#ifndef RETROPOSE_TESTS_DLL_ANIMESH_GAME_H
#define RETROPOSE_TESTS_DLL_ANIMESH_GAME_H

#include "animesh/layout.h"
#include "fake.h"
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

/* Joins the folder of the process that started this one. */
bool Game_Join(void);
bool Game_Load(void);
bool Game_Unload(void);
/* Set-up and tear-down functions of cmocka's test group: a folder with MODELS_ARCHIVE becomes the
 * current one, and the pair is loaded with a log in it. */
int Game_Begin(void **state);
int Game_End(void **state);

void Game_Destroy(const void *object);

/* The payload of the message that attaches gun.msh, which wears GUN_WEAR. */
enum { GUN_WEAR = 5 };
MeshAppend Game_Gun(uint32_t part, int32_t piece);

int Game_CountLog(const char *words);

/* Loads a fake that is in FAKE_DIRECTORY. Returns null if there is none. */
FakeLog *Game_LogOf(const char *module);

/* Runs this program again with that word as its argument, and returns its exit code. */
DWORD Game_RunSelf(const char *word);

/* Counts the used blocks in all heaps of the process, including Ngi32.dll's own. */
uint32_t Game_HeapBlocks(void);
/* Demands that calling this again and again leaves no block behind. */
void Game_AssertLeavesNothing(void (*live)(void));

/* Calls one method of an interface that `object` points to. */
#define METHOD(object, interface, slot)                                                            \
    ((ABI_PROTO_animesh_##interface##_##slot((*)))Game_Method((const void *)(object), slot))
uintptr_t Game_Method(const void *object, int slot);

#endif
