/* Reads JSON that a dump wrote. Every value is checked, and every error gives its place in the text
 * ("nodes[3].rotation[1].value") and what was expected there. */
#ifndef RETROPOSE_CORE_JSON_JSON_READ_H
#define RETROPOSE_CORE_JSON_JSON_READ_H

#include "retropose/memory.h"

struct cJSON;

/* What is wrong first is reported, and nothing that is refused after that. So a reader may go on
 * until it asks for `status`, as long as it does nothing worse than reading zeros. */
typedef struct JsonRead {
    RpError *error;
    RpStatus status;   /* RP_OK, or what was reported */
    const char *whole; /* what an error calls the whole text; null stands for "the text" */
    size_t length;     /* length of `path` */
    char path[128];    /* the path to the value that is being read, for errors */
} JsonRead;

/* Parses a text that is one value with nothing but white space around it. Free the tree with
 * cJSON_Delete. The result is null when the text is anything else; *end is then where the mistake
 * is, or where something follows the value. */
struct cJSON *JsonRead_Parse(const char *text, size_t size, const char **end);
/* Does the same, and reports RP_CORRUPT with the place of the mistake and what was expected. */
struct cJSON *JsonRead_Document(const char *text, size_t size, const char *expected,
                                RpError *error);

/* These go down to a member or to an element of the value that is being read. Both return the
 * length of the path before, which must be passed to JsonRead_Leave. After a failure the path no
 * longer matters. */
size_t JsonRead_Enter(JsonRead *read, const char *name);
size_t JsonRead_EnterElement(JsonRead *read, uint32_t index);
void JsonRead_Leave(JsonRead *read, size_t length);

/* Reports an error about `item`, which may be null, with the current path as its place, unless
 * there was one already. Returns false. */
bool JsonRead_Refuse(JsonRead *read, const char *what, const char *expected,
                     const struct cJSON *item);
/* Checks that every member of an object has one of these names, a list that a null ends. */
bool JsonRead_OnlyMembers(JsonRead *read, const struct cJSON *object, const char *const *names);

bool JsonRead_IntegerMember(JsonRead *read, const struct cJSON *object, const char *name,
                            double least, double most, double *value);
/* Returns whether an item, which may be null, is a whole number from `least` to `most`. */
bool JsonRead_IsWhole(const struct cJSON *item, double least, double most);
/* Reads such a number. */
bool JsonRead_Integer(JsonRead *read, const struct cJSON *item, double least, double most,
                      double *value);
/* Reads a number, or a text with the bits of one. `value` is written through memory, so that a
 * signalling NaN keeps its bits. */
bool JsonRead_Float(JsonRead *read, const struct cJSON *item, float *value);
bool JsonRead_FloatMember(JsonRead *read, const struct cJSON *object, const char *name,
                          float *value);
/* These read a list of exactly `count` such numbers. */
bool JsonRead_FloatList(JsonRead *read, const struct cJSON *list, float *values, uint32_t count);
bool JsonRead_Floats(JsonRead *read, const struct cJSON *object, const char *name, float *values,
                     uint32_t count);
/* Calls `take` for every element of the list that is the member `name`, until it returns false. */
bool JsonRead_List(JsonRead *read, const struct cJSON *object, const char *name,
                   bool (*take)(void *context, const struct cJSON *item), void *context);
/* Reads pairs of hexadecimal digits and appends their bytes. */
bool JsonRead_Hex(JsonRead *read, const struct cJSON *item, RpBuffer *bytes);
bool JsonRead_HexMember(JsonRead *read, const struct cJSON *object, const char *name,
                        RpBuffer *bytes);

#endif
