/* The verbs about the command itself. The table of all groups is in groups.c. */
#include "cli/cli.h"

extern const CliVerb cli_main_help;
extern const CliVerb cli_main_completion;

/* One a line, in the order of help. */
/* clang-format off */
const CliVerb *const cli_main_verbs[] = {
    &cli_main_help,
    &cli_main_completion,
    NULL
};
/* clang-format on */
