/* retropose config set changes nothing: it says which file to edit, and which line to write. */
#include "cli/config.h"
#include "cli/config/find.h"

#include <stdio.h>
#include <string.h>

static int Run(Cli *cli) {
    const Config *config = cli->config;
    const CliVerb *verb;
    const ConfigKey *key;
    char value[CONFIG_PATH_BYTES], quoted[2 * CONFIG_PATH_BYTES + 2], *at = quoted;
    RpError error;
    if (cli->argument_count != 2)
        return Cli_Complain("config set needs the name of a setting and a value");
    if (ConfigFind_Words(cli, &verb, &key))
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

const CliVerb cli_config_set = {
    "config set",
    "say which line to write into which retropose.toml; the file is yours to edit",
    "NAME VALUE",
    "retropose config set original \"C:\\Games\\Parkan\"\n"
    "retropose config set --for probe timeout 10\n",
    {CLI_CONFIG_FOR, {"user", NULL, "into the user's file, even if the folder has one", 0}},
    Run};
