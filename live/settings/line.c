#include "live/settings/line.h"

#include "core/glob.h"

#include <string.h>

static bool IsBlank(char c) {
    return c == ' ' || c == '\t';
}

static bool StartsComment(char c) {
    return c == '#' || c == ';';
}

static SettingsSpan Trim(SettingsSpan span) {
    while (span.length > 0 && IsBlank(span.start[0])) {
        span.start++;
        span.length--;
    }
    while (span.length > 0 && IsBlank(span.start[span.length - 1]))
        span.length--;
    return span;
}

static size_t Find(SettingsSpan span, char c) {
    size_t at = 0;
    while (at < span.length && span.start[at] != c)
        at++;
    return at;
}

static SettingsSpan Skip(SettingsSpan span, size_t count) {
    return (SettingsSpan){.start = span.start + count, .length = span.length - count};
}

static bool IsNothingOrComment(SettingsSpan rest) {
    rest = Trim(rest);
    return rest.length == 0 || StartsComment(rest.start[0]);
}

static SettingsLine NoLine(const char *expected) {
    return (SettingsLine){.kind = SETTINGS_NO_LINE, .expected = expected};
}

/* Up to a blank with a comment behind it. */
static SettingsSpan WithoutComment(SettingsSpan value) {
    for (size_t i = 0; i < value.length; i++)
        if (StartsComment(value.start[i]) && (i == 0 || IsBlank(value.start[i - 1])))
            value.length = i;
    return Trim(value);
}

static SettingsLine SplitSection(SettingsSpan line) {
    const size_t close = Find(line, ']');
    if (close == line.length || !IsNothingOrComment(Skip(line, close + 1)))
        return NoLine("[section]");
    const SettingsSpan name = {.start = line.start + 1, .length = close - 1};
    return (SettingsLine){.kind = SETTINGS_SECTION, .name = Trim(name)};
}

static SettingsLine SplitQuoted(SettingsLine split, SettingsSpan value) {
    const SettingsSpan inner = Skip(value, 1);
    const size_t close = Find(inner, '"');
    if (close == inner.length || !IsNothingOrComment(Skip(inner, close + 1)))
        return NoLine("a second quotation mark at the end of the value");
    split.value = (SettingsSpan){.start = inner.start, .length = close};
    return split;
}

static SettingsLine SplitValue(SettingsSpan line) {
    const size_t equals = Find(line, '=');
    SettingsLine split = {.kind = SETTINGS_VALUE};
    split.name = Trim((SettingsSpan){.start = line.start, .length = equals});
    if (equals == line.length || split.name.length == 0)
        return NoLine("name = value");
    const SettingsSpan value = Trim(Skip(line, equals + 1));
    if (value.length > 0 && value.start[0] == '"')
        return SplitQuoted(split, value);
    split.value = WithoutComment(value);
    return split;
}

SettingsLine SettingsLine_Split(const char *line, size_t length) {
    const SettingsSpan whole = Trim((SettingsSpan){.start = line, .length = length});
    if (whole.length == 0 || StartsComment(whole.start[0]))
        return (SettingsLine){.kind = SETTINGS_BLANK};
    if (Find(whole, 0) < whole.length)
        return NoLine("text without NUL bytes");
    return whole.start[0] == '[' ? SplitSection(whole) : SplitValue(whole);
}

size_t SettingsLine_Length(const char *text, size_t size, size_t *next) {
    const size_t end = Find((SettingsSpan){.start = text, .length = size}, '\n');
    *next = end < size ? end + 1 : size;
    return end > 0 && text[end - 1] == '\r' ? end - 1 : end;
}

bool SettingsSpan_Is(SettingsSpan span, const char *text) {
    if (strlen(text) != span.length)
        return false;
    for (size_t i = 0; i < span.length; i++)
        if (Glob_Lower(span.start[i]) != Glob_Lower(text[i]))
            return false;
    return true;
}
