#include "made_game.h"

#include "tests/game/dll_image.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const DllExport ngi32_exports[] = {
    {1, "g_FastProc", DLL_DATA, 0, NULL, NULL},
    {2, "ngiAlloc", DLL_CODE, 4, NULL, NULL},
    {3, "ngiProcessError", DLL_CODE, 4, NULL, NULL},
    {4, "someTable", DLL_DATA, 0, NULL, NULL},
    {5, "someFunction", DLL_CODE, 8, NULL, NULL},
    {6, "somebodyElse", DLL_FORWARDER, 0, NULL, "KERNEL32.Sleep"},
    {145, NULL, DLL_CODE, 12, NULL, NULL},
};
static const DllExport animesh_exports[] = {
    {1, "LoadAgent", DLL_CODE, 16, NULL, NULL},
    {2, "LoadAniMesh", DLL_CODE, 16, NULL, NULL},
};
static const DllExport our_ngi32_exports[] = {
    {1, "g_FastProc", DLL_DATA, 0, NULL, NULL},
    {2, "ngiAlloc", DLL_CODE, 4, NULL, NULL},
    {3, "ngiProcessError", DLL_CODE, 4, NULL, NULL},
    {2000, "RetroposeInternal", DLL_CODE, 4, NULL, NULL},
};
static const DllExport our_animesh_exports[] = {
    {1, "LoadAgent", DLL_CODE, 16, NULL, NULL},
    {2, "LoadAniMesh", DLL_CODE, 16, NULL, NULL},
    {2000, "RetroposeInternal", DLL_CODE, 4, NULL, NULL},
};

static void Write(const char *folder, const char *file, const DllSpec *spec) {
    static uint8_t image[DLL_MAX_BYTES];
    char path[1024];
    const size_t size = DllImage_Make(spec, image);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(image, 1, size, out) != size || fclose(out) != 0) {
        perror(path);
        exit(1);
    }
}

void MadeGame_Write(const char *game, const char *ours) {
    const DllSpec ngi32 = {"Ngi32.dll", ngi32_exports, COUNT(ngi32_exports), 0, 0};
    const DllSpec animesh = {"AniMesh.dll", animesh_exports, COUNT(animesh_exports), 0, 0};
    const DllSpec our_ngi32 = {"Ngi32.dll", our_ngi32_exports, COUNT(our_ngi32_exports), 256, 2001};
    const DllSpec our_animesh = {"AniMesh.dll", our_animesh_exports, COUNT(our_animesh_exports),
                                 256, 2001};
    Write(game, "NGI32.DLL", &ngi32);
    Write(game, "AniMesh.dll", &animesh);
    Write(ours, "Ngi32.dll", &our_ngi32);
    Write(ours, "AniMesh.dll", &our_animesh);
}
