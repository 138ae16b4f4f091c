#include "cli/again.h"

#include <stdio.h>
#include <string.h>

static const char *program = "retropose";

void Again_SetProgram(const char *name) {
    program = name && *name ? name : "retropose";
}

void Again_AddText(Again *again, const char *text) {
    const size_t room = again->size > again->length ? again->size - again->length : 0;
    snprintf(room ? again->text + again->length : NULL, room, "%s", text);
    again->length += strlen(text);
}

static bool IsPlain(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=,+@%-"
#ifdef _WIN32
                                "\\"
#endif
        ;
    return *word && strspn(word, plain) == strlen(word);
}

#ifdef _WIN32
/* No name of a file has a quotation mark there. */
static void AddQuoted(Again *again, const char *word) {
    Again_AddText(again, "\"");
    Again_AddText(again, word);
    Again_AddText(again, "\"");
}
#else
static void AddQuoted(Again *again, const char *word) {
    Again_AddText(again, "'");
    for (; *word; word++) {
        const char letter[2] = {*word, 0};
        Again_AddText(again, *word == '\'' ? "'\\''" : letter);
    }
    Again_AddText(again, "'");
}
#endif

static void AddShellWord(Again *again, const char *word) {
    if (IsPlain(word))
        Again_AddText(again, word);
    else
        AddQuoted(again, word);
}

Again Again_Begin(char *text, size_t size) {
    Again again = {text, size, 0};
    AddShellWord(&again, program);
    return again;
}

Again Again_BeginPlain(char *text, size_t size) {
    Again again = {text, size, 0};
    Again_AddText(&again, "retropose");
    return again;
}

void Again_AddWord(Again *again, const char *word) {
    Again_AddText(again, " ");
    AddShellWord(again, word);
}

void Again_AddOptions(Again *again, const Cli *cli) {
    static const char *const names[] = {"original",   "replacement", "host",
                                        "hypotheses", "profile",     "force-cpu",
                                        "timeout",    "overlay",     "processor"};
    if (Cli_Has(cli, "trust"))
        Again_AddWord(again, "--trust");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char option[32];
        if (!Cli_Has(cli, names[i]))
            continue;
        snprintf(option, sizeof option, "--%s", names[i]);
        Again_AddWord(again, option);
        Again_AddWord(again, Cli_Value(cli, names[i], ""));
    }
}

static bool IsAmong(const char *name, const char *const *names) {
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

void Again_AddCommand(Again *again, const Cli *cli, const char *const *without) {
    Again_AddText(again, " ");
    Again_AddText(again, cli->verb->name);
    for (size_t i = 0; i < cli->given_count; i++) {
        const CliOption *option = cli->given[i].option;
        if (IsAmong(option->name, without))
            continue;
        Again_AddText(again, " --");
        Again_AddText(again, option->name);
        if (option->value)
            Again_AddWord(again, cli->given[i].value);
    }
    for (size_t i = 0; i < cli->argument_count; i++)
        Again_AddWord(again, cli->arguments[i]);
}
