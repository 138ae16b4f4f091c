/* The verbs of the group config: what is set, and where. */
#include "cli/config.h"
#include "cli/files.h"
#include "core/json/json_text.h"
#include "core/nearest.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#define CLI_CONFIG_FOR                                                                             \
    { "for", "VERB", "for this verb only: the table of its name", 0 }

static int Refuse(const char *what, const Nearest *nearest, const char *all) {
    return Cli_Complain("there is no %s %s%s%s; see `retropose %s`", what, nearest->typed,
                        nearest->best ? ", perhaps " : "", nearest->best ? nearest->best : "", all);
}

/* Finds the verb of --for (null without it), and the setting that the first argument names unless
 * `key` is null. Returns 0, or says what is wrong and returns CLI_TROUBLE. */
static int Find(const Cli *cli, const CliVerb **verb, const ConfigKey **key) {
    const char *name = Cli_Value(cli, "for", NULL);
    const CliVerb *other;
    Nearest nearest;
    if (key && !(*key = Config_FindKey(cli->arguments[0]))) {
        Nearest_Init(&nearest, cli->arguments[0]);
        for (size_t i = 0; Config_Key(i); i++)
            Nearest_Offer(&nearest, Config_Key(i)->name);
        return Refuse("setting", &nearest, "config list --all");
    }
    *verb = name ? CliVerb_Named(cli->groups, name) : NULL;
    if (!name || *verb)
        return 0;
    Nearest_Init(&nearest, name);
    for (size_t i = 0; (other = CliVerb_At(cli->groups, i)); i++)
        Nearest_Offer(&nearest, other->name);
    return Refuse("verb", &nearest, "help --list");
}

static void PrintOrigin(const Cli *cli, const ConfigSetting *setting) {
    char origin[CONFIG_PATH_BYTES + 64];
    Config_DescribeOrigin(cli->config, setting, origin, sizeof origin);
    if (Cli_Has(cli, "show-origin"))
        Visible_Print(stdout, "%s\t", origin);
}

/* ---- list ------------------------------------------------------------------------------------ */

/* Both print a line, or add an object to the list if it is not null. */
static void AddSetting(const Cli *cli, const ConfigSetting *setting, cJSON *list) {
    if (list) {
        cJSON_AddItemToArray(list, Config_Json(cli->config, setting));
        return;
    }
    PrintOrigin(cli, setting);
    Visible_Print(stdout, "%s%s%s = %s\n", setting->verb, setting->verb[0] ? "." : "",
                  setting->key->name, setting->value);
}

static int List(Cli *cli) {
    const Config *config = cli->config;
    const bool all = Cli_Has(cli, "all"), json = Cli_Has(cli, "json");
    const CliVerb *verb;
    const ConfigKey *key;
    RpBuffer text;
    RpError error;
    if (cli->argument_count > 0)
        return Cli_Complain("config list takes no words");
    if (Find(cli, &verb, NULL))
        return CLI_TROUBLE;
    cJSON *root = json ? cJSON_CreateObject() : NULL;
    cJSON *list = json ? cJSON_AddArrayToObject(root, "settings") : NULL;

    /* For one verb, each key once, from where it counts; otherwise all that is set. */
    for (size_t i = 0; !verb && i < config->count; i++)
        AddSetting(cli, &config->settings[i], list);
    for (size_t i = 0; verb && (key = Config_Key(i)) != NULL; i++) {
        const ConfigSetting *setting = Config_Find(config, verb, key->name);
        if (setting && Config_Concerns(verb, key))
            AddSetting(cli, setting, list);
    }
    cJSON *unset = json && all ? cJSON_AddArrayToObject(root, "unset") : NULL;
    for (size_t i = 0; all && (key = Config_Key(i)) != NULL; i++)
        if (!Config_Find(config, verb, key->name) && (!verb || Config_Concerns(verb, key))) {
            if (!unset) {
                Visible_Print(stdout, "# %-14s %s%s%s\n", key->name, key->help,
                              key->variable ? "; " : "", key->variable ? key->variable : "");
            } else {
                cJSON *object = cJSON_CreateObject();
                cJSON_AddStringToObject(object, "name", key->name);
                cJSON_AddStringToObject(object, "help", key->help);
                if (key->variable)
                    cJSON_AddStringToObject(object, "variable", key->variable);
                cJSON_AddItemToArray(unset, object);
            }
        }

    if (!json)
        return CLI_EQUAL;
    RpBuffer_Init(&text, NULL);
    const RpStatus status = JsonText_End(root, list != NULL, "the settings", &text, &error);
    return CliFile_Print(&text, status, &error);
}

static const CliVerb config_list = {
    "config list",
    "print the settings of the files and of the environment",
    "",
    "retropose config list --show-origin\n"
    "retropose config list --for replay\n",
    {{"show-origin", NULL, "begin each line with the file and line, or the variable", 0},
     {"all", NULL, "name the settings that are not set, too", 0},
     {"for", "VERB", "what counts for this verb", 0},
     CLI_JSON},
    List};

/* ---- get ------------------------------------------------------------------------------------- */

static int Get(Cli *cli) {
    const CliVerb *verb;
    const ConfigKey *key;
    if (cli->argument_count != 1)
        return Cli_Complain("config get needs the name of a setting");
    if (Find(cli, &verb, &key))
        return CLI_TROUBLE;
    const ConfigSetting *setting = Config_Find(cli->config, verb, key->name);
    if (!setting)
        return CLI_DIFFERENT;
    PrintOrigin(cli, setting);
    Visible_Print(stdout, "%s\n", setting->value);
    return CLI_EQUAL;
}

static const CliVerb config_get = {
    "config get",
    "print one setting; exit code 1 if nothing sets it",
    "NAME",
    "retropose config get original\n"
    "retropose config get timeout --for probe --show-origin\n",
    {CLI_CONFIG_FOR, {"show-origin", NULL, "begin with the file and line, or the variable", 0}},
    Get};

/* ---- set ------------------------------------------------------------------------------------- */

/* Changes nothing: says which file to edit, and which line to write. */
static int Set(Cli *cli) {
    const Config *config = cli->config;
    const CliVerb *verb;
    const ConfigKey *key;
    char value[CONFIG_PATH_BYTES], quoted[2 * CONFIG_PATH_BYTES + 2], *at = quoted;
    RpError error;
    if (cli->argument_count != 2)
        return Cli_Complain("config set needs the name of a setting and a value");
    if (Find(cli, &verb, &key))
        return CLI_TROUBLE;

    /* A folder's file cannot set everything, unless it was named. */
    const char *file = config->files[CONFIG_PROJECT_FILE];
    if (!file[0] || (!config->is_named && (key->of_user || Cli_Has(cli, "user"))))
        file = config->user_file;
    if (!file[0])
        return Cli_Complain("there is no folder for the user's settings: HOME is not set");

    /* A relative path counts from the current folder here, and from the file's folder there. */
    const char *given = cli->arguments[1];
    if (Config_CountsFromFile(key, given)) {
        if (Config_FromHere(given, value, &error))
            return Cli_Fail(&error);
        given = value;
    }
    const bool is_text = key->kind != CONFIG_NUMBER;
    for (size_t i = 0; given[i] && i < CONFIG_PATH_BYTES; i++) {
        if (is_text && strchr("\"\\", given[i]))
            *at++ = '\\';
        *at++ = given[i];
    }
    *at = 0;
    const char *table = verb ? verb->name : "", *mark = strchr(table, ' ') ? "\"" : "";
    return Cli_Complain(
        "config set changes no file: write `%s = %s%s%s` into %s with an editor, %s%s%s%s%s",
        key->name, is_text ? "\"" : "", quoted, is_text ? "\"" : "", file,
        verb ? "below the line [" : "above its first [table]", mark, table, mark, verb ? "]" : "");
}

static const CliVerb config_set = {
    "config set",
    "say which line to write into which retropose.toml; the file is yours to edit",
    "NAME VALUE",
    "retropose config set original \"C:\\Games\\Parkan\"\n"
    "retropose config set --for probe timeout 10\n",
    {CLI_CONFIG_FOR, {"user", NULL, "into the user's file, even if the folder has one", 0}},
    Set};

const CliVerb *const cli_config_verbs[] = {&config_list, &config_get, &config_set, NULL};
