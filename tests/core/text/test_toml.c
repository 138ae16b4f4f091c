#include "core/text/toml.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

/* What was read, with one item on each line: "LINE [table]" or "LINE table.name TYPE VALUE". */
static char seen[4096];

static RpStatus See(void *context, const TomlItem *item, RpError *error) {
    const size_t length = strlen(seen);
    (void)context;
    (void)error;
    if (item->type == TOML_TABLE)
        snprintf(seen + length, sizeof seen - length, "%u [%s]\n", item->line, item->table);
    else
        snprintf(seen + length, sizeof seen - length, "%u %s.%s = %s (%s)\n", item->line,
                 item->table, item->name, item->text,
                 item->type == TOML_STRING ? "a string" : "an integer");
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
          "a=1\r\nb = 0 # of two\r\n",
          "1 .a = 1 (an integer)\n2 .b = 0 (an integer)\n");
    Gives("a = 'C:\\Games\\x # y'", "1 .a = C:\\Games\\x # y (a string)\n");
    Gives("a = \"\\b\\t\\n\\f\\r\\\"\\\\\"", "1 .a = \b\t\n\f\r\"\\ (a string)\n");
    Gives("a = '\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80'",
          "1 .a = \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 (a string)\n");
    Gives("a = 999999999999999999", "1 .a = 999999999999999999 (an integer)\n");
    Gives("[ replay ] # a verb\nx = 1\n[\"nres ls\"]\n'y z' = 2\n",
          "1 [replay]\n2 replay.x = 1 (an integer)\n3 [nres ls]\n4 nres ls.y z = 2 (an integer)\n");
    Gives("a = \"\"", "1 .a =  (a string)\n");
}

TEST(WhatIsWrongIsNamedWithItsPlace) {
    Refused("a = 1\n b 2\n", "line 2, column 4", "a name has no value", "2");
    Refused("a =\n", "line 1, column 4", "there is no value", "the end of the line");
    Refused("a = ", "line 1, column 5", "there is no value", "the end of the line");
    Refused("a = # x", "line 1, column 5", "there is no value", "#");
    Refused("= 1", "line 1, column 1", "there is no name", "=");
    Refused("a = \"x", "line 1, column 5", "does not end", "\"x");
    Refused("a = \"x\\\"\nb = 1", "line 1, column 5", "does not end", "\"x\\\"");
    Refused("a = 'x' y", "line 1, column 9", "something follows", "y");
    Refused("a = 1 2", "line 1, column 7", "something follows", "2");
    Refused("a = \"C:\\Games\"", "line 1, column 8", "no such escape", "\\Games\"");
    Refused("a = \"\\u1234\"", "line 1, column 6", "no such escape", "\\u1234\"");
    Refused("a = \"x\\", "line 1, column 7", "no such escape", "\\");
    Refused("a = 01", "line 1, column 5", "no value", "01");
    Refused("a = 1.5", "line 1, column 5", "no value", "1.5");
    Refused("a = 2001-06-30", "line 1, column 5", "no value", "2001-06-30");
    Refused("a = 1_0", "line 1, column 5", "no value", "1_0");
    Refused("a = -1", "line 1, column 5", "no value", "-1");
    Refused("a = 1000000000000000000", "line 1, column 5", "too large", "1000000000000000000");
    Refused("a = true", "line 1, column 5", "no value", "true");
    Refused("a = [1]", "line 1, column 5", "lists", "[1]");
    Refused("a = {b=1}", "line 1, column 5", "tables within a line", "{b=1}");
    Refused("a.b = 1", "line 1, column 2", "a name has no value", ".b");
    Refused("[[a]]", "line 1, column 1", "lists of tables", "[[a]]");
    Refused("[a.b]", "line 1, column 3", "does not end", ".b]");
    Refused("[a", "line 1, column 3", "does not end", "the end of the line");
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
    Refused("a = 1\rb = 2", "line 1, column 6", "no text may", "\rb");
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
