/* Tests command lines for Windows by reading them back with the rules that CommandLineToArgvW
 * documents: 2n backslashes and a quotation mark are n backslashes and the mark as a delimiter, one
 * more backslash makes the mark a character, and any other backslashes are themselves. */
#include "replay/process/command_line.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Reads the next argument at *at. Returns false at the end. */
static bool ReadBack(const char **at, char *argument) {
    bool quoted = false;
    const char *c = *at;
    while (*c == ' ')
        c++;
    if (!*c)
        return false;
    while (*c && (quoted || *c != ' ')) {
        size_t backslashes = strspn(c, "\\");
        if (c[backslashes] == '"') {
            memset(argument, '\\', backslashes / 2);
            argument += backslashes / 2;
            if (backslashes % 2)
                *argument++ = '"';
            else
                quoted = !quoted;
            c += backslashes + 1;
        } else if (backslashes > 0) {
            memset(argument, '\\', backslashes);
            argument += backslashes;
            c += backslashes;
        } else {
            *argument++ = *c++;
        }
    }
    *argument = 0;
    *at = c;
    return true;
}

static void AssertReadBack(const char *const *arguments) {
    HEAP CommandLine *line = calloc(1, sizeof *line);
    HEAP char *argument = malloc(sizeof line->bytes);
    assert_true(line && argument);
    for (size_t i = 0; arguments[i]; i++)
        assert_true(CommandLine_Append(line, arguments[i]));
    const char *at = line->bytes;
    for (size_t i = 0; arguments[i]; i++) {
        assert_true(ReadBack(&at, argument));
        assert_string_equal(argument, arguments[i]);
    }
    assert_false(ReadBack(&at, argument));
}

TEST(WhatIsOftenGotWrongIsReadBack) {
    static const char *const arguments[] = {"program",
                                            "",
                                            " ",
                                            "\\",
                                            "\\\\",
                                            "\\\\\\",
                                            "C:\\game folder\\",
                                            "\\\\server\\\\share\\\\",
                                            "\"",
                                            "\\\"",
                                            "\\\\\"",
                                            "a\\\\\\\"b",
                                            "\\\\a\\\\\"\"\\\\",
                                            NULL};
    (void)state;
    AssertReadBack(arguments);
}

/* Tries all texts of up to seven of the characters that matter. */
TEST(EveryShortTextIsReadBack) {
    static const char letters[] = {'\\', '"', ' ', 'a'};
    (void)state;
    for (unsigned length = 0; length <= 7; length++)
        for (unsigned number = 0; number < 1u << 2 * length; number++) {
            char text[8] = "";
            for (unsigned i = 0; i < length; i++)
                text[i] = letters[number >> 2 * i & 3];
            CommandLine line;
            line.bytes[0] = 0;
            line.length = 0;
            assert_true(CommandLine_Append(&line, "p") && CommandLine_Append(&line, text));
            const char *at = line.bytes;
            char argument[32];
            assert_true(ReadBack(&at, argument) && ReadBack(&at, argument));
            assert_string_equal(argument, text);
            assert_false(ReadBack(&at, argument));
        }
}

TEST(WhatDoesNotFitIsRefusedWhole) {
    HEAP CommandLine *line = calloc(1, sizeof *line);
    HEAP char *text = malloc(COMMAND_LINE_BYTES);
    (void)state;
    assert_true(line && text);
    assert_true(CommandLine_Append(line, "program"));
    memset(text, 'a', COMMAND_LINE_BYTES);
    text[COMMAND_LINE_BYTES - 1 - strlen("\"program\" \"\"")] = 0;
    assert_true(CommandLine_Append(line, text));
    assert_int_equal(line->length, COMMAND_LINE_BYTES - 1);
    assert_false(CommandLine_Append(line, ""));
    assert_int_equal(strlen(line->bytes), COMMAND_LINE_BYTES - 1);
}
