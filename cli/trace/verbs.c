#include "cli/cli.h"

extern const CliVerb cli_trace_gen;
extern const CliVerb cli_trace_replay;
extern const CliVerb cli_trace_compare;
extern const CliVerb cli_trace_show;
extern const CliVerb cli_trace_stat;
extern const CliVerb cli_trace_trim;
extern const CliVerb cli_trace_minimise;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_trace_verbs[] = {
    &cli_trace_gen,
    &cli_trace_replay,
    &cli_trace_compare,
    &cli_trace_show,
    &cli_trace_stat,
    &cli_trace_trim,
    &cli_trace_minimise,
    NULL
};
/* clang-format on */
