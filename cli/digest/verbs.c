/* Verbs about digests of answers, which `retropose replay --digest` writes. */
#include "cli/cli.h"

extern const CliVerb cli_digest_compare;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_digest_verbs[] = {
    &cli_digest_compare,
    NULL
};
/* clang-format on */
