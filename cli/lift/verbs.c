#include "cli/cli.h"

extern const CliVerb cli_lift_lift, cli_lift_same;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_lift_verbs[] = {
    &cli_lift_lift,
    &cli_lift_same,
    NULL
};
/* clang-format on */
