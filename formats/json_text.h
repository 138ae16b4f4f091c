/* The end of every report as JSON. */
#ifndef RETROPOSE_FORMATS_JSON_TEXT_H
#define RETROPOSE_FORMATS_JSON_TEXT_H

#include "retropose/memory.h"

struct cJSON;

/* Appends the object and a newline, when `good` says that it could be made, and deletes it.
 * RP_NO_MEMORY names `what` otherwise. */
RpStatus JsonText_End(struct cJSON *root, bool good, const char *what, RpBuffer *json,
                      RpError *error);

#endif
