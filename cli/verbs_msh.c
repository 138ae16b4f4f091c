#include "cli.h"

extern const CliVerb cli_msh_view; /* msh_view.c */

const CliVerb *const cli_msh_verbs[] = {&cli_msh_view, NULL};
