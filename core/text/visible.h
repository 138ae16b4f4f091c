/* Makes text out of files harmless for a terminal and for readers of JSON.
 *
 * A name in an archive, a line of a trace's header or the name of a file may hold any bytes.
 * Printed as they are, they can move the cursor, change colours and titles, or reverse the order of
 * letters. Therefore every text that leaves the command passes one of these functions, which show
 * as escapes:
 *
 *   \xNN    control characters of one byte (0x00 to 0x1F, 0x7F), and every byte that is not part
 *           of well-formed UTF-8
 *   \uNNNN  control characters U+0080 to U+009F, U+2028 and U+2029 (line and paragraph), and what
 *           changes the direction of text: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to
 *           U+2069
 *
 * The digits are capitals. A backslash stays as it is, because the result is for people to read.
 * Texts that are read back (manifests, dumps) are JSON, where an escape stands for the character
 * itself.
 */
#ifndef RETROPOSE_CORE_TEXT_VISIBLE_H
#define RETROPOSE_CORE_TEXT_VISIBLE_H

#include "retropose/memory.h"

#include <stdarg.h>
#include <stdio.h>

#ifdef __MINGW32__ /* MinGW's own printf, which knows %zu */
#define VISIBLE_PRINTF gnu_printf
#else
#define VISIBLE_PRINTF printf
#endif

/* Returns the length of the well-formed UTF-8 character at the beginning of `text`, or 0 when there
 * is none (Unicode 15, table 3-7). `size` is at least 1, and nothing beyond it is read. */
size_t Visible_CharacterLength(const uint8_t *text, size_t size);

/* Appends a line or a part of one. Line ends and tabs become visible, too. */
bool Visible_AppendLine(RpBuffer *out, const char *text, size_t size);
/* Appends lines that this program laid out, so that line ends and tabs stay as they are. */
bool Visible_AppendLines(RpBuffer *out, const char *text, size_t size);
/* Appends a JSON text. Characters that a terminal takes for control characters become JSON's
 * escapes, which read back as the same characters. A byte that is not UTF-8 has no place in JSON,
 * so its string then says \xNN, as on a terminal. The result is always well-formed UTF-8. */
bool Visible_AppendJson(RpBuffer *out, const char *text, size_t size);

/* Works as fprintf does, but shows every %s and %c as Visible_AppendLine does, before padding. The
 * format itself is printed as it is. It knows the conversions d i u o x X c s p e f g a and %, but
 * neither `$` nor `n`. Returns the number of bytes. */
int Visible_Print(FILE *out, const char *format, ...) __attribute__((format(VISIBLE_PRINTF, 2, 3)));
int Visible_PrintList(FILE *out, const char *format, va_list arguments)
    __attribute__((format(VISIBLE_PRINTF, 2, 0)));

/* Colours and other attributes. Visible_Print writes these as they are when it is given these very
 * addresses. */
extern const char visible_red[], visible_green[], visible_yellow[], visible_bold[], visible_plain[];

#endif
