#include "core/text/visible.h"

#include "core/json/json_text.h"
#include "core/text/view_text.h"
#include "tests/test.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef bool Append(RpBuffer *out, const char *text, size_t size);

static char *Shown(Append *append, const char *text, size_t size) {
    RpBuffer out = {0};
    assert_true(append(&out, text, size));
    RpBuffer_Append(&out, "", 1);
    return (char *)out.bytes;
}

static void Becomes(Append *append, const char *text, const char *expected) {
    HEAP char *shown = Shown(append, text, strlen(text));
    assert_string_equal(shown, expected);
}

TEST(PlainTextStaysAsItIs) {
    static const char text[] = "C:\\Games \xD0\x96 \xE2\x82\xAC \xF0\x9F\x98\x80 \xC2\xA0~";
    Becomes(Visible_AppendLine, text, text);
    Becomes(Visible_AppendLines, text, text);
    Becomes(Visible_AppendJson, text, text);
}

TEST(ControlCharactersAreShown) {
    Becomes(Visible_AppendLine, "a\033[2J\r\n\t\b\177b", "a\\x1B[2J\\x0D\\x0A\\x09\\x08\\x7Fb");
    Becomes(Visible_AppendLines, "a\033[2J\n\t\rb", "a\\x1B[2J\n\t\\x0Db");
    Becomes(Visible_AppendLine,
            "\xC2\x9B"
            "2J",
            "\\u009B2J"); /* U+009B is the control sequence introducer (CSI) in one character */
    HEAP char *shown = Shown(Visible_AppendLine, "a\0b", 3);
    assert_string_equal(shown, "a\\x00b");
}

TEST(WhatTurnsTextRoundIsShown) {
    Becomes(Visible_AppendLine,
            "\xE2\x80\xAE"
            "exe.gpj",
            "\\u202Eexe.gpj");
    Becomes(Visible_AppendLine, "\xE2\x81\xA6 \xE2\x80\x8F \xD8\x9C \xE2\x80\xA8",
            "\\u2066 \\u200F \\u061C \\u2028");
}

TEST(BytesThatAreNoUtf8AreShown) {
    Becomes(Visible_AppendLine, "caf\xE9.msh", "caf\\xE9.msh");
    Becomes(Visible_AppendLine,
            "\x9B"
            "2J",
            "\\x9B2J");
    Becomes(Visible_AppendLine, "\xC0\xAF \xE0\x80\xAF",
            "\\xC0\\xAF \\xE0\\x80\\xAF");                          /* overlong */
    Becomes(Visible_AppendLine, "\xED\xA0\x80", "\\xED\\xA0\\x80"); /* surrogate */
    Becomes(Visible_AppendLine, "\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80");
    Becomes(Visible_AppendLine, "cut \xE2\x82", "cut \\xE2\\x82");
}

/* A NUL in the middle is a character of the text. */
TEST(JsonOfBytesHasAllOfThem) {
    OWNED(RpBuffer) json = {0};
    ViewText_JsonBytes(&json, "a\0\"b\n", 5);
    RpBuffer_Append(&json, "", 1);
    assert_string_equal((const char *)json.bytes, "\"a\\u0000\\\"b\\n\"");
}

/* Whatever bytes are in a string, the text is JSON in UTF-8, and characters are preserved. */
TEST(JsonIsReadableWhateverIsInIt) {
    char text[260] = "";
    for (int i = 1; i < 256; i++)
        text[i - 1] = (char)i;
    strcpy(text + 255, "\xC2\x9B");
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "name", text);
    OWNED(RpBuffer) by_cjson = {0}, by_hand = {0};
    assert_true(JsonText_Append(&by_cjson, root, false));
    RpBuffer_AppendText(&by_hand, "{\"name\":");
    ViewText_Json(&by_hand, text);
    RpBuffer_AppendText(&by_hand, "}\n");
    for (size_t i = 0; i < by_cjson.size; i++)
        assert_true(by_cjson.bytes[i] < 0x80 &&
                    (by_cjson.bytes[i] >= 0x20 || i + 1 == by_cjson.size));
    RpBuffer_Append(&by_cjson, "", 1);
    RpBuffer_Append(&by_hand, "", 1);
    cJSON *first = cJSON_Parse((const char *)by_cjson.bytes);
    cJSON *second = cJSON_Parse((const char *)by_hand.bytes);
    assert_non_null(first);
    assert_true(cJSON_Compare(first, second, true));
    const char *read = cJSON_GetObjectItem(first, "name")->valuestring;
    assert_memory_equal(read, text, 127);                     /* ASCII, with its controls */
    assert_memory_equal(read + 127, "\\x80\\x81", 8);         /* bytes that form no character */
    assert_string_equal(read + strlen(read) - 2, "\xC2\x9B"); /* a character */
    cJSON_Delete(root);
    cJSON_Delete(first);
    cJSON_Delete(second);
}

static void Prints(const char *expected, const char *format, ...)
    __attribute__((format(VISIBLE_PRINTF, 2, 3)));
static void Prints(const char *expected, const char *format, ...) {
    char text[512] = "";
    va_list arguments;
    FILE *file = tmpfile();
    assert_non_null(file);
    va_start(arguments, format);
    const int length = Visible_PrintList(file, format, arguments);
    va_end(arguments);
    rewind(file);
    assert_int_equal(fread(text, 1, sizeof text - 1, file), length);
    fclose(file);
    assert_string_equal(text, expected);
}

TEST(PrintingShowsArgumentsAndKeepsTheFormat) {
    Prints("a\tx\\x1By\n", "a\t%s\n", "x\033y");
    Prints("[\\x0A   ][   \\x0A][ab][\\x07]", "[%-7s][%7s][%.2s][%c]", "\n", "\n", "abc", '\a');
    Prints("[   ab]", "[%*.*s]", 5, 2, "abc");
    Prints("\033[31mred\033[0m \\x1B[31m", "%sred%s %s", visible_red, visible_plain, "\033[31m");
    Prints("100% -7 7 007 0x1f 1F 17", "100%% %d %u %03i %#x %X %o", -7, 7u, 7, 31u, 31u, 15u);
    Prints("-1 18446744073709551615 -9000000000 5 65535", "%hhd %llu %lld %zu %hu", (signed char)-1,
           18446744073709551615ull, -9000000000ll, (size_t)5, (unsigned short)65535);
    Prints("1.50 0.1 +2e+00 1.25", "%.2f %g %+.0e %Lg", 1.5, 0.1, 2.0, 1.25L);
}
