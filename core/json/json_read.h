/* Reads JSON that a dump wrote. Every value is checked, and every error gives its place in the text
 * ("nodes[3].rotation[1].value") and what was expected there. */
#ifndef RETROPOSE_CORE_JSON_JSON_READ_H
#define RETROPOSE_CORE_JSON_JSON_READ_H

#include "retropose/memory.h"

struct cJSON;

typedef struct JsonRead {
    RpError *error;
    const char *whole; /* what an error calls the whole text; null stands for "the text" */
    size_t length;     /* length of `path` */
    char path[128];    /* the path to the value that is being read, for errors */
} JsonRead;

/* Parses a text that is one value with nothing but white space around it. Free the tree with
 * cJSON_Delete. The result is null when the text is anything else; *end is then where the mistake
 * is, or where something follows the value. */
struct cJSON *JsonRead_Parse(const char *text, size_t size, const char **end);

/* These go down to a member or to an element of the value that is being read. Both return the
 * length of the path before, which must be passed to JsonRead_Leave. After a failure nobody calls
 * that, so that the path still says where the failure was. */
size_t JsonRead_Enter(JsonRead *read, const char *name);
size_t JsonRead_EnterElement(JsonRead *read, uint32_t index);
void JsonRead_Leave(JsonRead *read, size_t length);

/* Reports an error about `item`, which may be null, with the current path as its place. Returns
 * false. */
bool JsonRead_Refuse(const JsonRead *read, const char *what, const char *expected,
                     const struct cJSON *item);
/* Checks that every member of an object has one of these names, a list that a null ends. */
bool JsonRead_OnlyMembers(JsonRead *read, const struct cJSON *object, const char *const *names);

bool JsonRead_IntegerMember(JsonRead *read, const struct cJSON *object, const char *name,
                            double least, double most, double *value);
/* Returns whether an item, which may be null, is a whole number from `least` to `most`. */
bool JsonRead_IsWhole(const struct cJSON *item, double least, double most);
/* Reads such a number. */
bool JsonRead_Integer(const JsonRead *read, const struct cJSON *item, double least, double most,
                      double *value);
/* Reads a number, or a text with the bits of one. `value` is written through memory, so that a
 * signalling NaN keeps its bits. */
bool JsonRead_Float(const JsonRead *read, const struct cJSON *item, float *value);
bool JsonRead_Floats(JsonRead *read, const struct cJSON *object, const char *name, float *values,
                     uint32_t count);
/* Calls `take` for every element of the list that is the member `name`. */
bool JsonRead_List(JsonRead *read, const struct cJSON *object, const char *name,
                   bool (*take)(void *context, const struct cJSON *item), void *context);
/* Reads pairs of hexadecimal digits and appends their bytes. */
bool JsonRead_Hex(const JsonRead *read, const struct cJSON *item, RpBuffer *bytes);

#endif
