#include "cli/cli.h"

extern const CliVerb cli_msh_ls;       /* cli/msh/cli_msh_ls.c */
extern const CliVerb cli_msh_info;     /* cli/msh/cli_msh_info.c */
extern const CliVerb cli_msh_check;    /* cli/msh/cli_msh_check.c */
extern const CliVerb cli_msh_extract;  /* cli/msh/cli_msh_extract.c */
extern const CliVerb cli_msh_pack;     /* cli/msh/cli_msh_pack.c */
extern const CliVerb cli_msh_diff;     /* cli/msh/cli_msh_diff.c */
extern const CliVerb cli_msh_dump;     /* cli/msh/cli_msh_dump.c */
extern const CliVerb cli_msh_assemble; /* cli/msh/cli_msh_assemble.c */
extern const CliVerb cli_msh_convert;  /* cli/msh/cli_msh_convert.c */
extern const CliVerb cli_msh_edit;     /* cli/msh/cli_msh_edit.c */
extern const CliVerb cli_msh_anim;     /* cli/msh/cli_msh_anim.c */
extern const CliVerb cli_msh_view;     /* cli/msh/cli_msh_view.c */
extern const CliVerb cli_msh_gallery;  /* cli/msh/cli_msh_gallery.c */

/* The verbs in the order of the help, one on each line. */
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
    &cli_msh_gallery,
    NULL
};
/* clang-format on */
