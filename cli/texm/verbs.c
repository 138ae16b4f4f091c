#include "cli/cli.h"

extern const CliVerb cli_texm_ls;   /* cli/texm/cli_texm_ls.c */
extern const CliVerb cli_texm_info; /* cli/texm/cli_texm_info.c */

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_texm_verbs[] = {
    &cli_texm_ls,
    &cli_texm_info,
    NULL
};
/* clang-format on */
