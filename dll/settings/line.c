#include "dll/settings/line.h"

static bool StartsComment(char c) {
    return c == '#' || c == ';';
}

static bool IsNothingOrComment(Span rest) {
    rest = Span_Trim(rest);
    return rest.length == 0 || StartsComment(rest.start[0]);
}

static SettingsLine NoLine(const char *expected) {
    return (SettingsLine){.kind = SETTINGS_NO_LINE, .expected = expected};
}

SettingsLine SettingsLine_Split(Span line) {
    const Span whole = Span_Trim(line);
    if (whole.length == 0 || StartsComment(whole.start[0]))
        return (SettingsLine){.kind = SETTINGS_BLANK};
    if (Span_Find(whole, 0) < whole.length)
        return NoLine("text without NUL bytes");
    if (whole.start[0] != '[') {
        const size_t equals = Span_Find(whole, '=');
        SettingsLine split = {.kind = SETTINGS_VALUE};
        split.name = Span_Trim((Span){.start = whole.start, .length = equals});
        if (equals == whole.length || split.name.length == 0)
            return NoLine("name = value");
        Span value = Span_Trim(Span_Skip(whole, equals + 1));
        if (value.length > 0 && value.start[0] == '"') {
            const Span inner = Span_Skip(value, 1);
            const size_t close = Span_Find(inner, '"');
            if (close == inner.length || !IsNothingOrComment(Span_Skip(inner, close + 1)))
                return NoLine("a second quotation mark at the end of the value");
            split.value = (Span){.start = inner.start, .length = close};
            return split;
        }

        /* A comment begins behind a blank. */
        for (size_t i = 0; i < value.length; i++)
            if (StartsComment(value.start[i]) && (i == 0 || Span_IsBlank(value.start[i - 1])))
                value.length = i;
        split.value = Span_Trim(value);
        return split;
    }
    const size_t close = Span_Find(whole, ']');
    if (close == whole.length || !IsNothingOrComment(Span_Skip(whole, close + 1)))
        return NoLine("[section]");
    const Span name = {.start = whole.start + 1, .length = close - 1};
    return (SettingsLine){.kind = SETTINGS_SECTION, .name = Span_Trim(name)};
}
