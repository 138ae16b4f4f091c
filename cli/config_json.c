/* A setting as an object of JSON, for `config list` and `doctor`. */
#include "cli/config.h"

#include <cjson/cJSON.h>

cJSON *Config_Json(const Config *config, const ConfigSetting *setting) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", setting->key->name);
    if (setting->verb[0])
        cJSON_AddStringToObject(object, "verb", setting->verb);
    cJSON_AddStringToObject(object, "value", setting->value);
    cJSON_AddStringToObject(object, "origin", ConfigOrigin_Name(setting->origin));
    if (setting->origin == CONFIG_ENVIRONMENT) {
        cJSON_AddStringToObject(object, "variable", setting->key->variable);
    } else {
        cJSON_AddStringToObject(object, "file", config->files[setting->origin]);
        cJSON_AddNumberToObject(object, "line", setting->line);
    }
    return object;
}
