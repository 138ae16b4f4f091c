#include "cli/cli.h"

#include "replay/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

static void PrintScenarios(void) {
    for (size_t i = 0; i < scenario_count; i++)
        printf("%s%s", i ? " " : "", scenarios[i].name);
}

static void PrintBashOptions(const CliGroup *groups) {
    const CliVerb *verb;
    printf("    local options=\n"
           "    case \"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in\n");
    /* Verbs of two words come first, because "gen corpus" also begins with the verb "gen". */
    for (int two_words = 1; two_words >= 0; two_words--)
        for (size_t i = 0; (verb = CliVerb_At(groups, i)); i++) {
            if ((strchr(verb->name, ' ') != NULL) != two_words)
                continue;
            printf("        '%s'%s) options=\"", verb->name, two_words ? "" : "\\ *");
            for (size_t k = 0; k < CLI_MAX_OPTIONS && verb->options[k].name; k++)
                printf(" --%s", verb->options[k].name);
            for (size_t k = 0; k < cli_common_option_count; k++)
                printf(" --%s", cli_common_options[k].name);
            printf("\";;\n");
        }
    printf("    esac\n");
}

/* Each line that compgen prints is a completion, whatever blanks it has. The word is as it was
 * typed, with quotes and backslashes, which compgen does not understand. Only names of files are
 * quoted where they are inserted, and only they get a slash where there is such a folder. */
static const char bash_helpers[] =
    "_retropose_offer() {\n"
    "    local line\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r line; do COMPREPLY+=(\"$line\"); done < <(compgen \"$@\")\n"
    "}\n"
    "_retropose_offer_files() { # -f or -d\n"
    "    local word=\"$2\"\n"
    "    case \"$word\" in\n"
    "        [\\\"\\']*) word=\"${word#?}\";;\n"
    "        *) word=\"${word//\\\\/}\";;\n"
    "    esac\n"
    "    if type compopt >/dev/null 2>&1; then compopt -o filenames 2>/dev/null || :; fi\n"
    "    _retropose_offer \"$1\" -- \"$word\"\n"
    "}\n";

static void PrintBashWords(const char *pattern) {
    printf("        %s) _retropose_offer -W \"", pattern);
}

/* zsh reads bash's completions through bashcompinit, so both have one text. */
static void PrintBash(const CliGroup *groups) {
    static const char end[] = "\" -- \"$word\"; return;;\n";
    printf("%s"
           "_retropose() {\n"
           "    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ] || [ \"$before\" = help ]; then\n"
           "        _retropose_offer -W \"",
           bash_helpers);

    /* Verbs of one word and groups can stand first. */
    const CliVerb *verb;
    const char *separator = "";
    for (size_t i = 0; (verb = CliVerb_At(groups, i)); i++)
        if (!strchr(verb->name, ' ')) {
            printf("%s%s", separator, verb->name);
            separator = " ";
        }
    for (const CliGroup *group = groups; group->verbs; group++)
        if (!group->one_word)
            printf(" %s", group->name);

    printf("\" -- \"$word\"; return\n"
           "    fi\n"
           "    case \"$before\" in\n");
    PrintBashWords("--scenario");
    PrintScenarios();
    printf("%s        --original|--replacement|--work|--wine-prefix)\n"
           "            _retropose_offer_files -d \"$word\"; return;;\n",
           end);
    PrintBashWords("--color");
    printf("auto always never%s", end);
    PrintBashWords("--engine");
    printf("auto machine interpreter wine windows%s", end);
    PrintBashWords("completion");
    printf("bash zsh fish%s", end);
    for (const CliGroup *group = groups; group->verbs; group++) {
        if (group->one_word)
            continue;
        PrintBashWords(group->name);
        for (const CliVerb *const *one = group->verbs; *one; one++)
            printf("%s%s", one == group->verbs ? "" : " ", CliVerb_LastWord(*one));
        if (strcmp(group->name, "gen") == 0) { /* `gen` also takes a scenario */
            putchar(' ');
            PrintScenarios();
        }
        printf("%s", end);
    }
    printf("    esac\n");
    PrintBashOptions(groups);
    printf("    case \"$word\" in\n"
           "        -*) _retropose_offer -W \"$options\" -- \"$word\";;\n"
           "        *) _retropose_offer_files -f \"$word\";;\n"
           "    esac\n"
           "}\n"
           "if type compopt >/dev/null 2>&1; then\n"
           "    complete -F _retropose retropose\n"
           "else\n"
           "    complete -o filenames -F _retropose retropose\n"
           "fi\n");
}

/* The text can be read with `source`. It can also be the file _retropose of a folder in $fpath,
 * which zsh turns into a function and calls for the first completion. */
static void PrintZsh(const CliGroup *groups) {
    printf("#compdef retropose\n"
           "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"
           "autoload -Uz bashcompinit && bashcompinit\n");
    PrintBash(groups);
    printf(
        "if [ \"${funcstack[1]}\" = _retropose ]; then _bash_complete -o filenames -F _retropose; "
        "fi\n");
}

/* Prints a text in single quotes as fish reads them: only ' and \ are special there. */
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
    /* fish tests whether the words of the verb have been typed. */
    printf("complete -c retropose -n ");
    const char *space = strchr(verb->name, ' ');
    if (space)
        printf("'__fish_seen_subcommand_from %.*s; and __fish_seen_subcommand_from %s'",
               (int)(space - verb->name), verb->name, space + 1);
    else
        printf("'__fish_seen_subcommand_from %s'", verb->name);
    printf(" -l %s", option->name);
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

static void PrintFish(const CliGroup *groups) {
    const CliVerb *verb;
    for (const CliGroup *group = groups; group->verbs; group++) {
        if (group->one_word)
            continue;
        printf("complete -c retropose -n __fish_use_subcommand -a %s -d ", group->name);
        PrintQuoted(group->summary);
        putchar('\n');
    }
    for (size_t i = 0; (verb = CliVerb_At(groups, i)); i++) {
        const char *space = strchr(verb->name, ' ');
        if (space)
            printf("complete -c retropose -n '__fish_seen_subcommand_from %.*s' -a %s -d ",
                   (int)(space - verb->name), verb->name, space + 1);
        else
            printf("complete -c retropose -n __fish_use_subcommand -a %s -d ", verb->name);
        PrintQuoted(verb->summary);
        putchar('\n');
        for (size_t k = 0; k < CLI_MAX_OPTIONS && verb->options[k].name; k++)
            PrintFishOption(verb, &verb->options[k]);
        for (size_t k = 0; k < cli_common_option_count; k++)
            PrintFishOption(verb, &cli_common_options[k]);
    }
}

static int Run(Cli *cli) {
    static const struct {
        const char *shell;
        void (*print)(const CliGroup *groups);
    } shells[] = {{"bash", PrintBash}, {"zsh", PrintZsh}, {"fish", PrintFish}};
    for (size_t i = 0; cli->argument_count == 1 && i < sizeof shells / sizeof *shells; i++)
        if (strcmp(cli->arguments[0], shells[i].shell) == 0) {
            shells[i].print(cli->groups);
            return CLI_EQUAL;
        }
    return Cli_Complain("completion needs bash, zsh or fish");
}

const CliVerb cli_main_completion = {"completion",    "print completions for a shell",
                                     "bash|zsh|fish", "source <(retropose completion bash)\n",
                                     {{0}},           Run};
