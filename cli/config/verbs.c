/* The verbs of the group config. */
#include "cli/cli.h"

extern const CliVerb cli_config_list;
extern const CliVerb cli_config_get;
extern const CliVerb cli_config_set;

/* The verbs in the order of the help, one on each line. */
/* clang-format off */
const CliVerb *const cli_config_verbs[] = {
    &cli_config_list,
    &cli_config_get,
    &cli_config_set,
    NULL
};
/* clang-format on */
