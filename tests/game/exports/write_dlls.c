/* write_dlls FOLDER writes the DLLs that the test of the command reads. */
#include "tests/game/dll_image.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const DllExport ngi32_exports[] = {
    {54, "ngiAlloc", DLL_CODE, 4, NULL, NULL},
    {32, "ngiProcessError", DLL_CODE, 4, NULL, NULL}, /* the published ordinal is 31 */
    {60, "g_FastProc", DLL_DATA, 0, NULL, NULL},
    {70, "Elsewhere", DLL_FORWARDER, 0, NULL, "KERNEL32.Sleep"},
    {80, "vrtPutDib", DLL_BODY, 0, "C20800", NULL},
    {81, "rsLoadTexture", DLL_BODY, 0, "C20800", NULL}, /* the published number is 12 bytes */
    {82, "rsLoadBitmap", DLL_CODE, 12, NULL, NULL},     /* the published export is a stub */
    {83, NULL, DLL_BODY, 0, "33C0C21000", NULL},
};
static const DllExport animesh_exports[] = {
    {1, "LoadAgent", DLL_CODE, 16, NULL, NULL},
    {2, "LoadAniMesh", DLL_CODE, 16, NULL, NULL},
};
static const DllExport unknown_exports[] = {{1, "Start", DLL_CODE, 0, NULL, NULL}};

static void Write(const char *folder, const char *file, const char *name, const DllExport *exports,
                  size_t count) {
    static uint8_t image[DLL_MAX_BYTES];
    const DllSpec spec = {.name = name, .exports = exports, .count = count};
    char path[1024];
    size_t size = DllImage_Make(&spec, image);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(image, 1, size, out) != size || fclose(out) != 0) {
        perror(path);
        exit(1);
    }
}

int main(int count, char **words) {
    if (count != 2)
        return 1;
    Write(words[1], "Ngi32.dll", "Ngi32.dll", ngi32_exports, COUNT(ngi32_exports));
    Write(words[1], "Other.dll", "Ngi32.dll", ngi32_exports, COUNT(ngi32_exports) - 1);
    Write(words[1], "AniMesh.dll", "AniMesh.dll", animesh_exports, COUNT(animesh_exports));
    Write(words[1], "Unknown.dll", "Unknown.dll", unknown_exports, COUNT(unknown_exports));
    return 0;
}
