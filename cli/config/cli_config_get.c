#include "cli/config.h"
#include "cli/config/find.h"

#include <stdio.h>

static int Run(Cli *cli) {
    const CliVerb *verb;
    const ConfigKey *key;
    char origin[CONFIG_PATH_BYTES + 64];
    if (cli->argument_count != 1)
        return Cli_Complain("config get needs the name of a setting");
    if (ConfigFind_Words(cli, &verb, &key))
        return CLI_TROUBLE;
    const ConfigSetting *setting = Config_Find(cli->config, verb, key->name);
    if (!setting)
        return CLI_DIFFERENT;
    Config_DescribeOrigin(cli->config, setting, origin, sizeof origin);
    if (Cli_Has(cli, "show-origin"))
        Visible_Print(stdout, "%s\t", origin);
    Visible_Print(stdout, "%s\n", setting->value);
    return CLI_EQUAL;
}

const CliVerb cli_config_get = {
    "config get",
    "print one setting; exit code 1 if nothing sets it",
    "NAME",
    "retropose config get original\n"
    "retropose config get timeout --for probe --show-origin\n",
    {CLI_CONFIG_FOR, {"show-origin", NULL, "begin with the file and line, or the variable", 0}},
    Run};
