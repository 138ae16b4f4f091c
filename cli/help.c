#include "cli.h"

#include <stdio.h>

static void PrintOption(const CliOption *option) {
    char left[64];
    snprintf(left, sizeof left, "%s%.1s%s--%s%s%s", option->letter ? "-" : "",
             option->letter ? &option->letter : "", option->letter ? ", " : "    ", option->name,
             option->value ? " " : "", option->value ? option->value : "");
    printf("  %-30s %s\n", left, option->help);
}

static void PrintExamples(const char *lines) {
    bool line_start = true;
    printf("examples\n");
    for (; *lines; lines++) {
        if (line_start)
            printf("  ");
        putchar(*lines);
        line_start = *lines == '\n';
    }
    putchar('\n');
}

void Help_Verb(const CliVerb *verb) {
    printf("retropose %s [OPTION...] %s\n%s\n\n", verb->name, verb->arguments, verb->summary);
    if (verb->examples)
        PrintExamples(verb->examples);
    printf("options\n");
    for (size_t i = 0; i < CLI_MAX_OPTIONS && verb->options[i].name; i++)
        PrintOption(&verb->options[i]);
    for (size_t i = 0; i < cli_common_option_count; i++)
        PrintOption(&cli_common_options[i]);
}

void Help_All(void) {
    printf("retropose VERB [OPTION...]\n"
           "replays calls of two DLLs through an original and a replacement, bit for bit\n\n");
    for (size_t i = 0; i < cli_verb_count; i++)
        printf("  %-12s %s\n", cli_verbs[i].name, cli_verbs[i].summary);
    printf("\n`retropose help VERB` tells more; `retropose --version` what this is.\n"
           "exit codes: 0 equal, 1 different, 2 usage, environment or nothing compared,\n"
           "3 a provider crashed\n");
}

int Verb_Help(Cli *cli) {
    if (cli->argument_count == 0) {
        Help_All();
        return CLI_EQUAL;
    }
    const CliVerb *verb = CliVerb_Find(cli->arguments[0]);
    if (!verb)
        return Cli_Complain("there is no verb %s; see `retropose help`", cli->arguments[0]);
    Help_Verb(verb);
    return CLI_EQUAL;
}
