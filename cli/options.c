#include "cli/cli.h"

#include "cli/screen.h"
#include "core/files/wildcards.h"
#include "core/nearest.h"
#include "tracefile/select.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages -------------------------------------------------------------------------------- */

/* Flushes the standard output first, so that the order is right where both streams go to one
 * file. */
static void Say(const char *before, const char *format, va_list arguments) {
    fflush(stdout);
    fputs(before, stderr);
    Visible_PrintList(stderr, format, arguments);
    fputc('\n', stderr);
}

int Cli_Complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Say("retropose: ", format, arguments);
    va_end(arguments);
    return CLI_TROUBLE;
}

int Cli_Fail(const RpError *error) {
    char text[640];
    RpError_Format(error, text, sizeof text);
    Cli_Complain("%s", text);
    return error->status == RP_CRASHED ? CLI_CRASHED : CLI_TROUBLE;
}

void Cli_Note(const Cli *cli, const char *format, ...) {
    va_list arguments;
    if (cli->verbosity < 0 || cli->stage)
        return;
    va_start(arguments, format);
    Say("", format, arguments);
    va_end(arguments);
}

/* ---- options --------------------------------------------------------------------------------- */

const CliOption cli_common_options[] = {
    {"help", NULL, "this text", 'h'},
    {"quiet", NULL, "no progress and no notes", 'q'},
    {"verbose", NULL, "all rows and more notes, where the verb has such", 'v'},
    {"color", "WHEN", CLI_COLOURS " (default: auto; NO_COLOR is obeyed)", 0},
};
const size_t cli_common_option_count = sizeof cli_common_options / sizeof *cli_common_options;

/* Returns the verb's options first, then the common ones, and null after the last. */
static const CliOption *OptionAt(const CliVerb *verb, size_t index) {
    size_t own = 0;
    while (own < CLI_MAX_OPTIONS && verb->options[own].name)
        own++;
    if (index < own)
        return &verb->options[index];
    return index - own < cli_common_option_count ? &cli_common_options[index - own] : NULL;
}

/* Options by the names that they had in older versions. Such a name is in no list, and is taken for
 * the new one until version 2.0. */
static const struct { const char *old, *now; } renamed[] = {{"hypotheses", "readings"}};

static bool IsName(const char *name, const char *word, size_t length) {
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* ---- parsing --------------------------------------------------------------------------------- */

static bool AddGiven(Cli *cli, const CliOption *option, const char *value) {
    cli->given[cli->given_count++] = (CliGiven){option, value, NULL};
    return true;
}

/* Reads one option. If its value is the next word, *at moves to that. */
static bool ParseOption(Cli *cli, int count, char **words, int *at) {
    const char *word = words[*at], *equals = strchr(word, '=');
    bool is_long = word[1] == '-';
    const CliOption *option;
    size_t place = 0;
    if (is_long) {
        const char *name = word + 2;
        size_t length = equals ? (size_t)(equals - name) : strlen(name);
        for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
            if (IsName(renamed[i].old, name, length)) {
                name = renamed[i].now;
                length = strlen(name);
            }
        while ((option = OptionAt(cli->verb, place)) && !IsName(option->name, name, length))
            place++;
    } else {
        while ((option = OptionAt(cli->verb, place)) && option->letter != word[1])
            place++;
    }
    const char *joined = is_long ? (equals ? equals + 1 : NULL) : (word[2] ? word + 2 : NULL);
    if (!option || (joined && !is_long && !option->value)) { /* -j2 is allowed, -qx is not */
        char typed[64];
        const CliOption *other;
        Nearest nearest;
        size_t dashes = strspn(word, "-");
        snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word + dashes, "="), word + dashes);
        Nearest_Init(&nearest, typed);
        for (size_t i = 0; (other = OptionAt(cli->verb, i)); i++)
            Nearest_Offer(&nearest, other->name);
        Cli_Complain("%s has no option %s%s%s%s; see `retropose help %s`", cli->verb->name, word,
                     nearest.best ? ", did you mean --" : "", nearest.best ? nearest.best : "",
                     nearest.best ? "?" : "", cli->verb->name);
        return false;
    }
    if (!option->value) {
        if (joined) {
            Cli_Complain("--%s takes no value%s", option->name,
                         strcmp(option->name, "json") == 0
                             ? ": here it prints on the standard output, instead of text"
                             : "");
            return false;
        }
        return AddGiven(cli, option, NULL);
    }
    if (joined)
        return AddGiven(cli, option, joined);
    if (*at + 1 >= count) {
        Cli_Complain("--%s needs %s%s", option->name, option->value,
                     strcmp(option->name, "json") == 0 ? " (-: the standard output)" : "");
        return false;
    }
    return AddGiven(cli, option, words[++*at]);
}

static const CliGiven *FindGiven(const Cli *cli, const char *name) {
    for (size_t i = cli->given_count; i > 0; i--)
        if (strcmp(cli->given[i - 1].option->name, name) == 0)
            return &cli->given[i - 1];
    return NULL;
}

/* Says what is wrong with a value and, for a setting, where it is set. Returns false. */
static bool ComplainOfValue(const Cli *cli, const char *name, const char *wanted,
                            const char *found) {
    const CliGiven *given = FindGiven(cli, name);
    if (given && given->origin)
        Cli_Complain("%s (%s) takes %s, not %s", name, given->origin, wanted, found);
    else
        Cli_Complain("--%s takes %s, not %s", name, wanted, found);
    return false;
}

bool CliColour_Read(const char *word, CliColour *colour) {
    static const char *const words[] = {"auto", "always", "never"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) {
            *colour = (CliColour)i;
            return true;
        }
    return false;
}

bool Cli_DecideColour(Cli *cli) {
    const char *when = Cli_Value(cli, "color", "auto"), *no_colour = getenv("NO_COLOR");
    CliColour colour;
    if (!CliColour_Read(when, &colour))
        return ComplainOfValue(cli, "color", CLI_COLOURS, when);
    cli->colour_out =
        colour == CLI_COLOUR_ALWAYS ||
        (colour == CLI_COLOUR_AUTO && Screen_CanRedraw(stdout) && !(no_colour && *no_colour));
    return true;
}

/* Replaces arguments that contain * or ? by the names of files. Shells on Windows leave this to the
 * programs. An argument that does not match any file stays as it is. */
#ifdef _WIN32
static bool ExpandArguments(Cli *cli) {
    RpError error;
    size_t total = 0;
    cli->expanded = calloc(cli->argument_count + 1, sizeof *cli->expanded);
    for (; cli->expanded && cli->expanded_count < cli->argument_count; cli->expanded_count++) {
        WildcardNames *names = &cli->expanded[cli->expanded_count];
        if (Wildcards_List(cli->arguments[cli->expanded_count], names, &error))
            return Cli_Fail(&error), false;
        total += names->count > 0 ? names->count : 1;
    }
    const char **arguments = calloc(total + 1, sizeof *arguments);
    if (!cli->expanded || !arguments) {
        free(arguments);
        return Cli_Complain("out of memory"), false;
    }
    size_t at = 0;
    for (size_t i = 0; i < cli->argument_count; i++) {
        const WildcardNames *names = &cli->expanded[i];
        for (size_t n = 0; n < names->count; n++)
            arguments[at++] = names->list[n];
        if (names->count == 0)
            arguments[at++] = cli->arguments[i];
    }
    free(cli->arguments);
    cli->arguments = arguments;
    cli->argument_count = total;
    return true;
}
#else
static bool ExpandArguments(Cli *cli) {
    (void)cli;
    return true;
}
#endif

bool Cli_Parse(Cli *cli, const CliVerb *verb, int count, char **words) {
    bool options = true;
    /* Every word may turn out to be an option or an argument. */
    size_t most = count > 0 ? (size_t)count : 1;
    memset(cli, 0, sizeof *cli);
    cli->verb = verb;
    cli->given = calloc(most, sizeof *cli->given);
    cli->arguments = calloc(most, sizeof *cli->arguments);
    if (!cli->given || !cli->arguments) {
        Cli_Complain("out of memory");
        return false;
    }
    for (int i = 0; i < count; i++) {
        /* "-" and "-::MEMBER" are not options, and neither is a negative number. */
        const char *word = words[i];
        const bool is_option = word[0] == '-' && word[1] && !(word[1] >= '0' && word[1] <= '9') &&
                               word[1] != '.' && word[1] != ':';
        bool fine = true;
        if (options && strcmp(word, "--") == 0)
            options = false;
        else if (options && is_option)
            fine = ParseOption(cli, count, words, &i);
        else
            cli->arguments[cli->argument_count++] = words[i];
        if (!fine)
            return false;
    }
    cli->verbosity = Cli_Has(cli, "verbose") - Cli_Has(cli, "quiet");
    return Cli_DecideColour(cli) && ExpandArguments(cli);
}

void Cli_Free(Cli *cli) {
    for (size_t i = 0; i < cli->expanded_count; i++)
        Wildcards_Free(&cli->expanded[i]);
    free(cli->expanded);
    free(cli->given);
    free(cli->arguments);
}

/* ---- asking ---------------------------------------------------------------------------------- */

const char *Cli_Value(const Cli *cli, const char *name, const char *fallback) {
    const CliGiven *given = FindGiven(cli, name);
    return given ? given->value : fallback;
}

bool Cli_Has(const Cli *cli, const char *name) {
    return FindGiven(cli, name) != NULL;
}

bool Cli_Number(const Cli *cli, const char *name, uint64_t least, uint64_t most, uint64_t *number) {
    const char *text = Cli_Value(cli, name, NULL);
    char *end;
    if (!text)
        return true;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || value < least || value > most) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "a number from %llu to %llu", (unsigned long long)least,
                 (unsigned long long)most);
        return ComplainOfValue(cli, name, wanted, text);
    }
    *number = value;
    return true;
}

bool Cli_Shard(const Cli *cli, Shard *shard) {
    const char *text = Cli_Value(cli, "shard", "1/1");
    if (Shard_Read(text, shard))
        return true;
    Cli_Complain("--shard takes I/N, with I from 1 to N and N up to %d, not %s", SHARDS_MOST, text);
    return false;
}

bool Cli_Selection(const Cli *cli, Selection **selection) {
    RpError error;
    const char *text = Cli_Value(cli, "select", NULL);
    *selection = NULL;
    if (!text || Selection_Parse(text, selection, &error) == RP_OK)
        return true;
    Cli_Fail(&error);
    return false;
}
