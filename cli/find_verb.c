/* Finds verbs and groups by the words of a command line. */
#include "cli/cli.h"

#include "core/nearest.h"

#include <stdio.h>
#include <string.h>

/* First words of verbs that were renamed. They are understood until version 2.0, and listed
 * nowhere. */
static const struct { const char *old, *now; } renamed[] = {{"mesh", "object"}};

/* Words of verbs that became commands of the Python package. */
static const struct {
    const char *old, *now;
} moved[] = {{"corpus", "python3 -m retropose.census"},
             {"convert", "python3 -m retropose.peers capture"},
             {"export", "python3 -m retropose.peers capture"},
             {"dump", "python3 -m retropose.peers"}};

bool CliName_IsMeant(const char *name, const char *words) {
    if (strcmp(name, words) == 0)
        return true;
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        const size_t old = strlen(renamed[i].old), now = strlen(renamed[i].now);
        if (strncmp(words, renamed[i].old, old) == 0 && strncmp(name, renamed[i].now, now) == 0 &&
            strcmp(words + old, name + now) == 0)
            return true;
    }
    return false;
}

const CliVerb *CliVerb_At(const CliGroup *groups, size_t index) {
    for (const CliGroup *group = groups; group->verbs; group++)
        for (const CliVerb *const *verb = group->verbs; *verb; verb++)
            if (index-- == 0)
                return *verb;
    return NULL;
}

const CliGroup *CliGroup_Find(const CliGroup *groups, const char *name) {
    for (const CliGroup *group = groups; group->verbs; group++)
        if (!group->one_word && CliName_IsMeant(group->name, name))
            return group;
    return NULL;
}

const char *CliVerb_LastWord(const CliVerb *verb) {
    const char *space = strchr(verb->name, ' ');
    return space ? space + 1 : verb->name;
}

const CliVerb *CliVerb_Named(const CliGroup *groups, const char *name) {
    const CliVerb *verb;
    for (size_t i = 0; (verb = CliVerb_At(groups, i)); i++)
        if (CliName_IsMeant(verb->name, name))
            return verb;
    return NULL;
}

const CliVerb *CliVerb_Find(const CliGroup *groups, int count, char *const *words, int *taken) {
    char both[128];
    *taken = 2;
    if (count >= 2 &&
        (size_t)snprintf(both, sizeof both, "%s %s", words[0], words[1]) < sizeof both) {
        const CliVerb *verb = CliVerb_Named(groups, both);
        if (verb)
            return verb;
    }
    *taken = 1;
    return count >= 1 ? CliVerb_Named(groups, words[0]) : NULL;
}

int Cli_UnknownVerb(const CliGroup *groups, int count, char *const *words) {
    const CliVerb *verb;
    const CliGroup *group = CliGroup_Find(groups, words[0]);
    Nearest nearest;
    if (group && count < 2)
        return Cli_Complain("%s needs a verb; see `retropose help %s`", group->name, group->name);
    if (group) {
        Nearest_Init(&nearest, words[1]);
        for (const CliVerb *const *one = group->verbs; *one; one++)
            Nearest_Offer(&nearest, CliVerb_LastWord(*one));
        if (nearest.best)
            return Cli_Complain("there is no verb %s %s, did you mean %s %s?", group->name,
                                words[1], group->name, nearest.best);
        return Cli_Complain("there is no verb %s %s; see `retropose help %s`", group->name,
                            words[1], group->name);
    }

    /* The word may be the second one of verbs, without the name of their group. */
    char names[256] = "";
    for (size_t i = 0; (verb = CliVerb_At(groups, i)); i++)
        if (strcmp(CliVerb_LastWord(verb), words[0]) == 0) {
            const size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", used ? " or " : "", verb->name);
        }
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++)
        if (strcmp(moved[i].old, words[0]) == 0) {
            const size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s`%s`", used ? " or " : "", moved[i].now);
        }
    if (names[0])
        return Cli_Complain("there is no verb %s, did you mean %s?", words[0], names);
    if (words[0][0] == '-')
        return Cli_Complain("a verb comes first, and options such as %s behind it; see `retropose "
                            "help`, and `retropose --version` for the version",
                            words[0]);

    Nearest_Init(&nearest, words[0]);
    for (size_t i = 0; (verb = CliVerb_At(groups, i)); i++)
        if (!strchr(verb->name, ' '))
            Nearest_Offer(&nearest, verb->name);
    for (const CliGroup *other = groups; other->verbs; other++)
        if (!other->one_word)
            Nearest_Offer(&nearest, other->name);
    if (nearest.best)
        return Cli_Complain("there is no verb %s, did you mean %s?", words[0], nearest.best);
    return Cli_Complain("there is no verb %s; see `retropose help`", words[0]);
}
