/* A program's arguments as the one line that Windows starts it with. */
#ifndef RETROPOSE_REPLAY_PROCESS_COMMAND_LINE_H
#define RETROPOSE_REPLAY_PROCESS_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum { COMMAND_LINE_BYTES = 32768 }; /* the system's limit, with the end */

typedef struct CommandLine {
    char bytes[COMMAND_LINE_BYTES]; /* all zero: empty */
    size_t length;
} CommandLine;

/* Appends an argument so that CommandLineToArgvW reads it back as it is. False, and nothing is
 * appended, when there is no room. */
bool CommandLine_Append(CommandLine *line, const char *argument);

#endif
