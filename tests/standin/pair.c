#include "pair.h"

#include "checked_call.h"
#include "core/random.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

uint8_t *ngi32, *animesh;

void Pair_Load(const char *folder) {
    char path[MAX_PATH];
    DWORD length = GetModuleFileNameA(NULL, path, sizeof path);
    assert_in_range(length, 1, sizeof path - 1);
    for (int i = 0; i < 3; i++) /* the program is <build>/tests/standin/standin_layout.exe */
        *strrchr(path, '\\') = 0;
    size_t root = strlen(path);
    snprintf(path + root, sizeof path - root, "\\%s\\Ngi32.dll", folder);
    ngi32 = (uint8_t *)LoadLibraryExA(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!ngi32)
        fail_msg("%s: error %lu", path, GetLastError());
    snprintf(path + root, sizeof path - root, "\\%s\\AniMesh.dll", folder);
    animesh = (uint8_t *)LoadLibraryExA(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!animesh)
        fail_msg("%s: error %lu", path, GetLastError());
}

void Pair_Unload(void) {
    assert_true(FreeLibrary((HMODULE)animesh));
    assert_true(FreeLibrary((HMODULE)ngi32));
    ngi32 = animesh = NULL;
}

/* Returns a key that belongs to this process alone, because several of these tests run at the same
 * time. */
static const char *TestKey(void) {
    static char key[64];
    snprintf(key, sizeof key, "Software\\RetroposeStandinTest%lu", GetCurrentProcessId());
    return key;
}

/* Puts ForceCpu of the given type and value (REG_NONE means none) into a registry of our own. */
void Force_Begin(DWORD type, DWORD value) {
    HKEY root, key;
    assert_int_equal(RegCreateKeyExA(HKEY_CURRENT_USER, TestKey(), 0, NULL, 0, KEY_ALL_ACCESS, NULL,
                                     &root, NULL),
                     ERROR_SUCCESS);
    assert_int_equal(RegCreateKeyExA(root, "Software\\Nikita\\NgiTool", 0, NULL, 0, KEY_ALL_ACCESS,
                                     NULL, &key, NULL),
                     ERROR_SUCCESS);
    if (type == REG_NONE)
        RegDeleteValueA(key, "ForceCpu");
    else
        assert_int_equal(
            RegSetValueExA(key, "ForceCpu", 0, type, (const BYTE *)&value, sizeof value),
            ERROR_SUCCESS);
    RegCloseKey(key);
    assert_int_equal(RegOverridePredefKey(HKEY_CURRENT_USER, root), ERROR_SUCCESS);
    RegCloseKey(root);
}

void Force_End(void) {
    assert_int_equal(RegOverridePredefKey(HKEY_CURRENT_USER, NULL), ERROR_SUCCESS);
    RegDeleteTreeA(HKEY_CURRENT_USER, TestKey());
}

static void LoadForced(const char *folder, DWORD type, DWORD value) {
    Force_Begin(type, value);
    Pair_Load(folder);
    Force_End();
    __asm__ volatile("fninit"); /* the reference computes in extended precision */
}

void Pair_LoadForced(DWORD type, DWORD value) {
    LoadForced("standin", type, value);
}

void Pair_LoadFolder(const char *folder) {
    LoadForced(folder, REG_NONE, 0);
}

int Pair_Setup(void **state) {
    (void)state;
    Pair_LoadForced(REG_NONE, 0);
    return 0;
}

int Pair_Teardown(void **state) {
    (void)state;
    Pair_Unload();
    return 0;
}

uint8_t *Pair_Module(AbiModule module) {
    return module == ABI_NGI32 ? ngi32 : animesh;
}

const IMAGE_NT_HEADERS32 *Pair_Headers(const uint8_t *module) {
    const IMAGE_DOS_HEADER *dos = (const void *)module;
    return (const void *)(module + dos->e_lfanew);
}

float Memory_Float(const uint8_t *address) {
    float number;
    memcpy(&number, address, sizeof number);
    return number;
}

uint32_t Memory_Dword(const uint8_t *address) {
    uint32_t dword;
    memcpy(&dword, address, sizeof dword);
    return dword;
}

const uint32_t *Pair_FastProc(void) {
    return (const uint32_t *)(const void *)(ngi32 + 0x3A058);
}

const AbiFunction *Pair_Slot(int slot) {
    char key[32];
    snprintf(key, sizeof key, "ngi32.slot%d", slot);
    return Abi_Find(key);
}

static uint32_t random_state = 1;

void Random_Seed(uint32_t seed) {
    random_state = seed;
}

float Random_Float(float low, float high) {
    return low + (high - low) * ((float)(Random_Lcg32(&random_state) >> 8) * 0x1p-24f);
}

void Random_Floats(float *numbers, size_t count, float low, float high) {
    for (size_t i = 0; i < count; i++)
        numbers[i] = Random_Float(low, high);
}

void Expect_Floats(const char *what, const float *got, const float *expected, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (memcmp(&got[i], &expected[i], sizeof *got) != 0)
            fail_msg("%s[%u]: %08X %.9g, expected %08X %.9g", what, (unsigned)i, F(got[i]), got[i],
                     F(expected[i]), expected[i]);
}
