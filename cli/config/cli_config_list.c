#include "cli/config.h"
#include "cli/config/find.h"
#include "cli/files.h"
#include "core/json/json_text.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* What to list: all that is set, or what applies to one verb. */
typedef struct Listing {
    const Cli *cli;
    const CliVerb *verb; /* null: all */
} Listing;

/* Returns one listed setting after another, and null behind the last. `at` begins with 0. */
static const ConfigSetting *Next(const Listing *listing, size_t *at) {
    const Config *config = listing->cli->config;
    if (!listing->verb)
        return *at < config->count ? &config->settings[(*at)++] : NULL;
    for (const ConfigKey *key; (key = Config_Key(*at)) != NULL;) {
        (*at)++;
        const ConfigSetting *setting = Config_Concerns(listing->verb, key)
                                           ? Config_Find(config, listing->verb, key->name)
                                           : NULL;
        if (setting)
            return setting;
    }
    return NULL;
}

/* Returns one after another the settings that are not set anywhere, if --all asks for them. */
static const ConfigKey *NextUnset(const Listing *listing, size_t *at) {
    if (!Cli_Has(listing->cli, "all"))
        return NULL;
    for (const ConfigKey *key; (key = Config_Key(*at)) != NULL;) {
        (*at)++;
        if ((!listing->verb || Config_Concerns(listing->verb, key)) &&
            !Config_Find(listing->cli->config, listing->verb, key->name))
            return key;
    }
    return NULL;
}

static int Run(Cli *cli) {
    Listing listing = {.cli = cli};
    if (cli->argument_count > 0)
        return Cli_Complain("config list takes no words");
    const int code = ConfigFind_Verb(cli, &listing.verb);
    if (code)
        return code;
    if (Cli_Has(cli, "json")) {
        RpBuffer json;
        RpError error;
        const ConfigSetting *setting;
        const ConfigKey *key;
        cJSON *root = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(root, "settings");
        RpBuffer_Init(&json, NULL);
        for (size_t at = 0; (setting = Next(&listing, &at)) != NULL;)
            cJSON_AddItemToArray(list, Config_Json(listing.cli->config, setting));
        cJSON *unset = Cli_Has(listing.cli, "all") ? cJSON_AddArrayToObject(root, "unset") : NULL;
        for (size_t at = 0; (key = NextUnset(&listing, &at)) != NULL;) {
            cJSON *object = cJSON_CreateObject();
            cJSON_AddStringToObject(object, "name", key->name);
            cJSON_AddStringToObject(object, "help", key->help);
            if (key->variable)
                cJSON_AddStringToObject(object, "variable", key->variable);
            cJSON_AddItemToArray(unset, object);
        }
        const RpStatus status = JsonText_End(root, list != NULL, "the settings", &json, &error);
        return CliFile_Print(&json, status, &error);
    }

    const ConfigSetting *setting;
    const ConfigKey *key;
    for (size_t at = 0; (setting = Next(&listing, &at)) != NULL;) {
        char origin[CONFIG_PATH_BYTES + 64];
        Config_DescribeOrigin(listing.cli->config, setting, origin, sizeof origin);
        if (Cli_Has(listing.cli, "show-origin"))
            Visible_Print(stdout, "%s\t", origin);
        Visible_Print(stdout, "%s%s%s = %s\n", setting->verb, setting->verb[0] ? "." : "",
                      setting->key->name, setting->value);
    }
    for (size_t at = 0; (key = NextUnset(&listing, &at)) != NULL;)
        Visible_Print(stdout, "# %-14s %s%s%s\n", key->name, key->help, key->variable ? "; " : "",
                      key->variable ? key->variable : "");
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
