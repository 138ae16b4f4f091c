#include "game.h"

#include "models.h"
#include "tests/host/child.h"

#include <stdio.h>
#include <string.h>

Game game;

static uintptr_t Export(const char *name) {
    return (uintptr_t)GetProcAddress(game.animesh, name);
}

bool Game_Load(void) {
    SetEnvironmentVariableA("RETROPOSE_LOG", game.log);
    SetEnvironmentVariableA("RETROPOSE_NO_MESSAGE_BOX", "1");
    game.ngi32 = LoadLibraryA(REPLACEMENT_DIRECTORY "/Ngi32.dll");
    game.animesh = LoadLibraryA(REPLACEMENT_DIRECTORY "/AniMesh.dll");
    if (!game.ngi32 || !game.animesh) {
        fprintf(stderr, "no pair in %s (error %lu)\n", REPLACEMENT_DIRECTORY, GetLastError());
        return false;
    }
    game.load_mesh = (LoadFunction)Export("LoadAniMesh");
    game.load_agent = (LoadFunction)Export("LoadAgent");
    game.destroy = (DestroyFunction)Export("RetroposeDestroy");
    game.internal = (InternalFunction)Export("RetroposeInternal");
    return true;
}

bool Game_Unload(void) {
    return FreeLibrary(game.animesh) && FreeLibrary(game.ngi32);
}

bool Game_Open(void) {
    char temporary[MAX_PATH];
    if (!GetTempPathA(sizeof temporary, temporary) ||
        !GetTempFileNameA(temporary, "rpm", 0, game.folder))
        return false;
    DeleteFileA(game.folder);
    snprintf(game.log, sizeof game.log, "%s\\log.txt", game.folder);
    return CreateDirectoryA(game.folder, NULL) && SetCurrentDirectoryA(game.folder) &&
           Models_Write(MODELS_ARCHIVE) && Game_Load();
}

bool Game_Join(void) {
    return GetEnvironmentVariableA("RETROPOSE_LOG", game.log, sizeof game.log) && Game_Load();
}

void Game_Close(void) {
    Game_Unload();
    DeleteFileA(MODELS_ARCHIVE);
    DeleteFileA(game.log);
    SetCurrentDirectoryA("\\");
    RemoveDirectoryA(game.folder);
}

int Game_CountLog(const char *words) {
    return Child_CountInLog(game.log, words);
}

static uint32_t BlocksOf(HANDLE heap) {
    PROCESS_HEAP_ENTRY entry = {0};
    uint32_t count = 0;
    HeapLock(heap);
    while (HeapWalk(heap, &entry))
        count += (entry.wFlags & PROCESS_HEAP_ENTRY_BUSY) != 0;
    HeapUnlock(heap);
    return count;
}

uint32_t Game_HeapBlocks(void) {
    HANDLE heaps[32];
    const DWORD found = GetProcessHeaps(32, heaps);
    uint32_t count = 0;
    for (DWORD i = 0; i < found && i < 32; i++)
        count += BlocksOf(heaps[i]);
    return count;
}

uintptr_t Game_Method(const void *object, int method) {
    return (*(const uintptr_t *const *)object)[method];
}
