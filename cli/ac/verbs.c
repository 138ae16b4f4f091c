#include "cli/cli.h"

extern const CliVerb cli_ac_info;     /* ac_info.c */
extern const CliVerb cli_ac_check;    /* ac_check.c */
extern const CliVerb cli_ac_dump;     /* ac_dump.c */
extern const CliVerb cli_ac_assemble; /* ac_dump.c */
extern const CliVerb cli_ac_simulate; /* ac_simulate.c */
extern const CliVerb cli_ac_timeline; /* ac_simulate.c */

/* One a line, in the order of help. */
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
