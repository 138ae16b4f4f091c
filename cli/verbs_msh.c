#include "cli.h"

const CliVerb *const cli_msh_verbs[] = {NULL};
