#include "cli/config/find.h"

#include "core/nearest.h"

static int Refuse(const char *what, const Nearest *nearest, const char *all) {
    return Cli_Complain("there is no %s %s%s%s; see `retropose %s`", what, nearest->typed,
                        nearest->best ? ", perhaps " : "", nearest->best ? nearest->best : "", all);
}

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
    return Refuse("verb", &nearest, "help --list");
}

int ConfigFind_Words(const Cli *cli, const CliVerb **verb, const ConfigKey **key) {
    Nearest nearest;
    *key = Config_FindKey(cli->arguments[0]);
    if (*key)
        return ConfigFind_Verb(cli, verb);
    Nearest_Init(&nearest, cli->arguments[0]);
    for (size_t i = 0; Config_Key(i); i++)
        Nearest_Offer(&nearest, Config_Key(i)->name);
    return Refuse("setting", &nearest, "config list --all");
}
