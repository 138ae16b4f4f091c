#include "cli/config.h"
#include "cli/config/find.h"
#include "cli/files.h"
#include "core/json/json_text.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static void AddSetting(const Cli *cli, const ConfigSetting *setting, cJSON *list) {
    char origin[CONFIG_PATH_BYTES + 64];
    if (list) {
        cJSON_AddItemToArray(list, Config_Json(cli->config, setting));
        return;
    }
    Config_DescribeOrigin(cli->config, setting, origin, sizeof origin);
    if (Cli_Has(cli, "show-origin"))
        Visible_Print(stdout, "%s\t", origin);
    Visible_Print(stdout, "%s%s%s = %s\n", setting->verb, setting->verb[0] ? "." : "",
                  setting->key->name, setting->value);
}

static void AddUnset(const ConfigKey *key, cJSON *list) {
    if (!list) {
        Visible_Print(stdout, "# %-14s %s%s%s\n", key->name, key->help, key->variable ? "; " : "",
                      key->variable ? key->variable : "");
        return;
    }
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", key->name);
    cJSON_AddStringToObject(object, "help", key->help);
    if (key->variable)
        cJSON_AddStringToObject(object, "variable", key->variable);
    cJSON_AddItemToArray(list, object);
}

static int Run(Cli *cli) {
    const Config *config = cli->config;
    const CliVerb *verb;
    const ConfigKey *key;
    RpBuffer text;
    RpError error;
    if (cli->argument_count > 0)
        return Cli_Complain("config list takes no words");
    if (ConfigFind_Verb(cli, &verb))
        return CLI_TROUBLE;
    cJSON *root = Cli_Has(cli, "json") ? cJSON_CreateObject() : NULL;
    cJSON *list = root ? cJSON_AddArrayToObject(root, "settings") : NULL;

    /* For one verb, each key once, from where it counts; otherwise all that is set. */
    for (size_t i = 0; !verb && i < config->count; i++)
        AddSetting(cli, &config->settings[i], list);
    for (size_t i = 0; verb && (key = Config_Key(i)) != NULL; i++) {
        const ConfigSetting *setting = Config_Find(config, verb, key->name);
        if (setting && Config_Concerns(verb, key))
            AddSetting(cli, setting, list);
    }
    cJSON *unset = root && Cli_Has(cli, "all") ? cJSON_AddArrayToObject(root, "unset") : NULL;
    for (size_t i = 0; Cli_Has(cli, "all") && (key = Config_Key(i)) != NULL; i++)
        if (!Config_Find(config, verb, key->name) && (!verb || Config_Concerns(verb, key)))
            AddUnset(key, unset);
    if (!Cli_Has(cli, "json"))
        return CLI_EQUAL;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = JsonText_End(root, list != NULL, "the settings", &text, &error);
    return CliFile_Print(&text, status, &error);
}

const CliVerb cli_config_list = {
    "config list",
    "print the settings of the files and of the environment",
    "",
    "retropose config list --show-origin\n"
    "retropose config list --for replay\n",
    {{"show-origin", NULL, "begin each line with the file and line, or the variable", 0},
     {"all", NULL, "name the settings that are not set, too", 0},
     {"for", "VERB", "what counts for this verb", 0},
     CLI_JSON},
    Run};
