/* Verbs about reports that `replay` and `compare` have written. */
#include "cli/cli.h"

extern const CliVerb cli_report_diff;
extern const CliVerb cli_report_badge;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_report_verbs[] = {
    &cli_report_diff,
    &cli_report_badge,
    NULL
};
/* clang-format on */
