#include "game.h"

#include "core/digest.h"
#include "tests/core/pe/image.h"
#include "tests/test.h"

#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <utime.h>
#ifdef _WIN32
#include <direct.h>
#else
#include <unistd.h>
#endif

/* ---- DLLs ------------------------------------------------------------------------------------ */

enum {
    FILE_BYTES = 0xA00,
    CODE_FILE = 0x200,
    DATA_FILE = 0x400,
    DATA_RVA = 0x2000,
    STRINGS = 0x200 /* offset in the data */
};

static void Put(uint8_t *bytes, uint32_t value, int count) {
    for (int i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t PutText(uint8_t *data, uint32_t *end, const char *text, size_t length) {
    const uint32_t rva = DATA_RVA + *end;
    memcpy(data + *end, text, length);
    data[*end + length] = 0;
    *end += (uint32_t)length + 1;
    return rva;
}

static void PutExports(uint8_t *data, const char *const *names) {
    uint32_t count = 0, end = STRINGS;
    while (names[count])
        count++;
    Put(data + 16, 1, 4); /* first ordinal */
    Put(data + 20, count, 4);
    Put(data + 24, count, 4);
    Put(data + 28, DATA_RVA + 0x40, 4);
    Put(data + 32, DATA_RVA + 0x80, 4);
    Put(data + 36, DATA_RVA + 0xC0, 4);
    for (uint32_t i = 0; i < count; i++) {
        const size_t length = strcspn(names[i], "=");
        const char *forwarder = names[i][length] ? names[i] + length + 1 : NULL;
        Put(data + 0x80 + 4 * i, PutText(data, &end, names[i], length), 4);
        Put(data + 0xC0 + 2 * i, i, 2);
        Put(data + 0x40 + 4 * i,
            forwarder ? PutText(data, &end, forwarder, strlen(forwarder)) : 0x1000 + 16 * i, 4);
    }
}

void Game_MakeDll(const char *const *names, uint8_t filler, RpBuffer *dll) {
    uint8_t *file = RpBuffer_Extend(dll, FILE_BYTES);
    assert_non_null(file);
    DllFile_Begin(file, ".data", FILE_BYTES - DATA_FILE);
    Put(file + IMAGE_PE + 24 + 32, 0x1000, 4);
    Put(file + IMAGE_PE + 24 + 36, 0x200, 4);
    memset(file + CODE_FILE, filler, 0x200);
    PutExports(file + DATA_FILE, names);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void Path(const char *folder, const char *name, char path[FILES_PATH_BYTES]) {
    assert_true(Files_Join(folder, name, path));
}

void Game_Write(const char *folder, const char *name, const void *bytes, size_t size) {
    char path[FILES_PATH_BYTES];
    Path(folder, name, path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void Game_WriteText(const char *folder, const char *name, const char *text) {
    Game_Write(folder, name, text, strlen(text));
}

void Game_Read(const char *folder, const char *name, RpBuffer *bytes) {
    char path[FILES_PATH_BYTES];
    RpError error;
    Path(folder, name, path);
    RpBuffer_Init(bytes, NULL);
    if (FileOps_System.read(NULL, path, bytes, &error))
        fail_msg("%s: %s", path, error.found);
}

void Game_Remove(const char *folder, const char *name) {
    char path[FILES_PATH_BYTES];
    Path(folder, name, path);
    assert_int_equal(remove(path), 0);
}

bool Game_Has(const char *folder, const char *name) {
    char path[FILES_PATH_BYTES];
    struct stat facts;
    Path(folder, name, path);
    return stat(path, &facts) == 0;
}

typedef struct Names {
    char names[64][FILES_NAME_BYTES];
    size_t count;
} Names;

static void AddName(void *context, const char *name) {
    Names *names = context;
    assert_true(names->count < 64);
    snprintf(names->names[names->count++], FILES_NAME_BYTES, "%s", name);
}

static int CompareNames(const void *a, const void *b) {
    return strcmp(a, b);
}

static void ListNames(const char *folder, Names *names) {
    RpError error;
    names->count = 0;
    if (FileOps_System.list(NULL, folder, AddName, names, &error))
        fail_msg("%s: %s", folder, error.found);
    qsort(names->names, names->count, FILES_NAME_BYTES, CompareNames);
}

static void MakeEmpty(const char *folder) {
    static Names names;
#ifdef _WIN32
    _mkdir(folder);
#else
    mkdir(folder, 0777);
#endif
    ListNames(folder, &names);
    for (size_t i = 0; i < names.count; i++)
        Game_Remove(folder, names.names[i]);
}

static void SetTime(const char *folder, const char *name, time_t when) {
    char path[FILES_PATH_BYTES];
    struct utimbuf times = {when, when};
    Path(folder, name, path);
    assert_int_equal(utime(path, &times), 0);
}

/* ---- the folder ------------------------------------------------------------------------------ */

void Game_OursFolder(const char *folder, char path[FILES_PATH_BYTES]) {
    snprintf(path, FILES_PATH_BYTES, "%s-ours", folder);
}

static void WriteDll(const char *folder, const char *name, const char *const *names,
                     uint8_t filler) {
    RpBuffer dll;
    RpBuffer_Init(&dll, NULL);
    Game_MakeDll(names, filler, &dll);
    Game_Write(folder, name, dll.bytes, dll.size);
    RpBuffer_Free(&dll);
}

void Game_MakeOurs(const char *folder, uint8_t filler) {
    static const char *const names[] = {"RetroposeInternal", NULL};
    char ours[FILES_PATH_BYTES];
    Game_OursFolder(folder, ours);
    MakeEmpty(ours);
    WriteDll(ours, "Ngi32.dll", names, filler);
    WriteDll(ours, "AniMesh.dll", names, (uint8_t)(filler + 1));
}

void Game_Make(const char *folder) {
    static const char *const ngi32[] = {"g_FastProc", "ngiAlloc", "ngiProcessError", NULL};
    static const char *const animesh[] = {"LoadAgent", "LoadAniMesh", NULL};
    MakeEmpty(folder);
    WriteDll(folder, "NGI32.dll", ngi32, 0x11); /* some copies of the game spell it like this */
    WriteDll(folder, "AniMesh.dll", animesh, 0x22);
    Game_WriteText(folder, "game.exe", "the game");
    SetTime(folder, "NGI32.dll", 994000000);
    SetTime(folder, "AniMesh.dll", 994000001);
    SetTime(folder, "game.exe", 994000002);
    Game_MakeOurs(folder, 0x90);
}

/* ---- snapshots ------------------------------------------------------------------------------- */

void Game_Snapshot(const char *folder, RpBuffer *snapshot) {
    static Names names;
    char path[FILES_PATH_BYTES], sum[DIGEST_HEX_BYTES];
    struct stat facts;
    RpBuffer_Init(snapshot, NULL);
    ListNames(folder, &names);
    for (size_t i = 0; i < names.count; i++) {
        RpBuffer bytes;
        Game_Read(folder, names.names[i], &bytes);
        Digest_OfBytes(bytes.bytes, bytes.size, sum);
        Path(folder, names.names[i], path);
        assert_int_equal(stat(path, &facts), 0);
        RpBuffer_Print(snapshot, "%s %zu %s %lld\n", names.names[i], bytes.size, sum,
                       (long long)facts.st_mtime);
        RpBuffer_Free(&bytes);
    }
    assert_true(RpBuffer_Append(snapshot, "", 1));
}

void Game_ExpectSnapshot(const char *folder, const RpBuffer *expected, const char *when) {
    RpBuffer found;
    Game_Snapshot(folder, &found);
    if (strcmp((const char *)found.bytes, (const char *)expected->bytes) != 0)
        fail_msg("%s: the folder was\n%sand is\n%s", when, (const char *)expected->bytes,
                 (const char *)found.bytes);
    RpBuffer_Free(&found);
}

/* ---- installing ------------------------------------------------------------------------------ */

static RpStatus Complete(void *context, const PeFile *ours, const PeFile *original,
                         AbiModule module, RpBuffer *dll, RpError *error) {
    char sum[DIGEST_HEX_BYTES];
    (void)context;
    (void)module;
    (void)error;
    Digest_OfBytes(original->bytes, original->size, sum);
    RpBuffer_Append(dll, ours->bytes, ours->size);
    RpBuffer_AppendText(dll, sum);
    return RP_OK;
}

static RpStatus MakeOverlay(void *context, const PeFile originals[ABI_MODULE_COUNT], RpBuffer *text,
                            RpError *error) {
    (void)context;
    (void)error;
    for (int i = 0; i < ABI_MODULE_COUNT; i++)
        RpBuffer_Print(text, "# %zu exports\n", originals[i].export_count);
    return RP_OK;
}

const InstallMaker game_builder = {NULL, Complete, MakeOverlay};

InstallOptions Game_Options(const char *folder, const FileOps *ops) {
    static char ours[FILES_PATH_BYTES];
    Game_OursFolder(folder, ours);
    return (InstallOptions){.folder = folder,
                            .dlls = ours,
                            .own = ours,
                            .tool = "test",
                            .ops = ops,
                            .builder = &game_builder};
}
