/* The command line: verbs, their options, and what a verb gets to work with. One table of verbs
 * gives parsing, help, suggestions and shell completion. */
#ifndef RETROPOSE_CLI_H
#define RETROPOSE_CLI_H

#include "retropose/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CliExit {
    CLI_EQUAL = 0,
    CLI_DIFFERENT = 1,
    CLI_TROUBLE = 2, /* usage or environment; also: nothing was compared */
    CLI_CRASHED = 3  /* a provider crashed */
} CliExit;

typedef struct CliOption {
    const char *name;  /* without the dashes */
    const char *value; /* what it takes, as help names it; null: nothing */
    const char *help;
    char letter; /* short form, or 0 */
} CliOption;

#define CLI_MAX_OPTIONS 24 /* of one verb, without the common ones */
#define CLI_MAX_GIVEN   256

struct Cli;
typedef struct CliVerb {
    const char *name;
    const char *summary;   /* one line */
    const char *arguments; /* after the options, as help names them */
    const char *examples;  /* lines, or null */
    CliOption options[CLI_MAX_OPTIONS];
    int (*run)(struct Cli *cli);
} CliVerb;

extern const CliVerb cli_verbs[];
extern const size_t cli_verb_count;
extern const CliOption cli_common_options[];
extern const size_t cli_common_option_count;

typedef struct CliGiven {
    const CliOption *option;
    const char *value;
} CliGiven;

typedef struct Cli {
    const CliVerb *verb;
    CliGiven given[CLI_MAX_GIVEN];
    size_t given_count;
    const char *arguments[CLI_MAX_GIVEN];
    size_t argument_count;
    int verbosity; /* -1 quiet, 0, 1 verbose */
    bool colour_out;
} Cli;

/* Null when there is none. */
const CliVerb *CliVerb_Find(const char *name);
/* Says what is wrong on stderr and returns false. */
bool Cli_Parse(Cli *cli, const CliVerb *verb, int count, char **words);

/* The last value given, or `fallback`. */
const char *Cli_Value(const Cli *cli, const char *name, const char *fallback);
bool Cli_Has(const Cli *cli, const char *name);
/* Says what is wrong and returns false for what is no number in [least, most]; leaves *number alone
 * when the option is absent. */
bool Cli_Number(const Cli *cli, const char *name, uint64_t least, uint64_t most, uint64_t *number);

/* "retropose: ..." on stderr; returns CLI_TROUBLE. */
int Cli_Complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
int Cli_Fail(const RpError *error);
/* Words for stderr unless -q. */
void Cli_Note(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Parses --select; null without it. */
struct Selection;
bool Cli_Selection(const Cli *cli, struct Selection **selection);

void Help_Verb(const CliVerb *verb);
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
