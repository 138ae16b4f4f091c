/* Commands as a shell reads them, for reports that say how to repeat something. */
#ifndef RETROPOSE_CLI_COMMAND_TEXT_H
#define RETROPOSE_CLI_COMMAND_TEXT_H

#include "cli/cli.h"

/* A text that is cut where it does not fit, while `length` counts on. */
typedef struct CommandText {
    char *text;
    size_t size, length;
} CommandText;

/* Appends a text as it is. */
void CommandText_Add(CommandText *command, const char *text);
/* Appends a blank and a word so that a shell reads the word back as it is. */
void CommandText_AddWord(CommandText *command, const char *word);
/* Appends the options of these names, up to a null, as they were given. */
void CommandText_AddGiven(CommandText *command, const Cli *cli, const char *const *names);

/* Writes the whole command again, without the options of these names, up to a null. */
void CommandText_Repeat(CommandText *command, const Cli *cli, const char *const *without);

#endif
