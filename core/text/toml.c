#include "core/text/toml.h"

#include "core/text/visible.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct Reader {
    const char *at, *end, *line_start;
    uint32_t line;
    char table[TOML_NAME_BYTES], name[TOML_NAME_BYTES], value[TOML_STRING_BYTES];
    RpError *error;
} Reader;

/* Refuses what stands at a place, and quotes the rest of its word. */
static RpStatus Refuse(const Reader *reader, const char *at, const char *what,
                       const char *expected) {
    char where[64], found[64];
    size_t length = 0;
    while (at + length < reader->end && length < 40 && at[length] != '\n' && at[length] != '\r' &&
           (length == 0 || (at[length] != ' ' && at[length] != '\t')))
        length++;
    if (at >= reader->end)
        snprintf(found, sizeof found, "the end of the file");
    else if (length == 0)
        snprintf(found, sizeof found, "the end of the line");
    else
        snprintf(found, sizeof found, "%.*s", (int)length, at);
    snprintf(where, sizeof where, "line %u, column %u", reader->line,
             (unsigned)(at - reader->line_start) + 1);
    return RpError_Set(reader->error, RP_INVALID, RP_NOWHERE, what, where, expected, found);
}

/* ---- characters ------------------------------------------------------------------------------ */

/* A carriage return before the end of a line is a part of that end. */
static bool IsAtEnd(const Reader *reader) {
    const char *at = reader->at + (reader->at < reader->end && *reader->at == '\r');
    return at == reader->end || *at == '\n';
}

static bool IsAt(const Reader *reader, char c) {
    return reader->at < reader->end && *reader->at == c;
}

static void SkipBlanks(Reader *reader) {
    while (IsAt(reader, ' ') || IsAt(reader, '\t'))
        reader->at++;
}

/* Returns the length of the character that the reader stands at, or 0 if no text may hold it. */
static size_t CharacterLength(const Reader *reader) {
    const uint8_t *at = (const uint8_t *)reader->at;
    if ((*at < 0x20 && *at != '\t') || *at == 0x7F)
        return 0;
    return Visible_CharacterLength(at, (size_t)(reader->end - reader->at));
}

static bool IsOfName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Reads a string whose quotation mark the reader stands at. */
static RpStatus ReadString(Reader *reader, char *text, size_t size) {
    static const char letters[] = "btnfr\"\\", meanings[] = "\b\t\n\f\r\"\\";
    const char *start = reader->at;
    const char mark = *reader->at++;
    size_t length = 0;
    if (reader->end - reader->at >= 2 && reader->at[0] == mark && reader->at[1] == mark)
        return Refuse(reader, start, "strings of several lines are not read here",
                      "a string in one line, in \" or '");
    while (!IsAtEnd(reader) && *reader->at != mark) {
        const char *from = reader->at;
        const size_t bytes = CharacterLength(reader);
        if (bytes == 0)
            return Refuse(reader, from, "a string holds what no text may",
                          "UTF-8 without control characters");
        if (mark == '"' && *from == '\\') {
            const char *known =
                ++reader->at < reader->end && *reader->at ? strchr(letters, *reader->at) : NULL;
            if (!known)
                return Refuse(reader, from, "there is no such escape",
                              "\\b \\t \\n \\f \\r \\\" \\\\; or '...' for a path with "
                              "backslashes");
            from = &meanings[known - letters];
        }
        if (length + bytes >= size) {
            char expected[64];
            snprintf(expected, sizeof expected, "at most %zu bytes", size - 1);
            return Refuse(reader, start, "a text is too long", expected);
        }
        memcpy(text + length, from, bytes);
        length += bytes;
        reader->at += bytes;
    }
    if (IsAtEnd(reader))
        return Refuse(reader, start, "a string does not end in its line",
                      mark == '"' ? "\" at its end" : "' at its end");
    reader->at++;
    text[length] = 0;
    return RP_OK;
}

/* Reads the word of a name or of a number. Returns its length; 0: there is none. */
static size_t ReadWord(Reader *reader, char text[TOML_NAME_BYTES]) {
    size_t length = 0;
    for (; reader->at < reader->end && IsOfName(*reader->at); reader->at++, length++)
        if (length + 1 < TOML_NAME_BYTES)
            text[length] = *reader->at;
    text[length < TOML_NAME_BYTES ? length : TOML_NAME_BYTES - 1] = 0;
    return length;
}

static RpStatus ReadName(Reader *reader, char name[TOML_NAME_BYTES], const char *expected) {
    const char *start = reader->at;
    if (IsAt(reader, '"') || IsAt(reader, '\''))
        return ReadString(reader, name, TOML_NAME_BYTES);
    const size_t length = ReadWord(reader, name);
    if (length == 0)
        return Refuse(reader, start, "there is no name", expected);
    return length < TOML_NAME_BYTES
               ? RP_OK
               : Refuse(reader, start, "a name is too long", "at most 63 bytes");
}

static RpStatus ReadValue(Reader *reader, TomlItem *item) {
    const char *start = reader->at;
    item->text = reader->value;
    if (IsAt(reader, '"') || IsAt(reader, '\'')) {
        item->type = TOML_STRING;
        return ReadString(reader, reader->value, sizeof reader->value);
    }
    item->type = TOML_INTEGER;
    const size_t length = ReadWord(reader, reader->value);
    const bool digits = strspn(reader->value, "0123456789") == length;
    if (length > 0 && digits && (length == 1 || *start != '0') && !IsAt(reader, '.'))
        return length <= 18 ? RP_OK
                            : Refuse(reader, start, "a number is too large", "at most 18 digits");
    return Refuse(reader, start,
                  length == 0 && (IsAt(reader, '[') || IsAt(reader, '{'))
                      ? "lists and tables within a line are not read here"
                  : length == 0 && (IsAtEnd(reader) || *start == '#') ? "there is no value"
                                                                      : "this is no value",
                  "a string in \" or ', or a whole number without a sign, such as 8");
}

/* ---- lines ----------------------------------------------------------------------------------- */

static RpStatus Expect(Reader *reader, char c, const char *what, const char *expected) {
    SkipBlanks(reader);
    if (!IsAt(reader, c))
        return Refuse(reader, reader->at, what, expected);
    reader->at++;
    SkipBlanks(reader);
    return RP_OK;
}

/* Demands that nothing but a comment follows in this line. */
static RpStatus EndLine(Reader *reader) {
    SkipBlanks(reader);
    if (!IsAt(reader, '#') && !IsAtEnd(reader))
        return Refuse(reader, reader->at, "something follows behind the value",
                      "the end of the line, or a comment behind #");
    while (!IsAtEnd(reader)) {
        const size_t length = CharacterLength(reader);
        if (length == 0)
            return Refuse(reader, reader->at, "a comment holds what no text may",
                          "UTF-8 without control characters");
        reader->at += length;
    }
    return RP_OK;
}

static RpStatus ReadLine(Reader *reader, TomlSink *sink, void *context) {
    TomlItem item = {
        .type = TOML_TABLE, .line = reader->line, .table = reader->table, .name = "", .text = ""};
    RpStatus status;
    SkipBlanks(reader);
    if (IsAtEnd(reader) || IsAt(reader, '#'))
        return EndLine(reader);
    if (IsAt(reader, '[')) {
        const char *start = reader->at++;
        if (IsAt(reader, '['))
            return Refuse(reader, start, "lists of tables are not read here", "[table]");
        SkipBlanks(reader);
        status = ReadName(reader, reader->table, "the name of a table");
        if (!status)
            status = Expect(reader, ']', "the name of a table does not end", "]");
    } else {
        item.name = reader->name;
        status = ReadName(reader, reader->name, "name = value, [table], or a comment behind #");
        if (!status)
            status = Expect(reader, '=', "a name has no value", "= and a value");
        if (!status)
            status = ReadValue(reader, &item);
    }
    if (!status)
        status = EndLine(reader);
    return status ? status : sink(context, &item, reader->error);
}

RpStatus Toml_Read(const char *text, size_t size, TomlSink *sink, void *context, RpError *error) {
    Reader reader = {.at = text, .end = text + size, .line_start = text, .line = 1, .error = error};
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) /* editors put it in front of UTF-8 */
        reader.line_start = reader.at += 3;
    for (;; reader.line++) {
        const RpStatus status = ReadLine(&reader, sink, context);
        reader.at += IsAt(&reader, '\r');
        if (status || reader.at == reader.end)
            return status;
        reader.line_start = ++reader.at;
    }
}
