/* Commands as a shell reads them, for reports that say how to repeat something, and for notes that
 * say what can be done next. Copied into a shell (on Windows, into cmd or PowerShell) they work as
 * they are. */
#ifndef RETROPOSE_CLI_COMMAND_TEXT_H
#define RETROPOSE_CLI_COMMAND_TEXT_H

#include "cli/cli.h"

/* A text that is cut where it does not fit, while `length` counts on. CommandText_Whole refuses
 * one that was. */
typedef struct CommandText {
    char *text;
    size_t size, length;
} CommandText;

/* Remembers how this program was called; null or an empty name is "retropose". */
void CommandText_SetProgram(const char *name);
/* Begins with the name of this program: as it was called, where that is known, because another name
 * may not be in the search path. Reports say "retropose", so that they are the same however it was
 * called. */
CommandText CommandText_BeginProgram(char *text, size_t size);

/* Appends a text as it is. */
void CommandText_Add(CommandText *command, const char *text);
/* Appends a blank and a word so that a shell reads the word back as it is. */
void CommandText_AddWord(CommandText *command, const char *word);
/* Appends the options of these names, up to a null, as they were given. */
void CommandText_AddGiven(CommandText *command, const Cli *cli, const char *const *names);

/* Returns the command, or null where it was cut: what is left of it would do something else, so it
 * is shown to nobody. */
const char *CommandText_Whole(const CommandText *command);

/* Writes the whole command again, as it was given and without what the settings add, and without
 * the options of these names, up to a null. */
void CommandText_Repeat(CommandText *command, const Cli *cli, const char *const *without);

#endif
