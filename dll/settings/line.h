/* Splits one line of retropose.ini. The parser in our DLLs and the code that edits the file
 * (dll/settings/ini.h) both use this, so that they read a line in the same way. */
#ifndef RETROPOSE_DLL_SETTINGS_LINE_H
#define RETROPOSE_DLL_SETTINGS_LINE_H

#include "core/span.h"

typedef enum SettingsLineKind {
    SETTINGS_BLANK,   /* empty, or a comment, which begins with # or ; */
    SETTINGS_SECTION, /* [name] */
    SETTINGS_VALUE,   /* name = value, or "value" in quotes; a comment may follow after a blank */
    SETTINGS_NO_LINE  /* none of these; `expected` says what is missing */
} SettingsLineKind;

typedef struct SettingsLine {
    SettingsLineKind kind;
    Span name;  /* name of the section or of the value */
    Span value; /* without its quotes */
    const char *expected;
} SettingsLine;

SettingsLine SettingsLine_Split(Span line);

#endif
