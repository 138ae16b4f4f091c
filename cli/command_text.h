/* Commands as a shell reads them, for reports that say how to repeat something, and for notes that
 * say what can be done next. Copied into a shell (on Windows, into cmd or PowerShell) they work as
 * they are. */
#ifndef RETROPOSE_CLI_COMMAND_TEXT_H
#define RETROPOSE_CLI_COMMAND_TEXT_H

#include "cli/cli.h"

/* A text that may be too long for its place. It is cut, but `length` counts all of it, so that
 * CommandText_Whole can refuse it. */
typedef struct CommandText {
    char *text;
    size_t size, length;
} CommandText;

/* Remembers under which name this program was called. Null or an empty name means "retropose". */
void CommandText_SetProgram(const char *name);
/* Begins a command with the name under which this program was called, if that is known, because
 * another name may not be in the search path. Reports say "retropose" instead, so that they do not
 * depend on the call. */
CommandText CommandText_BeginProgram(char *text, size_t size);

/* Appends a text without quoting it. */
void CommandText_Add(CommandText *command, const char *text);
/* Appends a blank and a word so that a shell reads the word back as it is. */
void CommandText_AddWord(CommandText *command, const char *word);
/* Appends the options of these names as they were given. The list of names ends with null. */
void CommandText_AddGiven(CommandText *command, const Cli *cli, const char *const *names);

/* Returns the command, or null if it was cut. A cut command would do something else, so it is not
 * shown. */
const char *CommandText_Whole(const CommandText *command);

/* Appends the whole command line as it was given, without settings, and without the options in
 * `without`, which ends with null. */
void CommandText_Repeat(CommandText *command, const Cli *cli, const char *const *without);

#endif
