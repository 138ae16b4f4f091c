#include "cli/cli.h"

extern const CliVerb cli_bench_bench;

/* One a line, in the order of help. */
/* clang-format off */
const CliVerb *const cli_bench_verbs[] = {
    &cli_bench_bench,
    NULL
};
/* clang-format on */
