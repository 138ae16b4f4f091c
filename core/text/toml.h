/* clang-format off */
/* Reads the part of TOML 1.0 that settings need:
 *
 *   # a comment
 *   name = "a text"      a basic string, with the escapes \b \t \n \f \r \" \\
 *   name = 'C:\a text'   a literal string, in which a backslash is a backslash
 *   name = 8             a decimal integer without a sign
 *   [table]              what follows is in it; a name in quotes may hold blanks
 *
 * Everything else is refused with its line and column, whether TOML has it (lists, dates, true,
 * names with dots, strings of several lines) or not (control characters, bytes that are no UTF-8,
 * anything behind a value). The caller, who knows all names, has to notice when a name or a table
 * occurs twice.
 *
 * We have a reader of our own because no library fits: Debian has libraries for C++, Go, Perl and
 * Python, but none for C, and the build for Windows has none at all.
 */
/* clang-format on */
#ifndef RETROPOSE_CORE_TEXT_TOML_H
#define RETROPOSE_CORE_TEXT_TOML_H

#include "retropose/error.h"

enum {
    TOML_NAME_BYTES = 64,    /* of a table or a name, with its terminator */
    TOML_STRING_BYTES = 4096 /* of a value, with its terminator */
};

typedef enum TomlType { TOML_TABLE, TOML_STRING, TOML_INTEGER } TomlType;

/* One line of the text that is not empty or a comment. All texts in it are valid during the
 * callback only. */
typedef struct TomlItem {
    TomlType type;
    uint32_t line;     /* from 1 */
    const char *table; /* name of the table that it begins or is in; empty before the first one */
    const char *name;  /* empty for TOML_TABLE */
    const char *text;  /* the string, UTF-8 without a zero in it; or up to 18 digits */
} TomlItem;

/* Returns RP_OK to go on. */
typedef RpStatus TomlSink(void *context, const TomlItem *item, RpError *error);

/* Hands each table and value to `sink`, in order. Returns what the sink returned, or RP_INVALID
 * with "line L, column C" in `where`. */
RpStatus Toml_Read(const char *text, size_t size, TomlSink *sink, void *context, RpError *error);

#endif
