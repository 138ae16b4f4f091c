#include "cli/cli.h"

extern const CliVerb cli_object_info;   /* cli/object/cli_object_info.c */
extern const CliVerb cli_object_pose;   /* cli/object/cli_object_pose.c */
extern const CliVerb cli_object_bounds; /* cli/object/cli_object_bounds.c */
extern const CliVerb cli_object_query;  /* cli/object/cli_object_query.c */
extern const CliVerb cli_object_trace;  /* cli/object/cli_object_trace.c */

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_object_verbs[] = {
    &cli_object_info,
    &cli_object_pose,
    &cli_object_bounds,
    &cli_object_query,
    &cli_object_trace,
    NULL
};
/* clang-format on */
