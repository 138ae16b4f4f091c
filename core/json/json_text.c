#include "core/json/json_text.h"

#include "core/hex.h"
#include "core/text/view_text.h"
#include "core/text/visible.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool JsonText_Append(RpBuffer *json, const cJSON *root, bool indented) {
    char *text = indented ? cJSON_Print(root) : cJSON_PrintUnformatted(root);
    const bool good =
        text && Visible_AppendJson(json, text, strlen(text)) && RpBuffer_AppendText(json, "\n");
    cJSON_free(text);
    return good;
}

RpStatus JsonText_End(cJSON *root, bool good, const char *what, RpBuffer *json, RpError *error) {
    good = good && JsonText_Append(json, root, true);
    cJSON_Delete(root);
    return good ? RP_OK : RpMemory_Refused(error, what);
}

/* ---- numbers and bytes ----------------------------------------------------------------------- */

void JsonText_Float(RpBuffer *text, const float *value) {
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    if ((bits & 0x7F800000) != 0x7F800000)
        ViewText_Number(text, (double)*value);
    else
        RpBuffer_Print(text, "\"0x%08" PRIx32 "\"", bits);
}

void JsonText_Floats(RpBuffer *text, const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        RpBuffer_AppendText(text, i ? ", " : "[");
        JsonText_Float(text, &values[i]);
    }
    RpBuffer_AppendText(text, "]");
}

void JsonText_Hex(RpBuffer *text, const uint8_t *bytes, size_t size) {
    RpBuffer_AppendText(text, "\"");
    char *digits = (char *)RpBuffer_Extend(text, 2 * size);
    if (digits)
        Hex_Write(bytes, size, digits);
    RpBuffer_AppendText(text, "\"");
}

bool JsonText_AddHex(cJSON *object, const char *name, const uint8_t *bytes, size_t size) {
    char *digits = malloc(2 * size + 1);
    if (!digits)
        return false;
    Hex_Write(bytes, size, digits);
    digits[2 * size] = 0;
    const bool added = cJSON_AddStringToObject(object, name, digits) != NULL;
    free(digits);
    return added;
}
