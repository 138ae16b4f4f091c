/* retropose.toml: what need not be repeated on every command line (docs/use/config.md).
 *
 *   traces = "traces"               # paths count from the folder of this file
 *   jobs = 2
 *   [probe]                         # for one verb only
 *   timeout = 10
 *
 * The command line wins over the environment, that over the project's file, that over the user's,
 * and that over the default. The project's file is the first retropose.toml from the current folder
 * upward. The user's is retropose/retropose.toml in $XDG_CONFIG_HOME or ~/.config, on Windows in
 * %APPDATA%. RETROPOSE_CONFIG names the only file to read; "none" stands for no file.
 *
 * A project's file may be a stranger's: an archive or a repository brought it. So it cannot set
 * what is run or written (`of_user` below), unless RETROPOSE_CONFIG names it. */
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
    const char *variable; /* of the environment, or null */
    bool of_original;     /* it describes the original that the same source names, and no other */
    bool of_user;         /* it names what is run or written: no file of the folder may set it */
    const char *help;
} ConfigKey;

/* Returns null after the last. */
const ConfigKey *Config_Key(size_t index);
/* Returns null for an unknown name. */
const ConfigKey *Config_FindKey(const char *name);
/* Returns whether a key whose value is one of a few words takes this one; true for other keys. */
bool Config_TakesWord(const ConfigKey *key, const char *word);
/* Returns whether a setting can mean something to a verb: it has the option, or finds its parts or
 * arguments by it. */
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
    char *verb;  /* the table that it is in; empty: it is for every verb */
    char *value; /* as an option's value; a path is complete */
    ConfigOrigin origin;
    uint32_t line; /* in its file */
} ConfigSetting;

typedef struct Config {
    /* The files to read, by ConfigOrigin; empty where there is none. */
    char files[CONFIG_PROJECT_FILE + 1][CONFIG_PATH_BYTES];
    char user_file[CONFIG_PATH_BYTES]; /* where the user's is looked for; empty: nowhere */
    char ignored[CONFIG_PATH_BYTES];   /* a project's file that is another user's, or empty */
    bool is_named; /* RETROPOSE_CONFIG names the project's file, which may set everything then */
    ConfigSetting *settings;
    size_t count;
    char **texts; /* what Config_Apply and Config_FindTraces made */
    size_t text_count;
} Config;

/* Reads the environment and the files. `groups` is all verbs, whose names tables may have. Returns
 * RP_INVALID with "FILE, line L" in `where` for what is wrong, and gives the nearest name for one
 * that is unknown. `files`, `user_file` and `ignored` are known then, too. Config_Free is needed in
 * any case. */
RpStatus Config_Read(const CliGroup *groups, Config *config, RpError *error);
void Config_Free(Config *config);

/* Returns what counts for a verb (null: for every verb), or null where nothing sets it. */
const ConfigSetting *Config_Find(const Config *config, const CliVerb *verb, const char *name);
/* Writes "the project's FILE, line 3", "RETROPOSE_JOBS" and so on. */
void Config_DescribeOrigin(const Config *config, const ConfigSetting *setting, char *text,
                           size_t size);
/* Returns an object of it for JSON, with where it was set. Null without memory. */
struct cJSON *Config_Json(const Config *config, const ConfigSetting *setting);
/* Returns "command line", "environment", "project", "user" or "default", for JSON. */
const char *ConfigOrigin_Name(ConfigOrigin origin);

/* ---- for one run of a verb ------------------------------------------------------------------- */

/* Gives the verb the options that it has and that its command line lacks. Returns false without
 * memory. */
bool Config_Apply(Config *config, Cli *cli);
/* Returns where an option's value is from, for a verb to which Config_Apply was applied. */
ConfigOrigin Config_OriginOf(const Cli *cli, const char *name);
/* Puts the game's folder of the settings in front of the arguments. Returns false where none is
 * set, or without memory. */
bool Config_TakeGame(Cli *cli);
/* Looks for arguments, from the first to `count`, in the folder `traces` of the settings, where
 * they are no files as they are, have no folder and are there. */
void Config_FindTraces(Cli *cli, size_t count);
/* Returns the name of a trace to write: in the folder `traces` of the settings, or as it is where
 * none is set, or one by a file of the folder, which may not say what is written. */
const char *Config_NewTrace(Cli *cli, const char *name);

/* ---- changing a file ------------------------------------------------------------------------- */

/* Returns whether the value names a file or folder that is not there, and that no command makes. A
 * relative one counts from the current folder. */
bool Config_IsMissing(const ConfigKey *key, const char *value);
/* Returns whether a value as the file has it is a path that counts from the file's folder. */
bool Config_CountsFromFile(const ConfigKey *key, const char *value);
/* Completes a path that counts from the current folder. Returns RP_IO where that folder is unknown
 * or the path has 4096 bytes or more. */
RpStatus Config_FromHere(const char *name, char path[CONFIG_PATH_BYTES], RpError *error);
/* Appends `text` with the setting set: in its line, or in a new one at the end of its table (null:
 * before the first one), or in a new table. A null `value` takes out every line that sets it, and
 * only its name is needed then; *found becomes whether there was a line. Errors name `file`. */
RpStatus Config_Edit(const char *file, const char *text, size_t size, const char *verb,
                     const ConfigKey *key, const char *value, RpBuffer *out, bool *found,
                     RpError *error);
/* Reads a text as Config_Read would read the file of this name, and keeps nothing of it. */
RpStatus Config_Check(const Config *config, const CliGroup *groups, const char *file,
                      const char *text, size_t size, RpError *error);
/* Returns whether two names lead to one file that is there. */
bool Config_IsSameFile(const char *a, const char *b);
/* Puts the file's name before the line that an error of Toml_Read states. */
void Config_NameFile(const char *file, RpError *error);

#endif
