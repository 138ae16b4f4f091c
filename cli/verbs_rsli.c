#include "cli.h"

const CliVerb *const cli_rsli_verbs[] = {NULL};
