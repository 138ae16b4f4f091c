/* The verbs about the command itself. The table of all groups is in groups.c. */
#include "cli/cli.h"

extern const CliVerb cli_main_help;
extern const CliVerb cli_main_completion;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_main_verbs[] = {
    &cli_main_help,
    &cli_main_completion,
    NULL
};
/* clang-format on */
