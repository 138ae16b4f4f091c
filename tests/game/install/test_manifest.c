/* Tests retropose.install: it is read as it was written, and anything else is refused. */
#include "game/install/manifest.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void Fill(InstallManifest *manifest) {
    memset(manifest, 0, sizeof *manifest);
    snprintf(manifest->tool, sizeof manifest->tool, "0.1 (test)");
    static const char *const names[] = {"NGI32.DLL", "AniMesh.dll"};
    for (int i = 0; i < ABI_MODULE_COUNT; i++) {
        snprintf(manifest->pairs[i].name, sizeof manifest->pairs[i].name, "%s", names[i]);
        memset(manifest->pairs[i].original, 'a' + i, 64);
        memset(manifest->pairs[i].ours, '0' + i, 64);
    }
    memset(manifest->texts[INSTALL_INI], 'f', 64);
}

static void Format(const InstallManifest *manifest, RpBuffer *text) {
    RpBuffer_Init(text, NULL);
    InstallManifest_Format(manifest, text);
    assert_false(text->failed);
}

static RpStatus Parse(const void *text, size_t size, InstallManifest *manifest, RpError *error) {
    char *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, text, size);
    const RpStatus status = InstallManifest_Parse(exact, size, manifest, error);
    free(exact);
    return status;
}

TEST(AManifestIsReadBackAsWritten) {
    InstallManifest manifest, again;
    RpBuffer text;
    Fill(&manifest);
    for (int texts = 0; texts < 4; texts++) {
        memset(manifest.texts, 0, sizeof manifest.texts);
        for (int i = 0; i < INSTALL_TEXT_COUNT; i++)
            if (texts >> i & 1)
                memset(manifest.texts[i], 'e', 64);
        Format(&manifest, &text);
        assert_int_equal(Parse(text.bytes, text.size, &again, NULL), RP_OK);
        assert_memory_equal(&manifest, &again, sizeof manifest);
        RpBuffer_Free(&text);
    }
}

TEST(AManifestThatEndsEarlyIsRefused) {
    InstallManifest manifest;
    RpBuffer text;
    RpError error;
    Fill(&manifest);
    Format(&manifest, &text);
    for (size_t size = 0; size < text.size; size++)
        assert_int_not_equal(Parse(text.bytes, size, &manifest, &error), RP_OK);
    RpBuffer_Free(&text);
}

TEST(AnyChangedByteIsNoticed) {
    InstallManifest manifest;
    RpBuffer text;
    RpError error;
    Fill(&manifest);
    Format(&manifest, &text);
    for (size_t i = 0; i < text.size; i++)
        for (int bit = 0; bit < 8; bit++) {
            text.bytes[i] ^= (uint8_t)(1 << bit);
            assert_int_not_equal(Parse(text.bytes, text.size, &manifest, &error), RP_OK);
            text.bytes[i] ^= (uint8_t)(1 << bit);
        }
    RpBuffer_AppendText(&text, "\n");
    assert_int_equal(Parse(text.bytes, text.size, &manifest, &error), RP_CORRUPT);
    RpBuffer_Free(&text);
}

/* Anybody can compute a right sum, but even with it a name must not lead out of the folder. */
TEST(ANameIsThatOfTheDll) {
    static const char *const names[] = {"../Ngi32.dll", "AniMesh.dll", "game.exe", "Ngi32.dllx",
                                        "Ngi32.dll "};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        InstallManifest manifest;
        RpBuffer text;
        RpError error;
        Fill(&manifest);
        snprintf(manifest.pairs[0].name, sizeof manifest.pairs[0].name, "%s", names[i]);
        Format(&manifest, &text);
        assert_int_equal(Parse(text.bytes, text.size, &manifest, &error), RP_CORRUPT);
        RpBuffer_Free(&text);
    }
}

TEST(ALaterVersionSaysSo) {
    InstallManifest manifest;
    RpError error;
    static const char text[] = "retropose-install 2\nanything";
    assert_int_equal(Parse(text, sizeof text - 1, &manifest, &error), RP_UNSUPPORTED);
    assert_string_equal(error.expected, "version 1");
}
