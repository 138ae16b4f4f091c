#include "cli/config.h"
#include "cli/config/find.h"
#include "cli/files.h"
#include "core/json/json_text.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static void PrintSetting(const Cli *cli, const ConfigSetting *setting) {
    char origin[CONFIG_PATH_BYTES + 64];
    Config_DescribeOrigin(cli->config, setting, origin, sizeof origin);
    if (Cli_Has(cli, "show-origin"))
        Visible_Print(stdout, "%s\t", origin);
    Visible_Print(stdout, "%s%s%s = %s\n", setting->verb, setting->verb[0] ? "." : "",
                  setting->key->name, setting->value);
}

static void PrintText(const Cli *cli) {
    for (size_t i = 0; i < cli->config->count; i++)
        PrintSetting(cli, &cli->config->settings[i]);
    for (size_t i = 0; Cli_Has(cli, "all") && Config_Key(i); i++)
        if (!Config_Find(cli->config, NULL, Config_Key(i)->name))
            Visible_Print(stdout, "# %-14s %s%s%s\n", Config_Key(i)->name, Config_Key(i)->help,
                          Config_Key(i)->variable ? "; " : "",
                          Config_Key(i)->variable ? Config_Key(i)->variable : "");
}

static void PrintFor(const Cli *cli, const CliVerb *verb) {
    for (size_t i = 0; Config_Key(i); i++) {
        const ConfigSetting *setting = Config_Find(cli->config, verb, Config_Key(i)->name);
        if (setting)
            PrintSetting(cli, setting);
    }
}

static int PrintJson(const Cli *cli) {
    RpBuffer json;
    RpError error;
    cJSON *root = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(root, "settings");
    RpBuffer_Init(&json, NULL);
    for (size_t i = 0; i < cli->config->count; i++)
        cJSON_AddItemToArray(list, Config_Json(cli->config, &cli->config->settings[i]));
    const RpStatus status = JsonText_End(root, list != NULL, "the settings", &json, &error);
    return CliFile_Print(&json, status, &error);
}

static int Run(Cli *cli) {
    const CliVerb *verb;
    if (cli->argument_count > 0)
        return Cli_Complain("config list takes no words");
    const int code = ConfigFind_Verb(cli, &verb);
    if (code)
        return code;
    if (Cli_Has(cli, "json"))
        return PrintJson(cli);
    if (verb)
        PrintFor(cli, verb);
    else
        PrintText(cli);
    return CLI_EQUAL;
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
