/* retropose config set and unset. */
#include "cli/config.h"
#include "cli/config/find.h"
#include "cli/place.h"
#include "core/files/mapping.h"
#include "core/files/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Chooses the file to change: the user's, the project's, or a new one in the current folder. */
static int ChooseFile(const Cli *cli, char file[CONFIG_PATH_BYTES]) {
    const Config *config = cli->config;
    const char *only = getenv("RETROPOSE_CONFIG");
    RpError error;
    if (only && strcmp(only, "none") == 0)
        return Cli_Complain("RETROPOSE_CONFIG is none: there is no file to change");
    if (Cli_Has(cli, "user")) {
        if (!config->user_file[0])
            return Cli_Complain("there is no folder for the user's settings: HOME is not set");
        snprintf(file, CONFIG_PATH_BYTES, "%s", config->user_file);
        return 0;
    }
    if (config->files[CONFIG_PROJECT_FILE][0]) {
        snprintf(file, CONFIG_PATH_BYTES, "%s", config->files[CONFIG_PROJECT_FILE]);
        return 0;
    }
    if (Config_FromHere(CONFIG_FILE, file, &error))
        return Cli_Fail(&error);
    if (Config_IsSameFile(file, config->user_file)) /* the user's file is in the current folder */
        snprintf(file, CONFIG_PATH_BYTES, "%s", config->user_file);
    /* The new file would belong to this user. So the settings that somebody else wrote into it
     * would be read from then on. */
    if (config->ignored[0] && Config_IsSameFile(config->ignored, file))
        return Cli_Complain("%s belongs to another user, so it is neither read nor changed; if you "
                            "trust what it sets, name it with RETROPOSE_CONFIG",
                            file);
    return 0;
}

/* Makes the value that the file has to get. A relative path on the command line begins in the
 * current folder; in the file it begins in the file's folder. */
static RpStatus ValueFor(const ConfigKey *key, const char *file, const char *given,
                         char value[CONFIG_PATH_BYTES], RpError *error) {
    char here[CONFIG_PATH_BYTES];
    const char *name = file + strlen(file);
    if ((size_t)snprintf(value, CONFIG_PATH_BYTES, "%s", given) >= CONFIG_PATH_BYTES) {
        char found[48];
        snprintf(found, sizeof found, "%zu", strlen(given));
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "the value is too long", key->name,
                           "at most 4095 bytes", found);
    }
    if (!Config_CountsFromFile(key, given))
        return RP_OK;
    while (name > file && name[-1] != '/' && name[-1] != '\\')
        name--;
    const RpStatus status = Config_FromHere(name, here, error);
    if (status || strcmp(file, here) == 0) /* the file is in the current folder */
        return status;
    return Config_FromHere(given, value, error);
}

/* *found becomes whether a line of the file set it before. If there is none to remove, nothing is
 * written. */
static int Write(const Cli *cli, const char *file, const CliVerb *verb, const ConfigKey *key,
                 const char *value, bool *found) {
    Mapping mapping = {.bytes = NULL};
    RpBuffer text;
    RpError error;
    RpStatus status = RP_OK;
    int code = CLI_EQUAL;
    *found = false;
    RpBuffer_Init(&text, NULL);
    if (access(file, F_OK) == 0 || errno != ENOENT)
        status = Mapping_Open(file, &mapping, &error);
    if (!status)
        status = Config_Edit(file, mapping.bytes ? (const char *)mapping.bytes : "", mapping.size,
                             verb ? verb->name : NULL, key, value, &text, found, &error);
    if (mapping.bytes) /* Windows does not replace a file that is open */
        Mapping_Close(&mapping);
    if (status) {
        code = Cli_Fail(&error);
    } else if (value && Config_Check(cli->config, cli->groups, file, (const char *)text.bytes,
                                     text.size, &error)) {
        /* A text that would make every command fail cannot be what the user wants. */
        char message[640];
        RpError_Format(&error, message, sizeof message);
        code = Cli_Complain("nothing was written, because the file could not be read then: %s",
                            message);
    } else if ((value && Cli_Has(cli, "user") && Place_MakeFolders(file, &error)) ||
               ((value || *found) &&
                Output_WriteEdited(file, file, text.bytes, text.size, &error))) {
        code = Cli_Fail(&error);
    }
    RpBuffer_Free(&text);
    return code;
}

#define CLI_CONFIG_USER                                                                            \
    { "user", NULL, "in the user's file, which alone can name what is run or written", 0 }

static int FindSetting(const Cli *cli, const CliVerb **verb, const ConfigKey **key) {
    if (ConfigFind_Words(cli, verb, key))
        return CLI_TROUBLE;
    if (*verb && !Config_Concerns(*verb, *key))
        return Cli_Complain("%s has no option --%s", (*verb)->name, (*key)->name);
    return 0;
}

static int RunSet(Cli *cli) {
    const CliVerb *verb;
    const ConfigKey *key;
    char file[CONFIG_PATH_BYTES], value[CONFIG_PATH_BYTES];
    RpError error;
    bool found;
    if (cli->argument_count != 2)
        return Cli_Complain("config set needs the name of a setting and a value");
    if (FindSetting(cli, &verb, &key))
        return CLI_TROUBLE;
    const char *given = cli->arguments[1];
    if (!*given)
        return Cli_Complain("a setting cannot be empty; `retropose config unset` takes it out");
    if (key->kind == CONFIG_NUMBER && (strspn(given, "0123456789") != strlen(given) ||
                                       strlen(given) > 18 || (given[0] == '0' && given[1])))
        return Cli_Complain("%s takes a number, not %s", key->name, given);
    if (!Config_TakesWord(key, given))
        return Cli_Complain("%s takes %s, not %s", key->name, key->help, given);
    if (ChooseFile(cli, file))
        return CLI_TROUBLE;
    if (ValueFor(key, file, given, value, &error))
        return Cli_Fail(&error);
    const int code = Write(cli, file, verb, key, value, &found);
    if (!code && Config_IsMissing(key, given))
        Cli_Note(cli, "note: %s is set, but there is no %s", key->name, given);
    return code;
}

const CliVerb cli_config_set = {
    "config set",
    "write a setting into the project's retropose.toml, or make one here",
    "NAME VALUE",
    "retropose config set --user original \"C:\\Games\\Parkan\"\n"
    "retropose config set jobs 2\n"
    "retropose config set --for probe timeout 10\n",
    {CLI_CONFIG_FOR, CLI_CONFIG_USER},
    RunSet};

/* Also removes names that no setting has, such as a misspelt one, because these make all other
 * verbs fail. */
static int RunUnset(Cli *cli) {
    const CliVerb *verb;
    const ConfigKey *key;
    char file[CONFIG_PATH_BYTES];
    bool found;
    if (cli->argument_count != 1)
        return Cli_Complain("config unset needs the name of a setting");
    if (ConfigFind_Verb(cli, &verb) || ChooseFile(cli, file))
        return CLI_TROUBLE;
    const ConfigKey named = {.name = cli->arguments[0]};
    const int code = Write(cli, file, verb, &named, NULL, &found);
    if (code || found)
        return code;
    return FindSetting(cli, &verb, &key);
}

const CliVerb cli_config_unset = {"config unset",
                                  "take a setting out of the file",
                                  "NAME",
                                  "retropose config unset jobs\n",
                                  {CLI_CONFIG_FOR, CLI_CONFIG_USER},
                                  RunUnset};
