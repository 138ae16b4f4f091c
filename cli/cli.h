/* The command line: verbs, their options, and what a verb gets to work with. One table of verbs
 * gives parsing, help, suggestions and shell completion. A verb of a group has two words
 * (`nres ls`); the group's table is cli/verbs_GROUP.c. */
#ifndef RETROPOSE_CLI_H
#define RETROPOSE_CLI_H

#include "core/text.h"
#include "core/text/visible.h"
#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CliExit {
    CLI_EQUAL = 0,     /* or: done, nothing found */
    CLI_DIFFERENT = 1, /* or: findings of severity error */
    CLI_TROUBLE = 2,   /* usage or environment; also: nothing was compared */
    CLI_CRASHED = 3,   /* a provider crashed */
    CLI_PARTIAL = 4    /* equal as far as compared, but not all that was selected was compared */
} CliExit;

typedef struct CliOption {
    const char *name;  /* without the dashes */
    const char *value; /* what it takes, as help names it; null: nothing */
    const char *help;
    char letter; /* short form, or 0 */
} CliOption;

#define CLI_MAX_OPTIONS 28 /* of one verb, without the common ones */

struct Cli;
typedef struct CliVerb {
    const char *name;      /* with its group: "nres ls" */
    const char *summary;   /* one line */
    const char *arguments; /* after the options, as help names them */
    const char *examples;  /* lines, or null */
    CliOption options[CLI_MAX_OPTIONS];
    int (*run)(struct Cli *cli);
} CliVerb;

typedef struct CliGroup {
    const char *name; /* null: verbs of one word */
    const char *summary;
    const CliVerb *const *verbs; /* up to a null */
} CliGroup;

extern const CliGroup cli_groups[];
extern const size_t cli_group_count;
extern const CliVerb *const cli_gen_verbs[];
extern const CliVerb *const cli_nres_verbs[];
extern const CliVerb *const cli_rsli_verbs[];
extern const CliVerb *const cli_msh_verbs[];
extern const CliVerb *const cli_mesh_verbs[];
extern const CliVerb *const cli_ani_verbs[];
extern const CliVerb *const cli_ac_verbs[];
extern const CliVerb *const cli_live_verbs[];
extern const CliOption cli_common_options[];
extern const size_t cli_common_option_count;

typedef struct CliGiven {
    const CliOption *option;
    const char *value;
} CliGiven;

typedef struct Cli {
    const CliVerb *verb;
    CliGiven *given; /* in the order of the command line */
    size_t given_count;
    const char **arguments;
    size_t argument_count;
    int verbosity; /* -1 quiet, 0, 1 verbose */
    bool colour_out;
} Cli;

/* The verb that `words` begin with, two words before one; *taken is how many it is. Null when there
 * is none. */
const CliVerb *CliVerb_Find(int count, char *const *words, int *taken);
/* All verbs one after another; null past the last. */
const CliVerb *CliVerb_At(size_t index);
/* Null when there is none of that name. */
const CliGroup *CliGroup_Find(const char *name);
/* "nres ls" without its group: "ls". */
const char *CliVerb_LastWord(const CliVerb *verb);
/* Says on stderr that no verb has these words, and which one may be meant; CLI_TROUBLE. */
int Cli_UnknownVerb(int count, char *const *words);
/* Says what is wrong on stderr and returns false. Cli_Free in either case. */
bool Cli_Parse(Cli *cli, const CliVerb *verb, int count, char **words);

void Cli_Free(Cli *cli);

/* The last value given, or `fallback`. */
const char *Cli_Value(const Cli *cli, const char *name, const char *fallback);
bool Cli_Has(const Cli *cli, const char *name);
/* Says what is wrong and returns false for what is no number in [least, most]; leaves *number alone
 * when the option is absent. */
bool Cli_Number(const Cli *cli, const char *name, uint64_t least, uint64_t most, uint64_t *number);

/* What is said on the standard output and on stderr goes through Visible_Print or CliFile_Print: it
 * holds names and texts out of files. */
/* "retropose: ..." on stderr; returns CLI_TROUBLE. */
int Cli_Complain(const char *format, ...) __attribute__((format(VISIBLE_PRINTF, 1, 2)));
int Cli_Fail(const RpError *error);
/* Words for stderr unless -q. */
void Cli_Note(const Cli *cli, const char *format, ...)
    __attribute__((format(VISIBLE_PRINTF, 2, 3)));
/* Parses --select; null without it. */
struct Selection;
bool Cli_Selection(const Cli *cli, struct Selection **selection);

void Help_Verb(const CliVerb *verb);
void Help_Group(const CliGroup *group);
void Help_All(void);

int Verb_Gen(Cli *cli);
int Verb_Replay(Cli *cli);
int Verb_Compare(Cli *cli);
int Verb_Show(Cli *cli);
int Verb_Stat(Cli *cli);
int Verb_Trim(Cli *cli);
int Verb_Minimise(Cli *cli);
int Verb_Doctor(Cli *cli);
int Verb_Help(Cli *cli);
int Verb_Completion(Cli *cli);

#endif
