/* Pieces of JSON that reports and dumps share. */
#ifndef RETROPOSE_CORE_JSON_JSON_TEXT_H
#define RETROPOSE_CORE_JSON_JSON_TEXT_H

#include "retropose/memory.h"

struct cJSON;

/* Appends the object and a newline: indented or in one line, and well-formed UTF-8 whatever bytes
 * are in its strings (core/text/visible.h). False when memory is refused. */
bool JsonText_Append(RpBuffer *json, const struct cJSON *root, bool indented);
/* Appends the object and a newline, when `good` says that it could be made, and deletes it.
 * RP_NO_MEMORY names `what` otherwise. */
RpStatus JsonText_End(struct cJSON *root, bool good, const char *what, RpBuffer *json,
                      RpError *error);

/* Nine digits, which every float survives; what is not finite as the text of its bits. */
void JsonText_Float(RpBuffer *text, const float *value); /* by address: x87 changes NaNs */
void JsonText_Floats(RpBuffer *text, const float *values, uint32_t count);
/* Pairs of digits in quotation marks. */
void JsonText_Hex(RpBuffer *text, const uint8_t *bytes, size_t size);

#endif
