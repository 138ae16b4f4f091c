#include "cli/cli.h"

extern const CliVerb cli_msh_ls;       /* msh_ls.c */
extern const CliVerb cli_msh_info;     /* msh_info.c */
extern const CliVerb cli_msh_check;    /* msh_check.c */
extern const CliVerb cli_msh_extract;  /* msh_extract.c */
extern const CliVerb cli_msh_pack;     /* msh_pack.c */
extern const CliVerb cli_msh_diff;     /* msh_diff.c */
extern const CliVerb cli_msh_dump;     /* msh_dump.c */
extern const CliVerb cli_msh_assemble; /* msh_assemble.c */
extern const CliVerb cli_msh_convert;  /* msh_convert.c */
extern const CliVerb cli_msh_edit;     /* msh_edit.c */
extern const CliVerb cli_msh_anim;     /* msh_anim.c */
extern const CliVerb cli_msh_view;     /* msh_view.c */

/* One a line, in the order of help. */
/* clang-format off */
const CliVerb *const cli_msh_verbs[] = {
    &cli_msh_ls,
    &cli_msh_info,
    &cli_msh_check,
    &cli_msh_extract,
    &cli_msh_pack,
    &cli_msh_diff,
    &cli_msh_dump,
    &cli_msh_assemble,
    &cli_msh_convert,
    &cli_msh_edit,
    &cli_msh_anim,
    &cli_msh_view,
    NULL
};
/* clang-format on */
