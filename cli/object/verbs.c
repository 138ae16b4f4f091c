#include "cli/cli.h"

extern const CliVerb cli_mesh_info;   /* cli/object/info.c */
extern const CliVerb cli_mesh_pose;   /* cli/object/pose.c */
extern const CliVerb cli_mesh_bounds; /* cli/object/bounds.c */
extern const CliVerb cli_mesh_query;  /* cli/object/query.c */
extern const CliVerb cli_mesh_trace;  /* cli/object/trace.c */

/* One a line, in the order of help. */
/* clang-format off */
const CliVerb *const cli_mesh_verbs[] = {
    &cli_mesh_info,
    &cli_mesh_pose,
    &cli_mesh_bounds,
    &cli_mesh_query,
    &cli_mesh_trace,
    NULL
};
/* clang-format on */
