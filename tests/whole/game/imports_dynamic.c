#include "imports.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

const char imports_how[] = "dynamic";
const void *game_imports[IMPORT_COUNT];

static const void *Ask(HMODULE module, const char *name) {
    return module ? (const void *)(uintptr_t)GetProcAddress(module, name) : NULL;
}

const char *Imports_Open(void) {
    /* AniMesh is loaded first, as the game does it, and brings the other one. */
    HMODULE animesh = LoadLibraryA("AniMesh.dll"), ngi32 = LoadLibraryA("Ngi32.dll");
    static const char *const names[] = {
#define NAME(name) #name,
        GAME_NGI32_IMPORTS(NAME) GAME_ANIMESH_IMPORTS(NAME)};
    for (int i = 0; i < IMPORT_COUNT; i++) {
        game_imports[i] = Ask(i >= IMPORT_LoadAgent ? animesh : ngi32, names[i]);
        if (!game_imports[i])
            return names[i];
    }
    return NULL;
}
