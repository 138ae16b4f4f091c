/* Texts for the viewer's page: JSON and HTML out of bytes that may be anything. */
#ifndef RETROPOSE_CORE_TEXT_VIEW_TEXT_H
#define RETROPOSE_CORE_TEXT_VIEW_TEXT_H

#include "retropose/memory.h"

/* A JSON string with its quotation marks; what is no UTF-8 as core/text/visible.h says. */
void ViewText_Json(RpBuffer *json, const char *text);
/* As %.9g, which every float survives, with a point in every locale; `null` when not finite. */
void ViewText_Number(RpBuffer *json, double value);
/* Text of an element or of a quoted attribute. */
void ViewText_Html(RpBuffer *html, const char *text);
/* JSON text that neither ends the script element around it nor begins a comment in it: what HTML
 * takes notice of occurs in strings only, where it can be written as an escape. */
void ViewText_JsonInScript(RpBuffer *html, const uint8_t *json, size_t size);

#endif
