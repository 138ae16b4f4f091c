#include "cli/cli.h"

extern const CliVerb cli_ac_info;     /* cli/ac/cli_ac_info.c */
extern const CliVerb cli_ac_check;    /* cli/ac/cli_ac_check.c */
extern const CliVerb cli_ac_dump;     /* cli/ac/cli_ac_dump.c */
extern const CliVerb cli_ac_assemble; /* cli/ac/cli_ac_dump.c */
extern const CliVerb cli_ac_simulate; /* cli/ac/cli_ac_simulate.c */
extern const CliVerb cli_ac_timeline; /* cli/ac/cli_ac_simulate.c */

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_ac_verbs[] = {
    &cli_ac_info,
    &cli_ac_check,
    &cli_ac_dump,
    &cli_ac_assemble,
    &cli_ac_simulate,
    &cli_ac_timeline,
    NULL
};
/* clang-format on */
