/* Verbs that make input. `gen` of one word, which makes a trace, is in cli/trace/. */
#include "cli/cli.h"

extern const CliVerb cli_gen_corpus;
extern const CliVerb cli_gen_samples;
extern const CliVerb cli_gen_vectors;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_gen_verbs[] = {
    &cli_gen_corpus,
    &cli_gen_samples,
    &cli_gen_vectors,
    NULL
};
/* clang-format on */
