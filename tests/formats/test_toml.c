#include "core/text/toml.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* What was read, with one item on each line: "LINE [table]" or "LINE table.name TYPE VALUE". */
static char seen[4096];

static RpStatus See(void *context, const TomlItem *item, RpError *error) {
    const size_t length = strlen(seen);
    char value[2048] = "";
    (void)context;
    (void)error;
    if (item->type == TOML_STRING)
        snprintf(value, sizeof value, "%s", item->text);
    else if (item->type == TOML_INTEGER)
        snprintf(value, sizeof value, "%lld", (long long)item->integer);
    else if (item->type == TOML_BOOLEAN)
        snprintf(value, sizeof value, "%s", item->boolean ? "true" : "false");
    if (item->type == TOML_TABLE)
        snprintf(seen + length, sizeof seen - length, "%u [%s]\n", item->line, item->table);
    else
        snprintf(seen + length, sizeof seen - length, "%u %s.%s = %s (%s)\n", item->line,
                 item->table, item->name, value, TomlType_Name(item->type));
    return RP_OK;
}

static RpStatus Read(const char *text, RpError *error) {
    seen[0] = 0;
    return Toml_Read(text, strlen(text), See, NULL, error);
}

static void Gives(const char *text, const char *expected) {
    RpError error = {.status = RP_OK};
    if (Read(text, &error))
        fail_msg("%s: %s, %s, found %s", text, error.where, error.what, error.found);
    assert_string_equal(seen, expected);
}

static void Refused(const char *text, const char *where, const char *what, const char *found) {
    RpError error;
    assert_int_equal(Read(text, &error), RP_INVALID);
    assert_string_equal(error.where, where);
    if (!strstr(error.what, what))
        fail_msg("\"%s\" is not in \"%s\"", what, error.what);
    assert_true(error.expected[0]);
    assert_string_equal(error.found, found);
}

TEST(EveryKindOfLineIsRead) {
    Gives("", "");
    Gives("# nothing\n\n   \t\n", "");
    Gives("a = \"x\"", "1 .a = x (a string)\n");
    Gives("\xEF\xBB\xBF"
          "a=1\r\nb = -0 # of two\r\n",
          "1 .a = 1 (an integer)\n2 .b = 0 (an integer)\n");
    Gives("a = 'C:\\Games\\x # y'", "1 .a = C:\\Games\\x # y (a string)\n");
    Gives("a = \"\\b\\t\\n\\f\\r\\\"\\\\\"", "1 .a = \b\t\n\f\r\"\\ (a string)\n");
    Gives("a = \"\\u00e9\\u20AC\\U0001F600\"",
          "1 .a = \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 (a string)\n");
    Gives("a = 9223372036854775807\nb = -9223372036854775808\nc = +1_000",
          "1 .a = 9223372036854775807 (an integer)\n2 .b = -9223372036854775808 (an integer)\n"
          "3 .c = 1000 (an integer)\n");
    Gives("a = true\nb=false", "1 .a = true (true or false)\n2 .b = false (true or false)\n");
    Gives("[ replay ] # a verb\nx = 1\n[\"nres ls\"]\n'y z' = 2\n",
          "1 [replay]\n2 replay.x = 1 (an integer)\n3 [nres ls]\n4 nres ls.y z = 2 (an integer)\n");
    Gives("a = \"\"", "1 .a =  (a string)\n");
}

TEST(WhatIsWrongIsNamedWithItsPlace) {
    Refused("a = 1\n b 2\n", "line 2, column 4", "a name has no value", "2");
    Refused("a =\n", "line 1, column 4", "there is no value", "the end of the line");
    Refused("a = ", "line 1, column 5", "there is no value", "the end of the file");
    Refused("a = # x", "line 1, column 5", "there is no value", "#");
    Refused("= 1", "line 1, column 1", "there is no name", "=");
    Refused("a = \"x", "line 1, column 5", "does not end", "\"x");
    Refused("a = \"x\\\"\nb = 1", "line 1, column 5", "does not end", "\"x\\\"");
    Refused("a = 'x' y", "line 1, column 9", "something follows", "y");
    Refused("a = 1 2", "line 1, column 7", "something follows", "2");
    Refused("a = \"C:\\Games\"", "line 1, column 8", "no such escape", "\\Games\"");
    Refused("a = \"\\u12G4\"", "line 1, column 6", "lacks digits", "\\u12G4\"");
    Refused("a = \"\\uD800\"", "line 1, column 6", "no character", "\\uD800\"");
    Refused("a = \"\\u0000\"", "line 1, column 6", "no character", "\\u0000\"");
    Refused("a = 01", "line 1, column 5", "no number", "01");
    Refused("a = 1.5", "line 1, column 5", "no integer", "1.5");
    Refused("a = 2001-06-30", "line 1, column 5", "no integer", "2001-06-30");
    Refused("a = 1__0", "line 1, column 5", "no integer", "1__0");
    Refused("a = 9223372036854775808", "line 1, column 5", "too large", "9223372036854775808");
    Refused("a = -9223372036854775809", "line 1, column 5", "too large", "-9223372036854775809");
    Refused("a = yes", "line 1, column 5", "no value", "yes");
    Refused("a = trueish", "line 1, column 5", "no value", "trueish");
    Refused("a = [1]", "line 1, column 5", "lists", "[1]");
    Refused("a = {b=1}", "line 1, column 5", "tables within a line", "{b=1}");
    Refused("a.b = 1", "line 1, column 2", "a name has no value", ".b");
    Refused("[[a]]", "line 1, column 1", "lists of tables", "[[a]]");
    Refused("[a.b]", "line 1, column 3", "does not end", ".b]");
    Refused("[a", "line 1, column 3", "does not end", "the end of the file");
    Refused("[a] b", "line 1, column 5", "something follows", "b");
    Refused("a = \"\"\"x\"\"\"", "line 1, column 5", "several lines", "\"\"\"x\"\"\"");
    Refused("a = \"\x01\"", "line 1, column 6", "no text may", "\x01\"");
    Refused("# \xFF", "line 1, column 3", "no text may", "\xFF");
    Refused("\xEF\xBB\xBF"
            "a = 1 2\n",
            "line 1, column 7", "something follows", "2");
    Refused("\xEF\xBB\xBF"
            "a = 1\nb = 1 2",
            "line 2, column 7", "something follows", "2");
    Refused("a = 1\rb = 2", "line 1, column 6", "something follows", "the end of the line");
}

TEST(LongThingsAreRefused) {
    static char text[3 * TOML_STRING_BYTES];
    RpError error;
    memset(text, 'a', TOML_NAME_BYTES);
    strcpy(text + TOML_NAME_BYTES, " = 1");
    assert_int_equal(Read(text, &error), RP_INVALID);
    assert_string_equal(Read(text + 1, &error) ? error.what : "", "");
    strcpy(text, "a = '");
    memset(text + 5, 'x', TOML_STRING_BYTES);
    strcpy(text + 5 + TOML_STRING_BYTES, "'");
    assert_int_equal(Read(text, &error), RP_INVALID);
    assert_non_null(strstr(error.expected, "4095"));
    strcpy(text + 4 + TOML_STRING_BYTES, "'");
    assert_int_equal(Toml_Read(text, strlen(text), See, NULL, &error), RP_OK);
}

static RpStatus Stop(void *context, const TomlItem *item, RpError *error) {
    (void)item;
    ++*(int *)context;
    return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "enough", "", "", "");
}

TEST(TheReceiverMayStop) {
    int calls = 0;
    assert_int_equal(Toml_Read("a = 1\nb = 2", 11, Stop, &calls, NULL), RP_NO_MEMORY);
    assert_int_equal(calls, 1);
}

TEST(WhatIsQuotedIsReadBack) {
    char text[256] = "a = ";
    assert_int_equal(Toml_Quote("C:\\a \"b\"\t\x01\xC3\xA9", text + 4, sizeof text - 4), 27);
    assert_string_equal(text + 4, "\"C:\\\\a \\\"b\\\"\\u0009\\u0001\xC3\xA9\"");
    Gives(text, "1 .a = C:\\a \"b\"\t\x01\xC3\xA9 (a string)\n");
    assert_int_equal(Toml_Quote("abc", text, 3), 5);
    assert_string_equal(text, "\"a");
}
