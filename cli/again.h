/* Command lines that the command prints for its user to run next, or again. Copied into a shell
 * (on Windows, into cmd or PowerShell) they work as they are. */
#ifndef RETROPOSE_CLI_AGAIN_H
#define RETROPOSE_CLI_AGAIN_H

#include "cli/cli.h"

typedef struct Again {
    char *text; /* cut where it does not fit; may be null when size is 0 */
    size_t size;
    size_t length; /* of the whole, as snprintf counts */
} Again;

/* Begins a command with the name of this program: as it was called, where that is known, because
 * another name may not be in the search path. */
Again Again_Begin(char *text, size_t size);
/* Begins a command with "retropose", for reports, which are the same however it was called. */
Again Again_BeginPlain(char *text, size_t size);
void Again_AddText(Again *again, const char *text);
/* Appends a word so that a shell reads it back as it is. */
void Again_AddWord(Again *again, const char *word);
/* Appends those of the given options that decide what runs: the pairs, and how they are run. */
void Again_AddOptions(Again *again, const Cli *cli);
/* Appends this verb with all options that were given but those of these names, up to a null, and
 * the arguments. */
void Again_AddCommand(Again *again, const Cli *cli, const char *const *without);

/* Remembers how this program was called; null or an empty name is "retropose". */
void Again_SetProgram(const char *name);

#endif
