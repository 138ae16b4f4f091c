/* Verbs about bundles, which `retropose try` writes. */
#include "cli/cli.h"

extern const CliVerb cli_bundle_check;
extern const CliVerb cli_bundle_show;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_bundle_verbs[] = {
    &cli_bundle_show,
    &cli_bundle_check,
    NULL
};
/* clang-format on */
