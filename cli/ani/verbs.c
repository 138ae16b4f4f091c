#include "cli/cli.h"

extern const CliVerb cli_ani_info;     /* ani_info.c */
extern const CliVerb cli_ani_check;    /* ani_check.c */
extern const CliVerb cli_ani_dump;     /* ani_dump.c */
extern const CliVerb cli_ani_assemble; /* ani_dump.c */
extern const CliVerb cli_ani_sample;   /* ani_sample.c */
extern const CliVerb cli_ani_convert;  /* ani_convert.c */
extern const CliVerb cli_ani_view;     /* ani_view.c */
extern const CliVerb cli_ani_trace;    /* ani_trace.c */

/* One a line, in the order of help. */
/* clang-format off */
const CliVerb *const cli_ani_verbs[] = {
    &cli_ani_info,
    &cli_ani_check,
    &cli_ani_dump,
    &cli_ani_assemble,
    &cli_ani_sample,
    &cli_ani_convert,
    &cli_ani_view,
    &cli_ani_trace,
    NULL
};
/* clang-format on */
