/* The command line: verbs, their options, and what a verb gets to work with. One table of verbs
 * gives parsing, help, suggestions and shell completion. A group's verbs are in cli/GROUP/, one a
 * file, and its table is cli/GROUP/verbs.c (nres and rsli share cli/archive/). They are called by
 * two words (`config set`), or by one (`replay` of the group `trace`). */
#ifndef RETROPOSE_CLI_H
#define RETROPOSE_CLI_H

#include "core/text.h"
#include "core/text/shards.h"
#include "core/text/visible.h"
#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CliExit {
    CLI_EQUAL = 0,     /* also: the work is done, or nothing was found */
    CLI_DIFFERENT = 1, /* or: findings of severity error */
    CLI_TROUBLE = 2,   /* usage or environment; also: nothing was compared */
    CLI_CRASHED = 3,   /* a provider crashed */
    CLI_PARTIAL = 4    /* all that was compared is equal, but not all that was selected was */
} CliExit;

typedef struct CliOption {
    const char *name;  /* without the dashes */
    const char *value; /* what it takes, as help names it; null: nothing */
    const char *help;
    char letter; /* short form, or 0 */
} CliOption;

#define CLI_MAX_OPTIONS 40 /* most options of a verb, apart from the common ones */

struct Cli;
typedef struct CliVerb {
    const char *name;      /* as it is called: "nres ls", "replay" */
    const char *summary;   /* one line */
    const char *arguments; /* what follows the options, as named in the help */
    const char *examples;  /* lines, or null */
    CliOption options[CLI_MAX_OPTIONS];
    int (*run)(struct Cli *cli);
} CliVerb;

typedef struct CliGroup {
    const char *name; /* also of its folder, and of its heading in the help */
    const char *summary;
    const CliVerb *const *verbs; /* with null behind the last */
    bool one_word;               /* its verbs are called without its name */
} CliGroup;

/* All groups, with one without verbs behind the last. Only main.c uses this table by its name and
 * hands it to everything else: the table refers to the verbs, and some verbs list all others. */
extern const CliGroup cli_groups[];
extern const CliVerb *const cli_trace_verbs[];
extern const CliVerb *const cli_game_verbs[];
extern const CliVerb *const cli_lift_verbs[];
extern const CliVerb *const cli_prove_verbs[];
extern const CliVerb *const cli_merge_verbs[];
extern const CliVerb *const cli_bench_verbs[];
extern const CliVerb *const cli_main_verbs[];
extern const CliVerb *const cli_config_verbs[];
extern const CliVerb *const cli_report_verbs[];
extern const CliVerb *const cli_bundle_verbs[];
extern const CliVerb *const cli_digest_verbs[];
extern const CliVerb *const cli_gen_verbs[];
extern const CliVerb *const cli_nres_verbs[];
extern const CliVerb *const cli_rsli_verbs[];
extern const CliVerb *const cli_msh_verbs[];
extern const CliVerb *const cli_texm_verbs[];
extern const CliVerb *const cli_material_verbs[];
extern const CliVerb *const cli_object_verbs[];
extern const CliVerb *const cli_ani_verbs[];
extern const CliVerb *const cli_ac_verbs[];
extern const CliOption cli_common_options[];
extern const size_t cli_common_option_count;

typedef struct CliGiven {
    const CliOption *option;
    const char *value;
    const char *origin; /* where a setting is: "FILE, line 3" or a variable; null: command line */
} CliGiven;

typedef struct Cli {
    const CliGroup *groups; /* all that there are, for the verbs that list them */
    const CliVerb *verb;
    struct Config *config; /* the settings (cli/config.h); null for help and completion */
    CliGiven *given;       /* first the settings, then the options of the command line */
    size_t given_count;
    size_t configured; /* how many of them the settings gave */
    const char **arguments;
    size_t argument_count;
    struct WildcardNames *expanded; /* by argument: the file names that replaced it */
    size_t expanded_count;
    int verbosity; /* -1 quiet, 0, 1 verbose */
    bool colour_out;
    bool stage; /* another verb runs this one as a stage, and reports on it (cli/stage.h) */
} Cli;

/* Returns the verb with which `words` begin, or null. A verb of two words is preferred to one of
 * one word. *taken becomes the number of its words. */
const CliVerb *CliVerb_Find(const CliGroup *groups, int count, char *const *words, int *taken);
/* Returns whether these words name the verb or group of this name: they are its name, or the one
 * that it had in an older version. */
bool CliName_IsMeant(const char *name, const char *words);
/* Returns the verb that is meant by a name, or null. */
const CliVerb *CliVerb_Named(const CliGroup *groups, const char *name);
/* Returns the verb with this index among all verbs, or null behind the last. */
const CliVerb *CliVerb_At(const CliGroup *groups, size_t index);
/* Returns the group whose name is the first of its verbs' two words, or null. */
const CliGroup *CliGroup_Find(const CliGroup *groups, const char *name);
/* Returns a verb's name without its group, such as "ls" of "nres ls". */
const char *CliVerb_LastWord(const CliVerb *verb);
/* Says on stderr that no verb has these words, and which one may be meant. Returns CLI_TROUBLE. */
int Cli_UnknownVerb(const CliGroup *groups, int count, char *const *words);
/* Reads the options and arguments of a verb, or says on stderr what is wrong and returns false.
 * Cli_Free has to follow in either case. */
bool Cli_Parse(Cli *cli, const CliVerb *verb, int count, char **words);

/* The values that --color and the setting of this name may have. */
typedef enum CliColour { CLI_COLOUR_AUTO, CLI_COLOUR_ALWAYS, CLI_COLOUR_NEVER } CliColour;
#define CLI_COLOURS "auto, always or never"
/* Returns false if `word` is not one of the three words. */
bool CliColour_Read(const char *word, CliColour *colour);

/* Decides by --color, NO_COLOR and the terminal whether the output is coloured. False: --color has
 * another word, which was said. */
bool Cli_DecideColour(Cli *cli);
void Cli_Free(Cli *cli);

/* Returns the last value given for an option, or `fallback`. */
const char *Cli_Value(const Cli *cli, const char *name, const char *fallback);
bool Cli_Has(const Cli *cli, const char *name);
/* Reads a number from `least` to `most`, or says what is wrong and returns false. Without the
 * option *number stays as it is. */
bool Cli_Number(const Cli *cli, const char *name, uint64_t least, uint64_t most, uint64_t *number);

/* Everything on the standard output and on stderr goes through Visible_Print or CliFile_Print,
 * because it holds names and texts out of files. */
/* Cli_Complain and Cli_Fail print "retropose: ..." on stderr. They return an exit code: CLI_CRASHED
 * for an error of that kind, otherwise CLI_TROUBLE. */
int Cli_Complain(const char *format, ...) __attribute__((format(VISIBLE_PRINTF, 1, 2)));
int Cli_Fail(const RpError *error);
/* Says something on stderr unless -q was given. */
void Cli_Note(const Cli *cli, const char *format, ...)
    __attribute__((format(VISIBLE_PRINTF, 2, 3)));
#define CLI_SELECT                                                                                 \
    { "select", "SELECTION", "only these calls: globs, numbers, ranges, GLOB:RANGE, @FILE", 0 }
#define CLI_SHARD                                                                                  \
    { "shard", "I/N", "the Ith of N parts, for `retropose merge` (default: 1/1)", 0 }
/* Reads --shard, or says what is wrong and returns false. Without the option it is 1 of 1. */
bool Cli_Shard(const Cli *cli, Shard *shard);
/* Parses --select. Without the option, the selection is null. */
struct Selection;
bool Cli_Selection(const Cli *cli, struct Selection **selection);

void Help_Verb(const CliVerb *verb);
void Help_Group(const CliGroup *group);
void Help_All(const CliGroup *groups);

#endif
