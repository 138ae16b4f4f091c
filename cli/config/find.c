#include "cli/config/find.h"

#include "core/nearest.h"

int ConfigFind_Verb(const Cli *cli, const CliVerb **verb) {
    const char *name = Cli_Value(cli, "for", NULL);
    const CliVerb *other;
    Nearest nearest;
    *verb = name ? CliVerb_Named(cli->groups, name) : NULL;
    if (!name || *verb)
        return 0;
    Nearest_Init(&nearest, name);
    for (size_t i = 0; (other = CliVerb_At(cli->groups, i)); i++)
        Nearest_Offer(&nearest, other->name);
    return Cli_Complain("there is no verb %s%s%s; see `retropose help --list`", name,
                        nearest.best ? ", perhaps " : "", nearest.best ? nearest.best : "");
}

int ConfigFind_Words(const Cli *cli, const CliVerb **verb, const ConfigKey **key) {
    const char *name = cli->arguments[0];
    Nearest nearest;
    *key = Config_FindKey(name);
    Nearest_Init(&nearest, name);
    for (size_t i = 0; Config_Key(i); i++)
        Nearest_Offer(&nearest, Config_Key(i)->name);
    if (!*key)
        return Cli_Complain("there is no setting %s%s%s; see `retropose config list --all`", name,
                            nearest.best ? ", perhaps " : "", nearest.best ? nearest.best : "");
    return ConfigFind_Verb(cli, verb);
}
