#include "core/text/toml.h"

#include "core/span.h"
#include "core/text/visible.h"

#include <stdio.h>
#include <string.h>

typedef struct Reader {
    const char *start, *at, *end; /* of a line, without what ends it */
    uint32_t line;
    char table[TOML_NAME_BYTES], name[TOML_NAME_BYTES], value[TOML_STRING_BYTES];
    RpError *error;
} Reader;

/* Refuses what stands at a place, and quotes the rest of its word. */
static RpStatus Refuse(const Reader *reader, const char *at, const char *what,
                       const char *expected) {
    char where[64], found[64] = "the end of the line";
    size_t length = 0;
    while (at + length < reader->end && length < 40 && (length == 0 || !Span_IsBlank(at[length])))
        length++;
    if (length > 0)
        snprintf(found, sizeof found, "%.*s", (int)length, at);
    snprintf(where, sizeof where, "line %u, column %u", reader->line,
             (unsigned)(at - reader->start) + 1);
    return RpError_Set(reader->error, RP_INVALID, RP_NOWHERE, what, where, expected, found);
}

static bool IsAt(const Reader *reader, char c) {
    return reader->at < reader->end && *reader->at == c;
}

static void SkipBlanks(Reader *reader) {
    while (IsAt(reader, ' ') || IsAt(reader, '\t'))
        reader->at++;
}

static RpStatus Expect(Reader *reader, char c, const char *what, const char *expected) {
    SkipBlanks(reader);
    if (!IsAt(reader, c))
        return Refuse(reader, reader->at, what, expected);
    reader->at++;
    SkipBlanks(reader);
    return RP_OK;
}

/* Reads a string whose quotation mark the reader stands at. */
static RpStatus ReadString(Reader *reader, char *text, size_t size) {
    static const char letters[] = "btnfr\"\\", meanings[] = "\b\t\n\f\r\"\\";
    const char *start = reader->at;
    const char mark = *reader->at++;
    size_t length = 0;
    if (reader->end - reader->at >= 2 && reader->at[0] == mark && reader->at[1] == mark)
        return Refuse(reader, start, "strings of several lines are not read here",
                      "a string in one line, in \" or '");
    while (reader->at < reader->end && *reader->at != mark) {
        char c = *reader->at++;
        if (mark == '"' && c == '\\') {
            const char *known = reader->at < reader->end ? strchr(letters, *reader->at) : NULL;
            if (!known)
                return Refuse(
                    reader, reader->at - 1, "there is no such escape",
                    "\\b \\t \\n \\f \\r \\\" \\\\; or '...' for a path with backslashes");
            c = meanings[known - letters];
            reader->at++;
        }
        if (length + 1 == size) {
            char expected[64];
            snprintf(expected, sizeof expected, "at most %zu bytes", size - 1);
            return Refuse(reader, start, "a text is too long", expected);
        }
        text[length++] = c;
    }
    text[length] = 0;
    if (reader->at == reader->end)
        return Refuse(reader, start, "a string does not end in its line",
                      mark == '"' ? "\" at its end" : "' at its end");
    reader->at++;
    return RP_OK;
}

/* Reads the word of a name or of a number. Returns its length; 0: there is none. */
static size_t ReadWord(Reader *reader, char text[TOML_NAME_BYTES]) {
    size_t length = 0;
    for (char c; reader->at < reader->end; reader->at++, length++) {
        c = *reader->at;
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
            c != '_' && c != '-')
            break;
        if (length + 1 < TOML_NAME_BYTES)
            text[length] = c;
    }
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
    const bool digits = length > 0 && strspn(reader->value, "0123456789") == length;
    if (digits && length > 18)
        return Refuse(reader, start, "a number is too large", "at most 18 digits");
    if (digits && (length == 1 || *start != '0') && !IsAt(reader, '.'))
        return RP_OK;
    const char *what = length > 0 ? "this is no value"
                       : IsAt(reader, '[') || IsAt(reader, '{')
                           ? "lists and tables within a line are not read here"
                       : start == reader->end || IsAt(reader, '#') ? "there is no value"
                                                                   : "this is no value";
    return Refuse(reader, start, what,
                  "a string in \" or ', or a whole number without a sign, such as 8");
}

RpStatus Toml_Read(const char *text, size_t size, TomlSink *sink, void *context, RpError *error) {
    Reader reader = {.error = error};
    Span rest = Span_SkipMark((Span){.start = text, .length = size});
    RpStatus status = RP_OK;
    while (!status && rest.start) {
        const Span line = Span_CutLine(&rest);
        reader.start = reader.at = line.start;
        reader.end = line.start + line.length;
        reader.line++;
        for (const char *at = reader.start; at < reader.end;) {
            const uint8_t *c = (const uint8_t *)at;
            const size_t length = Visible_CharacterLength(c, (size_t)(reader.end - at));
            if (length == 0 || (*c < 0x20 && *c != '\t') || *c == 0x7F)
                return Refuse(&reader, at, "a line holds what no text may",
                              "UTF-8 without control characters");
            at += length;
        }

        SkipBlanks(&reader);
        if (reader.at == reader.end || IsAt(&reader, '#'))
            continue;
        TomlItem item = {
            .type = TOML_TABLE, .line = reader.line, .table = reader.table, .name = "", .text = ""};
        if (IsAt(&reader, '[')) {
            const char *start = reader.at++;
            if (IsAt(&reader, '['))
                return Refuse(&reader, start, "lists of tables are not read here", "[table]");
            SkipBlanks(&reader);
            status = ReadName(&reader, reader.table, "the name of a table");
            if (!status)
                status = Expect(&reader, ']', "the name of a table does not end", "]");
        } else {
            item.name = reader.name;
            status = ReadName(&reader, reader.name, "name = value, [table], or a comment behind #");
            if (!status)
                status = Expect(&reader, '=', "a name has no value", "= and a value");
            if (!status)
                status = ReadValue(&reader, &item);
        }
        SkipBlanks(&reader);
        if (!status && reader.at < reader.end && *reader.at != '#')
            return Refuse(&reader, reader.at, "something follows behind the value",
                          "the end of the line, or a comment behind #");
        if (!status)
            status = sink(context, &item, error);
    }
    return status;
}
