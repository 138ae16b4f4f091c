#include "cli/cli.h"

extern const CliVerb cli_prove_prove;

/* One a line, in the order of help. */
/* clang-format off */
const CliVerb *const cli_prove_verbs[] = {
    &cli_prove_prove,
    NULL
};
/* clang-format on */
