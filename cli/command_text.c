#include "cli/command_text.h"

#include <stdio.h>
#include <string.h>

void CommandText_Add(CommandText *command, const char *text) {
    size_t room = command->size > command->length ? command->size - command->length : 0;
    snprintf(room ? command->text + command->length : NULL, room, "%s", text);
    command->length += strlen(text);
}

const char *CommandText_Whole(const CommandText *command) {
    return command->length < command->size ? command->text : NULL;
}

#ifdef _WIN32
/* On Windows no file name contains a quotation mark. */
static void AddQuoted(CommandText *command, const char *word) {
    CommandText_Add(command, "\"");
    CommandText_Add(command, word);
    CommandText_Add(command, "\"");
}
#else
static void AddQuoted(CommandText *command, const char *word) {
    CommandText_Add(command, "'");
    for (; *word; word++) {
        const char letter[2] = {*word, 0};
        CommandText_Add(command, *word == '\'' ? "'\\''" : letter);
    }
    CommandText_Add(command, "'");
}
#endif

static void AddShellWord(CommandText *command, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=,+@%-"
#ifdef _WIN32
                                "\\"
#endif
        ;
    if (*word && strspn(word, plain) == strlen(word))
        CommandText_Add(command, word);
    else
        AddQuoted(command, word);
}

void CommandText_AddWord(CommandText *command, const char *word) {
    CommandText_Add(command, " ");
    AddShellWord(command, word);
}

static const char *program = "retropose";

void CommandText_SetProgram(const char *name) {
    program = name && *name ? name : "retropose";
}

CommandText CommandText_BeginProgram(char *text, size_t size) {
    CommandText command = {text, size, 0};
    AddShellWord(&command, program);
    return command;
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
    for (size_t i = cli->configured; i < cli->given_count; i++) {
        const char *const *names = without;
        while (*names && strcmp(*names, cli->given[i].option->name) != 0)
            names++;
        if (!*names)
            AddOption(command, cli->given[i].option, cli->given[i].value);
    }
    for (size_t i = 0; i < cli->argument_count; i++)
        CommandText_AddWord(command, cli->arguments[i]);
}
