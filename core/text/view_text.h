/* Writes any bytes as JSON or HTML for a page. */
#ifndef RETROPOSE_CORE_TEXT_VIEW_TEXT_H
#define RETROPOSE_CORE_TEXT_VIEW_TEXT_H

#include "retropose/memory.h"

/* Writes a JSON string with its quotation marks. Bytes that are not UTF-8 are written as
 * core/text/visible.h describes. */
void ViewText_Json(RpBuffer *json, const char *text);
/* Does the same for a text of `size` bytes, in which a NUL is a character like any other. */
void ViewText_JsonBytes(RpBuffer *json, const char *text, size_t size);
enum { VIEW_NUMBER_BYTES = 32 }; /* room for nine digits, sign, point and exponent, and a NUL */
/* Writes a finite number as %.9g does, which suffices to read the same float back, with a point in
 * every locale. */
void ViewText_Digits(double value, char text[VIEW_NUMBER_BYTES]);
/* Appends such a number; `null` when it is not finite. */
void ViewText_Number(RpBuffer *json, double value);
/* Writes the text of an element or of a quoted attribute. */
void ViewText_Html(RpBuffer *html, const char *text);
/* Writes JSON text so that it neither ends the script element around it nor begins a comment there.
 * The characters that matter to HTML occur only inside of JSON strings, where escapes can stand for
 * them. */
void ViewText_JsonInScript(RpBuffer *html, const uint8_t *json, size_t size);

#endif
