#include "cli/cli.h"

extern const CliVerb cli_ani_info;     /* cli/ani/cli_ani_info.c */
extern const CliVerb cli_ani_check;    /* cli/ani/cli_ani_check.c */
extern const CliVerb cli_ani_dump;     /* cli/ani/cli_ani_dump.c */
extern const CliVerb cli_ani_assemble; /* cli/ani/cli_ani_dump.c */
extern const CliVerb cli_ani_sample;   /* cli/ani/cli_ani_sample.c */
extern const CliVerb cli_ani_convert;  /* cli/ani/cli_ani_convert.c */
extern const CliVerb cli_ani_view;     /* cli/ani/cli_ani_view.c */

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_ani_verbs[] = {
    &cli_ani_info,
    &cli_ani_check,
    &cli_ani_dump,
    &cli_ani_assemble,
    &cli_ani_sample,
    &cli_ani_convert,
    &cli_ani_view,
    NULL
};
/* clang-format on */
