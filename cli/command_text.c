#include "cli/command_text.h"

#include <stdio.h>
#include <string.h>

void CommandText_Add(CommandText *command, const char *text) {
    size_t room = command->size > command->length ? command->size - command->length : 0;
    snprintf(room ? command->text + command->length : NULL, room, "%s", text);
    command->length += strlen(text);
}

void CommandText_AddWord(CommandText *command, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=,+@%-";
    CommandText_Add(command, " ");
    if (*word && strspn(word, plain) == strlen(word)) {
        CommandText_Add(command, word);
        return;
    }
    CommandText_Add(command, "'");
    for (; *word; word++) {
        char letter[2] = {*word, 0};
        CommandText_Add(command, *word == '\'' ? "'\\''" : letter);
    }
    CommandText_Add(command, "'");
}

static bool IsAmong(const char *name, const char *const *names) {
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static void AddOption(CommandText *command, const CliOption *option, const char *value) {
    CommandText_Add(command, " --");
    CommandText_Add(command, option->name);
    if (option->value)
        CommandText_AddWord(command, value);
}

void CommandText_AddGiven(CommandText *command, const Cli *cli, const char *const *names) {
    for (; *names; names++)
        for (size_t i = cli->given_count; i-- > 0;)
            if (strcmp(cli->given[i].option->name, *names) == 0) { /* the last one counts */
                AddOption(command, cli->given[i].option, cli->given[i].value);
                break;
            }
}

void CommandText_Repeat(CommandText *command, const Cli *cli, const char *const *without) {
    CommandText_Add(command, "retropose ");
    CommandText_Add(command, cli->verb->name);
    for (size_t i = 0; i < cli->given_count; i++)
        if (!IsAmong(cli->given[i].option->name, without))
            AddOption(command, cli->given[i].option, cli->given[i].value);
    for (size_t i = 0; i < cli->argument_count; i++)
        CommandText_AddWord(command, cli->arguments[i]);
}
