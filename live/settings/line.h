/* One line of retropose.ini, taken apart. Shared by the parser in our DLLs and by what edits the
 * file (live/settings/ini.h), so that both read the same line the same way. */
#ifndef RETROPOSE_LIVE_SETTINGS_LINE_H
#define RETROPOSE_LIVE_SETTINGS_LINE_H

#include "core/span.h"

typedef enum SettingsLineKind {
    SETTINGS_BLANK,   /* empty, or a comment: first character # or ; */
    SETTINGS_SECTION, /* [name] */
    SETTINGS_VALUE,   /* name = value, "value" in quotes; a comment may follow behind a blank */
    SETTINGS_NO_LINE  /* none of them; `expected` says what is missing */
} SettingsLineKind;

typedef struct SettingsLine {
    SettingsLineKind kind;
    Span name;  /* of the section or of the value */
    Span value; /* without its quotes */
    const char *expected;
} SettingsLine;

/* `length` without the line's end. */
SettingsLine SettingsLine_Split(const char *line, size_t length);
/* Bytes of the line at `text`, without its end; *next is the start of the next one. */
size_t SettingsLine_Length(const char *text, size_t size, size_t *next);

#endif
