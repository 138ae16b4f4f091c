/* retropose config set and unset. */
#include "cli/config.h"
#include "cli/config/find.h"
#include "core/files/mapping.h"
#include "core/files/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes the folders of the user's file, which may be missing. */
static RpStatus MakeFolders(const char *file, RpError *error) {
    char folder[CONFIG_PATH_BYTES];
    RpStatus status = RP_OK;
    for (size_t i = 1, length = strlen(file); i < length && !status; i++)
        if (file[i] == '/' && file[i - 1] != ':' && file[i - 1] != '/') {
            snprintf(folder, sizeof folder, "%.*s", (int)i, file);
            if (access(folder, F_OK) != 0)
                status = Output_MakeFolder(folder, error);
        }
    return status;
}

/* Chooses the file: the user's, or the project's that was read, or a new one here. */
static int ChooseFile(const Cli *cli, char file[CONFIG_PATH_BYTES]) {
    const Config *config = cli->config;
    const char *only = getenv("RETROPOSE_CONFIG");
    RpError error;
    if (only && strcmp(only, "none") == 0)
        return Cli_Complain("RETROPOSE_CONFIG is none: there is no file to change");
    if (!Cli_Has(cli, "user")) {
        snprintf(file, CONFIG_PATH_BYTES, "%s",
                 config->files[CONFIG_PROJECT_FILE][0] ? config->files[CONFIG_PROJECT_FILE]
                                                       : CONFIG_FILE);
        return 0;
    }
    if (!config->user_file[0])
        return Cli_Complain("there is no folder for the user's settings: HOME is not set");
    snprintf(file, CONFIG_PATH_BYTES, "%s", config->user_file);
    return MakeFolders(file, &error) ? Cli_Fail(&error) : 0;
}

/* A path on the command line counts from the current folder, in the file from the file's. */
static bool ValueFor(const ConfigKey *key, const char *file, const char *given,
                     char value[CONFIG_PATH_BYTES]) {
    char folder[CONFIG_PATH_BYTES];
    snprintf(value, CONFIG_PATH_BYTES, "%s", given);
    if (!Config_CountsFromFile(key, given))
        return true;
    if (!getcwd(folder, sizeof folder))
        return false;
    const size_t length = strlen(folder);
    if (strchr(file, '/') == NULL || (strncmp(file, folder, length) == 0 && file[length] == '/' &&
                                      strchr(file + length + 1, '/') == NULL))
        return true; /* the file is in the current folder */
    return (size_t)snprintf(value, CONFIG_PATH_BYTES, "%s/%s", folder, given) < CONFIG_PATH_BYTES;
}

static int Write(const char *file, const CliVerb *verb, const ConfigKey *key, const char *value) {
    Mapping mapping = {.bytes = NULL};
    RpBuffer text;
    RpError error;
    RpBuffer_Init(&text, NULL);
    RpStatus status = access(file, F_OK) == 0 ? Mapping_Open(file, &mapping, &error) : RP_OK;
    if (!status)
        status = Config_Edit(mapping.bytes ? (const char *)mapping.bytes : "", mapping.size,
                             verb ? verb->name : NULL, key, value, &text, &error);
    if (!status)
        status = Output_WriteEdited(file, file, text.bytes, text.size, &error);
    if (mapping.bytes)
        Mapping_Close(&mapping);
    RpBuffer_Free(&text);
    return status ? Cli_Fail(&error) : CLI_EQUAL;
}

static int Change(const Cli *cli, const char *given) {
    const CliVerb *verb;
    const ConfigKey *key;
    char file[CONFIG_PATH_BYTES], value[CONFIG_PATH_BYTES];
    if (ConfigFind_Words(cli, &verb, &key))
        return CLI_TROUBLE;
    if (verb && !Config_Concerns(verb, key))
        return Cli_Complain("%s has no option --%s", verb->name, key->name);
    if (given && !*given)
        return Cli_Complain("a setting cannot be empty; `retropose config unset` takes it out");
    if (given && key->kind == CONFIG_NUMBER &&
        (strspn(given, "0123456789") != strlen(given) || strlen(given) > 18 ||
         (given[0] == '0' && given[1])))
        return Cli_Complain("%s takes a number, not %s", key->name, given);
    const int code = ChooseFile(cli, file);
    if (code)
        return code;
    if (given && !ValueFor(key, file, given, value))
        return Cli_Complain("the path is too long: %s", given);
    return Write(file, verb, key, given ? value : NULL);
}

#define CLI_CONFIG_USER                                                                            \
    { "user", NULL, "in the user's file, not in the project's", 0 }

static int RunSet(Cli *cli) {
    if (cli->argument_count != 2)
        return Cli_Complain("config set needs the name of a setting and a value");
    return Change(cli, cli->arguments[1]);
}

const CliVerb cli_config_set = {
    "config set",
    "write a setting into the project's retropose.toml, or make one here",
    "NAME VALUE",
    "retropose config set original \"C:\\Games\\Parkan\"\n"
    "retropose config set --user jobs 2\n"
    "retropose config set --for probe timeout 10\n",
    {CLI_CONFIG_FOR, CLI_CONFIG_USER},
    RunSet};

static int RunUnset(Cli *cli) {
    if (cli->argument_count != 1)
        return Cli_Complain("config unset needs the name of a setting");
    return Change(cli, NULL);
}

const CliVerb cli_config_unset = {"config unset",
                                  "take a setting out of the file",
                                  "NAME",
                                  "retropose config unset original\n",
                                  {CLI_CONFIG_FOR, CLI_CONFIG_USER},
                                  RunUnset};
