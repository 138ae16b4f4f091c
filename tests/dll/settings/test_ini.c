/* Tests of retropose.ini as text: the default file, and modes that are changed in files which
 * people wrote. */
#include "core/random.h"
#include "dll/settings/ini.h"
#include "dll/settings/settings.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void Refuse(void *context, unsigned line, const RpError *error) {
    (void)context;
    fail_msg("line %u: %s", line, error->what);
}

static void Parse(const RpBuffer *text, LiveSettings *settings) {
    Settings_Init(settings);
    Settings_Parse(settings, (const char *)text->bytes, text->size, Refuse, NULL);
}

TEST(TheDefaultFileSetsNothing) {
    LiveSettings defaults, settings;
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    Ini_Default(&text);
    Parse(&text, &settings);
    Settings_Init(&defaults);
    assert_memory_equal(&settings, &defaults, sizeof defaults);
    for (size_t i = 0; i < text.size; i++)
        assert_true((text.bytes[i] == '\n') == (i > 0 && text.bytes[i - 1] == '\r'));
    RpBuffer_Free(&text);
}

/* A user who removes the # of a setting gets what the line says, which is the default. */
TEST(EverySettingOfTheDefaultFileCanBeUncommented) {
    LiveSettings defaults, settings;
    RpBuffer text, bare;
    RpBuffer_Init(&text, NULL);
    RpBuffer_Init(&bare, NULL);
    Ini_Default(&text);
    size_t count = 0;
    RpBuffer_Append(&bare, text.bytes, 1);
    for (size_t i = 1; i < text.size; i++) {
        const bool setting = text.bytes[i] == '#' && text.bytes[i - 1] == '\n' &&
                             i + 1 < text.size && text.bytes[i + 1] != ' ' &&
                             text.bytes[i + 1] != '\r' &&
                             strncmp((char *)text.bytes + i, "#ngi32.", 7) != 0 &&
                             strncmp((char *)text.bytes + i, "#animesh.", 9) != 0;
        count += setting;
        if (!setting)
            RpBuffer_Append(&bare, text.bytes + i, 1);
    }
    assert_int_equal(count, 17);
    Parse(&bare, &settings);
    Settings_Init(&defaults);
    assert_memory_equal(&settings, &defaults, sizeof defaults);
    RpBuffer_Free(&text);
    RpBuffer_Free(&bare);
}

static void Expect(const char *ini, const char *glob, const char *mode, const char *expected) {
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    char *exact = malloc(strlen(ini) + 1); /* without a NUL that could be found after it */
    assert_non_null(exact);
    memcpy(exact, ini, strlen(ini));
    assert_int_equal(Ini_SetMode(exact, strlen(ini), glob, mode, &text, &error), RP_OK);
    assert_true(RpBuffer_Append(&text, "", 1));
    assert_string_equal((const char *)text.bytes, expected);
    RpBuffer_Free(&text);
    free(exact);
}

TEST(AModeIsChangedWhereItStands) {
    Expect("# mine\n[modes]\n  ngi32.slot17   =  shadow ; why\n\n[host]\nlog=a\n", "NGI32.slot17",
           "original", "# mine\n[modes]\n  ngi32.slot17   =  original ; why\n\n[host]\nlog=a\n");
    Expect("[modes]\r\nDefault = \"shadow\"\r\nngi32.* = original\r\n", "default", "verified",
           "[modes]\r\nDefault = \"verified\"\r\nngi32.* = original\r\n");
    Expect("[modes]\nngi32.slot17=", "ngi32.slot17", "shadow", "[modes]\nngi32.slot17= shadow");
}

TEST(ANewRuleGoesToTheEndOfItsSection) {
    Expect("[modes]\n# a comment\nngi32.* = original\n\n[host]\n", "animesh.*", "shadow",
           "[modes]\n# a comment\nngi32.* = original\nanimesh.* = shadow\n\n[host]\n");
    Expect("[modes]", "animesh.*", "shadow", "[modes]\nanimesh.* = shadow\n");
    Expect("[host]\r\nlog =", "animesh.*", "shadow",
           "[host]\r\nlog =\r\n\r\n[modes]\r\nanimesh.* = shadow\r\n");
    Expect("", "animesh.*", "shadow", "[modes]\nanimesh.* = shadow\n");
}

TEST(ARuleThatALaterOneOverrulesMovesBehindIt) {
    Expect("[modes]\nngi32.slot17 = shadow # x\nngi32.* = original\n", "ngi32.slot17",
           "replacement", "[modes]\nngi32.* = original\nngi32.slot17 = replacement\n");
    Expect("[modes]\nngi32.slot17 = shadow\ndefault = original\n", "ngi32.slot17", "replacement",
           "[modes]\nngi32.slot17 = replacement\ndefault = original\n");
}

/* Editors put a mark in front of UTF-8, which the settings skip, too. */
TEST(AMarkDoesNotHideTheFirstSection) {
    Expect("\xEF\xBB\xBF[modes]\nngi32.slot17 = shadow\n", "ngi32.slot17", "original",
           "\xEF\xBB\xBF[modes]\nngi32.slot17 = original\n");
    Expect("\xEF\xBB\xBF[modes]\nngi32.slot17 = shadow\n", "ngi32.slot17", NULL,
           "\xEF\xBB\xBF[modes]\n");
}

TEST(ARuleIsTakenOut) {
    Expect("[modes]\nngi32.slot17 = shadow\n#ngi32.slot17 = original\nNGI32.slot17 = original\n"
           "[host]\nlog = x\n",
           "ngi32.slot17", NULL, "[modes]\n#ngi32.slot17 = original\n[host]\nlog = x\n");
}

TEST(WhatTheSettingsWouldNotUnderstandIsRefused) {
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    assert_int_equal(Ini_SetMode("", 0, "ngi32.slot17", "often", &text, &error), RP_INVALID);
    assert_int_equal(Ini_SetMode("", 0, "nonsense", "shadow", &text, &error), RP_NOT_FOUND);
    assert_int_equal(Ini_SetMode("", 0, "default", "often", &text, &error), RP_INVALID);
    assert_int_equal(text.size, 0);
}

TEST(WhateverTheFileWasTheModeIsWhatWasAskedFor) {
    static const char *const lines[] = {"[modes]\n",
                                        "[host]\r\n",
                                        "ngi32.slot17 = shadow\n",
                                        "ngi32.* = original\n",
                                        "default = shadow\n",
                                        "# text\n",
                                        "\n",
                                        "log = \"a b\" # c\n"};
    unsigned random = 1;
    for (unsigned round = 0; round < 2000; round++) {
        RpBuffer ini, text;
        LiveSettings settings;
        RpBuffer_Init(&ini, NULL);
        RpBuffer_Init(&text, NULL);
        for (unsigned i = 0; i < round % 12; i++) {
            Random_Lcg32(&random);
            RpBuffer_AppendText(&ini, lines[random >> 24 & 7]);
        }
        assert_int_equal(Ini_SetMode(ini.bytes ? (const char *)ini.bytes : "", ini.size,
                                     "ngi32.slot17", "replacement", &text, NULL),
                         RP_OK);
        Settings_Init(&settings);
        Settings_Parse(&settings, (const char *)text.bytes, text.size, NULL, NULL);
        if (Settings_ModeOf(&settings, Abi_Find("ngi32.slot17")) != LIVE_REPLACEMENT)
            fail_msg("not set in:\n%.*s", (int)text.size, (const char *)text.bytes);
        RpBuffer_Free(&ini);
        RpBuffer_Free(&text);
    }
}
