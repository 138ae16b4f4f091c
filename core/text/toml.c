#include "core/text/toml.h"

#include "core/text/visible.h"

#include <stdio.h>
#include <string.h>

typedef struct Reader {
    const char *at, *end, *line_start;
    uint32_t line;
    char table[TOML_NAME_BYTES], name[TOML_NAME_BYTES], string[TOML_STRING_BYTES];
    TomlSink *sink;
    void *context;
    RpError *error;
} Reader;

const char *TomlType_Name(TomlType type) {
    static const char *const names[] = {"a table", "a string", "an integer", "true or false"};
    return names[type];
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Says what stands at a place: the rest of its word, or that the line or the file ends. */
static void DescribeFound(const Reader *reader, const char *at, char *found, size_t size) {
    size_t length = 0;
    while (at + length < reader->end && length < 40 && at[length] != '\n' && at[length] != '\r' &&
           (length == 0 || (at[length] != ' ' && at[length] != '\t')))
        length++;
    if (at >= reader->end)
        snprintf(found, size, "the end of the file");
    else if (length == 0)
        snprintf(found, size, "the end of the line");
    else
        snprintf(found, size, "%.*s", (int)length, at);
}

static RpStatus Refuse(const Reader *reader, const char *at, const char *what,
                       const char *expected) {
    char where[64], found[64];
    snprintf(where, sizeof where, "line %u, column %u", reader->line,
             (unsigned)(at - reader->line_start) + 1);
    DescribeFound(reader, at, found, sizeof found);
    return RpError_Set(reader->error, RP_INVALID, RP_NOWHERE, what, where, expected, found);
}

/* ---- characters ------------------------------------------------------------------------------ */

static bool IsAtEnd(const Reader *reader) {
    return reader->at == reader->end || *reader->at == '\n';
}

static void SkipBlanks(Reader *reader) {
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t'))
        reader->at++;
}

/* Takes a carriage return before the end of a line as a part of that end. */
static void SkipReturn(Reader *reader) {
    if (reader->at < reader->end && *reader->at == '\r' &&
        (reader->at + 1 == reader->end || reader->at[1] == '\n'))
        reader->at++;
}

static bool IsControl(char c) {
    return ((unsigned char)c < 0x20 && c != '\t') || c == 0x7F;
}

/* Checks the characters of a comment and moves to the end of its line. */
static RpStatus SkipComment(Reader *reader) {
    while (!IsAtEnd(reader)) {
        SkipReturn(reader);
        if (IsAtEnd(reader))
            break;
        const size_t length = Visible_CharacterLength((const uint8_t *)reader->at,
                                                      (size_t)(reader->end - reader->at));
        if (length == 0 || IsControl(*reader->at))
            return Refuse(reader, reader->at, "a comment holds what no text may",
                          "UTF-8 without control characters");
        reader->at += length;
    }
    return RP_OK;
}

/* Demands that nothing but a comment follows in this line. */
static RpStatus EndLine(Reader *reader) {
    SkipBlanks(reader);
    if (reader->at < reader->end && *reader->at == '#')
        return SkipComment(reader);
    SkipReturn(reader);
    return IsAtEnd(reader) ? RP_OK
                           : Refuse(reader, reader->at, "something follows behind the value",
                                    "the end of the line, or a comment behind #");
}

/* ---- strings --------------------------------------------------------------------------------- */

static RpStatus PutByte(const Reader *reader, const char *start, char *text, size_t size,
                        size_t *length, char byte) {
    if (*length + 1 >= size) {
        char expected[64];
        snprintf(expected, sizeof expected, "at most %zu bytes", size - 1);
        return Refuse(reader, start, "a text is too long", expected);
    }
    text[(*length)++] = byte;
    return RP_OK;
}

/* Appends a code point as UTF-8. */
static RpStatus PutCode(const Reader *reader, const char *start, char *text, size_t size,
                        size_t *length, uint32_t code) {
    static const uint8_t marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    const int bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    RpStatus status = RP_OK;
    for (int i = bytes - 1; i >= 0 && !status; i--) {
        const uint32_t part = code >> (6 * i);
        const uint32_t byte = i == bytes - 1 ? marks[bytes] | part : 0x80 | (part & 0x3F);
        status = PutByte(reader, start, text, size, length, (char)byte);
    }
    return status;
}

/* Reads the digits behind \u or \U; the reader stands behind the letter. */
static RpStatus ReadCode(Reader *reader, const char *escape, int digits, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < digits; i++) {
        const char c = reader->at < reader->end ? *reader->at : 0;
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return Refuse(reader, escape, "an escape lacks digits",
                          digits == 4 ? "\\u and 4 hexadecimal digits"
                                      : "\\U and 8 hexadecimal digits");
        *code = *code << 4 | (uint32_t)digit;
        reader->at++;
    }
    if (*code == 0 || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000))
        return Refuse(reader, escape, "an escape stands for no character",
                      "a Unicode character other than zero");
    return RP_OK;
}

/* Reads an escape, whose backslash has been read. */
static RpStatus ReadEscape(Reader *reader, char *text, size_t size, size_t *length) {
    static const char letters[] = "btnfr\"\\", meanings[] = "\b\t\n\f\r\"\\";
    const char *escape = reader->at - 1;
    const char letter = IsAtEnd(reader) ? 0 : *reader->at;
    const char *known = letter ? strchr(letters, letter) : NULL;
    uint32_t code = 0;
    if (known) {
        reader->at++;
        return PutByte(reader, escape, text, size, length, meanings[known - letters]);
    }
    if (letter != 'u' && letter != 'U')
        return Refuse(reader, escape, "there is no such escape",
                      "\\b \\t \\n \\f \\r \\\" \\\\ \\uXXXX \\UXXXXXXXX; or '...' for a path with "
                      "backslashes");
    reader->at++;
    const RpStatus status = ReadCode(reader, escape, letter == 'u' ? 4 : 8, &code);
    return status ? status : PutCode(reader, escape, text, size, length, code);
}

/* Reads a string whose quotation mark the reader stands at. */
static RpStatus ReadString(Reader *reader, char *text, size_t size) {
    const char *start = reader->at;
    const char mark = *reader->at++;
    size_t length = 0;
    RpStatus status = RP_OK;
    if (reader->end - reader->at >= 2 && reader->at[0] == mark && reader->at[1] == mark)
        return Refuse(reader, start, "strings of several lines are not read here",
                      "a string in one line, in \" or '");
    while (!status) {
        if (IsAtEnd(reader))
            return Refuse(reader, start, "a string does not end in its line",
                          mark == '"' ? "\" at its end" : "' at its end");
        const char c = *reader->at;
        const size_t bytes = Visible_CharacterLength((const uint8_t *)reader->at,
                                                     (size_t)(reader->end - reader->at));
        if (bytes == 0 || IsControl(c))
            return Refuse(reader, reader->at, "a string holds what no text may",
                          "UTF-8 without control characters");
        if (c == mark || (c == '\\' && mark == '"')) {
            reader->at++;
            if (c == mark)
                break;
            status = ReadEscape(reader, text, size, &length);
            continue;
        }
        for (size_t i = 0; i < bytes && !status; i++)
            status = PutByte(reader, start, text, size, &length, *reader->at++);
    }
    text[length] = 0;
    return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool IsOfName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

static RpStatus ReadName(Reader *reader, char name[TOML_NAME_BYTES], const char *expected) {
    const char *start = reader->at;
    if (!IsAtEnd(reader) && (*start == '"' || *start == '\''))
        return ReadString(reader, name, TOML_NAME_BYTES);
    while (!IsAtEnd(reader) && IsOfName(*reader->at))
        reader->at++;
    const size_t length = (size_t)(reader->at - start);
    if (length == 0)
        return Refuse(reader, start, "there is no name", expected);
    if (length >= TOML_NAME_BYTES)
        return Refuse(reader, start, "a name is too long", "at most 63 bytes");
    memcpy(name, start, length);
    name[length] = 0;
    return RP_OK;
}

static RpStatus Expect(Reader *reader, char c, const char *what, const char *expected) {
    SkipBlanks(reader);
    if (IsAtEnd(reader) || *reader->at != c)
        return Refuse(reader, reader->at, what, expected);
    reader->at++;
    return RP_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* If the reader stands at this word, moves behind it and returns true. */
static bool TakeWord(Reader *reader, const char *word) {
    const size_t length = strlen(word);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0 ||
        (reader->at + length < reader->end && IsOfName(reader->at[length])))
        return false;
    reader->at += length;
    return true;
}

static bool IsDigit(const Reader *reader, const char *at) {
    return at < reader->end && *at >= '0' && *at <= '9';
}

/* Reads a decimal integer: no zeros before it, and an underscore only between two digits. */
static RpStatus ReadInteger(Reader *reader, int64_t *integer) {
    const char *start = reader->at;
    const bool negative = *start == '-';
    const uint64_t most = negative ? (uint64_t)1 << 63 : INT64_MAX;
    uint64_t value = 0;
    if (*start == '-' || *start == '+')
        reader->at++;
    if (!IsDigit(reader, reader->at) ||
        (*reader->at == '0' && (IsDigit(reader, reader->at + 1) ||
                                (reader->at + 1 < reader->end && reader->at[1] == '_'))))
        return Refuse(reader, start, "this is no number", "a decimal integer, such as 8");
    while (IsDigit(reader, reader->at)) {
        const uint64_t digit = (uint64_t)(*reader->at - '0');
        if (value > (most - digit) / 10)
            return Refuse(reader, start, "a number is too large", "an integer of 64 bits");
        value = value * 10 + digit;
        reader->at++;
        if (reader->at < reader->end && *reader->at == '_' && IsDigit(reader, reader->at + 1))
            reader->at++;
    }
    if (!IsAtEnd(reader) && (IsOfName(*reader->at) || *reader->at == '.' || *reader->at == ':'))
        return Refuse(reader, start, "this is no integer", "a decimal integer, such as 8");
    *integer = negative ? (int64_t)(0 - value) : (int64_t)value;
    return RP_OK;
}

static RpStatus ReadValue(Reader *reader, TomlItem *item) {
    static const char expected[] = "a string in \" or ', an integer, true or false";
    SkipBlanks(reader);
    const char c = IsAtEnd(reader) ? 0 : *reader->at;
    if (c == '"' || c == '\'') {
        item->type = TOML_STRING;
        item->text = reader->string;
        return ReadString(reader, reader->string, sizeof reader->string);
    }
    if (c == '-' || c == '+' || (c >= '0' && c <= '9')) {
        item->type = TOML_INTEGER;
        return ReadInteger(reader, &item->integer);
    }
    item->type = TOML_BOOLEAN;
    item->boolean = TakeWord(reader, "true");
    if (item->boolean || TakeWord(reader, "false"))
        return RP_OK;
    return Refuse(reader, reader->at,
                  c == '[' || c == '{' ? "lists and tables within a line are not read here"
                  : c && c != '#'      ? "this is no value"
                                       : "there is no value",
                  expected);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static RpStatus ReadTable(Reader *reader) {
    const char *start = reader->at++;
    if (reader->at < reader->end && *reader->at == '[')
        return Refuse(reader, start, "lists of tables are not read here", "[table]");
    SkipBlanks(reader);
    RpStatus status = ReadName(reader, reader->table, "the name of a table");
    if (!status)
        status = Expect(reader, ']', "the name of a table does not end", "]");
    return status ? status : EndLine(reader);
}

static RpStatus ReadAssignment(Reader *reader, TomlItem *item) {
    RpStatus status =
        ReadName(reader, reader->name, "name = value, [table], or a comment behind #");
    item->name = reader->name;
    if (!status)
        status = Expect(reader, '=', "a name has no value", "= and a value");
    if (!status)
        status = ReadValue(reader, item);
    return status ? status : EndLine(reader);
}

static RpStatus ReadLine(Reader *reader) {
    TomlItem item = {
        .type = TOML_TABLE, .line = reader->line, .table = reader->table, .name = "", .text = ""};
    SkipBlanks(reader);
    SkipReturn(reader);
    if (IsAtEnd(reader))
        return RP_OK;
    if (*reader->at == '#')
        return SkipComment(reader);
    const RpStatus status = *reader->at == '[' ? ReadTable(reader) : ReadAssignment(reader, &item);
    return status ? status : reader->sink(reader->context, &item, reader->error);
}

RpStatus Toml_Read(const char *text, size_t size, TomlSink *sink, void *context, RpError *error) {
    Reader reader = {.at = text,
                     .end = text + size,
                     .line_start = text,
                     .line = 1,
                     .sink = sink,
                     .context = context,
                     .error = error};
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) /* editors put it in front of UTF-8 */
        reader.line_start = reader.at += 3;
    for (;;) {
        const RpStatus status = ReadLine(&reader);
        if (status || reader.at == reader.end)
            return status;
        reader.line_start = ++reader.at;
        reader.line++;
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

size_t Toml_Quote(const char *value, char *text, size_t size) {
    size_t length = 0;
#define PUT(...)                                                                                   \
    length += (size_t)snprintf(length < size ? text + length : NULL,                               \
                               length < size ? size - length : 0, __VA_ARGS__)
    PUT("\"");
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            PUT("\\%c", *value);
        else if (IsControl(*value) || *value == '\t')
            PUT("\\u%04X", (unsigned)(unsigned char)*value);
        else
            PUT("%c", *value);
    }
    PUT("\"");
#undef PUT
    return length;
}
