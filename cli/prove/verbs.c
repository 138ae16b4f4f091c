#include "cli/cli.h"

extern const CliVerb cli_prove_prove;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_prove_verbs[] = {
    &cli_prove_prove,
    NULL
};
/* clang-format on */
