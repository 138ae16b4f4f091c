/* Changes one setting in the text of a retropose.toml, and leaves everything else as it is. */
#include "cli/config.h"

#include "core/span.h"
#include "core/text/toml.h"

#include <stdio.h>
#include <string.h>

typedef struct Place {
    const char *verb, *name; /* the setting to look for */
    RpBuffer lines;          /* uint32_t: the lines that set it; more than one is a mistake */
    uint32_t table, last;    /* the line of its table, and the last line in that with a setting */
    uint32_t first_table;    /* 0: there is no table */
} Place;

static RpStatus Note(void *context, const TomlItem *item, RpError *error) {
    Place *place = context;
    (void)error;
    const bool here = CliName_IsMeant(place->verb, item->table);
    if (item->type == TOML_TABLE && place->first_table == 0)
        place->first_table = item->line;
    if (here && item->type == TOML_TABLE)
        place->table = item->line;
    if (here)
        place->last = item->line;
    if (here && strcmp(item->name, place->name) == 0)
        RpBuffer_Append(&place->lines, &item->line, sizeof item->line);
    return RP_OK;
}

/* Returns the comment that ends a line, with the blanks before it, or an empty span. */
static Span CommentOf(Span line) {
    char mark = 0;
    for (size_t i = 0; i < line.length; i++) {
        const char c = line.start[i];
        if (mark == '"' && c == '\\')
            i++;
        else if (mark)
            mark = c == mark ? 0 : mark;
        else if (c == '"' || c == '\'')
            mark = c;
        else if (c == '#') {
            size_t start = i;
            while (start > 0 && Span_IsBlank(line.start[start - 1]))
                start--;
            return Span_Skip(line, start);
        }
    }
    return (Span){.start = "", .length = 0};
}

static void AppendSetting(const ConfigKey *key, const char *value, Span comment, RpBuffer *out) {
    RpBuffer_Print(out, "%s = ", key->name);
    if (key->kind == CONFIG_NUMBER) {
        RpBuffer_AppendText(out, value);
    } else {
        const size_t length = Toml_Quote(value, NULL, 0);
        uint8_t *text = RpBuffer_Extend(out, length + 1);
        if (text) {
            Toml_Quote(value, (char *)text, length + 1);
            out->size--; /* without the terminator */
        }
    }
    RpBuffer_Append(out, comment.start, comment.length);
    RpBuffer_AppendText(out, "\n");
}

static bool IsThere(const Place *place, uint32_t line) {
    for (size_t at = 0; at < place->lines.size; at += sizeof line)
        if (memcmp(place->lines.bytes + at, &line, sizeof line) == 0)
            return true;
    return false;
}

static void Edit(Span text, const Place *place, const ConfigKey *key, const char *value,
                 RpBuffer *out) {
    const Span none = {.start = "", .length = 0};
    /* A new line goes behind the line of this number; 0: in front of all. */
    const uint32_t before = place->last > 0                             ? place->last
                            : place->verb[0] || place->first_table == 0 ? UINT32_MAX
                                                                        : place->first_table - 1;
    const bool is_new = value && place->lines.size == 0;
    const char *end = text.start + text.length;
    bool written = !is_new;
    if (is_new && before == 0) {
        AppendSetting(key, value, none, out);
        written = true;
    }
    uint32_t number = 1;
    for (const char *line = text.start; line < end; number++) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        Span content = {.start = line, .length = (size_t)(next - line)};
        while (content.length > 0 && (content.start[content.length - 1] == '\n' ||
                                      content.start[content.length - 1] == '\r'))
            content.length--;
        if (!IsThere(place, number)) {
            RpBuffer_Append(out, line, (size_t)(next - line));
            if (next > line && next[-1] != '\n')
                RpBuffer_AppendText(out, "\n");
        } else if (value) {
            AppendSetting(key, value, CommentOf(content), out);
        }
        if (is_new && number == before) {
            AppendSetting(key, value, none, out);
            written = true;
        }
        line = next;
    }
    if (!written && place->verb[0] && place->table == 0) {
        const bool bare = strchr(place->verb, ' ') == NULL;
        RpBuffer_Print(out, "%s[%s%s%s]\n", text.length > 0 ? "\n" : "", bare ? "" : "\"",
                       place->verb, bare ? "" : "\"");
    }
    if (!written)
        AppendSetting(key, value, none, out);
}

RpStatus Config_Edit(const char *file, const char *text, size_t size, const char *verb,
                     const ConfigKey *key, const char *value, RpBuffer *out, bool *found,
                     RpError *error) {
    Place place = {.verb = verb ? verb : "", .name = key->name};
    const Span all = {.start = text, .length = size}, body = Span_SkipMark(all);
    RpBuffer_Init(&place.lines, NULL);
    RpStatus status = Toml_Read(text, size, Note, &place, error);
    if (status) {
        Config_NameFile(file, error);
    } else {
        RpBuffer_Append(out, text, size - body.length);
        Edit(body, &place, key, value, out);
        *found = place.lines.size > 0;
        if (place.lines.failed || out->failed)
            status = RpMemory_Refused(error, CONFIG_FILE);
    }
    RpBuffer_Free(&place.lines);
    return status;
}
