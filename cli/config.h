/* retropose.toml holds settings that need not be repeated on every command line
 * (docs/use/config.md).
 *
 *   traces = "traces"               # paths are relative to the folder of this file
 *   jobs = 2
 *   [probe]                         # for one verb only
 *   timeout = 10
 *
 * The command line takes precedence over the environment, that over the project's file, that over
 * the user's file, and that over the default. The project's file is the first retropose.toml from
 * the current folder upward. The user's file is retropose/retropose.toml in $XDG_CONFIG_HOME or
 * ~/.config, on Windows in %APPDATA%. RETROPOSE_CONFIG names the only file to read, or none if it
 * is "none".
 *
 * A stranger may have written a project's file, because an archive or a repository contained it. So
 * it cannot set what is run or written (`of_user` below), unless RETROPOSE_CONFIG names it. */
#ifndef RETROPOSE_CLI_CONFIG_H
#define RETROPOSE_CLI_CONFIG_H

#include "cli/cli.h"
#include "retropose/memory.h"

#define CONFIG_FILE "retropose.toml"

enum { CONFIG_PATH_BYTES = 4096 };

typedef enum ConfigKind { CONFIG_PATH, CONFIG_NUMBER, CONFIG_COLOUR, CONFIG_ENGINE } ConfigKind;

typedef struct ConfigKey {
    const char *name; /* also that of the option it stands for */
    ConfigKind kind;
    const char *variable; /* environment variable, or null */
    bool of_original;     /* describes an original; counts only together with that */
    bool of_user;         /* names what is run or written, so a file in the folder may not set it */
    const char *help;
} ConfigKey;

/* Returns null after the last. */
const ConfigKey *Config_Key(size_t index);
/* Returns null for an unknown name. */
const ConfigKey *Config_FindKey(const char *name);
/* Returns whether a setting can have an effect on a verb: the verb has the option, or uses the
 * setting to find its parts or arguments. */
bool Config_Concerns(const CliVerb *verb, const ConfigKey *key);

typedef enum ConfigOrigin {
    CONFIG_DEFAULT,
    CONFIG_USER_FILE,
    CONFIG_PROJECT_FILE, /* or the one that RETROPOSE_CONFIG names */
    CONFIG_ENVIRONMENT,
    CONFIG_COMMAND_LINE
} ConfigOrigin;

typedef struct ConfigSetting {
    const ConfigKey *key;
    const char *verb;  /* the table that it is in; empty: it is for every verb */
    const char *value; /* as an option's value; a path is complete */
    ConfigOrigin origin;
    uint32_t line; /* in its file */
} ConfigSetting;

typedef struct Config {
    /* The files to read, by ConfigOrigin; empty where there is none. */
    char files[CONFIG_PROJECT_FILE + 1][CONFIG_PATH_BYTES];
    char user_file[CONFIG_PATH_BYTES]; /* where to look for the user's file; empty: nowhere */
    char ignored[CONFIG_PATH_BYTES];   /* a project's file that is another user's, or empty */
    bool is_named; /* RETROPOSE_CONFIG names the project's file, which may set everything then */
    ConfigSetting *settings;
    size_t count;
    char **texts; /* the values, and what Config_Apply and Config_FindTraces made */
    size_t text_count;
} Config;

/* Reads the environment and the files. `groups` has all verbs, whose names tables may have. For a
 * mistake, returns RP_INVALID with "FILE, line L" in `where`, and suggests the nearest name for an
 * unknown one; `files`, `user_file` and `ignored` are set even then. Config_Free is needed in any
 * case. */
RpStatus Config_Read(const CliGroup *groups, Config *config, RpError *error);
void Config_Free(Config *config);

/* Returns the setting that applies to a verb (or to every verb, if that is null), or null if it is
 * not set. */
const ConfigSetting *Config_Find(const Config *config, const CliVerb *verb, const char *name);
/* Writes "the project's FILE, line 3", "RETROPOSE_JOBS" and so on. */
void Config_DescribeOrigin(const Config *config, const ConfigSetting *setting, char *text,
                           size_t size);
/* Returns a setting as an object of JSON that also says where it was set, or null if there is no
 * memory. */
struct cJSON *Config_Json(const Config *config, const ConfigSetting *setting);
/* Returns "command line", "environment", "project", "user" or "default", for JSON. */
const char *ConfigOrigin_Name(ConfigOrigin origin);

/* ---- for one run of a verb ------------------------------------------------------------------- */

/* Gives the verb those of its options that are set and that its command line does not have. Returns
 * false if there is no memory. */
bool Config_Apply(Config *config, Cli *cli);
/* Returns where the value of an option comes from. Config_Apply must have been called for the
 * verb. */
ConfigOrigin Config_OriginOf(const Cli *cli, const char *name);
/* Inserts the game's folder from the settings in front of the arguments. Returns false if it is not
 * set, or if there is no memory. */
bool Config_TakeGame(Cli *cli);
/* Looks for the first `count` arguments in the folder `traces` of the settings. An argument is
 * replaced if it has no folder, is not the name of an existing file, and the file is in that
 * folder. */
void Config_FindTraces(Cli *cli, size_t count);
/* Returns the path of a trace to write: in the folder `traces` of the settings, or `name` itself if
 * no such folder is set. A folder that a project's file sets is not used, because that may not say
 * what is written. */
const char *Config_NewTrace(Cli *cli, const char *name);

/* ---- a line for a file ----------------------------------------------------------------------- */

/* Returns whether a value, as a file has it, is a path relative to the file's folder. */
bool Config_CountsFromFile(const ConfigKey *key, const char *value);
/* Completes a path that counts from the current folder. Returns RP_IO where that folder is unknown
 * or the path has 4096 bytes or more. */
RpStatus Config_FromHere(const char *name, char path[CONFIG_PATH_BYTES], RpError *error);

#endif
