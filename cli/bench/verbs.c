/* Verbs of one word about speed. */
#include "cli/cli.h"

extern const CliVerb cli_bench_bench;

const CliVerb *const cli_bench_verbs[] = {&cli_bench_bench, NULL};
