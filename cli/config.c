#include "cli/config.h"

#include "core/files/inputs.h"
#include "core/files/mapping.h"
#include "core/nearest.h"
#include "core/text/toml.h"
#include "replay/provider/provider.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the keys -------------------------------------------------------------------------------- */

static const ConfigKey keys[] = {
    {"original", CONFIG_PATH, "RETROPOSE_ORIGINAL", false, true,
     "the folder of the original pair, or recorded"},
    {"overlay", CONFIG_PATH, NULL, true, true, "how this original is called"},
    {"profile", CONFIG_PATH, NULL, true, false, "the readings of this original"},
    {"replacement", CONFIG_PATH, "RETROPOSE_REPLACEMENT", false, true,
     "the folder of the pair under test, or native"},
    {"game", CONFIG_PATH, "RETROPOSE_GAME", false, true,
     "the game's folder, for install, uninstall, mode, try and convert"},
    {"traces", CONFIG_PATH, "RETROPOSE_TRACES", false, false,
     "where traces without a folder are looked for, and recordings go"},
    {"home", CONFIG_PATH, "RETROPOSE_HOME", false, true,
     "where the host program, our DLLs and the stand-in are"},
    {"engine", CONFIG_ENGINE, "RETROPOSE_ENGINE", false, false, PROVIDER_ENGINES},
    {"host", CONFIG_PATH, "RETROPOSE_HOST", false, true, "the host program of the engine"},
    {"dlls", CONFIG_PATH, "RETROPOSE_DLLS", false, true, "our two DLLs, for install"},
    {"wine-prefix", CONFIG_PATH, "RETROPOSE_WINEPREFIX", false, true, "the private Wine prefix"},
    {"work", CONFIG_PATH, "RETROPOSE_WORK", false, true,
     "where folders for temporary files are made"},
    {"jobs", CONFIG_NUMBER, "RETROPOSE_JOBS", false, false, "how much runs at a time"},
    {"timeout", CONFIG_NUMBER, "RETROPOSE_TIMEOUT", false, false, "seconds for one call"},
    {"most-endings", CONFIG_NUMBER, "RETROPOSE_MOST_ENDINGS", false, false,
     "a trace's calls that may end or hang the host"},
    {"color", CONFIG_COLOUR, "RETROPOSE_COLOR", false, false, CLI_COLOURS},
};

const ConfigKey *Config_Key(size_t index) {
    return index < sizeof keys / sizeof *keys ? &keys[index] : NULL;
}

const ConfigKey *Config_FindKey(const char *name) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

bool Config_Concerns(const CliVerb *verb, const ConfigKey *key) {
    /* Verbs that a setting concerns although they have no option of its name. Null means all
     * verbs. */
    static const struct {
        const char *key, *verb;
    } others[] = {
        {"home", NULL},          {"color", NULL},      {"game", "install"},  {"game", "uninstall"},
        {"game", "mode"},        {"game", "try"},      {"traces", "replay"}, {"traces", "compare"},
        {"traces", "show"},      {"traces", "stat"},   {"traces", "trim"},   {"traces", "minimise"},
        {"traces", "calibrate"}, {"traces", "record"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(key->name, others[i].key) == 0 &&
            (!others[i].verb || strcmp(verb->name, others[i].verb) == 0))
            return true;
    for (size_t i = 0; i < CLI_MAX_OPTIONS && verb->options[i].name; i++)
        if (verb->options[i].value && strcmp(verb->options[i].name, key->name) == 0)
            return true;
    return false;
}

/* ---- paths ----------------------------------------------------------------------------------- */

static bool IsSlash(char c) {
#ifdef _WIN32
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

static bool IsAbsolute(const char *path) {
#ifdef _WIN32
    if (path[0] && path[1] == ':')
        return true;
#endif
    return IsSlash(path[0]);
}

/* The stat() of 32-bit Windows refuses files from 2 GiB on. */
static bool Exists(const char *path) {
    return access(path, F_OK) == 0;
}

static bool Join(const char *folder, const char *name, char path[CONFIG_PATH_BYTES]) {
    const size_t length = strlen(folder);
    const char *between = length > 0 && !IsSlash(folder[length - 1]) ? "/" : "";
    return (size_t)snprintf(path, CONFIG_PATH_BYTES, "%s%s%s", folder, between, name) <
           CONFIG_PATH_BYTES;
}

static const char *Home(void) {
#ifdef _WIN32
    return getenv("USERPROFILE");
#else
    return getenv("HOME");
#endif
}

static bool IsInHome(const char *value) {
    const char *home = Home();
    return value[0] == '~' && IsSlash(value[1]) && home && *home;
}

bool Config_CountsFromFile(const ConfigKey *key, const char *value) {
    /* "native" and "recorded" are words for a provider without a folder, in two settings that
     * otherwise name a folder. */
    return key->kind == CONFIG_PATH &&
           !((strcmp(key->name, "original") == 0 || strcmp(key->name, "replacement") == 0) &&
             (strcmp(value, "native") == 0 || strcmp(value, "recorded") == 0)) &&
           !IsAbsolute(value) && !IsInHome(value);
}

/* ---- keeping --------------------------------------------------------------------------------- */

/* Returns a copy that lives as long as the settings, or null without memory. */
static const char *KeepText(Config *config, const char *text) {
    char **texts = realloc(config->texts, (config->text_count + 1) * sizeof *texts);
    if (!texts)
        return NULL;
    config->texts = texts;
    char *copy = strdup(text);
    if (copy)
        config->texts[config->text_count++] = copy;
    return copy;
}

static RpStatus Keep(Config *config, const ConfigKey *key, const char *verb, const char *value,
                     ConfigOrigin origin, uint32_t line, RpError *error) {
    ConfigSetting *settings =
        realloc(config->settings, (config->count + 1) * sizeof *config->settings);
    if (settings)
        config->settings = settings;
    value = KeepText(config, value);
    if (!settings || !value)
        return RpError_Set(error, RP_NO_MEMORY, RP_NOWHERE, "no memory for the settings", "", "",
                           "");
    settings[config->count++] = (ConfigSetting){key, verb, value, origin, line};
    return RP_OK;
}

void Config_Free(Config *config) {
    for (size_t i = 0; i < config->text_count; i++)
        free(config->texts[i]);
    free(config->settings);
    free(config->texts);
    config->settings = NULL;
    config->texts = NULL;
    config->count = config->text_count = 0;
}

/* ---- one file -------------------------------------------------------------------------------- */

enum { MOST_VERBS = 256 };

typedef struct Reading {
    Config *config;
    const CliGroup *groups;
    ConfigOrigin origin;
    char folder[CONFIG_PATH_BYTES]; /* of the file, with its slash */
    const CliVerb *verb;            /* verb of the present table, or null before the first table */
    uint32_t tables[MOST_VERBS];    /* the line of each verb's table, by its index; 0: not yet */
} Reading;

/* Returns what fits into a message: of a path that is too long the end, which says more than its
 * beginning. */
static const char *EndOf(const char *path) {
    const size_t length = strlen(path), most = 110;
    return path + (length > most ? length - most : 0);
}

static RpStatus Refuse(uint32_t line, const char *what, const char *expected, const char *found,
                       RpError *error) {
    char where[24];
    snprintf(where, sizeof where, "line %u", line);
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, where, expected, found);
}

static RpStatus RefuseTwice(uint32_t line, const char *what, uint32_t first, RpError *error) {
    char found[48];
    snprintf(found, sizeof found, "one in line %u already", first);
    return Refuse(line, what, "it once", found, error);
}

static RpStatus RefuseName(uint32_t line, const char *what, const Nearest *nearest,
                           const char *otherwise, RpError *error) {
    char expected[128];
    snprintf(expected, sizeof expected, "%s%s", nearest->best ? nearest->best : otherwise,
             nearest->best ? ", perhaps" : "");
    return Refuse(line, what, expected, nearest->typed, error);
}

/* Returns whether settings of this origin may have been written by somebody else. */
static bool IsOfFolder(const Config *config, ConfigOrigin origin) {
    return origin == CONFIG_PROJECT_FILE && !config->is_named;
}

/* Writes the value as an option would have it. */
static RpStatus TakeValue(const Reading *reading, const ConfigKey *key, const TomlItem *item,
                          char value[CONFIG_PATH_BYTES], RpError *error) {
    static const char *const types[] = {[TOML_STRING] = "a string", [TOML_INTEGER] = "an integer"};
    const TomlType wanted = key->kind == CONFIG_NUMBER ? TOML_INTEGER : TOML_STRING;
    CliColour colour;
    ProviderEngine engine;
    const char *processor;
    char expected[96];
    if (item->type != wanted) {
        snprintf(expected, sizeof expected, "%s for %s", types[wanted], key->name);
        return Refuse(item->line, "a setting has a value of another kind", expected,
                      types[item->type], error);
    }
    if (!item->text[0])
        return Refuse(item->line, "a setting is empty", "a text, or no line for the default",
                      "\"\"", error);
    if ((key->kind == CONFIG_COLOUR && !CliColour_Read(item->text, &colour)) ||
        (key->kind == CONFIG_ENGINE && !ProviderEngine_Named(item->text, &engine, &processor))) {
        snprintf(expected, sizeof expected, "%s for %s", key->help, key->name);
        return Refuse(item->line, "a setting has a word that it does not take", expected,
                      item->text, error);
    }

    /* A path may be relative to the folder of its file, or begin in the user's home. */
    const bool fits =
        Config_CountsFromFile(key, item->text) ? Join(reading->folder, item->text, value)
        : IsInHome(item->text)
            ? Join(Home(), item->text + 2, value)
            : (size_t)snprintf(value, CONFIG_PATH_BYTES, "%s", item->text) < CONFIG_PATH_BYTES;
    if (!fits)
        return Refuse(item->line, "a path is too long", "at most 4095 bytes", item->text, error);
    return RP_OK;
}

static RpStatus TakeItem(void *context, const TomlItem *item, RpError *error) {
    Reading *reading = context;
    char value[CONFIG_PATH_BYTES];
    if (item->type == TOML_TABLE) {
        const CliVerb *verb;
        Nearest nearest;
        Nearest_Init(&nearest, item->table);
        for (size_t i = 0; (verb = CliVerb_At(reading->groups, i)); i++) {
            Nearest_Offer(&nearest, verb->name);
            if (!CliName_IsMeant(verb->name, item->table))
                continue;
            if (i < MOST_VERBS && reading->tables[i])
                return RefuseTwice(item->line, "a table occurs twice", reading->tables[i], error);
            if (i < MOST_VERBS)
                reading->tables[i] = item->line;
            reading->verb = verb;
            return RP_OK;
        }
        return RefuseName(item->line, "a table is for a verb, and there is none of this name",
                          &nearest, "the name of a verb, as `retropose help --list` prints them",
                          error);
    }

    const ConfigKey *key = Config_FindKey(item->name);
    if (!key) {
        Nearest nearest;
        Nearest_Init(&nearest, item->name);
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            Nearest_Offer(&nearest, keys[i].name);
        return RefuseName(item->line, "there is no such setting", &nearest,
                          "one of those that `retropose config list --all` prints", error);
    }

    /* Those who unpack an archive or clone a repository may get a file that a stranger wrote. */
    if (key->of_user && IsOfFolder(reading->config, reading->origin)) {
        const char *file = reading->config->user_file;
        char expected[256];
        snprintf(expected, sizeof expected,
                 "%s in the user's file (%.110s), the environment or the command line", key->name,
                 file[0] ? EndOf(file) : "HOME is not set");
        return Refuse(item->line, "a folder's file cannot set what is run or written", expected,
                      "it in this file", error);
    }

    const char *verb = reading->verb ? reading->verb->name : "";
    if (reading->verb && !Config_Concerns(reading->verb, key))
        return Refuse(item->line, "the verb of this table has no such option", verb, key->name,
                      error);
    for (size_t i = 0; i < reading->config->count; i++) {
        const ConfigSetting *other = &reading->config->settings[i];
        if (other->key == key && other->origin == reading->origin && strcmp(other->verb, verb) == 0)
            return RefuseTwice(item->line, "a setting occurs twice", other->line, error);
    }
    const RpStatus status = TakeValue(reading, key, item, value, error);
    return status ? status
                  : Keep(reading->config, key, verb, value, reading->origin, item->line, error);
}

static RpStatus ReadText(Config *config, const CliGroup *groups, ConfigOrigin origin,
                         const Mapping *text, RpError *error) {
    const char *file = config->files[origin];
    Reading reading = {.config = config, .groups = groups, .origin = origin};
    size_t length = strlen(file);
    while (length > 0 && !IsSlash(file[length - 1]))
        length--;
    memcpy(reading.folder, file, length);
    const RpStatus status = Toml_Read(text->bytes ? (const char *)text->bytes : "", text->size,
                                      TakeItem, &reading, error);
    if (status == RP_INVALID) {
        char place[40];
        snprintf(place, sizeof place, "%.39s", error->where);
        snprintf(error->where, sizeof error->where, "%s%.110s, %s", EndOf(file) > file ? "..." : "",
                 EndOf(file), place);
    }
    return status;
}

/* ---- finding the files ----------------------------------------------------------------------- */

/* Reads only files and links that belong to this user or the administrator. Somebody else could put
 * a file into a folder above, such as the one for temporary files. It would make every command fail
 * or use what its author likes. It could also be a link to a file of this user; relative paths in
 * that file would then begin in the wrong folder. */
#ifdef _WIN32
static bool IsTrusted(const char *path) {
    (void)path;
    return true;
}
#else
static bool HasTrustedOwner(const struct stat *facts) {
    return facts->st_uid == geteuid() || facts->st_uid == 0;
}

static bool IsTrusted(const char *path) {
    struct stat link, file;
    return lstat(path, &link) == 0 && HasTrustedOwner(&link) && stat(path, &file) == 0 &&
           HasTrustedOwner(&file);
}
#endif

static bool FindUpward(Config *config, char file[CONFIG_PATH_BYTES]) {
    char folder[CONFIG_PATH_BYTES];
    if (!getcwd(folder, sizeof folder))
        return false;
    for (size_t length = 1; length > 0;) {
        const bool found = Join(folder, CONFIG_FILE, file) && Exists(file);
        if (found && IsTrusted(file))
            return true;
        if (found && !config->ignored[0])
            snprintf(config->ignored, sizeof config->ignored, "%s", file);

        /* The folder above is next. At the top there is none. */
        length = strlen(folder);
        while (length > 0 && IsSlash(folder[length - 1]))
            length--;
        while (length > 0 && !IsSlash(folder[length - 1]))
            length--;
        folder[length] = 0;
    }
    return false;
}

RpStatus Config_FromHere(const char *name, char path[CONFIG_PATH_BYTES], RpError *error) {
    char folder[CONFIG_PATH_BYTES] = "";
    if (!IsAbsolute(name) && !getcwd(folder, sizeof folder))
        return RpError_Set(error, RP_IO, RP_NOWHERE, "cannot tell the current folder", "", "",
                           strerror(errno));
    return Join(folder, name, path) ? RP_OK
                                    : RpError_Set(error, RP_IO, RP_NOWHERE, "the path is too long",
                                                  name, "at most 4095 bytes", "");
}

RpStatus Config_Read(const CliGroup *groups, Config *config, RpError *error) {
    const char *only = getenv("RETROPOSE_CONFIG");
    memset(config, 0, sizeof *config);
    config->is_named = only && *only;

    char folder[CONFIG_PATH_BYTES] = "";
#ifdef _WIN32
    const char *base = getenv("APPDATA");
    if (base && *base)
        snprintf(folder, sizeof folder, "%s", base);
#else
    const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (base && base[0] == '/')
        snprintf(folder, sizeof folder, "%s", base);
    else if (home && *home)
        snprintf(folder, sizeof folder, "%s/.config", home);
#endif
    if (!folder[0] || !Join(folder, "retropose/" CONFIG_FILE, config->user_file))
        config->user_file[0] = 0;

    /* A path in the environment counts from the current folder, as on the command line. */
    RpStatus status = RP_OK;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !status; i++) {
        const char *value = keys[i].variable ? getenv(keys[i].variable) : NULL;
        if (!value || !*value)
            continue;
        status = Keep(config, &keys[i], "", value, CONFIG_ENVIRONMENT, 0, error);
    }
    if (status || (only && strcmp(only, "none") == 0))
        return status;

    /* Comparing the names of files would not do: a link may lead to the user's file, and Windows
     * has two kinds of slashes. */
    char found[CONFIG_PATH_BYTES] = "";
    if (config->is_named) {
        status = Config_FromHere(only, config->files[CONFIG_PROJECT_FILE], error);
    } else {
        if (config->user_file[0] && Exists(config->user_file))
            memcpy(config->files[CONFIG_USER_FILE], config->user_file, sizeof config->user_file);
        FileIdentity of_found, of_user;
        const bool upward = FindUpward(config, found);
        const bool is_user = upward && FileIdentity_OfPath(found, &of_found) &&
                             FileIdentity_OfPath(config->user_file, &of_user) &&
                             FileIdentity_Equal(of_found, of_user);
        if (upward && !is_user)
            memcpy(config->files[CONFIG_PROJECT_FILE], found, sizeof found);
    }

    for (int origin = CONFIG_USER_FILE; origin <= CONFIG_PROJECT_FILE && !status; origin++) {
        Mapping mapping;
        if (!config->files[origin][0])
            continue;
        status = Mapping_Open(config->files[origin], &mapping, error);
        if (status)
            break;
        status = ReadText(config, groups, (ConfigOrigin)origin, &mapping, error);
        Mapping_Close(&mapping);
    }
    return status;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static const ConfigSetting *Strongest(const Config *config, const CliVerb *verb, const char *name) {
    const ConfigSetting *best = NULL;
    for (size_t i = 0; i < config->count; i++) {
        const ConfigSetting *one = &config->settings[i];
        if (strcmp(one->key->name, name) != 0 ||
            (one->verb[0] && (!verb || strcmp(one->verb, verb->name) != 0)))
            continue;
        if (!best || one->origin > best->origin || (one->origin == best->origin && one->verb[0]))
            best = one;
    }
    return best;
}

const ConfigSetting *Config_Find(const Config *config, const CliVerb *verb, const char *name) {
    const ConfigSetting *found = Strongest(config, verb, name);
    if (!found || !found->key->of_original)
        return found;
    const ConfigSetting *original = Strongest(config, verb, "original");
    return original && original->origin <= found->origin ? found : NULL;
}

const char *ConfigOrigin_Name(ConfigOrigin origin) {
    static const char *const names[] = {"default", "user", "project", "environment",
                                        "command line"};
    return names[origin];
}

void Config_DescribeOrigin(const Config *config, const ConfigSetting *setting, char *text,
                           size_t size) {
    if (setting->origin == CONFIG_ENVIRONMENT)
        snprintf(text, size, "%s", setting->key->variable);
    else
        snprintf(text, size, "%s, line %u", config->files[setting->origin], setting->line);
}

cJSON *Config_Json(const Config *config, const ConfigSetting *setting) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", setting->key->name);
    if (setting->verb[0])
        cJSON_AddStringToObject(object, "verb", setting->verb);
    cJSON_AddStringToObject(object, "value", setting->value);
    cJSON_AddStringToObject(object, "origin", ConfigOrigin_Name(setting->origin));
    if (setting->origin == CONFIG_ENVIRONMENT) {
        cJSON_AddStringToObject(object, "variable", setting->key->variable);
    } else {
        cJSON_AddStringToObject(object, "file", config->files[setting->origin]);
        cJSON_AddNumberToObject(object, "line", setting->line);
    }
    return object;
}

/* ---- for one run of a verb ------------------------------------------------------------------- */

bool Config_Apply(Config *config, Cli *cli) {
    enum { KEYS = sizeof keys / sizeof *keys };
    CliGiven set[KEYS];
    size_t count = 0;
    const bool other_original = Cli_Has(cli, "original");
    for (size_t i = 0; i < KEYS; i++) {
        const CliOption *option = NULL, *own = cli->verb->options, *common = cli_common_options;
        for (size_t k = 0; !option && k < CLI_MAX_OPTIONS && own[k].name; k++)
            if (own[k].value && strcmp(own[k].name, keys[i].name) == 0)
                option = &own[k];
        for (size_t k = 0; !option && k < cli_common_option_count; k++)
            if (common[k].value && strcmp(common[k].name, keys[i].name) == 0)
                option = &common[k];
        const ConfigSetting *setting = Config_Find(config, cli->verb, keys[i].name);
        if (!option || !setting || Cli_Has(cli, keys[i].name) ||
            (keys[i].of_original && other_original))
            continue;
        char origin[CONFIG_PATH_BYTES + 64];
        Config_DescribeOrigin(config, setting, origin, sizeof origin);
        set[count++] = (CliGiven){option, setting->value, KeepText(config, origin)};
    }
    CliGiven *given = calloc(cli->given_count + count + 1, sizeof *given);
    if (!given)
        return false;
    memcpy(given, set, count * sizeof *given);
    if (cli->given_count > 0)
        memcpy(given + count, cli->given, cli->given_count * sizeof *given);
    free(cli->given);
    cli->given = given;
    cli->given_count += count;
    cli->configured = count;
    return true;
}

ConfigOrigin Config_OriginOf(const Cli *cli, const char *name) {
    for (size_t i = cli->configured; i < cli->given_count; i++)
        if (strcmp(cli->given[i].option->name, name) == 0)
            return CONFIG_COMMAND_LINE;
    for (size_t i = 0; i < cli->configured; i++)
        if (strcmp(cli->given[i].option->name, name) == 0)
            return Config_Find(cli->config, cli->verb, name)->origin;
    return CONFIG_DEFAULT;
}

/* Returns the setting for the verb that runs, or null if it is not set or does not concern the
 * verb. */
static const ConfigSetting *FindForRun(const Cli *cli, const char *name) {
    return cli->config && Config_Concerns(cli->verb, Config_FindKey(name))
               ? Config_Find(cli->config, cli->verb, name)
               : NULL;
}

bool Config_TakeGame(Cli *cli) {
    const ConfigSetting *game = FindForRun(cli, "game");
    const char **arguments = game ? calloc(cli->argument_count + 1, sizeof *arguments) : NULL;
    if (!arguments)
        return false;
    arguments[0] = game->value;
    if (cli->argument_count > 0)
        memcpy(arguments + 1, cli->arguments, cli->argument_count * sizeof *arguments);
    free(cli->arguments);
    cli->arguments = arguments;
    cli->argument_count++;
    return true;
}

static const char *InTraces(Cli *cli, const ConfigSetting *folder, const char *name) {
    char path[CONFIG_PATH_BYTES];
    if (!folder || !Join(folder->value, name, path))
        return name;
    const char *kept = KeepText(cli->config, path);
    return kept ? kept : name;
}

const char *Config_NewTrace(Cli *cli, const char *name) {
    const ConfigSetting *folder = FindForRun(cli, "traces");
    return folder && IsOfFolder(cli->config, folder->origin) ? name : InTraces(cli, folder, name);
}

void Config_FindTraces(Cli *cli, size_t count) {
    for (size_t i = 0; i < cli->argument_count && i < count; i++) {
        const char *name = cli->arguments[i];
        size_t slashes = 0;
        for (const char *c = name; *c; c++)
            slashes += IsSlash(*c);
        if (slashes > 0 || Exists(name))
            continue;
        const char *there = InTraces(cli, FindForRun(cli, "traces"), name);
        if (Exists(there))
            cli->arguments[i] = there;
    }
}
