#include "cli/cli.h"

extern const CliVerb cli_corpus_check;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_corpus_verbs[] = {
    &cli_corpus_check,
    NULL
};
/* clang-format on */
