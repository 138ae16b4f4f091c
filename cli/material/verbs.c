#include "cli/cli.h"

extern const CliVerb cli_material_ls;   /* cli/material/cli_material_ls.c */
extern const CliVerb cli_material_info; /* cli/material/cli_material_info.c */

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_material_verbs[] = {
    &cli_material_ls,
    &cli_material_info,
    NULL
};
/* clang-format on */
