#include "cli.h"

const CliVerb *const cli_nres_verbs[] = {NULL};
