#include "cli/cli.h"

extern const CliVerb cli_bench_bench;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_bench_verbs[] = {
    &cli_bench_bench,
    NULL
};
/* clang-format on */
