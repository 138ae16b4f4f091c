/* Verbs and groups found by the words of a command line. */
#include "cli/cli.h"

#include "core/nearest.h"

#include <stdio.h>
#include <string.h>

const CliVerb *CliVerb_At(size_t index) {
    for (size_t i = 0; i < cli_group_count; i++)
        for (const CliVerb *const *verb = cli_groups[i].verbs; *verb; verb++)
            if (index-- == 0)
                return *verb;
    return NULL;
}

const CliGroup *CliGroup_Find(const char *name) {
    for (size_t i = 0; i < cli_group_count; i++)
        if (cli_groups[i].name && strcmp(cli_groups[i].name, name) == 0)
            return &cli_groups[i];
    return NULL;
}

const char *CliVerb_LastWord(const CliVerb *verb) {
    const char *space = strchr(verb->name, ' ');
    return space ? space + 1 : verb->name;
}

static const CliVerb *FindVerb(const char *name) {
    const CliVerb *verb;
    for (size_t i = 0; (verb = CliVerb_At(i)); i++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

const CliVerb *CliVerb_Find(int count, char *const *words, int *taken) {
    char both[128];
    *taken = 2;
    if (count >= 2 &&
        (size_t)snprintf(both, sizeof both, "%s %s", words[0], words[1]) < sizeof both) {
        const CliVerb *verb = FindVerb(both);
        if (verb)
            return verb;
    }
    *taken = 1;
    return count >= 1 ? FindVerb(words[0]) : NULL;
}

static int UnknownOfGroup(const CliGroup *group, const char *word) {
    Nearest nearest;
    Nearest_Init(&nearest, word);
    for (const CliVerb *const *verb = group->verbs; *verb; verb++)
        Nearest_Offer(&nearest, CliVerb_LastWord(*verb));
    if (nearest.best)
        return Cli_Complain("there is no verb %s %s, did you mean %s %s?", group->name, word,
                            group->name, nearest.best);
    return Cli_Complain("there is no verb %s %s; see `retropose help %s`", group->name, word,
                        group->name);
}

int Cli_UnknownVerb(int count, char *const *words) {
    const CliVerb *verb;
    const CliGroup *group = CliGroup_Find(words[0]);
    Nearest nearest;
    if (group && count < 2)
        return Cli_Complain("%s needs a verb; see `retropose help %s`", group->name, group->name);
    if (group)
        return UnknownOfGroup(group, words[1]);
    Nearest_Init(&nearest, words[0]);
    for (size_t i = 0; (verb = CliVerb_At(i)); i++)
        if (!strchr(verb->name, ' '))
            Nearest_Offer(&nearest, verb->name);
    for (size_t i = 0; i < cli_group_count; i++)
        if (cli_groups[i].name)
            Nearest_Offer(&nearest, cli_groups[i].name);
    if (nearest.best)
        return Cli_Complain("there is no verb %s, did you mean %s?", words[0], nearest.best);
    return Cli_Complain("there is no verb %s; see `retropose help`", words[0]);
}
