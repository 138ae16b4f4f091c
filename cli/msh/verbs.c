#include "cli/cli.h"

extern const CliVerb cli_msh_ls;       /* cli/msh/ls.c */
extern const CliVerb cli_msh_info;     /* cli/msh/info.c */
extern const CliVerb cli_msh_check;    /* cli/msh/check.c */
extern const CliVerb cli_msh_extract;  /* cli/msh/extract.c */
extern const CliVerb cli_msh_pack;     /* cli/msh/pack.c */
extern const CliVerb cli_msh_diff;     /* cli/msh/diff.c */
extern const CliVerb cli_msh_dump;     /* cli/msh/dump.c */
extern const CliVerb cli_msh_assemble; /* cli/msh/assemble.c */
extern const CliVerb cli_msh_convert;  /* cli/msh/convert.c */
extern const CliVerb cli_msh_edit;     /* cli/msh/edit.c */
extern const CliVerb cli_msh_anim;     /* cli/msh/anim.c */
extern const CliVerb cli_msh_view;     /* cli/msh/view.c */
extern const CliVerb cli_msh_gallery;  /* cli/msh/gallery.c */

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
