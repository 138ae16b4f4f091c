#include "cli/cli.h"

extern const CliVerb cli_merge_merge;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_merge_verbs[] = {
    &cli_merge_merge,
    NULL
};
/* clang-format on */
