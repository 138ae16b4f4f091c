#include "cli.h"

#include "replay/scenario.h"

#include <stdio.h>
#include <string.h>

static void PrintVerbs(const char *separator) {
    for (size_t i = 0; i < cli_verb_count; i++)
        printf("%s%s", i ? separator : "", cli_verbs[i].name);
}

static void PrintOptions(const CliVerb *verb) {
    for (size_t i = 0; i < CLI_MAX_OPTIONS && verb->options[i].name; i++)
        printf(" --%s", verb->options[i].name);
    for (size_t i = 0; i < cli_common_option_count; i++)
        printf(" --%s", cli_common_options[i].name);
}

static void PrintScenarios(void) {
    for (size_t i = 0; i < scenario_count; i++)
        printf("%s%s", i ? " " : "", scenarios[i].name);
}

/* zsh reads bash's completions through bashcompinit, so both have one text. */
static void PrintBash(void) {
    printf("_retropose() {\n"
           "    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ] || [ \"$before\" = help ]; then\n"
           "        COMPREPLY=($(compgen -W \"");
    PrintVerbs(" ");
    printf("\" -- \"$word\")); return\n"
           "    fi\n"
           "    case \"$before\" in\n"
           "        --scenario|gen) COMPREPLY=($(compgen -W \"");
    PrintScenarios();
    printf(
        "\" -- \"$word\")); return;;\n"
        "        --original|--replacement|--work|--wine-prefix)\n"
        "            COMPREPLY=($(compgen -d -- \"$word\")); return;;\n"
        "        --color) COMPREPLY=($(compgen -W \"auto always never\" -- \"$word\")); return;;\n"
        "        completion) COMPREPLY=($(compgen -W \"bash zsh fish\" -- \"$word\")); return;;\n"
        "    esac\n"
        "    local options=\n"
        "    case \"${COMP_WORDS[1]}\" in\n");
    for (size_t i = 0; i < cli_verb_count; i++) {
        printf("        %s) options=\"", cli_verbs[i].name);
        PrintOptions(&cli_verbs[i]);
        printf("\";;\n");
    }
    printf("    esac\n"
           "    case \"$word\" in\n"
           "        -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\"));;\n"
           "        *) COMPREPLY=($(compgen -f -- \"$word\"));;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _retropose retropose\n");
}

static void PrintZsh(void) {
    printf("autoload -Uz compinit bashcompinit && compinit && bashcompinit\n");
    PrintBash();
}

/* fish takes single quotes, in which only ' and \ are special. */
static void PrintQuoted(const char *text) {
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void PrintFishOption(const CliVerb *verb, const CliOption *option) {
    printf("complete -c retropose -n '__fish_seen_subcommand_from %s' -l %s", verb->name,
           option->name);
    if (option->letter)
        printf(" -s %c", option->letter);
    if (option->value)
        printf(" -r");
    if (strcmp(option->name, "scenario") == 0) {
        printf(" -a '");
        PrintScenarios();
        printf("'");
    }
    printf(" -d ");
    PrintQuoted(option->help);
    putchar('\n');
}

static void PrintFish(void) {
    for (size_t i = 0; i < cli_verb_count; i++) {
        const CliVerb *verb = &cli_verbs[i];
        printf("complete -c retropose -n __fish_use_subcommand -a %s -d ", verb->name);
        PrintQuoted(verb->summary);
        putchar('\n');
        for (size_t k = 0; k < CLI_MAX_OPTIONS && verb->options[k].name; k++)
            PrintFishOption(verb, &verb->options[k]);
        for (size_t k = 0; k < cli_common_option_count; k++)
            PrintFishOption(verb, &cli_common_options[k]);
    }
}

int Verb_Completion(Cli *cli) {
    static const struct {
        const char *shell;
        void (*print)(void);
    } shells[] = {{"bash", PrintBash}, {"zsh", PrintZsh}, {"fish", PrintFish}};
    for (size_t i = 0; cli->argument_count == 1 && i < sizeof shells / sizeof *shells; i++)
        if (strcmp(cli->arguments[0], shells[i].shell) == 0) {
            shells[i].print();
            return CLI_EQUAL;
        }
    return Cli_Complain("completion needs bash, zsh or fish");
}
