#include "core/json/json_read.h"

#include "core/hex.h"
#include "core/text.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- whole texts ----------------------------------------------------------------------------- */

cJSON *JsonRead_Parse(const char *text, size_t size, const char **end) {
    *end = text;
    cJSON *root = cJSON_ParseWithLengthOpts(text, size, end, false);
    if (!root)
        return NULL;
    while (*end < text + size && **end && strchr(" \t\n\r", **end))
        ++*end;
    if (*end == text + size)
        return root;
    cJSON_Delete(root);
    return NULL;
}

cJSON *JsonRead_Document(const char *text, size_t size, const char *expected, RpError *error) {
    const char *end = NULL;
    cJSON *root = JsonRead_Parse(text, size, &end);
    if (!root)
        RpError_Set(error, RP_CORRUPT, (uint64_t)(end ? end - text : 0), "this is no JSON", "",
                    expected, "");
    return root;
}

/* ---- places and errors ----------------------------------------------------------------------- */

/* Appends to the path, and cuts one that is too long. This does without snprintf, because it runs
 * for every value of a dump. */
static void Append(JsonRead *read, const char *text, size_t length) {
    const size_t room = sizeof read->path - 1 - read->length;
    length = length < room ? length : room;
    memcpy(read->path + read->length, text, length);
    read->length += length;
    read->path[read->length] = 0;
}

size_t JsonRead_Enter(JsonRead *read, const char *name) {
    const size_t before = read->length;
    Append(read, ".", before ? 1 : 0);
    Append(read, name, strlen(name));
    return before;
}

size_t JsonRead_EnterElement(JsonRead *read, uint32_t index) {
    const size_t before = read->length;
    char place[16];
    Text text = Text_Begin(place, sizeof place);
    Text_AppendChar(&text, '[');
    Text_AppendDecimal(&text, index);
    Text_AppendChar(&text, ']');
    Append(read, place, text.length);
    return before;
}

void JsonRead_Leave(JsonRead *read, size_t length) {
    read->length = length;
    read->path[length] = 0;
}

bool JsonRead_Refuse(JsonRead *read, const char *what, const char *expected, const cJSON *item) {
    char found[80];
    if (read->status)
        return false;
    char *text = item ? cJSON_PrintUnformatted(item) : NULL;
    snprintf(found, sizeof found, "%.79s", text ? text : "nothing");
    cJSON_free(text);
    read->status = RpError_Set(read->error, RP_CORRUPT, RP_NOWHERE, what,
                               read->path[0] ? read->path
                               : read->whole ? read->whole
                                             : "the text",
                               expected, found);
    return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

static const cJSON *Member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

bool JsonRead_IsWhole(const cJSON *item, double least, double most) {
    const double number = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    return number >= least && number <= most && floor(number) == number;
}

bool JsonRead_Integer(JsonRead *read, const cJSON *item, double least, double most, double *value) {
    char expected[80];
    if (!JsonRead_IsWhole(item, least, most)) {
        snprintf(expected, sizeof expected, "a whole number from %.0f to %.0f", least, most);
        return JsonRead_Refuse(read, "this is no such number", expected, item);
    }
    *value = item->valuedouble;
    return true;
}

bool JsonRead_IntegerMember(JsonRead *read, const cJSON *object, const char *name, double least,
                            double most, double *value) {
    const size_t length = JsonRead_Enter(read, name);
    const bool good = JsonRead_Integer(read, Member(object, name), least, most, value);
    JsonRead_Leave(read, length);
    return good;
}

/* A number from this value on rounds to infinity as a binary32. FLT_MAX itself cannot be the limit,
 * because the nine digits that stand for it are a larger number. */
#define FLOAT_LIMIT 0x1.FFFFFFp+127

bool JsonRead_Float(JsonRead *read, const cJSON *item, float *value) {
    uint32_t bits;
    if (cJSON_IsString(item) && Hex_ReadWord(item->valuestring, &bits)) {
        memcpy(value, &bits, sizeof bits);
        return true;
    }
    if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) < FLOAT_LIMIT))
        return JsonRead_Refuse(read, "this is no such number",
                               "a float, or the hexadecimal text of its bits", item);
    *value = (float)item->valuedouble;
    return true;
}

bool JsonRead_FloatMember(JsonRead *read, const cJSON *object, const char *name, float *value) {
    const size_t length = JsonRead_Enter(read, name);
    const bool good = JsonRead_Float(read, Member(object, name), value);
    JsonRead_Leave(read, length);
    return good;
}

bool JsonRead_FloatList(JsonRead *read, const cJSON *list, float *values, uint32_t count) {
    const cJSON *item;
    uint32_t i = 0;
    char expected[32];
    snprintf(expected, sizeof expected, "a list of %" PRIu32 " numbers", count);
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != (int)count)
        return JsonRead_Refuse(read, "this is no such list", expected, list);
    cJSON_ArrayForEach(item, list) {
        const size_t outer = JsonRead_EnterElement(read, i);
        if (!JsonRead_Float(read, item, &values[i++]))
            return false;
        JsonRead_Leave(read, outer);
    }
    return true;
}

bool JsonRead_Floats(JsonRead *read, const cJSON *object, const char *name, float *values,
                     uint32_t count) {
    const size_t length = JsonRead_Enter(read, name);
    const bool good = JsonRead_FloatList(read, Member(object, name), values, count);
    JsonRead_Leave(read, length);
    return good;
}

bool JsonRead_List(JsonRead *read, const cJSON *object, const char *name,
                   bool (*take)(void *context, const cJSON *item), void *context) {
    const size_t length = JsonRead_Enter(read, name);
    const cJSON *list = Member(object, name), *item;
    uint32_t i = 0;
    if (!cJSON_IsArray(list))
        return JsonRead_Refuse(read, "this is no list", "a list", list);
    cJSON_ArrayForEach(item, list) {
        const size_t outer = JsonRead_EnterElement(read, i++);
        if (!take(context, item))
            return false;
        JsonRead_Leave(read, outer);
    }
    JsonRead_Leave(read, length);
    return true;
}

bool JsonRead_Hex(JsonRead *read, const cJSON *item, RpBuffer *bytes) {
    const char *digits = cJSON_IsString(item) ? item->valuestring : "x";
    const size_t length = strlen(digits);
    uint8_t *at = length % 2 == 0 ? RpBuffer_Extend(bytes, length / 2) : NULL;
    if (length % 2 != 0 || (at && !Hex_Read(digits, at, length / 2)))
        return JsonRead_Refuse(read, "these are no bytes", "pairs of hexadecimal digits", item);
    return true;
}

bool JsonRead_HexMember(JsonRead *read, const cJSON *object, const char *name, RpBuffer *bytes) {
    const size_t length = JsonRead_Enter(read, name);
    const bool good = JsonRead_Hex(read, Member(object, name), bytes);
    JsonRead_Leave(read, length);
    return good;
}

/* Checks that every member of an object has one of these names, a list that ends with null. */
bool JsonRead_OnlyMembers(JsonRead *read, const cJSON *object, const char *const *names) {
    const cJSON *item;
    if (!cJSON_IsObject(object))
        return JsonRead_Refuse(read, "this is no object", "an object", object);
    cJSON_ArrayForEach(item, object) {
        const char *const *name = names;
        while (*name && strcmp(*name, item->string) != 0)
            name++;
        if (!*name) {
            JsonRead_Enter(read, item->string);
            return JsonRead_Refuse(read, "this has no place here", "", item);
        }
    }
    return true;
}
