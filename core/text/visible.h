/* Text out of files, made harmless for a terminal and for readers of JSON.
 *
 * A name in an archive, a line of a trace's header or the name of a file may hold any bytes.
 * Printed as they are, they move the cursor, change colours and titles, or turn the order of
 * letters round. So no text leaves the command without passing one of these functions. Shown as
 * escapes are
 *
 *   \xNN    control characters of one byte (0x00 to 0x1F, 0x7F), and every byte that is no part of
 *           well-formed UTF-8
 *   \uNNNN  control characters U+0080 to U+009F, U+2028 and U+2029 (line and paragraph), and what
 *           turns the direction of text: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069
 *
 * with capital digits. A backslash stays one: what is shown is for eyes. Texts that are read back
 * (manifests, dumps) are JSON, where an escape stands for the character itself. */
#ifndef RETROPOSE_CORE_TEXT_VISIBLE_H
#define RETROPOSE_CORE_TEXT_VISIBLE_H

#include "retropose/memory.h"

#include <stdarg.h>
#include <stdio.h>

#ifdef __MINGW32__ /* with its own printf, which knows %zu */
#define VISIBLE_PRINTF gnu_printf
#else
#define VISIBLE_PRINTF printf
#endif

/* Length of the well-formed UTF-8 character that `text` begins with, 0 for none (Unicode 15, table
 * 3-7). Needs `size` of at least 1 and reads no further. */
size_t Visible_CharacterLength(const uint8_t *text, size_t size);

/* One line, or a part of one: line ends and tabs are shown, too. */
bool Visible_AppendLine(RpBuffer *out, const char *text, size_t size);
/* Lines that this program laid out: its line ends and tabs stay. */
bool Visible_AppendLines(RpBuffer *out, const char *text, size_t size);
/* A JSON text. What is a control character to a terminal becomes JSON's escape of it, which reads
 * back as the same character. A byte that is no UTF-8 has no place in JSON: its string then says
 * \xNN, as a terminal would. The result is always well-formed UTF-8. */
bool Visible_AppendJson(RpBuffer *out, const char *text, size_t size);

/* As fprintf, with every %s and %c shown as Visible_AppendLine does, before it is padded; the
 * format itself is printed as it is. Knows the conversions d i u o x X c s p e f g a and %, without
 * `$` and `n`. Returns the number of bytes. */
int Visible_Print(FILE *out, const char *format, ...) __attribute__((format(VISIBLE_PRINTF, 2, 3)));
int Visible_PrintList(FILE *out, const char *format, va_list arguments)
    __attribute__((format(VISIBLE_PRINTF, 2, 0)));

/* What Visible_Print prints as it is when it is given these very addresses. */
extern const char visible_red[], visible_green[], visible_yellow[], visible_bold[], visible_plain[];

#endif
