#include "cli/cli.h"
#include "cli/screen.h"

#include <stdio.h>

/* In a file nothing is wrapped: the site's page and the manual are made of it. */
#define HELP_COLUMNS 1000

static void PrintOption(const CliOption *option) {
    char left[64];
    snprintf(left, sizeof left, "%s%.1s%s--%s%s%s", option->letter ? "-" : "",
             option->letter ? &option->letter : "", option->letter ? ", " : "    ", option->name,
             option->value ? " " : "", option->value ? option->value : "");
    printf("  %-30s ", left);
    Screen_PrintWords(stdout, option->help, 33, Screen_Columns(stdout, HELP_COLUMNS));
}

void Help_Verb(const CliVerb *verb) {
    printf("retropose %s [OPTION...] %s\n%s\n\n", verb->name, verb->arguments, verb->summary);
    if (verb->examples) {
        bool line_start = true;
        printf("examples\n");
        for (const char *c = verb->examples; *c; c++) {
            if (line_start)
                printf("  ");
            putchar(*c);
            line_start = *c == '\n';
        }
        putchar('\n');
    }
    printf("options\n");
    for (size_t i = 0; i < CLI_MAX_OPTIONS && verb->options[i].name; i++)
        PrintOption(&verb->options[i]);
    for (size_t i = 0; i < cli_common_option_count; i++)
        PrintOption(&cli_common_options[i]);
}

static void PrintVerbs(const CliGroup *group) {
    for (const CliVerb *const *verb = group->verbs; *verb; verb++) {
        printf("  %-12s ", CliVerb_LastWord(*verb));
        Screen_PrintWords(stdout, (*verb)->summary, 15, Screen_Columns(stdout, HELP_COLUMNS));
    }
}

void Help_Group(const CliGroup *group) {
    const char *name = group->one_word ? "" : group->name, *space = group->one_word ? "" : " ";
    printf("retropose %s%sVERB [OPTION...]\n%s\n\n", name, space, group->summary);
    PrintVerbs(group);
    printf("\n`retropose help %s%sVERB` tells more.\n", name, space);
}

void Help_All(const CliGroup *groups) {
    printf("retropose VERB [OPTION...]\n"
           "replays calls of two DLLs through an original and a replacement, bit for bit;\n"
           "reads, checks, edits and converts the archives and models of their game\n");
    for (const CliGroup *group = groups; group->verbs; group++) {
        printf(group->one_word ? "\n%s: %s\n" : "\nretropose %s VERB: %s\n", group->name,
               group->summary);
        PrintVerbs(group);
    }
    printf("\n`retropose help [GROUP] VERB` tells more; `retropose --version` what this is.\n"
           "outputs: a file of that name is replaced once the new one is complete; an input is\n"
           "refused, links are followed, devices and pipes are written to (docs/use/command.md).\n"
           "`-` is the standard input for a file to read, the standard output for one to write\n"
           "exit codes: 0 equal or done, 1 different or faults found, 2 usage, environment or\n"
           "nothing compared, 3 a provider crashed, 4 not all that was selected was compared\n");
}

static int Run(Cli *cli) {
    char *words[2] = {NULL, NULL};
    int taken, count = (int)cli->argument_count;
    if (Cli_Has(cli, "list")) {
        const CliVerb *verb;
        for (size_t i = 0; (verb = CliVerb_At(cli->groups, i)); i++)
            printf("%s\n", verb->name);
        return CLI_EQUAL;
    }
    if (count == 0) {
        Help_All(cli->groups);
        return CLI_EQUAL;
    }
    for (int i = 0; i < count && i < 2; i++)
        words[i] = (char *)(uintptr_t)cli->arguments[i];
    count = count < 2 ? count : 2;
    const CliVerb *verb = CliVerb_Find(cli->groups, count, words, &taken);
    const CliGroup *group = cli->groups; /* by the heading, also where it is no word of a verb */
    while (group->verbs && !CliName_IsMeant(group->name, words[0]))
        group++;
    if (verb && taken == count) {
        Help_Verb(verb);
        return CLI_EQUAL;
    }
    if (group->verbs && count == 1) {
        Help_Group(group);
        return CLI_EQUAL;
    }
    return Cli_UnknownVerb(cli->groups, count, words);
}

const CliVerb cli_main_help = {"help",
                               "explain a verb",
                               "[[GROUP] VERB]",
                               NULL,
                               {{"list", NULL, "name every verb, one a line", 0}},
                               Run};
