#include "core/json/json_text.h"
#include "game/game_folder.h"
#include "game/mode.h"

#include <cjson/cJSON.h>

RpStatus Mode_Json(const char *folder_path, RpBuffer *json, RpError *error) {
    GameFolder folder;
    RpStatus status = GameFolder_OpenGame(folder_path, &folder, error);
    if (!status) {
        const LiveSettings *settings = &folder.settings;
        cJSON *root = cJSON_CreateObject();
        const cJSON *mode =
            cJSON_AddStringToObject(root, "default", LiveMode_Name(settings->default_mode));
        cJSON *rules = cJSON_AddArrayToObject(root, "rules");
        for (size_t i = 0; rules && i < settings->rule_count; i++) {
            cJSON *rule = cJSON_CreateObject();
            cJSON_AddStringToObject(rule, "functions", settings->rules[i].glob);
            cJSON_AddStringToObject(rule, "mode", LiveMode_Name(settings->rules[i].mode));
            cJSON_AddItemToArray(rules, rule);
        }
        cJSON *functions = cJSON_AddArrayToObject(root, "functions");
        for (size_t i = 0; functions && i < abi_function_count; i++) {
            const AbiFunction *function = &abi_functions[i];
            if (!GameFolder_HasMode(function))
                continue;
            const LiveDecision decision = GameFolder_Decide(&folder, function);
            cJSON *row = cJSON_CreateObject();
            cJSON_AddStringToObject(row, "key", function->key);
            cJSON_AddStringToObject(row, "name", function->name);
            cJSON_AddStringToObject(row, "provider", AbiProvider_Name(function->provider));
            cJSON_AddStringToObject(row, "asked", LiveMode_Name(decision.asked));
            cJSON_AddStringToObject(row, "effective", LiveMode_Name(decision.effective));
            cJSON_AddStringToObject(row, "reason", LiveReason_Text(decision.reason));
            cJSON_AddItemToArray(functions, row);
        }
        status = JsonText_End(root, mode && rules && functions, "the modes", json, error);
    }
    GameFolder_Close(&folder);
    return status;
}
