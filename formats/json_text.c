#include "formats/json_text.h"

#include <cjson/cJSON.h>

RpStatus JsonText_End(cJSON *root, bool good, const char *what, RpBuffer *json, RpError *error) {
    char *text = good ? cJSON_Print(root) : NULL;
    good = text && RpBuffer_AppendText(json, text) && RpBuffer_AppendText(json, "\n");
    cJSON_free(text);
    cJSON_Delete(root);
    return good ? RP_OK : RpMemory_Refused(error, what);
}
