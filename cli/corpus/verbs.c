#include "cli/cli.h"

extern const CliVerb cli_corpus_check;

/* One a line, in the order of help. */
/* clang-format off */
const CliVerb *const cli_corpus_verbs[] = {
    &cli_corpus_check,
    NULL
};
/* clang-format on */
