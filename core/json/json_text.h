/* Pieces of JSON that reports and dumps have in common. */
#ifndef RETROPOSE_CORE_JSON_JSON_TEXT_H
#define RETROPOSE_CORE_JSON_JSON_TEXT_H

#include "retropose/memory.h"

struct cJSON;

/* Appends the object and a newline, indented or in one line. The result is well-formed UTF-8
 * whatever bytes its strings hold (core/text/visible.h). False means that memory was refused. */
bool JsonText_Append(RpBuffer *json, const struct cJSON *root, bool indented);
/* If `good` says that the object could be made, appends the object and a newline; otherwise returns
 * RP_NO_MEMORY with `what`. Deletes the object in any case. */
RpStatus JsonText_End(struct cJSON *root, bool good, const char *what, RpBuffer *json,
                      RpError *error);

/* Writes nine digits, which suffice to read the same float back. A value that is not finite is
 * written as a text with its bits. */
void JsonText_Float(RpBuffer *text, const float *value); /* by address, because x87 changes NaNs */
void JsonText_Floats(RpBuffer *text, const float *values, uint32_t count);
/* Writes pairs of hexadecimal digits in quotation marks. */
void JsonText_Hex(RpBuffer *text, const uint8_t *bytes, size_t size);
/* Adds a member with pairs of hexadecimal digits. False means that memory was refused. */
bool JsonText_AddHex(struct cJSON *object, const char *name, const uint8_t *bytes, size_t size);

#endif
