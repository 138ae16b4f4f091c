#include "cli/cli.h"

extern const CliVerb cli_merge_merge;

/* One a line, in the order of help. */
/* clang-format off */
const CliVerb *const cli_merge_verbs[] = {
    &cli_merge_merge,
    NULL
};
/* clang-format on */
