#include "game.h"

#include "models.h"
#include "tests/dll/child.h"
#include "tests/test.h"

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

int Game_Begin(void **state) {
    (void)state;
    char temporary[MAX_PATH];
    if (!GetTempPathA(sizeof temporary, temporary) ||
        !GetTempFileNameA(temporary, "rpm", 0, game.folder))
        return -1;
    DeleteFileA(game.folder);
    snprintf(game.log, sizeof game.log, "%s\\log.txt", game.folder);
    return CreateDirectoryA(game.folder, NULL) && SetCurrentDirectoryA(game.folder) &&
                   Models_Write(MODELS_ARCHIVE) && Game_Load()
               ? 0
               : -1;
}

bool Game_Join(void) {
    return GetEnvironmentVariableA("RETROPOSE_LOG", game.log, sizeof game.log) && Game_Load();
}

int Game_End(void **state) {
    (void)state;
    Game_Unload();
    DeleteFileA(MODELS_ARCHIVE);
    DeleteFileA(game.log);
    SetCurrentDirectoryA("\\");
    RemoveDirectoryA(game.folder);
    return 0;
}

void Game_Destroy(const void *object) {
    assert_int_equal(game.destroy((uintptr_t)object), 1);
}

MeshAppend Game_Gun(uint32_t part, int32_t piece) {
    MeshAppend append = {.part = part, .piece = piece, .material = GUN_WEAR};
    memcpy(append.archive, MODELS_ARCHIVE, sizeof MODELS_ARCHIVE);
    memcpy(append.member, "gun.msh", sizeof "gun.msh");
    return append;
}

int Game_CountLog(const char *words) {
    return Child_CountInLog(game.log, words);
}

FakeLog *Game_LogOf(const char *module) {
    SetDllDirectoryA(FAKE_DIRECTORY);
    const HMODULE fake = LoadLibraryA(module);
    FakeLogFunction log =
        fake ? (FakeLogFunction)(uintptr_t)GetProcAddress(fake, "Fake_Log") : NULL;
    return log ? log() : NULL;
}

DWORD Game_RunSelf(const char *word) {
    char program[MAX_PATH], command[MAX_PATH + 32];
    GetModuleFileNameA(NULL, program, sizeof program);
    snprintf(command, sizeof command, "\"%s\" %s", program, word);
    return Child_ExitCode(program, command);
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

void Game_AssertLeavesNothing(void (*live)(void)) {
    live();
    const uint32_t before = Game_HeapBlocks();
    for (int i = 0; i < 20; i++)
        live();
    assert_int_equal(Game_HeapBlocks(), before);
}

uintptr_t Game_Method(const void *object, int method) {
    return (*(const uintptr_t *const *)object)[method];
}
