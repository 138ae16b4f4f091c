/* Finds the verb and the setting that the words of a verb of the group config name. */
#ifndef RETROPOSE_CLI_CONFIG_FIND_H
#define RETROPOSE_CLI_CONFIG_FIND_H

#include "cli/config.h"

#define CLI_CONFIG_FOR                                                                             \
    { "for", "VERB", "for this verb only: the table of its name", 0 }

/* Finds the verb of --for (null without it) and the setting that the first argument names. Returns
 * 0, or says what is wrong and returns CLI_TROUBLE. */
int ConfigFind_Words(const Cli *cli, const CliVerb **verb, const ConfigKey **key);
/* Finds the verb of --for alone. */
int ConfigFind_Verb(const Cli *cli, const CliVerb **verb);

#endif
