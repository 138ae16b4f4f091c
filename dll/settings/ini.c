#include "dll/settings/ini.h"

#include "dll/settings/line.h"
#include "dll/settings/settings.h"

#include <string.h>

/* ---- the default file ------------------------------------------------------------------------ */

static const char head[] =
    "# Retropose: what its two DLLs do in this folder. docs/use/modes.md explains all of it.\n"
    "#\n"
    "# Every setting stands here with its default, behind a #. Take the # away to change one; "
    "while\n"
    "# `watch` is on, a change takes effect in the running game. Environment variables win over "
    "this\n"
    "# file. Names of files are relative to this folder.\n";

/* What a reader should know about [modes] before changing a setting there. */
static const char about_modes[] =
    "# original     the game's own code runs\n"
    "# replacement  ours runs\n"
    "# shadow       both run, the original's result counts, differences are logged\n"
    "# verified     ours where it is whole and its call is verified for this very file\n"
    "# No function is replaced whose call is not verified. `retropose doctor` says what comes of\n"
    "# these lines; `retropose mode` changes them. A line names functions of "
    "docs/reference/abi.md, by key,\n"
    "# name or glob; the last line that matches decides:\n"
    "#ngi32.slot17 = shadow\n"
    "#animesh.* = original\n";

/* Writes CR LF at line ends, because editors of the game's time expect them. */
void Ini_Default(RpBuffer *text) {
    RpBuffer lines;
    RpBuffer_Init(&lines, text->allocator);

    const char *section = "";
    RpBuffer_AppendText(&lines, head);
    const SettingsOption *option;
    for (size_t i = 0; (option = Settings_Option(i)); i++) {
        if (strcmp(option->section, section) != 0) {
            section = option->section;
            RpBuffer_Print(&lines, "\n[%s]\n", section);
            RpBuffer_AppendText(&lines, strcmp(section, "modes") == 0 ? about_modes : "");
        }
        RpBuffer_Print(&lines, "# %s\n#%s =%s%s\n", option->help, option->name,
                       option->value[0] ? " " : "", option->value);
    }

    for (size_t i = 0; i < lines.size; i++) {
        if (lines.bytes[i] == '\n')
            RpBuffer_Append(text, "\r", 1);
        RpBuffer_Append(text, &lines.bytes[i], 1);
    }
    text->failed = text->failed || lines.failed;
    RpBuffer_Free(&lines);
}

/* ---- changing a mode ------------------------------------------------------------------------- */

/* A position in a file, line by line. */
typedef struct Lines {
    Span rest;
    Span text; /* the current line without its end */
    SettingsLine line;
    bool in_modes; /* the line belongs to [modes], or begins that section */
} Lines;

static Lines FirstLine(const char *ini, size_t size) {
    return (Lines){.rest = Span_SkipMark((Span){.start = ini, .length = size})};
}

static bool NextLine(Lines *lines) {
    if (lines->rest.length == 0)
        return false;
    lines->text = Span_CutLine(&lines->rest);
    lines->line = SettingsLine_Split(lines->text);
    if (lines->line.kind == SETTINGS_SECTION)
        lines->in_modes = Span_IsIgnoringCase(lines->line.name, "modes");
    return true;
}

/* Where a mode is set, or could be set. All numbers are offsets into the text. */
typedef struct Place {
    bool found;           /* a line of [modes] names the glob; if several do, the last one counts */
    size_t value, length; /* place and length of that line's value */
    bool overruled;       /* another rule comes after that line */
    bool section;         /* there is a section [modes] */
    size_t end;           /* end of the last line of that section that is not blank */
} Place;

static Place FindPlace(const char *ini, size_t size, const char *glob) {
    Place place = {0};
    for (Lines lines = FirstLine(ini, size); NextLine(&lines);) {
        if (!lines.in_modes)
            continue;
        place.section = true;
        if (lines.text.length > 0)
            place.end = size - lines.rest.length;

        if (lines.line.kind != SETTINGS_VALUE)
            continue;
        if (Span_IsIgnoringCase(lines.line.name, glob)) {
            place.found = true;
            place.overruled = false;
            place.value = (size_t)(lines.line.value.start - ini);
            place.length = lines.line.value.length;
        } else { /* the default is not a rule, and no rule overrules it */
            place.overruled = place.overruled || (strcmp(glob, "default") != 0 &&
                                                  !Span_IsIgnoringCase(lines.line.name, "default"));
        }
    }
    return place;
}

static void CopyWithoutRules(const char *ini, size_t size, const char *glob, RpBuffer *text) {
    size_t copied = 0;
    for (Lines lines = FirstLine(ini, size); NextLine(&lines);) {
        const size_t end = size - lines.rest.length;
        if (!lines.in_modes || lines.line.kind != SETTINGS_VALUE ||
            !Span_IsIgnoringCase(lines.line.name, glob))
            RpBuffer_Append(text, ini + copied, end - copied);
        copied = end;
    }
    RpBuffer_Append(text, ini + copied, size - copied); /* the rest, if the file is only a mark */
}

RpStatus Ini_SetMode(const char *ini, size_t size, const char *glob, const char *mode,
                     RpBuffer *text, RpError *error) {
    if (mode) {
        LiveSettings settings;
        Settings_Init(&settings);
        const RpStatus status = Settings_Set(&settings, "modes", glob, mode, error);
        if (status)
            return status;
    }
    const Place place = FindPlace(ini, size, glob);
    if (!mode) {
        CopyWithoutRules(ini, size, glob, text);
    } else if (place.found && !place.overruled) {
        const size_t behind = place.value + place.length;
        RpBuffer_Append(text, ini, place.value);
        if (place.length == 0 && ini[place.value - 1] == '=')
            RpBuffer_AppendText(text, " ");
        RpBuffer_AppendText(text, mode);
        RpBuffer_Append(text, ini + behind, size - behind);
    } else {
        /* The rule moves to the end, where no other rule comes after it. */
        RpBuffer without;
        RpBuffer_Init(&without, NULL);
        CopyWithoutRules(ini, size, glob, &without);
        const char *rest = (const char *)without.bytes;
        const Place others_place = FindPlace(rest, without.size, glob);
        if (without.failed) {
            text->failed = true;
        } else {
            const char *others = rest ? rest : "";
            const size_t at = others_place.section ? others_place.end : without.size;

            /* The line end is the one that the file uses. */
            const char *newline = without.size > 0 ? memchr(others, '\n', without.size) : NULL;
            const char *end = newline && newline > others && newline[-1] == '\r' ? "\r\n" : "\n";

            RpBuffer_Append(text, others, at);
            if (text->size > 0 && text->bytes[text->size - 1] != '\n')
                RpBuffer_AppendText(text, end);
            if (!others_place.section)
                RpBuffer_Print(text, "%s[modes]%s", without.size > 0 ? end : "", end);
            RpBuffer_Print(text, "%s = %s%s", glob, mode, end);
            RpBuffer_Append(text, others + at, without.size - at);
        }
        RpBuffer_Free(&without);
    }
    return text->failed ? RpMemory_Refused(error, SETTINGS_FILE) : RP_OK;
}
